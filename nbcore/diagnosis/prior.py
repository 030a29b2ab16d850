"""A prior that contradicts the rows, or one that no longer matters. Chapter 01; Bayes' rule is chapter 00."""

import numpy as np
from scipy.stats import binom, chisquare

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, measure_adjustment, share_interval, sort_remedies

PRIOR_REACH = float(np.log(99))  # nats that a prior of 99 to 1 adds to the log odds of two classes
PRIOR_IRRELEVANT_SHARE = 0.9  # report if a 99:1 prior would leave at least this share of the decisions as they are


def is_prior_learned(case: Case) -> bool:
    """Return whether the prior is the classes' shares of the training rows."""
    count = np.asarray(case.nb.class_count_)
    return bool(np.allclose(np.exp(case.nb.class_log_prior_), count / count.sum(), atol=1e-6))


def find_prior(case: Case) -> Finding | None:
    """Report a given prior that the labels contradict, or evidence so strong that no prior matters."""
    if case.event == "complement":  # complement naive Bayes uses no prior
        return None
    return _find_overruling_prior(case) or _find_irrelevant_prior(case)


def _find_overruling_prior(case: Case) -> Finding | None:
    """Report a given prior that the rows' shares contradict and that a learned one improves on."""
    share = np.exp(case.nb.class_log_prior_)
    count = np.bincount(case.code, minlength=case.n_classes)
    if is_prior_learned(case) or (share <= 0).any() or chisquare(count, share * case.n).pvalue >= LEVEL:
        return None
    remedy = measure_adjustment(case, "prior")
    if not remedy.sure:
        return None
    evidence = case.scores.log_likelihood
    overruled = evidence.argmax(axis=1) != case.scores.joint.argmax(axis=1)
    right = int((case.scores.joint.argmax(axis=1) == case.code)[overruled].sum())
    shares = ", ".join(
        f"{c} {100 * p:.0f} % (rows: {100 * q:.0f} %)"
        for c, p, q in zip(case.classes[:6], share, count / case.n, strict=False)
    )
    return Finding(
        "prior",
        f"The prior was given, and the rows contradict it: {shares}. It overrules the evidence in {overruled.sum()} "
        f"rows and is right in {right} of them.",
        float(overruled.mean()),
        share_interval(int(overruled.sum()), case.n),
        "share of rows that the prior decides against the evidence",
        "00_start_here",
        (remedy,),
        details={"prior": share, "share": count / case.n},
    )


def _find_irrelevant_prior(case: Case) -> Finding | None:
    """Report errors at evidence above 99 to 1, of which at most one in a hundred may be wrong."""
    prior = case.scores.log_prior
    evidence = np.sort(np.maximum(case.log_p, -1e9) - np.maximum(prior, -1e3), axis=1)
    no_zero = np.isfinite(prior).all(axis=1)  # a prior of 0 decides whatever the evidence is
    beyond = (evidence[:, -1] - evidence[:, -2] > PRIOR_REACH) & no_zero
    wrong = int((case.log_p.argmax(axis=1) != case.code)[beyond].sum())
    if beyond.mean() < PRIOR_IRRELEVANT_SHARE or binom.sf(wrong - 1, beyond.sum(), 0.01) >= LEVEL:
        return None
    return Finding(
        "prior",
        f"The prior has no say: in {beyond.sum()} of {case.n} rows the evidence is above 99 to 1, so that no prior "
        f"from 1 % to 99 % would change the decision. In {wrong} of them it is wrong; at most {beyond.sum() / 100:.0f} "
        "were to be expected.",
        float(beyond.mean()),
        share_interval(int(beyond.sum()), case.n),
        "share of rows that no prior would decide otherwise",
        "01_naive_bayes",
        sort_remedies([measure_adjustment(case, "perplexed"), measure_adjustment(case, "temperature")]),
    )
