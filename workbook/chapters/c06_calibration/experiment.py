"""Ways to mend the posteriors of naive Bayes on a split of the names, each fitted once: k of eq. (20), and its peers;
and what is to be made of them: what luck alone does to a diagram, and what decisions cost.

Everything is chosen on the validation part, which the model there has not seen, and judged on the test part; only the
flat k of Carlos (2015) comes from training posteriors. Two classes; posteriors are (n, 2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from nbcore import perplexed
from nbcore.calibration import (
    ConfidenceTable,
    ReliabilityBins,
    confidence_table,
    fit_temperature,
    log_loss,
    posterior_spread,
    reliability_bins,
    temperature_scale,
)
from nbcore.checks import one_of
from workbook.chapters.names import names_split

__all__ = [
    "AT",
    "EDGES",
    "LENGTHS",
    "PEERS",
    "SLOPES",
    "SPLITS",
    "TABLE_1",
    "Luck",
    "PaperSplit",
    "Scores",
    "TwoParts",
    "calibrated_k",
    "came_true",
    "costs",
    "decided_alike",
    "decisions_changed",
    "flat_k",
    "luck",
    "naive_posterior",
    "paper_split",
    "paper_splits",
    "peer_curve",
    "peer_posterior",
    "scores",
    "table_repeats",
    "table_rmse",
    "training_k",
    "two_parts",
    "validated_k",
]

PAPERS = "paper"  # the corpus of the paper's own names
SPLITS = 20
LENGTHS = 1, 2, 4, 5  # the longest n-grams behind the paper's 6, 12, 21 and 24 features
EDGES = np.arange(5, 11) / 10
TABLE_1 = {  # points and accuracies in the five intervals of confidence
    "perplexed": ((387, 421, 439, 300, 43), (0.6149, 0.8361, 0.9703, 0.9766, 1.0)),
    "naive": ((26, 22, 26, 42, 1474), (0.5000, 0.3636, 0.5000, 0.5238, 0.8792)),
}


def log_joint(part):
    """log P(c, x) of each name of a Part, (n, C) in nats."""
    return part.evidence[0] + part.evidence[1]


def log_odds(part):
    """log P(class 1 | x) / P(class 0 | x) of naive Bayes, (n,): it never rounds to certainty."""
    return log_joint(part) @ [-1.0, 1.0]


def naive_posterior(part):
    """P(c | x) of naive Bayes for each name of a Part, (n, C)."""
    return temperature_scale(log_joint(part), 1.0)


# ---------------------------------------------------------------------------------------------- the coefficient k


@lru_cache(maxsize=64)
def flat_k(split, bins=10):
    """The k of the grid with the flattest histogram of training posteriors: Carlos (2015), section 5."""
    return perplexed.flattest_k(split.training.evidence, bins)


def best_k(part, bins):
    """The k of the grid with the smallest RMSE of the reliability diagram of a Part: Carlos (2015), section 5.2."""
    return perplexed.best_k(part.evidence, part.y, bins, objective="rmse")


@lru_cache(maxsize=64)
def validated_k(split, bins=10):
    """The k with the smallest RMSE on the validation part: Carlos (2015), section 5.2, figure 5."""
    return best_k(split.validation, bins)


@lru_cache(maxsize=64)
def calibrated_k(split):
    """The k with the least log loss on the validation part: this book's choice, the default of `PerplexedBayes`."""
    return perplexed.best_k(split.validation.evidence, split.validation.y)


@lru_cache(maxsize=64)
def training_k(split, bins=10):
    """The k with the smallest RMSE on the training names, which the model has counted itself: too large."""
    return best_k(split.training, bins)


# ------------------------------------------------------------------------------------------------------- the peers


# Each is fitted to labels and gives P(male) as a function of s, the log odds of naive Bayes.


def _temperature(held):
    T = fit_temperature(held.y, log_joint(held))
    return lambda s: expit(np.asarray(s) / T)


def _logistic(feature):
    """Logistic regression on one feature of the log odds, without a penalty."""

    def fit(held):
        model = LogisticRegression(C=np.inf, solver="newton-cholesky").fit(feature(log_odds(held))[:, None], held.y)
        (w,), (b,) = model.coef_[0], model.intercept_
        return lambda s: expit(w * feature(np.asarray(s)) + b)

    return fit


def _isotonic(held):
    return IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(log_odds(held), held.y).predict


PEERS: dict[str, Callable] = {
    "temperature": _temperature,
    "Platt": _logistic(np.asarray),
    "isotonic": _isotonic,
    # What CalibratedClassifierCV(method="sigmoid") does to a classifier that has predict_proba only.
    "sigmoid trap": _logistic(expit),
}


@lru_cache(maxsize=256)
def peer_curve(split, name):
    """P(male) as a function of s, an array of log odds of naive Bayes: one of PEERS, fitted to the validation part.

    "temperature": Guo et al. (2017); "Platt": logistic regression on log odds, Platt (1999); "isotonic": Zadrozny and
    Elkan (2002); "sigmoid trap": logistic regression on the posterior itself. ValueError for another name.
    """
    one_of("name", name, PEERS)
    return PEERS[name](split.validation)


@lru_cache(maxsize=256)
def peer_posterior(split, name):
    """Posteriors of the test names, (n, 2), after one of PEERS was fitted to the validation part: see `peer_curve`."""
    p = peer_curve(split, name)(log_odds(split.test))
    return np.column_stack([1 - p, p])


def decisions_changed(split, proba):
    """Return how many test names posteriors (n, 2) decide otherwise than naive Bayes."""
    return int(np.sum(proba.argmax(axis=1) != naive_posterior(split.test).argmax(axis=1)))


# ------------------------------------------------------------------------------------------------------ the judges


@dataclass(frozen=True, eq=False)
class Scores:
    """How good posteriors are: the reliability diagram and four numbers, 0 is best in each."""

    diagram: ReliabilityBins
    rmse: float
    ece: float
    brier: float
    log_loss: float


def scores(y, proba, bins=10):
    """Scores of posteriors (n, 2) for labels y (n,) of 0 and 1; only RMSE and ECE depend on the bins.

    Brier score and log loss are those of scikit-learn, which takes 2 ms for its checks: too long for a slider. A true
    class of posterior 0 counts as the smallest step of a float, as it does there: isotonic regression says 0.
    """
    diagram = reliability_bins(y, proba, bins)
    own = proba[np.arange(len(y)), y]
    loss = log_loss(y, np.log(proba.clip(min=np.finfo(float).eps)))
    return Scores(diagram, diagram.rmse(), diagram.ece(), float(np.mean((1 - own) ** 2)), loss)


@dataclass(frozen=True, eq=False)
class TwoParts:
    """The Brier score of posteriors that are alike within each group, and its two parts: Murphy (1973).

    sizes, said, came (groups,): how many cases a group has, which posterior they were given, which share came true.
    """

    sizes: np.ndarray
    said: np.ndarray
    came: np.ndarray

    @property
    def calibration(self):
        """What was said, less what came true, squared: Murphy's reliability."""
        return float(np.average((self.said - self.came) ** 2, weights=self.sizes))

    @property
    def refinement(self):
        """How mixed the groups are, 0 if in each all came true, or none: Murphy's uncertainty less resolution."""
        return float(np.average(self.came * (1 - self.came), weights=self.sizes))

    @property
    def brier(self):
        """Their sum."""
        return self.calibration + self.refinement


def two_parts(confidence, right, groups):
    """Cut cases (n,) into groups of one size along their confidence; each case then says the mean of its group."""
    order = np.argsort(confidence, kind="stable")
    cut = [(len(part), confidence[part].mean(), right[part].mean()) for part in np.array_split(order, groups)]
    return TwoParts(*map(np.array, zip(*cut, strict=True)))


def decided_alike(split):
    """Three models that decide as naive Bayes does, by name, with posteriors (n, 2) of the test names."""
    naive = naive_posterior(split.test)
    accuracy = np.mean(naive.argmax(axis=1) == split.test.y)
    one = np.where(naive == naive.max(axis=1, keepdims=True), accuracy, 1 - accuracy)
    return {"naive Bayes": naive, "one number": one, "temperature": peer_posterior(split, "temperature")}


# ------------------------------------------------------------------------------- luck: what nobody can be blamed for

DRAWS = 200


@lru_cache(maxsize=8)
def _throws(n):
    """(n, DRAWS) between 0 and 1: one throw for each name of each draw, the same for every model."""
    return np.random.default_rng(2007).random((n, DRAWS), dtype=np.float32)


def _by_bin(labels, place, bins):
    """Return how many of the names in each bin have label 1, (B, DRAWS), from labels (n, DRAWS)."""
    order, sums = np.argsort(place, kind="stable"), np.zeros((bins, DRAWS))
    full, starts = np.unique(place[order], return_index=True)
    sums[full] = np.add.reduceat(labels[order].view(np.int8), starts, axis=0, dtype=np.int32)  # no BLAS, no threads
    return sums


@dataclass(frozen=True, eq=False)
class Luck:
    """What a perfectly calibrated model with these posteriors shows in `DRAWS` draws of the labels.

    low, high (B,): where the share that comes true lies in 95 of 100 draws, NaN in an empty bin; rmse, ece (DRAWS,),
    ascending.
    """

    low: np.ndarray
    high: np.ndarray
    rmse: np.ndarray
    ece: np.ndarray


def luck(proba, bins=10):
    """Draw every label from its own posterior, proba (n, 2), so that each promise is kept; then look at the bins.

    Broecker and Smith (2007): consistency bars. Theirs draw the cases anew as well; here the names stay as they are.
    """
    p = np.asarray(proba)
    place = np.minimum(np.searchsorted(np.arange(bins + 1) / bins, p, side="right") - 1, bins - 1)
    count = np.bincount(place.ravel(), minlength=bins)
    said = np.bincount(place.ravel(), p.ravel(), bins)
    labels = _throws(len(p)) < p[:, 1:].astype(np.float32)
    first, second = (_by_bin(labels == c, place[:, c], bins) for c in (0, 1))
    true = (first + second).T  # (DRAWS, B)
    full = count > 0
    shares = np.full(true.shape, np.nan)
    shares[:, full] = true[:, full] / count[full]
    off = (shares - (np.arange(bins) + 0.5) / bins)[:, full]
    order, out = np.sort(shares, axis=0), DRAWS // 40
    ece = np.abs(true - said).sum(axis=1) / count.sum()
    return Luck(order[out], order[-1 - out], np.sort(np.sqrt(np.mean(off**2, axis=1))), np.sort(ece))


# ---------------------------------------------------------------------------------------- three diagrams to be read

AT = 0.9  # what is asked about
# How many times as large the true log odds are: A is too modest, B is too sure (of its 0.9 come 0.7 true), C is right.
SLOPES = {"A": 2.0, "B": float(logit(0.7) / logit(AT)), "C": 1.0}


def came_true(said, slope):
    """The share that comes true where a model says `said`, if its log odds should be `slope` times as large."""
    return expit(slope * logit(said))


# ----------------------------------------------------------------------------------------------------------- money


def costs(right, confidence, wrong):
    """What it costs to decide the m surest names and to ask for all others, for m = 0, ..., n: (n + 1,).

    right: (n,) whether each decision is right; confidence (n,): any number that grows with it; wrong: the price of a
    wrong decision. A right one costs nothing, asking costs 1.
    """
    surest = np.argsort(-np.asarray(confidence), kind="stable")
    mistakes = np.concatenate([[0], np.cumsum(~np.asarray(right)[surest])])
    return wrong * mistakes + np.arange(len(mistakes))[::-1]


# ------------------------------------------------------------------------------------------- the paper's own names


@dataclass(frozen=True)
class PaperSplit:
    """Everything that the paper's section 5 says of one split and one length of n-grams, ours."""

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
    """A PaperSplit."""
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
    """The PaperSplit of one seed; FetchError where the names can neither be found nor downloaded."""
    return measured_split(names_split(max_n, seed, PAPERS))


def paper_splits(max_n, name):
    """One quantity of PaperSplit on each of the 20 splits, (20,) or (20, ...)."""
    return np.array([getattr(paper_split(max_n, seed), name) for seed in range(SPLITS)])


def table_rmse(which):
    """RMSE that Table 1 implies: with two classes the lower half of the diagram mirrors the upper one."""
    return float(np.sqrt(np.mean((np.array(TABLE_1[which][1]) - (EDGES[:-1] + EDGES[1:]) / 2) ** 2)))


def table_repeats(which, repeats=20_000):
    """RMSE of Table 1, were it made again with as many names in each row and as many of them right by nature, (R,)."""
    count, accuracy = map(np.array, TABLE_1[which])
    again = np.random.default_rng(2015).binomial(count, accuracy, size=(repeats, len(count))) / count
    return np.sqrt(np.mean((again - (EDGES[:-1] + EDGES[1:]) / 2) ** 2, axis=1))
