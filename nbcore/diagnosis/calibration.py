"""Overconfidence and underconfidence, with the consistency bars of Bröcker and Smith (2007)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbcore._base import Floats, blocks
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, bootstrap, measure_adjustment, sort_remedies
from nbcore.diagnosis.recipe import FLOOR

DRAWS = 1000
BINS = 10
POSTERIORS_PER_BLOCK = 2**16  # a block of draws stays in the processor's cache
MOST_ROWS = 5000  # larger data sets are sampled before labels are drawn


def simulate_consistency(p: Floats, repeats: int = DRAWS) -> tuple[Floats, NDArray[np.bool_]]:
    """Simulate calibrated posteriors: draw labels anew from p (n, C) for the same rows.

    Returns the mean log loss of each draw, (repeats,), and whether each row is decided rightly, (repeats, n).
    """
    rng = np.random.default_rng(0)
    limit, losses, top = p.cumsum(axis=1)[:, :-1], -np.maximum(np.log(np.maximum(p, 1e-300)), FLOOR), p.argmax(axis=1)
    mean, right, rows = np.empty(repeats), np.empty((repeats, len(p)), dtype=bool), np.arange(len(p))
    for some in blocks(repeats, 1 + POSTERIORS_PER_BLOCK // p.size):
        drawn = (rng.random((len(mean[some]), len(p)))[..., None] > limit).sum(axis=2)
        mean[some], right[some] = losses[rows, drawn].mean(axis=1), drawn == top
    return mean, right


def _sampled_rows(case: Case) -> NDArray[np.intp]:
    """Return all row numbers, or of very many a random sample, as a file may be sorted by class."""
    return np.random.default_rng(0).permutation(case.n)[:MOST_ROWS] if case.n > MOST_ROWS else np.arange(case.n)


def reliability(case: Case) -> list[dict[str, Any]]:
    """Return a reliability diagram of the labels decided for, as ten bins with consistency bars.

    The bar holds 95 % of the shares that calibrated posteriors would give in rows like these.
    """
    rows = _sampled_rows(case)
    p = np.exp(case.log_p[rows])
    top, right = p.max(axis=1), p.argmax(axis=1) == case.code[rows]
    _, drawn = simulate_consistency(p)
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


def two_sided_p_value(found: float, drawn: Floats) -> float:
    """Return the two-sided p-value of a number among draws; a draw that equals it counts on both sides."""
    return min(1.0, 2 * float(min((drawn >= found).mean(), (drawn <= found).mean())))


def find_calibration(case: Case) -> Finding | None:
    """Compare the log loss that the posteriors predict with the actual one, and measure three corrections."""
    rows = _sampled_rows(case)
    expected, _ = simulate_consistency(np.exp(case.log_p[rows]))
    found = case.losses[rows].mean()
    chance = two_sided_p_value(found, expected)
    if chance >= LEVEL:
        return None
    remedies = sort_remedies([measure_adjustment(case, method) for method in ("temperature", "perplexed", "isotonic")])
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
