"""The ledger's entries for Wikipedia, "Naive Bayes classifier".

Its semi-supervised section stands elsewhere. Most of our numbers are exact: no draws, so no intervals.
"""

from functools import cache, partial
from itertools import product

import numpy as np
from scipy.special import expit, softmax
from scipy.stats import multinomial, multivariate_normal, norm

from nbcore.datasets import load_gender_measurements, load_iir_documents, load_play_tennis
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, linear_score
from workbook.ledger.claim import CELL, EQUATION, Claim, Measured

__all__ = ["CLAIMS", "as_printed"]

FEMALE, MALE = 0, 1
DEEPER = "01b_one_event"
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
ROUNDED = (
    "From the printed variance, 122.92, as the source does it for height (“previously determined”); from the exact "
    "one, 122.91666..., 5.9867e-06. The other five come out from either."
)
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
    """Normal density of the sample at the printed variance: the table is the model that the source goes on with."""
    people, model = gender()
    (square, _), mean = list(VARIANCES.values())[column][MALE - sex], model.theta_[sex, column]
    return Measured(float(norm.pdf(people.sample[0, column], mean, np.sqrt(square))))


def numerator(sex):
    """Their product, as the source says: of the densities that it prints, and of the prior."""
    return Measured(0.5 * float(np.prod([printed[MALE - sex][0] for printed in DENSITIES.values()])))


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
    """Means and variances that are learned for two classes, from 3, 6 and 12 features."""
    people, _ = gender()
    tables = (np.hstack([people.data] * times) for times in (1, 2, 4))
    models = (GaussianNB(ddof=1, var_smoothing=0).fit(table, people.target) for table in tables)
    return Measured(tuple(float(model.theta_.size + model.var_.size) for model in models))


def closed_form():
    """The least that 1,000 other word probabilities lose in log likelihood against counts over totals, in nats."""
    docs, rng = documents()[0], np.random.default_rng(0)
    counts = docs.data[docs.target == 1].sum(axis=0)
    others = rng.dirichlet(counts + 1.0, size=1000)
    return Measured(float((counts * np.log(counts / counts.sum(), where=counts > 0, out=np.zeros(6))).sum()
                          - (counts * np.log(others)).sum(axis=1).max()))  # fmt: skip


def one_column_at_a_time():
    """Largest difference between means and variances learned together and column by column, eight persons."""
    people, model = gender()
    alone = [GaussianNB(ddof=1, var_smoothing=0).fit(column[:, None], people.target) for column in people.data.T]
    gaps = [abs(getattr(model, name)[:, j] - getattr(one, name)[:, 0]).max()
            for j, one in enumerate(alone) for name in ("theta_", "var_")]  # fmt: skip
    return Measured(float(max(gaps)))


def binned():
    """P(class 0 | x in the first quarter): classes uniform on quarters 1, 2 and 2, 3; then x known by halves only."""
    plain = CategoricalNB(alpha=0).fit([[0], [1], [1], [2]], [0, 0, 1, 1])  # quarters: 0 and 1 against 1 and 2
    halves = CategoricalNB(alpha=0).fit([[0], [0], [0], [1]], [0, 0, 1, 1])
    return Measured((float(plain.predict_proba([[0]])[0, 0]), float(halves.predict_proba([[0]])[0, 0])))


def absent_words():
    """P(China) a priori, and of a document without any word: multinomial, Bernoulli."""
    _, counted, _, presence = documents()
    prior = float(np.exp(counted.class_log_prior_[1]))
    return Measured((prior, *(float(m.predict_proba(np.zeros((1, 6)))[0, 1]) for m in (counted, presence))))


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


def _claim(id, place, quote, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0,
           reading="exact", chapter="01_naive_bayes"):  # fmt: skip
    return Claim(id=f"W-{id}", place=place, quote=quote, statement=statement, stated=stated, ours=ours, verdict=verdict,
                 reading=reading, chapter=chapter, note=note, rounding=rounding)  # fmt: skip


def _printed():
    """Every number of the gender example."""
    people, model = gender()
    yield _claim(
        "GEN-01",
        TRAINING,
        CELL,
        "Means of height, weight and foot size: men, then women.",
        lambda: Measured((*map(float, model.theta_[MALE]), *map(float, model.theta_[FEMALE]))),
        stated=(5.855, 176.25, 11.25, 5.4175, 132.5, 7.5),
    )
    cells = enumerate(product(enumerate(VARIANCES), (MALE, FEMALE)))
    for number, ((column, name), sex) in cells:
        who, at = people.target_names[sex], MALE - sex  # the source names men first
        spread, p = f"Unbiased variance of {name}, {who}.", f"p({name} | {who}) of the sample (6, 130, 8)."
        yield _claim(f"GEN-{number + 2:02}", TRAINING, CELL, spread, partial(variance, sex, column), "reproduced", "",
                     *VARIANCES[name][at])  # fmt: skip
        note = ROUNDED if (name, sex) == ("weight", MALE) else ""
        yield _claim(f"GEN-{number + 8:02}", TESTING, EQUATION, p, partial(density, sex, column), "reproduced", note,
                     *DENSITIES[name][at])  # fmt: skip
    for number, (sex, (stated, rounding)) in enumerate(zip((MALE, FEMALE), NUMERATORS, strict=True)):
        yield _claim(
            f"GEN-{number + 14}",
            TESTING,
            EQUATION,
            f"Posterior numerator, {people.target_names[sex]}: prior 0.5 times the three printed densities.",
            partial(numerator, sex),
            "reproduced",
            "Their product, as the source says. From unrounded densities the fourth or fifth digit is another.",
            stated,
            rounding,
        )


_SENTENCES = [
    _claim(
        "GEN-16",
        TESTING,
        EQUATION,
        "The line for p(height | male): 1 / sqrt(2 pi sigma) times the exponential is about 1.5789.",
        as_printed,
        "false",
        "A misprint: under the root stands sigma, and sigma squared is meant, which gives 1.5789. The general formula, "
        "in the section on Gaussian naive Bayes, has it right.",
        1.5789,
        5e-5,
    ),
    _claim(
        "GEN-17",
        TESTING,
        "Note that a value greater than 1 is OK here – it is a probability density rather than a probability",
        "A density above 1 is all right (ours: highest density, area under it).",
        peak_and_area,
    ),
    _claim(
        "GEN-18",
        TESTING,
        "Since posterior numerator is greater in the female case, we predict the sample is female.",
        "The sample is predicted to be female (ours: P(female | sample)).",
        lambda: Measured(float(gender()[1].predict_proba(gender()[0].sample)[0, FEMALE])),
    ),
    _claim(
        "LEAD-01",
        "lead",
        "requiring a number of parameters linear in the number of variables (features/predictors) in a learning "
        "problem",
        "The number of parameters is linear in the number of features (ours: learned for 3, 6 and 12 features).",
        learned_numbers,
    ),
    _claim(
        "LEAD-02",
        "lead",
        "Maximum-likelihood training can be done by evaluating a closed-form expression, which takes linear time",
        "Counts over totals are the maximum (ours: the least that 1,000 other probabilities lose, in nats).",
        closed_form,
        note="Proved by Gibbs' inequality; the others are a check. Counting reads every cell of the table once.",
    ),
    _claim(
        "INT-01",
        "Introduction",
        "naive Bayes classifiers have worked quite well in many complex real-world situations",
        "It has worked quite well in many situations.",
        None,
        "not stated well enough",
        "No situation and no measure is named.",
        reading="fixed",
    ),
    _claim(
        "INT-02",
        "Introduction",
        "a comprehensive comparison with other classification algorithms in 2006 showed that Bayes classification is "
        "outperformed by other approaches, such as boosted trees or random forests",
        "A comparison of 2006 found naive Bayes outperformed by boosted trees and random forests.",
        None,
        "not testable here",
        "Caruana and Niculescu-Mizil (2006) name their data, and most are public. We have not repeated it.",
    ),
    _claim(
        "INT-03",
        "Introduction",
        "there are sound theoretical reasons for the apparently implausible efficacy of naive Bayes classifiers",
        "An analysis of 2004 gave reasons why it works.",
        None,
        "not testable here",
        "That is what Zhang (2004) says; whether the reasons are sound takes a judgement on that paper.",
    ),
    _claim(
        "GAU-01",
        "Gaussian naive Bayes",
        "the discretization may throw away discriminative information",
        "Binning can lose what tells the classes apart (ours: P(class 0) of a value, by quarters and by halves).",
        binned,
    ),
    _claim(
        "MUL-01",
        "Multinomial naive Bayes",
        "The likelihood of observing a histogram x is given by",
        "p(x | C) is a multinomial probability with its coefficient (ours: P(China | document 5) without and with it).",
        histogram_posterior,
    ),
    _claim(
        "MUL-02",
        "Multinomial naive Bayes",
        "The multinomial naive Bayes classifier becomes a linear classifier when expressed in log-space",
        "In log space it is linear, b + w . x (ours: the gap).",
        partial(linear_gap, 1),
        chapter=DEEPER,
    ),
    _claim(
        "MUL-03",
        "Multinomial naive Bayes",
        EQUATION,
        "The log posterior is proportional to the log of the prior times the product (ours: the ratio in both classes, "
        "then the difference).",
        log_posterior_over_log_joint,
        "false",
        "Equal up to an added constant, the same for every class: the log of the multinomial coefficient, which the "
        "line leaves out, less log p(x). Not up to a factor. The decision is the same.",
        chapter=DEEPER,
    ),
    _claim(
        "MUL-04",
        "Multinomial naive Bayes",
        "it will wipe out all information in the other probabilities when they are multiplied",
        "A zero frequency wipes out all other information, a pseudocount mends it (ours: P(No | overcast day)).",
        wiped_out,
        chapter="02_laplace_smoothing",
    ),
    _claim(
        "MUL-05",
        "Multinomial naive Bayes",
        "tf–idf weights instead of raw term frequencies and document length normalization, to produce a naive Bayes "
        "classifier that is competitive with support vector machines",
        "With tf-idf weights and normalised lengths it is competitive with support vector machines.",
        None,
        "not testable here",
        "That is what Rennie et al. (2003) report of their data. On R8, chapter 08, equal lengths make it worse, with "
        "tf-idf as well (W-LEAD-03).",
    ),
    _claim(
        "BER-01",
        "Bernoulli naive Bayes",
        "a naive Bayes classifier with a Bernoulli event model is not the same as a multinomial NB classifier with "
        "frequency counts truncated to one",
        "Bernoulli naive Bayes is not multinomial naive Bayes on truncated counts (ours: P(China | Tokyo) by the "
        "truncated one, and by the Bernoulli one).",
        truncated_and_bernoulli,
        chapter=DEEPER,
    ),
    _claim(
        "BER-02",
        "Bernoulli naive Bayes",
        "It has the benefit of explicitly modelling the absence of terms.",
        "Words that are absent count (ours: P(China) a priori; of a document with no word, multinomial and Bernoulli).",
        absent_words,
        chapter=DEEPER,
    ),
    _claim(
        "LOG-01",
        "Relation to logistic regression",
        'Since naive Bayes is also a linear model for the two "discrete" event models',
        "Naive Bayes is a linear model for the Bernoulli event model too (ours: largest gap to b + w . x).",
        partial(linear_gap, 3),
        chapter=DEEPER,
    ),
    _claim(
        "DOC-01",
        "Document classification",
        "the conversion of a log-likelihood ratio to a probability takes the form of a sigmoid curve",
        "The log odds are those of the prior plus the sum of log-likelihood ratios, and the sigmoid turns them into "
        "p(S | D) (ours: P(China | document 5) so, and by Bayes' rule).",
        ratios_and_posterior,
    ),
    _claim(
        "DIS-01",
        "Discussion",
        "This is true regardless of whether the probability estimate is slightly, or even grossly inaccurate.",
        "The MAP decision can be right while the probability is grossly inaccurate (ours: naive over true log odds at "
        "correlation 0.9, and the share of equal decisions).",
        grossly_inaccurate,
        chapter=DEEPER,
    ),
    _claim(
        "DIS-02",
        "Discussion",
        "each distribution can be independently estimated as a one-dimensional distribution",
        "Columns can be learned one by one (ours: largest difference from learning them together).",
        one_column_at_a_time,
        stated=0.0,
    ),
    _claim(
        "DIS-03",
        "Discussion",
        "the need for data sets that scale exponentially with the number of features",
        "This alleviates the curse of dimensionality (ours: free probabilities a class for 3 and 10 bits, in a full "
        "table, then by naive Bayes).",
        lambda: Measured((2.0**3 - 1, 2.0**10 - 1, 3.0, 10.0)),
        "shown by an example",
    ),
]
CLAIMS = (*_printed(), *_SENTENCES)
