"""Zero counts that all but rule out a class, and the alpha that held-out rows choose. Chapter 02."""

import numpy as np
from scipy.stats import poisson

from nbcore.diagnosis.adjusted import METHODS
from nbcore.diagnosis.calibration import certain_errors
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, MATERIAL, Finding
from nbcore.diagnosis.recipe import row_losses
from nbcore.diagnosis.remedies import measure_adjustment

SILENCING_NATS = 4.6  # a row that an alpha of at most 1 makes cheaper by more, a factor of 100, counts as silenced


def find_smoothing(case: Case) -> Finding | None:
    """Report another alpha, chosen by cross-fitting, whose log loss is surely lower.

    If a few rows make all the gain, it is not sure: then more errors near certainty than chance allows will do.
    """
    if case.event in ("gaussian", "complement"):
        return None
    remedy, (certain, allowed) = measure_adjustment(case, "alpha"), certain_errors(case)
    if not remedy.sure and (remedy.gain < MATERIAL or poisson.sf(certain - 1, allowed) >= LEVEL):
        return None
    _, learn, apply = METHODS["alpha"]
    alpha, now = learn(case.scores, case.code, None), case.nb.alpha
    gain = case.losses - row_losses(apply(case.scores, min(alpha, 1.0)), case.code)
    silenced = int((gain > SILENCING_NATS).sum())
    if not silenced and alpha > np.max(now):
        return None  # a larger alpha flattens every posterior: that is overconfidence, not zero counts
    silence = f"In {silenced} of {case.n} rows counts near zero all but silence the true class. " if silenced else ""
    return Finding(
        "smoothing",
        f"{silence}alpha is {now}; held-out rows choose {alpha:.2g}.",
        "02_laplace_smoothing",
        (remedy,),
        details={"alpha": alpha, "alpha_before": now, "silenced": silenced},
    )
