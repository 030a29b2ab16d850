"""Chapter 01: models of eight people with one left out; how often the names model is sure, and sure and wrong."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.feature_extraction.text import CountVectorizer

from nbcore.datasets import END, load_gender_measurements, load_names
from nbcore.naive_bayes import MultinomialNB

__all__ = ["leave_one_out", "sure_names"]

SPLITS, TESTED, SURE = 20, 1289, 0.99
LENGTH = 3  # letters of the longest piece
PEOPLE = load_gender_measurements()
ROWS, SEX = PEOPLE.data[:, :2], PEOPLE.target  # height and weight


@lru_cache(maxsize=18)
def learn(out: int, correlated: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return means (2, 2) and covariances (2, 2, 2) of height and weight, learned from all but one of the people."""
    kept = [ROWS[(SEX == c) & (np.arange(len(ROWS)) != out)] for c in (0, 1)]
    spreads = np.array([np.cov(rows.T) for rows in kept])
    return np.array([rows.mean(axis=0) for rows in kept]), spreads * (1 if correlated else np.eye(2))


def log_odds_of(x: np.ndarray, out: int, correlated: bool) -> float:
    """Return the log odds of male of a height and a weight, priors equal, by a model that did not see one person."""
    means, spreads = learn(out, correlated)
    away = x - means
    logs = np.einsum("ci,cij,cj->c", away, np.linalg.inv(spreads), away) + np.linalg.slogdet(spreads)[1]
    return float(logs[0] - logs[1]) / 2


def leave_one_out(X, y, correlated: bool) -> np.ndarray:
    """Return the posteriors (n, C) of n rows, each by normal densities learned from the others, priors equal."""
    posteriors = []
    for i, x in enumerate(X):
        rows, logs = np.arange(len(y)) != i, []
        for c in np.unique(y):
            own = X[rows & (y == c)]
            spread = np.cov(own.T) * (1 if correlated else np.eye(X.shape[1]))
            logs.append(multivariate_normal(own.mean(axis=0), spread).logpdf(x))
        posteriors.append(softmax(logs))
    return np.array(posteriors)


def all_pieces(name: str) -> list[str]:
    """Cut a name into all its pieces of one to three letters, the end of the name counted as a letter."""
    text = name + END
    return [text[i : i + n] for n in range(1, LENGTH + 1) for i in range(len(text) + 1 - n)]


def apart(name: str) -> list[str]:
    """Cut a name from its end into pieces of three letters that share none; the first may be shorter."""
    text = name + END
    return [text[max(0, end - LENGTH) : end] for end in range(len(text), 0, -LENGTH)]


def overlapping(name: str) -> list[str]:
    """Take as many pieces of three letters as `apart` does, each one letter before the next."""
    text = name + END
    return [text[max(0, end - LENGTH) : end] for end in range(len(text), 0, -1)][: len(apart(name))]


@lru_cache(maxsize=2)
def sure_names(alpha: float = 1.0) -> dict[str, np.ndarray]:
    """Compare three models of the given names on one list, learned from four fifths of them and asked about the rest.

    Returns three shares of each model, means over twenty splits: names decided rightly, names it is at least 99 % sure
    of, and the wrong ones among these. alpha: where every count starts.
    """
    names = load_names(both_lists=False)
    ways = {"all pieces": all_pieces, "overlapping threes": overlapping, "threes cut apart": apart}
    return {way: shares(names.data, names.target, cut, alpha) for way, cut in ways.items()}


def shares(names, classes, cut, alpha) -> np.ndarray:
    """Mean shares (3,) of one model: right, sure, wrong among the sure; cut(name) -> pieces."""
    counts, rows = CountVectorizer(analyzer=cut).fit_transform(names), []
    for seed in range(SPLITS):
        tested, learned = np.split(np.random.default_rng(seed).permutation(len(names)), [TESTED])
        known = np.flatnonzero(counts[learned].sum(axis=0))  # what nobody counted is dropped
        model = MultinomialNB(alpha=alpha).fit(counts[learned][:, known], classes[learned])
        posterior = model.predict_proba(counts[tested][:, known])
        right, sure = posterior.argmax(axis=1) == classes[tested], posterior.max(axis=1) >= SURE
        rows.append((right.mean(), sure.mean(), 1 - right[sure].mean()))
    return np.mean(rows, axis=0)
