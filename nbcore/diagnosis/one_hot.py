"""One-hot blocks: one variable whose evidence is counted once for every column. Williams (2024)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, list_columns, measure_refit, sort_remedies
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import CategoricalNB
from nbcore.one_hot import one_hot_groups, ordinal_codes
from nbcore.one_hot.groups import disjoint_probability


def encoded_blocks(step: Any, start: int = 0) -> list[tuple[int, ...]]:
    """Return the blocks that a fitted OneHotEncoder writes: tuples of output columns, from `start` on."""
    if isinstance(step, OneHotEncoder):
        none = [None] * len(step.categories_)
        rare = getattr(step, "infrequent_categories_", none)
        drop = none if step.drop_idx_ is None else step.drop_idx_
        width = [
            len(values) - (0 if few is None else len(few) - 1) - (dropped is not None)
            for values, few, dropped in zip(step.categories_, rare, drop, strict=True)
        ]
        ends = start + np.cumsum(width)
        return [tuple(range(end - w, end)) for end, w in zip(ends, width, strict=True) if w > 1]
    if isinstance(step, ColumnTransformer):
        parts = [(fitted, step.output_indices_[name]) for name, fitted, _ in step.transformers_]
        return [block for fitted, place in parts for block in encoded_blocks(fitted, place.start)]
    if isinstance(step, Pipeline):
        return encoded_blocks(step.steps[-1][1], start)
    return []


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
    """Return the blocks of the pipeline's own encoder, else those found in the columns; cached."""
    if "blocks" not in case.cache:
        case.cache["blocks"] = _find_blocks(case)
    return case.cache["blocks"]


def _find_blocks(case: Case) -> list[tuple[int, ...]]:
    """Search for one-hot blocks in a Bernoulli or Gaussian model."""
    Z = case.dense
    if not isinstance(Z, np.ndarray) or case.event not in ("bernoulli", "gaussian"):
        return []
    encoded = [block for step in case.recipe.steps[-1:] for block in encoded_blocks(step)]
    encoded = [block for block in encoded if block[-1] < Z.shape[1]]
    if encoded:
        return encoded
    return [block for block in one_hot_groups(Z.astype(float)) if _disjoint_beyond_chance(Z, block, case.code)]


def find_one_hot(case: Case) -> Finding | None:
    """Report blocks in a Bernoulli or Gaussian model; a multinomial model counts a block as one draw, not twice."""
    blocks = one_hot_blocks(case)
    if not blocks:
        return None
    columns = [j for block in blocks for j in block]
    rest = [j for j in range(case.Z.shape[1]) if j not in set(columns)]
    codes = FunctionTransformer(ordinal_codes, kw_args={"groups": blocks})
    kept, alpha = len(blocks) + len(rest), getattr(case.nb, "alpha", 1.0)
    if not rest or case.event == "bernoulli":
        nb: Any = CategoricalNB(alpha=alpha, handle_unknown="ignore")
        words = f'CategoricalNB(alpha={alpha}, handle_unknown="ignore")'
        imports = "nbcore.naive_bayes import CategoricalNB"
    else:
        nb, words, imports = _mixed_model(blocks, case.Z.shape[1])
    code = (
        f"from {imports}\nfrom nbcore.one_hot import ordinal_codes\nfrom sklearn.base import clone\n"
        "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import FunctionTransformer\n"
        f"\ncodes = FunctionTransformer(ordinal_codes, kw_args={{'groups': {blocks}}})"
        f"\n{case.rebuilt_code('codes', words)}"
    )
    remedy = measure_refit(case, f"ordinal codes ({kept} columns for {case.Z.shape[1]})", code, case.rebuilt(codes, nb))
    spread = len(columns) / len(blocks)
    several = "blocks" if len(blocks) > 1 else "block"
    return Finding(
        "one_hot",
        f"{len(blocks)} {several} of one-hot columns ({list_columns([case.names[j] for j in columns])}): "
        f"one variable speaks {spread:.3g} times on average. {_gain_sentence(remedy)}",
        len(blocks),
        (len(blocks), len(blocks)),
        "blocks",
        "03_one_hot_pitfall",
        sort_remedies([remedy]),
        tuple(case.names[j] for j in columns),
        {"blocks": [[case.names[j] for j in block] for block in blocks]},
    )


def _mixed_model(blocks: list[tuple[int, ...]], width: int) -> tuple[Any, str, str]:
    """Return a MixedNB for the table after `ordinal_codes`, its code and its import: codes and other columns."""
    first = {block[0] for block in blocks}
    gone = {j for block in blocks for j in block[1:]}
    left = [j for j in range(width) if j not in gone]
    parts = [
        ("categorical", [i for i, j in enumerate(left) if j in first]),
        ("gaussian", [i for i, j in enumerate(left) if j not in first]),
    ]
    words = f'MixedNB({parts}, handle_unknown="ignore")'
    return MixedNB(parts, handle_unknown="ignore"), words, "nbcore.mixed import MixedNB"


def _gain_sentence(remedy: Any) -> str:
    """Return a sentence that says what ordinal codes do to the log loss."""
    if remedy.failed:
        return f"Ordinal codes could not be measured here: {remedy.failed}"
    verb = "lower" if remedy.gain > 0 else "raise"
    return f"Ordinal codes {verb} the log loss from {remedy.before:.3f} to {remedy.after:.3f} nats a row."
