"""The ledger's entries for Wikipedia, "Naive Bayes classifier", section "Relation to logistic regression".

The source states no numbers; ours are from given names (the chapter's experiment),
logistic regression almost without a penalty, means of ten splits with 95 % intervals.
"""

import numpy as np
from scipy.special import expit

from nbcore.naive_bayes import BernoulliNB, MultinomialNB
from workbook.ledger.claim import Claim, Measured

from .experiment import SEEDS, SIZES, learning_curve, letter_features, name_pair, names_for

__all__ = ["CLAIMS"]

SOURCE, PLACE, CHAPTER = "Wikipedia", "Relation to logistic regression", "10_naive_bayes_and_logistic_regression"


def farthest_from_linear():
    """Largest |posterior - expit(b + w.x)| on 1,000 test names: Bernoulli, multinomial."""
    X, y = letter_features()
    learn, test = names_for()
    gaps = []
    for kind in (BernoulliNB, MultinomialNB):
        model = kind().fit(X[learn], y[learn])
        weights, intercept = (part[1] - part[0] for part in model.as_linear())
        gaps.append(float(abs(model.predict_proba(X[test])[:, 1] - expit(X[test] @ weights + intercept)).max()))
    return Measured(tuple(gaps))


def conditional(fit, X, y):
    """Mean log P(c | x) of a linear fit."""
    z = X @ fit.weights + fit.intercept
    return float(-np.logaddexp(0, np.where(y == 1, -z, z)).mean())


def conditional_lead():
    """Least lead of logistic regression in the mean log P(c | x) of its own training names, all sizes and splits."""
    X, y = letter_features()
    leads = []
    for n in SIZES:
        for seed in range(SEEDS):
            rows, pair = names_for(seed)[0][:n], name_pair(n, seed=seed)
            bayes, logistic = (conditional(fit, X[rows], y[rows]) for fit in (pair.bayes, pair.logistic))
            leads.append(logistic - bayes)
    return Measured(min(leads))


def lead_at(n, penalty="almost none"):
    """How much more of the test names logistic regression gets right at n training names."""
    mean, half = (part[SIZES.index(n)] for part in learning_curve(penalty=penalty).lead)
    return Measured(mean, mean - half, mean + half)


def _sentence(statement, ours, stated=None):
    rounding = 0.0 if stated is None else 1e-9  # of our own floating-point numbers: the source prints none
    return Claim(SOURCE, PLACE, statement, stated, ours, "reproduced", CHAPTER, rounding=rounding)


CLAIMS = (
    _sentence(
        "Naive Bayes for discrete inputs is a linear model of the log odds, b + w.x (stated: no distance; ours: the "
        "largest from its posterior on 1,000 names, Bernoulli and multinomial).",
        farthest_from_linear,
        stated=(0.0, 0.0),
    ),
    _sentence(
        "Logistic regression fits the same model to optimise the conditional p(C|x), naive Bayes the joint p(C, x) "
        "(ours: least lead of logistic regression in mean log P(c|x) on the names it learned from).",
        conditional_lead,
    ),
    _sentence(
        "Discriminative classifiers have lower asymptotic error than generative ones (ours: lead in accuracy at 2,000 "
        "names, the largest size).",
        lambda: lead_at(2000),
    ),
    _sentence(
        "In some practical cases naive Bayes can outperform logistic regression because it reaches its asymptotic "
        "error faster (ours: lead of logistic regression at 100 names).",
        lambda: lead_at(100),
    ),
)
