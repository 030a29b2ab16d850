"""Over- or under-confidence, with consistency bars: Bröcker and Smith (2007), "Increasing the reliability of ..."."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbcore._base import Floats, blocks
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, adjust, best_first, bootstrap
from nbcore.diagnosis.recipe import FLOOR

__all__ = ["consistency", "find_calibration", "reliability"]

REPEATS = 1000
BINS = 10
CELLS = 2**16  # posteriors at a time
ROWS = 5000  # so many rows are drawn for, at most


def consistency(p: Floats, repeats: int = REPEATS) -> tuple[Floats, NDArray[np.bool_]]:
    """What calibrated posteriors would show: labels drawn anew from p (n, C) for the same rows.

    Returns the mean log loss of each draw, (repeats,), and whether each row is decided rightly, (repeats, n).
    """
    rng = np.random.default_rng(0)
    limit, losses, top = p.cumsum(axis=1)[:, :-1], -np.maximum(np.log(np.maximum(p, 1e-300)), FLOOR), p.argmax(axis=1)
    mean, right, rows = np.empty(repeats), np.empty((repeats, len(p)), dtype=bool), np.arange(len(p))
    for some in blocks(repeats, 1 + CELLS // p.size):
        drawn = (rng.random((len(mean[some]), len(p)))[..., None] > limit).sum(axis=2)
        mean[some], right[some] = losses[rows, drawn].mean(axis=1), drawn == top
    return mean, right


def _looked_at(case: Case) -> NDArray[np.intp]:
    """The rows, or of very many some at random: in the order of a file, one class may come first."""
    return np.random.default_rng(0).permutation(case.n)[:ROWS] if case.n > ROWS else np.arange(case.n)


def reliability(case: Case) -> list[dict[str, Any]]:
    """The label decided for, by its posterior in ten bins: mean posterior, share right, and the consistency bar.

    The bar holds 95 % of the shares that calibrated posteriors would give in rows like these.
    """
    rows = _looked_at(case)
    p = np.exp(case.log_p[rows])
    top, right = p.max(axis=1), p.argmax(axis=1) == case.code[rows]
    _, drawn = consistency(p)
    index = np.minimum((top * BINS).astype(int), BINS - 1)
    bins = []
    for b in np.unique(index):
        here = index == b
        low, high = np.quantile(drawn[:, here].mean(axis=1), [0.025, 0.975])
        bins.append(
            {
                "posterior": float(top[here].mean()),
                "right": float(right[here].mean()),
                "low": float(low),
                "high": float(high),
                "rows": int(here.sum()),
            }
        )
    return bins


def chance_of(found: float, drawn: Floats) -> float:
    """The p-value, on both sides, of what was found among draws; one that ties counts on both."""
    return min(1.0, 2 * float(min((drawn >= found).mean(), (drawn <= found).mean())))


def find_calibration(case: Case) -> Finding | None:
    """The log loss that the posteriors expect of themselves against the one they have; then what would mend it."""
    rows = _looked_at(case)
    expected, _ = consistency(np.exp(case.log_p[rows]))
    found = case.losses[rows].mean()
    chance = chance_of(found, expected)
    if chance >= LEVEL:
        return None
    remedies = best_first([adjust(case, method) for method in ("temperature", "perplexed", "isotonic")])
    if not remedies[0].sure:
        return None
    over = found > expected.mean()
    top, right = np.exp(case.log_p).max(axis=1), case.log_p.argmax(axis=1) == case.code
    gap = top - right
    return Finding(
        "calibration",
        f"The model is too {'sure' if over else 'unsure'} of itself: it says {100 * top.mean():.1f} % on average and "
        f"is right in {100 * right.mean():.1f} %; it expects to lose {expected.mean():.3f} nats a row and loses "
        f"{found:.3f}.",
        float(gap.mean()),
        bootstrap(lambda rows: gap[rows].mean(), case.n),
        "mean posterior of the label decided for, minus the share that is right",
        "06_calibration",
        remedies,
        details={"bins": reliability(case), "expected": float(expected.mean()), "chance": chance},
    )
