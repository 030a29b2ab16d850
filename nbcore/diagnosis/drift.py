"""Drift of the class prior: the held-out rows have other class shares than the training rows. Chapter 09."""

import numpy as np
from scipy.special import logsumexp, softmax
from scipy.stats import chi2_contingency

from nbcore._base import Floats
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, bootstrap, measure_adjustment
from nbcore.diagnosis.prior import is_prior_learned

LEAST_DISTANCE = 0.05  # total variation distance of the shares; smaller ones are not reported


def shares_without_labels(log_likelihood: Floats, prior: Floats, steps: int = 200) -> Floats:
    """Estimate P(c) of rows without labels, (C,), by EM: Saerens, Latinne and Decaestecker (2002), eq. (2.9).

    Maximum likelihood if P(x|c) is right; a model that is too sure counts its own decisions. log_likelihood: (n, C).
    """
    share = np.asarray(prior, dtype=float)
    floored = log_likelihood - np.maximum(logsumexp(log_likelihood, axis=1, keepdims=True), -1e300)
    for _ in range(steps):
        share = softmax(np.maximum(floored, -700) + np.log(np.maximum(share, 1e-300)), axis=1).mean(axis=0)
    return share


def find_drift(case: Case) -> Finding | None:
    """Compare the learned shares with those of the held-out rows (chi-squared test of two samples)."""
    if case.event == "complement" or case.cv is not None or not is_prior_learned(case):
        return None
    then, now = np.asarray(case.nb.class_count_), np.bincount(case.code, minlength=case.n_classes)
    seen = then + now > 0
    if chi2_contingency([then[seen], now[seen]]).pvalue >= LEVEL:
        return None
    before = then / then.sum()

    def distance(rows: np.ndarray) -> float:
        """Return the total variation distance of the shares of these rows from the learned ones."""
        share = np.bincount(case.code[rows], minlength=case.n_classes) / len(rows)
        return float(abs(share - before).sum() / 2)

    number = distance(np.arange(case.n))
    if number < LEAST_DISTANCE:
        return None
    most = int(np.argmax(abs(now / case.n - before)))
    by_em = shares_without_labels(case.scores.log_likelihood, before)
    return Finding(
        "drift",
        f"The shares of the classes have changed: {case.classes[most]} was {100 * before[most]:.1f} % of the training "
        f"rows and is {100 * now[most] / case.n:.1f} % here. EM would find {100 * by_em[most]:.1f} % without labels.",
        number,
        bootstrap(distance, case.n),
        "total variation distance of the shares",
        "09_semi_supervised_em",
        (measure_adjustment(case, "prior"),),
        details={"before": before, "now": now / case.n, "by_em": by_em},
    )
