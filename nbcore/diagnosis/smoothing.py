"""Zero counts that silence a class, and the alpha that held-out rows choose. Chapter 02."""

import numpy as np
from scipy.stats import binomtest, poisson

from nbcore.diagnosis.adjusted import METHODS
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, MATERIAL, Finding, adjust

__all__ = ["find_smoothing", "silenced"]

RARE = 1e-3
SILENT = 4.6  # nats: a factor of 100 against the true class, from one feature that it was never seen with


def silenced(case: Case) -> np.ndarray:
    """Rows whose true class loses so much by nothing but its zero counts that smoothing decides about it, (n,).

    By how much the true class gains on the others between the model's own alpha and alpha = 1.
    """
    own = np.arange(case.n), case.code

    def behind(joint: np.ndarray) -> np.ndarray:
        others = joint.copy()
        others[own] = -np.inf
        return np.maximum(others.max(axis=1), -1e6) - np.maximum(joint[own], -1e6)

    return behind(case.scores.joint) - behind(case.scores.at_alpha(1.0)) > SILENT


def _more_than_chance(case: Case, mute: np.ndarray) -> bool:
    """Whether more silenced classes are true than their own posteriors, of at most one in a thousand, allow."""
    p = np.exp(case.log_p)
    hopeless = int((mute & (p[np.arange(case.n), case.code] <= RARE)).sum())
    return bool(hopeless and poisson.sf(hopeless - 1, p[p <= RARE].sum()) < LEVEL)


def find_smoothing(case: Case) -> Finding | None:
    """Whether another alpha, chosen by cross-fitting, gives a log loss that is surely lower."""
    if case.event not in ("multinomial", "bernoulli", "categorical", "mixed"):
        return None
    remedy = adjust(case, "alpha")
    mute = silenced(case)
    if not remedy.sure and not (_more_than_chance(case, mute) and remedy.gain >= MATERIAL):
        return None
    alpha = METHODS["alpha"].learn(case.scores, case.code)
    assert isinstance(alpha, float)
    if not mute.any() and alpha > np.max(getattr(case.nb, "alpha", 1.0)):
        return None  # more alpha flattens every posterior: that is a matter of confidence, not of zero counts
    share = binomtest(int(mute.sum()), case.n).proportion_ci()
    now = getattr(case.nb, "alpha", 1.0)
    said = f"In {mute.sum()} of {case.n} rows counts near zero all but silence the true class. " if mute.any() else ""
    return Finding(
        "smoothing",
        f"{said}alpha is {now}; held-out rows choose {alpha:.2g}: log loss {remedy.before:.3f} -> {remedy.after:.3f}.",
        float(mute.mean()),
        (float(share.low), float(share.high)),
        "share of rows whose true class is silenced",
        "02_laplace_smoothing",
        (remedy,),
        details={"alpha": alpha, "alpha_before": np.asarray(now).tolist()},
    )
