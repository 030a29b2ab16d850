"""nbcore's classifiers against scikit-learn's, on the same data in one process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from scipy import sparse
from sklearn import naive_bayes as theirs

from nbcore import naive_bayes

from . import Row, Run, Task, alternately, compared

CLASSES = 8
DENSE = "dense 1e5 x 50"
SPARSE = "sparse 2e4 x 5e4"
REPEATS = 30


def tasks() -> list[Task]:
    models = [(name, DENSE) for name in ("GaussianNB", "MultinomialNB", "BernoulliNB", "CategoricalNB")]
    models += [(name, SPARSE) for name in ("MultinomialNB", "BernoulliNB")]
    return [Task(f"{name}, {data}", partial(fit_and_predict, name, data)) for name, data in models]


def fit_and_predict(name: str, data: str, run: Run) -> Iterator[Row]:
    """fit and predict against scikit-learn's class of the same name."""
    X, y = samples(name, data)
    ours, peer = getattr(naive_bayes, name)(), getattr(theirs, name)()
    repeats, where = run.repeats(REPEATS), f"{name}, {data}"
    times = alternately(lambda: ours.fit(X, y), lambda: peer.fit(X, y), repeats)
    yield compared(f"{where}: fit | scikit-learn", *times, 0.5 if name == "CategoricalNB" else 1)
    times = alternately(lambda: ours.predict(X), lambda: peer.predict(X), repeats)
    yield compared(f"{where}: predict | scikit-learn", *times, 1)


def samples(name: str, data: str):
    """Return rows that fit a model of this name, as X and y."""
    X, y = bags_of_words() if data == SPARSE else counts()
    if name == "GaussianNB":
        X = np.random.default_rng(1).normal(size=X.shape) + y[:, None]
    return (np.minimum(X, 6) if name == "CategoricalNB" else X), y


@cache
def counts():
    """Small counts, (1e5, 50): as floats, as scikit-learn would turn them into."""
    rng = np.random.default_rng(0)
    y = rng.integers(CLASSES, size=100_000)
    return rng.poisson(rng.gamma(1.0, size=(CLASSES, 50))[y]).astype(float), y


@cache
def bags_of_words():
    """CSR (2e4, 5e4): 60 words a row, drawn by Zipf's law."""
    rng, n, vocabulary, length = np.random.default_rng(0), 20_000, 50_000, 60
    words = (vocabulary ** rng.random(n * length)).astype(int) - 1
    rows = np.repeat(np.arange(n), length)
    X = sparse.csr_matrix((np.ones(len(rows)), (rows, words)), shape=(n, vocabulary))
    return X, rng.integers(CLASSES, size=n)
