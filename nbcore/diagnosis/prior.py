"""A prior, given or learned, that the held-out rows contradict. Chapter 00."""

import numpy as np
from scipy.stats import chi2_contingency, chisquare

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding
from nbcore.diagnosis.remedies import measure_adjustment


def find_prior(case: Case) -> Finding | None:
    """Compare the model's prior with the classes' shares of the rows; report it if these as prior surely gain.

    A learned prior is itself a count, so the test is that of two samples; out of fold there is nothing to compare.
    """
    prior, now = np.exp(case.nb.class_log_prior_), np.bincount(case.code, minlength=case.n_classes)
    then = np.asarray(case.nb.class_count_)
    learned = np.allclose(prior, then / then.sum(), atol=1e-6)
    if case.event == "complement" or (learned and case.cv is not None) or (prior[now > 0] <= 0).any():
        return None
    seen = prior > 0
    chance = chi2_contingency([then[seen], now[seen]]) if learned else chisquare(now[seen], prior[seen] * case.n)
    if chance.pvalue >= LEVEL or not measure_adjustment(case, "prior").sure:
        return None
    share = now / case.n
    order = np.argsort(-abs(share - prior), kind="stable")[:3]
    moved = ", ".join(f"{case.classes[c]} {prior[c]:.1%} (these rows: {share[c]:.1%})" for c in order)
    return Finding(
        "prior",
        f"The prior was {'learned from other shares of the classes' if learned else 'given'}: {moved}.",
        "00_start_here",
        (measure_adjustment(case, "prior"),),
        details={"prior": prior, "share": share},
    )
