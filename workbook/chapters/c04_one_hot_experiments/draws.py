"""What the explorers of chapter 04 share: random classifiers, drawn once for each state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nbcore.one_hot import dirichlet_experiment

from .experiment import Rates, log_ratios

__all__ = ["ALPHAS", "Drawn", "drawn", "half_width", "near_slope_two"]

MOST_POINTS = 1000  # drawn in one panel
MOST_RATIOS = 2000  # of log ratios, mirrored ones among them
WIDE = (2, 3, 4, 6, 8, 10, 15, 25, 40, 60, 100, 150, 250, 400)  # half widths of the log ratio axis: it seldom jumps


TAIL = (0.2, 0.25, 1 / 3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
ALPHAS = (0.03, 0.05, 0.07, 0.1, 1 / 6, *TAIL)  # 1/3, 1/6 and 1/10 are the paper's


@dataclass(frozen=True)
class Drawn:
    """Rates of all classifiers, and at most MOST_RATIOS log ratios and MOST_POINTS posteriors of them.

    log_theta, log_f: the log ratios of classes 1 and 2, with every point mirrored: Williams (2024), footnote 2.
    top, top_pob: largest posteriors; disagrees: whether the decisions differ, (m,) each.
    """

    rates: Rates
    log_theta: np.ndarray
    log_f: np.ndarray
    top: np.ndarray
    top_pob: np.ndarray
    disagrees: np.ndarray


@lru_cache(maxsize=64)
def drawn(n: int, C: int, K: int, alpha: float, prior_alpha: float, seed: int) -> Drawn:
    """One run of the experiment, remembered."""
    e = dirichlet_experiment(n, C, K, alpha, prior_alpha, rng=seed)
    x, y = map(np.ravel, log_ratios(e.first(MOST_RATIOS // (2 * K))))
    few = e.first(MOST_POINTS // K)
    return Drawn(
        Rates(n, e.more_confident_rate(), e.disagreement_rate()),
        np.concatenate([x, -x]),
        np.concatenate([y, -y]),
        few.categorical.max(axis=1).ravel(),
        few.bernoullis.max(axis=1).ravel(),
        few.disagrees.ravel(),
    )


def near_slope_two(x, y) -> np.ndarray:
    """Which points lie within 5 % of the line of slope 2, of those with |x| > 2: nearer to 0 all lines are close."""
    return (np.abs(x) > 2) & (np.abs(y - 2 * x) < 0.1 * np.abs(x))


def half_width(x) -> float:
    """Half of an axis that holds nine points in ten: the rest lies far out, and would hide the middle."""
    need = np.quantile(np.abs(x), 0.9)
    return next((width for width in WIDE if width >= need), WIDE[-1])
