"""A prior that decides against the evidence, or one that cannot have a say. Chapter 01; Bayes' rule is chapter 00."""

import numpy as np
from scipy.stats import binom, binomtest, chisquare

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, adjust, best_first

__all__ = ["find_prior", "learned_prior"]

MOVE = float(np.log(99))  # nats: what a prior of 99 to 1 adds to the log odds of two classes
DEAF = 0.9  # of the rows are out of its reach: then the prior has no say


def learned_prior(case: Case) -> bool:
    """Whether the prior is the classes' shares of the training rows."""
    count = np.asarray(case.nb.class_count_)
    return bool(np.allclose(np.exp(case.nb.class_log_prior_), count / count.sum(), atol=1e-6))


def find_prior(case: Case) -> Finding | None:
    """A given prior that the held-out labels contradict, or evidence so loud that no prior would change a decision."""
    if case.event == "complement":  # it knows no prior
        return None
    return _decides(case) or _cannot(case)


def _decides(case: Case) -> Finding | None:
    share = np.exp(case.nb.class_log_prior_)
    count = np.bincount(case.code, minlength=case.n_classes)
    if learned_prior(case) or (share <= 0).any() or chisquare(count, share * case.n).pvalue >= LEVEL:
        return None
    remedy = adjust(case, "prior")
    if not remedy.sure:
        return None
    evidence = case.scores.log_likelihood
    overruled = evidence.argmax(axis=1) != case.scores.joint.argmax(axis=1)
    right = int((case.scores.joint.argmax(axis=1) == case.code)[overruled].sum())
    interval = binomtest(int(overruled.sum()), case.n).proportion_ci()
    told = ", ".join(
        f"{c} {100 * p:.0f} % (rows: {100 * q:.0f} %)"
        for c, p, q in zip(case.classes[:6], share, count / case.n, strict=False)
    )
    return Finding(
        "prior",
        f"The prior was given, and the rows contradict it: {told}. It overrules the evidence in {overruled.sum()} rows "
        f"and is right in {right} of them.",
        float(overruled.mean()),
        (float(interval.low), float(interval.high)),
        "share of rows that the prior decides against the evidence",
        "00_start_here",
        (remedy,),
        details={"prior": share, "share": count / case.n},
    )


def _cannot(case: Case) -> Finding | None:
    """Errors where evidence of more than 99 to 1 stood against every other class: one in a hundred at most, it says."""
    prior = case.scores.log_prior
    evidence = np.sort(np.maximum(case.log_p, -1e9) - np.maximum(prior, -1e3), axis=1)
    beyond = (evidence[:, -1] - evidence[:, -2] > MOVE) & np.isfinite(prior).all(axis=1)  # not of 0
    wrong = int((case.log_p.argmax(axis=1) != case.code)[beyond].sum())
    if beyond.mean() < DEAF or binom.sf(wrong - 1, beyond.sum(), 0.01) >= LEVEL:
        return None
    interval = binomtest(int(beyond.sum()), case.n).proportion_ci()
    return Finding(
        "prior",
        f"The prior has no say: in {beyond.sum()} of {case.n} rows the evidence is above 99 to 1, so that no prior "
        f"from 1 % to 99 % would change the decision. In {wrong} of them it is wrong; at most {beyond.sum() / 100:.0f} "
        "were to be expected.",
        float(beyond.mean()),
        (float(interval.low), float(interval.high)),
        "share of rows that no prior would decide otherwise",
        "01_naive_bayes",
        best_first([adjust(case, "perplexed"), adjust(case, "temperature")]),
    )
