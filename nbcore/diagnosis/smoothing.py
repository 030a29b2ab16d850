"""Zero counts that all but rule out a class, and the alpha that held-out rows choose. Chapter 02."""

import numpy as np
from scipy.stats import poisson

from nbcore.diagnosis.adjusted import METHODS
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, MATERIAL, Finding, measure_adjustment, share_interval

RARE_POSTERIOR = 1e-3  # true classes with a smaller posterior are compared with their expected number
SILENCING_NATS = 4.6  # a true class that zero counts put behind by more, a factor of 100, counts as silenced


def find_silenced(case: Case) -> np.ndarray:
    """Return which rows lose their true class by zero counts alone, so that smoothing decides about them, (n,).

    The criterion is how many nats the true class gains on the best other one from the model's own alpha to alpha = 1.
    """
    own = np.arange(case.n), case.code

    def behind(joint: np.ndarray) -> np.ndarray:
        """Return how many nats the true class is behind the best other one, (n,)."""
        others = joint.copy()
        others[own] = -np.inf
        return np.maximum(others.max(axis=1), -1e6) - np.maximum(joint[own], -1e6)

    return behind(case.scores.joint) - behind(case.scores.at_alpha(1.0)) > SILENCING_NATS


def _silenced_beyond_chance(case: Case, is_silenced: np.ndarray) -> bool:
    """Return whether more silenced classes are true than their posteriors, at most one in a thousand, predict."""
    p = np.exp(case.log_p)
    hopeless = int((is_silenced & (p[np.arange(case.n), case.code] <= RARE_POSTERIOR)).sum())
    return bool(hopeless and poisson.sf(hopeless - 1, p[p <= RARE_POSTERIOR].sum()) < LEVEL)


def find_smoothing(case: Case) -> Finding | None:
    """Report another alpha, chosen by cross-fitting, whose log loss is surely lower."""
    if case.event not in ("multinomial", "bernoulli", "categorical", "mixed"):
        return None
    remedy = measure_adjustment(case, "alpha")
    is_silenced = find_silenced(case)
    if not remedy.sure and not (_silenced_beyond_chance(case, is_silenced) and remedy.gain >= MATERIAL):
        return None
    alpha = METHODS["alpha"].learn(case.scores, case.code)
    assert isinstance(alpha, float)
    if not is_silenced.any() and alpha > np.max(getattr(case.nb, "alpha", 1.0)):
        return None  # a larger alpha flattens every posterior: that is overconfidence, not zero counts
    now = getattr(case.nb, "alpha", 1.0)
    silence = f"In {is_silenced.sum()} of {case.n} rows counts near zero all but silence the true class. "
    return Finding(
        "smoothing",
        f"{silence if is_silenced.any() else ''}alpha is {now}; held-out rows choose {alpha:.2g}: "
        f"log loss {remedy.before:.3f} -> {remedy.after:.3f}.",
        float(is_silenced.mean()),
        share_interval(int(is_silenced.sum()), case.n),
        "share of rows whose true class is silenced",
        "02_laplace_smoothing",
        (remedy,),
        details={"alpha": alpha, "alpha_before": np.asarray(now).tolist()},
    )
