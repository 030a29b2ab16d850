"""The posteriors of naive Bayes on a split of the names, and what mends them: k of eq. (20), and a temperature.

Everything is chosen on the validation part, which the model there has not seen, and judged on the test part; only the
flat k of Carlos (2015) comes from training posteriors. Two classes; posteriors are (n, 2).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import softmax
from scipy.stats import t as student
from sklearn.calibration import CalibratedClassifierCV
from sklearn.naive_bayes import MultinomialNB

from nbcore import perplexed
from nbcore.calibration import (
    ConfidenceTable,
    confidence_table,
    fit_temperature,
    posterior_spread,
    reliability_bins,
    simulate_shares,
    temperature_scale,
)
from nbcore.datasets import name_ngrams
from workbook.chapters.names import LONGEST, names_split
from workbook.ledger.numbers import stored_numbers

__all__ = [
    "ALL",
    "EDGES",
    "KS",
    "LENGTHS",
    "SPLITS",
    "TABLE_1",
    "Luck",
    "PaperSplit",
    "WithLogOdds",
    "attenuated",
    "calibrated_k",
    "costs",
    "decided_alike",
    "flat_k",
    "luck",
    "naive_posterior",
    "paper_split",
    "paper_splits",
    "say_k",
    "split_deviation",
    "table_rmse",
    "temperature_posterior",
    "ten_lines",
    "ten_splits",
    "training_k",
    "validated_k",
]

ALL = 1000  # a k above n + 1 of every name: naive Bayes
# The steps of every slider of k. On split 0, n-grams up to 5, to three digits: 2.42 is the flattest k, 4.7 that of the
# least RMSE, 4.89 that of the least log loss on the validation names, 7.97 that of the least RMSE on training names.
KS = [1, 2, 2.42, 3, 4, 4.7, 4.89, 6, 7.97, 12, ALL]
PAPERS = "paper"  # the corpus of the paper's own names
SPLITS = 20
LENGTHS = 1, 2, 4, 5  # the longest n-grams behind the paper's 6, 12, 21 and 24 features
EDGES = np.arange(5, 11) / 10
TABLE_1 = {  # points and accuracies in the five intervals of confidence
    "perplexed": ((387, 421, 439, 300, 43), (0.6149, 0.8361, 0.9703, 0.9766, 1.0)),
    "naive": ((26, 22, 26, 42, 1474), (0.5000, 0.3636, 0.5000, 0.5238, 0.8792)),
}


def log_joint(part):
    """Return log P(c, x) of each name of a Part, (n, C) in nats."""
    return part.evidence[0] + part.evidence[1]


def log_odds(part):
    """Return log P(class 1 | x) / P(class 0 | x) of naive Bayes, (n,): it never rounds to certainty."""
    return log_joint(part) @ [-1.0, 1.0]


def naive_posterior(part):
    """Return P(c | x) of naive Bayes for each name of a Part, (n, C)."""
    return temperature_scale(log_joint(part), 1.0)


# ---------------------------------------------------------------------------------------------- the coefficient k


def say_k(k):
    """Return how a step of k reads beside its slider."""
    return "all votes" if k == ALL else f"{k:g}"


@lru_cache(maxsize=64)
def flat_k(split, bins=10):
    """Return the k of the grid with the flattest histogram of training posteriors: Carlos (2015), section 5."""
    return perplexed.flattest_k(split.training.evidence, bins)


def best_k(part, bins):
    """Return the k of the grid with the smallest RMSE of a Part's reliability diagram: Carlos (2015), section 5.2."""
    return perplexed.best_k(part.evidence, part.y, bins, objective="rmse")


@lru_cache(maxsize=64)
def validated_k(split, bins=10):
    """Return the k with the smallest RMSE on the validation part: Carlos (2015), section 5.2, figure 5."""
    return best_k(split.validation, bins)


@lru_cache(maxsize=64)
def calibrated_k(split):
    """Return the k with the least log loss on the validation part: this book's choice, `PerplexedBayes`' default."""
    return perplexed.best_k(split.validation.evidence, split.validation.y)


@lru_cache(maxsize=64)
def training_k(split, bins=10):
    """Return the k with the smallest RMSE on the training names, which the model has counted itself: too large."""
    return best_k(split.training, bins)


@lru_cache(maxsize=64)
def attenuated(max_n, k):
    """Return P(c | x) of the test names of seed 0 under eq. (20), (n, C), read-only; a name has at most n + 1 votes."""
    test = names_split(max_n).test
    root = np.minimum(k / (test.evidence[2] + 1), 1)
    posteriors = softmax(root[:, None] * log_joint(test), axis=1)
    posteriors.setflags(write=False)
    return posteriors


@lru_cache(maxsize=16)
def ten_splits(max_n, rule=None):
    """Return of splits 0 to 9 the share right, the RMSE and the Brier score, (10, 3), read-only.

    rule: chooses k on a split, such as `calibrated_k`; None is naive Bayes.
    """
    found = []
    for split in (names_split(max_n, seed) for seed in range(10)):
        test = split.test
        p = perplexed.attenuated_posterior(*test.evidence, rule(split)) if rule else naive_posterior(test)
        found.append(score(test.y, p))
    table = np.array(found)
    table.setflags(write=False)
    return table


def score(y, p):
    """Return the share right, the RMSE and the Brier score of posteriors p (n, 2)."""
    return np.mean(p.argmax(axis=1) == y), reliability_bins(y, p).rmse(), np.mean((p[:, 1] - y) ** 2)


# ----------------------------------------------------------------------------------------------------------- peers


class WithLogOdds(MultinomialNB):
    """Multinomial naive Bayes of scikit-learn with a decision function, the log odds."""

    def decision_function(self, X):
        return self.predict_joint_log_proba(X) @ [-1, 1]


def ten_lines(method, model):
    """Return the scores of a model that scikit-learn calibrates, on splits 0 to 9, (10, 3) as `ten_splits`."""
    found = []
    for split in (names_split(LONGEST, seed) for seed in range(10)):
        X, vocabulary = name_ngrams(split.training.names, LONGEST)
        line = CalibratedClassifierCV(model, method=method, ensemble=False).fit(X, split.training.y)
        found.append(score(split.test.y, line.predict_proba(name_ngrams(split.test.names, LONGEST, vocabulary)[0])))
    return np.array(found)


@lru_cache(maxsize=64)
def temperature_posterior(split):
    """Return P(c | x) of the test names, (n, C), with a temperature of the validation part: Guo et al. (2017)."""
    held = split.validation
    return temperature_scale(log_joint(split.test), fit_temperature(held.y, log_joint(held)))


def decided_alike(split):
    """Return three models that decide as naive Bayes does, by name, as posteriors (n, 2) of the test names."""
    naive = naive_posterior(split.test)
    accuracy = np.mean(naive.argmax(axis=1) == split.test.y)
    one = np.where(naive == naive.max(axis=1, keepdims=True), accuracy, 1 - accuracy)
    return {"naive Bayes": naive, "one number": one, "temperature": temperature_posterior(split)}


# ------------------------------------------------------------------------------- luck: what nobody can be blamed for

DRAWS = 1000


@dataclass(frozen=True, eq=False)
class Luck:
    """Hold the diagrams of a perfectly calibrated model with these posteriors, in `DRAWS` draws of the labels.

    low, high (B,): where the share that comes true lies in 95 of 100 draws, NaN in an empty bin; rmse (DRAWS,),
    ascending.
    """

    low: np.ndarray
    high: np.ndarray
    rmse: np.ndarray


def luck(proba, bins=10):
    """Draw every label from its own posterior, proba (n, 2), so that each promise is kept; then look at the bins.

    Broecker and Smith (2007): consistency bars. Theirs draw the cases anew as well; here the names stay as they are.
    """
    shares = simulate_shares(proba, bins, DRAWS, rng=2007)  # the same throws for every model
    off = shares - (np.arange(bins) + 0.5) / bins
    low, high = np.quantile(shares, [0.025, 0.975], axis=0)
    return Luck(low, high, np.sort(np.sqrt(np.nanmean(off**2, axis=1))))


# ----------------------------------------------------------------------------------------------------------- money


def costs(right, confidence, wrong):
    """Return the cost of deciding the m surest names and asking for all others, for m = 0, ..., n: (n + 1,).

    right: (n,) whether each decision is right; confidence (n,): any number that grows with it; wrong: the price of a
    wrong decision. A right one costs nothing, asking costs 1.
    """
    surest = np.argsort(-np.asarray(confidence), kind="stable")
    mistakes = np.concatenate([[0], np.cumsum(~np.asarray(right)[surest])])
    return wrong * mistakes + np.arange(len(mistakes))[::-1]


# ------------------------------------------------------------------------------------------- the paper's own names


@dataclass(frozen=True)
class PaperSplit:
    """Hold our numbers for those of the paper's section 5: of one split, with one length of n-grams."""

    accuracy: float
    other_decisions: int
    rmse_naive: float
    rmse_validated: float
    rmse_flat: float
    k_validated: float
    k_flat: float
    spread_naive: float
    spread_flat: float
    naive: ConfidenceTable
    perplexed: ConfidenceTable


def measured_split(split):
    """Return the PaperSplit of a split."""
    test, ks = split.test, (validated_k(split), flat_k(split))
    naive = naive_posterior(test)
    validated, flat = (perplexed.attenuated_posterior(*test.evidence, k) for k in ks)
    return PaperSplit(
        float(np.mean(naive.argmax(axis=1) == test.y)),
        int(np.sum(naive.argmax(axis=1) != validated.argmax(axis=1))),
        *(reliability_bins(test.y, p).rmse() for p in (naive, validated, flat)),
        *ks,
        *(posterior_spread(p) for p in (naive, flat)),
        *(confidence_table(test.y, p, EDGES) for p in (naive, flat)),
    )


@lru_cache(maxsize=4 * 64)
def paper_split(max_n, seed):
    """Return the PaperSplit of one seed; FetchError where the names can neither be found nor downloaded."""
    return measured_split(names_split(max_n, seed, PAPERS))


def paper_splits(max_n, name):
    """Return one quantity of PaperSplit on each of the 20 splits, (20,) or (20, ...)."""
    return np.array([getattr(paper_split(max_n, seed), name) for seed in range(SPLITS)])


def table_rmse(which):
    """Return the RMSE that Table 1 implies: with two classes the lower half of the diagram mirrors the upper one."""
    return float(np.sqrt(np.mean((np.array(TABLE_1[which][1]) - (EDGES[:-1] + EDGES[1:]) / 2) ** 2)))


def split_deviation():
    """Return the standard deviation of naive Bayes' RMSE over 200 splits of the paper's names, from measured.json."""
    stored = stored_numbers()["C15-S52-08"].measured  # where 95 of 100 further splits end, by Student's t
    return (stored.high - stored.low) / 2 / (student.isf(0.025, stored.runs - 1) * np.sqrt(1 + 1 / stored.runs))
