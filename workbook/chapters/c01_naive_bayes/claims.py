"""The ledger's entries for Wikipedia, "Naive Bayes classifier".

Its semi-supervised section stands elsewhere. Most of our numbers are exact: no draws, so no intervals.
"""

from functools import cache, partial
from itertools import product

import numpy as np
from scipy.special import expit, softmax
from scipy.stats import multinomial, multivariate_normal

from nbcore.datasets import load_gender_measurements, load_iir_documents, load_play_tennis
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, linear_score
from workbook.ledger.claim import Claim, Measured

__all__ = ["CLAIMS", "as_printed"]

SOURCE = "Wikipedia"
FEMALE, MALE = 0, 1
TRAINING, TESTING = "Gender classification, Training", "Gender classification, Testing"
# (male, female) as the source prints them, and half a unit of its last digit.
VARIANCES = {
    "height": ((3.5033e-02, 5e-7), (9.7225e-02, 5e-7)),
    "weight": ((1.2292e02, 5e-3), (5.5833e02, 5e-3)),
    "foot size": ((9.1667e-01, 5e-6), (1.6667, 5e-5)),
}
DENSITIES = {
    "height": ((1.5789, 5e-5), (2.2346e-01, 5e-6)),
    "weight": ((5.9881e-06, 5e-11), (1.6789e-02, 5e-7)),
    "foot size": ((1.3112e-03, 5e-8), (2.8669e-01, 5e-6)),
}
ROUNDED = "Computed from the rounded variance 122.92; exactly 5.98674e-06."
NUMERATORS = (6.1984e-09, 5e-14), (5.3778e-04, 5e-9)


@cache
def gender():
    """The eight persons and the source's model of them: unbiased variances, equal priors."""
    people = load_gender_measurements()
    model = GaussianNB(priors=[0.5, 0.5], ddof=1, var_smoothing=0)
    return people, model.fit(people.data, people.target)


@cache
def documents():
    """IIR's four documents as counts, and three models: multinomial, multinomial on counts cut to one, Bernoulli."""
    docs = load_iir_documents()
    X, y = docs.data, docs.target
    return docs, MultinomialNB().fit(X, y), MultinomialNB().fit(X > 0, y), BernoulliNB().fit(X, y)


def variance(sex, column):
    return Measured(float(gender()[1].var_[sex, column]))


def density(sex, column):
    people, model = gender()
    return Measured(float(np.exp(model.feature_contributions(people.sample)[0, sex, column])))


def numerator(sex):
    people, model = gender()
    return Measured(float(np.exp(model.predict_joint_log_proba(people.sample)[0, sex])))


def as_printed():
    """The source's line for the height of men: 2 pi sigma under the root, where sigma squared is meant."""
    people, model = gender()
    mean, square = model.theta_[MALE, 0], model.var_[MALE, 0]
    root = np.sqrt(2 * np.pi * np.sqrt(square))
    return Measured(float(np.exp(-((people.sample[0, 0] - mean) ** 2) / (2 * square)) / root))


def peak_and_area():
    """Largest density of a man's height, and the area under it from 4 to 8 feet."""
    _, model = gender()
    grid = np.linspace(4, 8, 4001)
    rows = np.column_stack([grid, *([at] * len(grid) for at in model.theta_[MALE, 1:])])
    p = np.exp(model.feature_contributions(rows)[:, MALE, 0])
    return Measured((float(p.max()), float(np.trapezoid(p, grid))))


def learned_numbers():
    """Means and variances that are learned for two classes, from 3 and from 6 features."""
    people, model = gender()
    wide = GaussianNB(ddof=1, var_smoothing=0).fit(np.hstack([people.data, people.data]), people.target)
    return Measured(tuple(float(m.theta_.size + m.var_.size) for m in (model, wide)))


def linear_gap(which):
    """Largest |joint - (b + w . x)| over all 64 sets of the six words; the joint is added up feature by feature."""
    model = documents()[which]
    sets = (np.arange(64)[:, None] >> np.arange(6)) & 1
    joint = model.feature_contributions(sets).sum(axis=2) + model.class_log_prior_
    return Measured(float(abs(joint - linear_score(sets, *model.as_linear())).max()))


def histogram_posterior():
    """P(China | document 5) by nbcore and by scipy's multinomial distribution, with its coefficient."""
    docs, model, *_ = documents()
    x, p = docs.sample[0], np.exp(model.feature_log_prob_)
    joint = np.exp(model.class_log_prior_) * [multinomial.pmf(x, x.sum(), row) for row in p]
    return Measured((float(model.predict_proba(docs.sample)[0, 1]), float(joint[1] / joint.sum())))


def truncated_and_bernoulli():
    """P(China | "Tokyo") by multinomial naive Bayes on counts cut to one, and by Bernoulli naive Bayes."""
    docs, _, cut, presence = documents()
    row = np.array([[int(word == "Tokyo") for word in docs.feature_names]])
    return Measured(tuple(float(model.predict_proba(row)[0, 1]) for model in (cut, presence)))


def ratios_and_posterior():
    """P(China | document 5) from the sum of log ratios by the sigmoid, and by Bayes' rule."""
    docs, model, *_ = documents()
    (no, yes), x = model.feature_log_prob_, docs.sample[0]
    ratio = model.class_log_prior_[1] - model.class_log_prior_[0] + (x * (yes - no)).sum()
    return Measured((float(expit(ratio)), float(softmax(model.predict_joint_log_proba(docs.sample)[0])[1])))


def log_posterior_over_log_joint():
    """log P(c | document 5) / log P(c, document 5) of both classes, then the two differences."""
    docs, model, *_ = documents()
    joint, posterior = model.predict_joint_log_proba(docs.sample)[0], model.predict_log_proba(docs.sample)[0]
    return Measured(tuple(map(float, [*posterior / joint, *(posterior - joint)])))


def grossly_inaccurate():
    """Correlation 0.9, unit variances, means (-1, -1), (1, 1): naive over true log odds; share of equal decisions."""
    points = np.random.default_rng(0).normal(0, 2, (1000, 2))
    means = [-1, -1], [1, 1]
    truth, naive = (
        np.subtract(*(multivariate_normal(mean, S).logpdf(points) for mean in means))
        for S in ([[1, 0.9], [0.9, 1]], np.eye(2))
    )
    return Measured((float(np.median(naive / truth)), float(np.mean((naive > 0) == (truth > 0)))))


def wiped_out():
    """P(No | overcast, hot, normal, weak) with plain shares, and with pseudo-count 1."""
    days = load_play_tennis()
    model = CategoricalNB(alpha=0).fit(days.data, days.target)
    plain = model.predict_proba(days.sample)[0, 0]
    return Measured((float(plain), float(model.resmooth(1).predict_proba(days.sample)[0, 0])))


def _claim(place, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0, chapter="01_naive_bayes"):
    return Claim(SOURCE, place, statement, stated, ours, verdict, chapter, note, rounding)


def _printed():
    """Every number of the gender example."""
    people, model = gender()
    yield _claim(
        TRAINING,
        "Means of height, weight and foot size: men, then women.",
        lambda: Measured((*map(float, model.theta_[MALE]), *map(float, model.theta_[FEMALE]))),
        stated=(5.855, 176.25, 11.25, 5.4175, 132.5, 7.5),
    )
    for (column, name), sex in product(enumerate(VARIANCES), (MALE, FEMALE)):
        who, at = people.target_names[sex], MALE - sex  # the source names men first
        spread, p = f"Unbiased variance of {name}, {who}.", f"p({name} | {who}) of the sample (6, 130, 8)."
        yield _claim(TRAINING, spread, partial(variance, sex, column), "reproduced", "", *VARIANCES[name][at])
        verdict = ("differs", ROUNDED) if (name, sex) == ("weight", MALE) else ("reproduced", "")
        yield _claim(TESTING, p, partial(density, sex, column), *verdict, *DENSITIES[name][at])
    for sex, (stated, rounding) in zip((MALE, FEMALE), NUMERATORS, strict=True):
        yield _claim(
            TESTING,
            f"Posterior numerator, {people.target_names[sex]}: prior 0.5 times the three densities.",
            partial(numerator, sex),
            "differs",
            "The product of the printed, rounded densities; unrounded ones differ in the fourth or fifth digit.",
            stated,
            rounding,
        )


_SENTENCES = [
    _claim(
        TESTING,
        "The line for p(height | male): 1 / sqrt(2 pi sigma) times the exponential is about 1.5789.",
        as_printed,
        "differs",
        "A misprint: under the root stands sigma, and sigma squared is meant, which gives 1.5789.",
        1.5789,
        5e-5,
    ),
    _claim(TESTING, "A density above 1 is all right (ours: highest density, area under it).", peak_and_area),
    _claim(
        TESTING,
        "The sample is predicted to be female (ours: P(female | sample)).",
        lambda: Measured(float(gender()[1].predict_proba(gender()[0].sample)[0, FEMALE])),
    ),
    _claim(
        "introduction",
        "The number of parameters is linear in the number of features (ours: learned for 3 and for 6 features).",
        learned_numbers,
    ),
    _claim(
        "Multinomial naive Bayes",
        "p(x | C) is a multinomial probability with its coefficient (ours: P(China | document 5) without and with it).",
        histogram_posterior,
    ),
    _claim("Multinomial naive Bayes", "In log space it is linear, b + w . x (ours: the gap).", partial(linear_gap, 1)),
    _claim(
        "Multinomial naive Bayes",
        "The log posterior is proportional to the log joint (ours: the ratio in both classes, then the difference).",
        log_posterior_over_log_joint,
        "differs",
        "Equal up to an added constant, log p(x), not up to a factor. The decision is the same.",
    ),
    _claim(
        "Multinomial naive Bayes",
        "A zero frequency wipes out all other information, a pseudocount mends it (ours: P(No | overcast day)).",
        wiped_out,
        chapter="02_laplace_smoothing",
    ),
    _claim(
        "Bernoulli naive Bayes",
        "Bernoulli naive Bayes is not multinomial naive Bayes on truncated counts (ours: P(China | Tokyo) by the "
        "truncated one, and by the Bernoulli one).",
        truncated_and_bernoulli,
    ),
    _claim(
        "Relation to logistic regression",
        "Naive Bayes is a linear model for the Bernoulli event model too (ours: largest gap to b + w . x).",
        partial(linear_gap, 3),
    ),
    _claim(
        "Document classification",
        "The log odds are those of the prior plus the sum of log-likelihood ratios, and the sigmoid turns them into "
        "p(S | D) (ours: P(China | document 5) so, and by Bayes' rule).",
        ratios_and_posterior,
    ),
    _claim(
        "Discussion",
        "The MAP decision can be right while the probability is grossly inaccurate (ours: naive over true log odds at "
        "correlation 0.9, and the share of equal decisions).",
        grossly_inaccurate,
    ),
    _claim(
        "Introduction",
        "A comparison of 2006 found naive Bayes outperformed by boosted trees and random forests.",
        None,
        "cannot be",
        "Neither the comparison's data nor its settings are in the article or in this book.",
    ),
]
CLAIMS = (*_printed(), *_SENTENCES)
