"""Overconfidence and underconfidence: the log loss that posteriors predict, beside what they lose. Chapter 06."""

import numpy as np
from scipy.stats import poisson

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, sort_remedies
from nbcore.diagnosis.recipe import row_losses
from nbcore.diagnosis.remedies import measure_adjustment

SURE_POSTERIOR = 0.99  # errors above it are counted: if there are too many, that is a fault even if no remedy helps
MOST_ROWS = 5000  # larger data sets are sampled before labels are drawn


def simulate_losses(p: Floats, repeats: int = 1000) -> Floats:
    """Return the mean log loss, (repeats,), of labels drawn from the posteriors p (n, C): what calibrated ones lose.

    Consistency resampling: Bröcker and Smith (2007), "Increasing the reliability of reliability diagrams".
    """
    rng, limit, log_p = np.random.default_rng(0), p.cumsum(axis=1)[:, :-1], np.log(np.maximum(p, 1e-300))
    drawn = ((rng.random(len(p))[:, None] > limit).sum(axis=1) for _ in range(repeats))
    return np.array([row_losses(log_p, code).mean() for code in drawn])


def certain_errors(case: Case) -> tuple[int, float]:
    """Count the errors with a posterior above .99, and those that calibrated posteriors would make, on average."""
    certain = case.top > SURE_POSTERIOR
    return int((case.wrong & certain).sum()), float((1 - case.top[certain]).sum())


def find_calibration(case: Case) -> Finding | None:
    """Compare the log loss that the posteriors predict with the actual one, and measure three corrections.

    Reported if one of them surely gains, or if there are more errors near certainty than chance allows.
    """
    rows = np.random.default_rng(0).permutation(case.n)[:MOST_ROWS]
    expected, found = simulate_losses(np.exp(case.log_p[rows])), case.losses[rows].mean()
    if 2 * min((expected >= found).mean(), (expected <= found).mean()) >= LEVEL:  # two-sided
        return None
    remedies = sort_remedies([measure_adjustment(case, method) for method in ("temperature", "perplexed", "isotonic")])
    certain, allowed = certain_errors(case)
    if not remedies[0].sure and poisson.sf(certain - 1, allowed) >= LEVEL:
        return None
    return Finding(
        "calibration",
        f"The model is too {'sure' if found > expected.mean() else 'unsure'} of itself: it says {case.top.mean():.1%} "
        f"on average and is right in {1 - case.wrong.mean():.1%}; it expects to lose {expected.mean():.3f} nats a row "
        f"and loses {found:.3f}. {certain} of {case.wrong.sum()} errors have a posterior above .99, where "
        f"{allowed:.1f} were due.",
        "06_calibration",
        remedies,
        details={"expected": float(expected.mean()), "errors": int(case.wrong.sum()), "sure_and_wrong": certain},
    )
