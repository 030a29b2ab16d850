"""nbcore's classifiers against scikit-learn's, on the same data in one process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import cycle

import numpy as np
from scipy import sparse
from sklearn import naive_bayes as theirs

from nbcore import naive_bayes

from . import Row, Run, Task, alternately, compared

CLASSES = 8
DENSE = "dense 1e5 x 50"
SPARSE = {2: "sparse 2e4 x 5e4, 2 classes", 8: "sparse 2e4 x 5e4, 8 classes"}
REPEATS = 30


def tasks(_) -> list[Task]:
    models = [(name, DENSE) for name in ("GaussianNB", "MultinomialNB", "BernoulliNB", "CategoricalNB")]
    models += [(name, data) for name in ("MultinomialNB", "BernoulliNB") for data in SPARSE.values()]
    return [Task(f"{name}, {data}", partial(fit_and_predict, name, data)) for name, data in models]


def fit_and_predict(name: str, data: str, run: Run) -> Iterator[Row]:
    """fit and predict against scikit-learn's class of the same name; resmooth against our own fit."""
    X, y = samples(name, data)
    ours, peer = getattr(naive_bayes, name)(), getattr(theirs, name)()
    repeats, where = run.repeats(REPEATS), f"{name}, {data}"
    times = alternately(lambda: ours.fit(X, y), lambda: peer.fit(X, y), repeats)
    yield compared(f"{where}: fit | scikit-learn", *times, 0.5 if name == "CategoricalNB" else 1)
    times = alternately(lambda: ours.predict(X), lambda: peer.predict(X), repeats)
    yield compared(f"{where}: predict | scikit-learn", *times, 1)
    if hasattr(ours, "resmooth"):
        slider, alphas = getattr(naive_bayes, name)().fit(X, y), cycle((0.5, 2.0))
        times = alternately(lambda: slider.resmooth(next(alphas)), lambda: ours.fit(X, y), repeats)
        yield compared(f"{where}: resmooth | our fit", *times, 0.05)
        times = alternately(lambda: ours.resmooth(0.5), lambda: ours.fit(X, y), repeats)
        yield compared(f"{where}: first resmooth after a fit | our fit", *times)


# --- data -------------------------------------------------------------------------------------------------------------


def samples(name: str, data: str):
    """What a model of this name likes to count, as X and y."""
    n_classes = next((classes for classes, sparse_data in SPARSE.items() if sparse_data == data), None)
    X, y = bags_of_words(n_classes) if n_classes else counts()
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
def bags_of_words(n_classes: int):
    """CSR (2e4, 5e4): 60 words a row, drawn by Zipf's law."""
    rng, n, vocabulary, length = np.random.default_rng(0), 20_000, 50_000, 60
    words = (vocabulary ** rng.random(n * length)).astype(int) - 1
    rows = np.repeat(np.arange(n), length)
    X = sparse.csr_matrix((np.ones(len(rows)), (rows, words)), shape=(n, vocabulary))
    return X, rng.integers(n_classes, size=n)
