"""One-hot blocks: one variable whose evidence is counted once for every column. Williams (2024)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import FunctionTransformer

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, list_columns
from nbcore.diagnosis.remedies import measure_refit
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import CategoricalNB
from nbcore.one_hot import one_hot_groups, ordinal_codes
from nbcore.one_hot.groups import disjoint_probability


def _disjoint_beyond_chance(Z: NDArray, block: tuple[int, ...], code: NDArray) -> bool:
    """Return whether the columns of a block are disjoint within the classes beyond what chance explains."""
    B = Z[:, block]
    rest, log_chance = np.zeros(len(Z)), 0.0
    for column in B.T:
        for c in np.unique(code):
            mine, others = column[code == c].sum(), rest[code == c].sum()
            log_chance += np.log(max(float(disjoint_probability(mine, others, int((code == c).sum()))), 1e-300))
        rest += column
    return log_chance < np.log(LEVEL / Z.shape[1] ** 2)


def one_hot_blocks(case: Case) -> list[tuple[int, ...]]:
    """Return the one-hot blocks among the columns of a Bernoulli or Gaussian model; cached."""
    if "blocks" not in case.cache:
        Z = case.dense
        searched = isinstance(Z, np.ndarray) and case.event in ("bernoulli", "gaussian")
        found = one_hot_groups(Z.astype(float)) if searched and not np.isnan(Z.astype(float)).any() else []
        case.cache["blocks"] = [block for block in found if _disjoint_beyond_chance(Z, block, case.code)]
    return case.cache["blocks"]


def find_one_hot(case: Case) -> Finding | None:
    """Report blocks in a Bernoulli or Gaussian model; a multinomial model counts a block as one draw, not twice."""
    blocks = one_hot_blocks(case)
    if not blocks:
        return None
    columns, width = [j for block in blocks for j in block], case.Z.shape[1]
    codes = FunctionTransformer(ordinal_codes, kw_args={"groups": blocks})
    gone = {j for block in blocks for j in block[1:]}
    left = [j for j in range(width) if j not in gone]  # the columns after `codes`
    coded = [i for i, j in enumerate(left) if j in columns]
    nb: Any = CategoricalNB(alpha=getattr(case.nb, "alpha", 1.0), handle_unknown="ignore")
    if len(coded) < len(left) and case.event == "gaussian":
        parts = [("categorical", coded), ("gaussian", [i for i in range(len(left)) if i not in coded])]
        nb = MixedNB(parts, handle_unknown="ignore")
    return Finding(
        "one_hot",
        f"{len(blocks)} block{'s' * (len(blocks) > 1)} of one-hot columns "
        f"({list_columns([case.names[j] for j in columns])}): one variable speaks {len(columns) / len(blocks):.3g} "
        "times on average.",
        "03_one_hot_pitfall",
        (measure_refit(case, f"ordinal codes ({len(left)} columns for {width})", codes, nb),),
        tuple(case.names[j] for j in columns),
        {"blocks": [[case.names[j] for j in block] for block in blocks]},
    )
