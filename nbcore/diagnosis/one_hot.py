"""One-hot blocks: one variable that speaks once for every one of its values. Williams (2024)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, best_first, listed, refit
from nbcore.mixed import MixedNB
from nbcore.naive_bayes import CategoricalNB
from nbcore.one_hot import one_hot_groups, ordinal_codes
from nbcore.one_hot.groups import chance_apart

__all__ = ["encoded_blocks", "find_one_hot", "one_hot_blocks"]


def encoded_blocks(step: Any, start: int = 0) -> list[tuple[int, ...]]:
    """Blocks that a fitted transformer's OneHotEncoder writes: tuples of its output columns, from `start` on."""
    if isinstance(step, OneHotEncoder):
        rare = getattr(step, "infrequent_categories_", [None] * len(step.categories_))
        width = [
            len(values) - (0 if few is None else len(few) - 1) - (dropped is not None)
            for values, few, dropped in zip(
                step.categories_,
                rare,
                step.drop_idx_ if step.drop_idx_ is not None else [None] * len(step.categories_),
                strict=True,
            )
        ]
        ends = start + np.cumsum(width)
        return [tuple(range(end - w, end)) for end, w in zip(ends, width, strict=True) if w > 1]
    if isinstance(step, ColumnTransformer):
        parts = [(fitted, step.output_indices_[name]) for name, fitted, _ in step.transformers_]
        return [block for fitted, place in parts for block in encoded_blocks(fitted, place.start)]
    if isinstance(step, Pipeline):
        return encoded_blocks(step.steps[-1][1], start)
    return []


def _kept_apart(Z: NDArray, block: tuple[int, ...], code: NDArray) -> bool:
    """Whether chance would not have kept the columns of a block apart within the classes either."""
    B = Z[:, block]
    rest, log_chance = np.zeros(len(Z)), 0.0
    for column in B.T:
        for c in np.unique(code):
            mine, others = column[code == c].sum(), rest[code == c].sum()
            log_chance += np.log(max(float(chance_apart(mine, others, int((code == c).sum()))), 1e-300))
        rest += column
    return log_chance < np.log(LEVEL / Z.shape[1] ** 2)


def one_hot_blocks(case: Case) -> list[tuple[int, ...]]:
    """What the pipeline's own encoder tells, else what the columns look like."""
    if "blocks" not in case.memory:
        case.memory["blocks"] = _find_blocks(case)
    return case.memory["blocks"]


def _find_blocks(case: Case) -> list[tuple[int, ...]]:
    Z = case.dense
    if not isinstance(Z, np.ndarray) or case.event not in ("bernoulli", "gaussian"):
        return []
    told = [
        block
        for step in case.recipe.steps[-1:]
        for block in encoded_blocks(step)
        if set(block) <= set(range(Z.shape[1]))
    ]
    if told:
        return told
    return [block for block in one_hot_groups(Z.astype(float)) if _kept_apart(Z, block, case.code)]


def find_one_hot(case: Case) -> Finding | None:
    """Blocks in a Bernoulli or Gaussian model; in a multinomial one a block is a draw, and nothing is counted twice."""
    blocks = one_hot_blocks(case)
    if not blocks:
        return None
    columns = [j for block in blocks for j in block]
    rest = [j for j in range(case.Z.shape[1]) if j not in set(columns)]
    codes = FunctionTransformer(ordinal_codes, kw_args={"groups": blocks})
    kept, alpha = len(blocks) + len(rest), getattr(case.nb, "alpha", 1.0)
    if not rest or case.event == "bernoulli":
        nb: Any = CategoricalNB(alpha=alpha, handle_unknown="ignore")
        words, imports = (
            f'CategoricalNB(alpha={alpha}, handle_unknown="ignore")',
            "nbcore.naive_bayes import CategoricalNB",
        )
    else:
        nb, words, imports = _mixed(blocks, case.Z.shape[1])
    code = (
        f"from {imports}\nfrom nbcore.one_hot import ordinal_codes\nfrom sklearn.base import clone\n"
        "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import FunctionTransformer\n"
        f"\ncodes = FunctionTransformer(ordinal_codes, kw_args={{'groups': {blocks}}})"
        f"\n{case.spelled('codes', words)}"
    )
    remedy = refit(case, f"ordinal codes ({kept} columns for {case.Z.shape[1]})", code, case.rebuilt(codes, nb))
    spread = len(columns) / len(blocks)
    several = "blocks" if len(blocks) > 1 else "block"
    return Finding(
        "one_hot",
        f"{len(blocks)} {several} of one-hot columns ({listed([case.names[j] for j in columns])}): "
        f"one variable speaks {spread:.3g} times on average. {_measured(remedy)}",
        len(blocks),
        (len(blocks), len(blocks)),
        "blocks",
        "03_one_hot_pitfall",
        best_first([remedy]),
        tuple(case.names[j] for j in columns),
        {"blocks": [[case.names[j] for j in block] for block in blocks]},
    )


def _mixed(blocks: list[tuple[int, ...]], width: int) -> tuple[Any, str, str]:
    """Categories for the blocks' codes, bells for the rest, by their places after `ordinal_codes`."""
    first = {block[0] for block in blocks}
    gone = {j for block in blocks for j in block[1:]}
    left = [j for j in range(width) if j not in gone]
    parts = [
        ("categorical", [i for i, j in enumerate(left) if j in first]),
        ("gaussian", [i for i, j in enumerate(left) if j not in first]),
    ]
    return (
        MixedNB(parts, handle_unknown="ignore"),
        f'MixedNB({parts}, handle_unknown="ignore")',
        "nbcore.mixed import MixedNB",
    )


def _measured(remedy: Any) -> str:
    if remedy.failed:
        return f"Ordinal codes could not be measured here: {remedy.failed}"
    verb = "lower" if remedy.gain > 0 else "raise"
    return f"Ordinal codes {verb} the log loss from {remedy.before:.3f} to {remedy.after:.3f} nats a row."
