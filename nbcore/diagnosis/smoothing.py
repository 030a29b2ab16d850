"""Zero counts that all but rule out a class, an alpha that held-out rows choose, drowned variances. Chapter 02."""

import numpy as np
from scipy.stats import poisson
from sklearn.preprocessing import StandardScaler

from nbcore.diagnosis.adjusted import METHODS
from nbcore.diagnosis.calibration import certain_errors
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, MATERIAL, Finding, list_columns
from nbcore.diagnosis.gaps import measured_columns, measurements
from nbcore.diagnosis.recipe import row_losses
from nbcore.diagnosis.remedies import changed_columns, measure_adjustment, measure_refit
from nbcore.naive_bayes import GaussianNB

SILENCING_NATS = 4.6  # a row that an alpha of at most 1 makes cheaper by more, a factor of 100, counts as silenced


def find_smoothing(case: Case) -> Finding | None:
    """Report another alpha, chosen by cross-fitting, whose log loss is surely lower.

    If a few rows make all the gain, it is not sure: then more errors near certainty than chance allows will do.
    """
    if case.event == "complement":
        return None
    if (drowned := _find_drowned(case)) or case.event == "gaussian":
        return drowned
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


def _find_drowned(case: Case) -> Finding | None:
    """Report measurements that vary less than what var_smoothing adds, where columns of one scale surely gain."""
    gaussian = [(nb, own) for nb, own in case.event_models if isinstance(nb, GaussianNB)]
    spread = np.ma.masked_invalid(measurements(case)).var(axis=0).filled(0.0) if gaussian else []
    found = [j for nb, own in gaussian for j in own if 0 < spread[j] < nb.epsilon_]
    if not found:
        return None
    scaled = changed_columns(case, measured_columns(case), StandardScaler())
    remedy = measure_refit(case, "every measurement in standard deviations", *scaled)
    names = tuple(case.names[j] for j in found)
    sentence = f"var_smoothing adds a share of the largest variance, more than these vary: {list_columns(names)}."
    return Finding("smoothing", sentence, "01_naive_bayes", (remedy,), names) if remedy.sure else None
