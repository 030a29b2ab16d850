"""nbcore's classifiers against scikit-learn's, on the same data in one process."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from itertools import cycle

import numpy as np
from scipy import sparse
from sklearn import mixture
from sklearn import naive_bayes as theirs
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from . import MissingError, Row, Run, Task, alternately, compared, seconds

CLASSES = 8
DENSE = "dense 1e5 x 50"
SPARSE = {2: "sparse 2e4 x 5e4, 2 classes", 8: "sparse 2e4 x 5e4, 8 classes"}
REPEATS = 30
EM_STEPS = 20
DIRICHLET = dict(n_classifiers=100_000, n_classes=4, n_values=10, alpha=1.0, rng=0)


def tasks(_) -> list[Task]:
    models = [(name, DENSE) for name in ("GaussianNB", "MultinomialNB", "BernoulliNB", "CategoricalNB")]
    models += [(name, data) for name in ("MultinomialNB", "BernoulliNB") for data in SPARSE.values()]
    return [
        *(Task(f"{name}, {data}", partial(fit_and_predict, name, data)) for name, data in models),
        Task("MixedNB", mixed),
        Task("EM iteration, multinomial on R8", multinomial_em),
        Task("EM iteration, Gaussian", gaussian_em),
        Task("Dirichlet experiment", dirichlet),
    ]


def fit_and_predict(name: str, data: str, run: Run) -> Iterator[Row]:
    """fit and predict against scikit-learn's class of the same name; resmooth against our own fit."""
    X, y = samples(name, data)
    ours, peer = ours_named("naive_bayes", name)(), getattr(theirs, name)()
    repeats, where = run.repeats(REPEATS), f"{name}, {data}"
    times = alternately(lambda: ours.fit(X, y), lambda: peer.fit(X, y), repeats)
    yield compared(f"{where}: fit | scikit-learn", *times, 0.5 if name == "CategoricalNB" else 1)
    times = alternately(lambda: ours.predict(X), lambda: peer.predict(X), repeats)
    yield compared(f"{where}: predict | scikit-learn", *times, 1)
    if hasattr(ours, "resmooth"):
        slider, alphas = ours_named("naive_bayes", name)().fit(X, y), cycle((0.5, 2.0))
        times = alternately(lambda: slider.resmooth(next(alphas)), lambda: ours.fit(X, y), repeats)
        yield compared(f"{where}: resmooth | our fit", *times, 0.05)
        times = alternately(lambda: ours.resmooth(0.5), lambda: ours.fit(X, y), repeats)
        yield compared(f"{where}: first resmooth after a fit | our fit", *times)


def mixed(run: Run) -> Iterator[Row]:
    """MixedNB against its parts alone, on the same array; on a frame against what stands in for it in scikit-learn.

    That is one Gaussian model for everything, categories as one-hot columns.
    """
    X, frame, y = measurements_and_categories()
    numbers, codes = slice(0, 20), slice(20, 40)
    ours = ours_named("mixed", "MixedNB")([("gaussian", numbers), ("categorical", codes)])
    gaussian, categorical = ours_named("naive_bayes", "GaussianNB")(), ours_named("naive_bayes", "CategoricalNB")()

    def fit_parts():
        gaussian.fit(X[:, numbers], y)
        categorical.fit(X[:, codes], y)

    def predict_with_parts():
        joint = gaussian.predict_joint_log_proba(X[:, numbers]) + categorical.predict_joint_log_proba(X[:, codes])
        return (joint - categorical.class_log_prior_).argmax(axis=1)

    repeats, where = run.repeats(REPEATS), "MixedNB, 1e5 x (20 measurements + 20 categories)"
    times = alternately(lambda: ours.fit(X, y), fit_parts, repeats)
    yield compared(f"{where}, array: fit | its parts alone", *times, 1)
    times = alternately(lambda: ours.predict(X), predict_with_parts, repeats)
    yield compared(f"{where}, array: predict | its parts alone", *times, 1)

    text = list(frame.columns[codes])
    columns = make_column_transformer((OneHotEncoder(sparse_output=False), text), remainder=StandardScaler())
    ours, peer = clone(ours).set_params(columns="auto"), make_pipeline(columns, theirs.GaussianNB())
    name = "scikit-learn's ColumnTransformer (one-hot, scaled) + GaussianNB"
    times = alternately(lambda: ours.fit(frame, y), lambda: peer.fit(frame, y), run.repeats(9))
    yield compared(f"{where}, frame of pandas: fit | {name}", *times, 1)
    times = alternately(lambda: ours.predict(frame), lambda: peer.predict(frame), run.repeats(9))
    yield compared(f"{where}, frame of pandas: predict | {name}", *times, 1)


def multinomial_em(run: Run) -> Iterator[Row]:
    """One EM iteration for two hidden nodes in each of R8's eight classes, against one fit of scikit-learn's."""
    X, y = stories()
    ours = em_model(n_hidden=2)
    times = alternately(lambda: ours.fit(X, y), lambda: theirs.MultinomialNB().fit(X, y), run.repeats(9))
    name = f"EM iteration on R8 {X.shape[0]} x {X.shape[1]}, H = 2 | scikit-learn's MultinomialNB fit"
    yield compared(name, times[0] / EM_STEPS, times[1], 1.5)


def gaussian_em(run: Run) -> Iterator[Row]:
    """One EM iteration for four Gaussian nodes in each of two classes, against one mixture for each class."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40_000, 20)) + rng.integers(4, size=(40_000, 1)), np.arange(40_000) % 2
    ours = em_model(n_hidden=4, leaf="gaussian")
    peer = mixture.GaussianMixture(
        4, covariance_type="diag", tol=0, max_iter=EM_STEPS, init_params="random_from_data", random_state=0
    )

    def fit_peers():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it has not converged: it was told to take so many steps
            for c in range(2):
                peer.fit(X[y == c])

    ours_s, peer_s = alternately(lambda: ours.fit(X, y), fit_peers, run.repeats(9))
    name = "EM iteration, Gaussian 4e4 x 20, C = 2, H = 4 | scikit-learn's GaussianMixture(diag)"
    yield compared(name, ours_s / EM_STEPS, peer_s / EM_STEPS, 1)


def dirichlet(run: Run) -> Iterator[Row]:
    """Williams (2024), section 3, at the size of its figures: seconds, and the largest memory on the way."""
    experiment = partial(ours_named("one_hot", "dirichlet_experiment"), **DIRICHLET)
    time = np.median([seconds(experiment) for _ in range(run.repeats(12))])
    tracemalloc.start()
    experiment()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    name = "Dirichlet experiment, 1e5 classifiers, C = 4, K = 10"
    yield Row(f"{name}: time", f"{time:.2g} s", goal="<= 1 s", met=bool(time <= 1))
    yield Row(f"{name}: memory", f"{peak:.0f} MB", goal="<= 1000 MB", met=peak <= 1000)


def ours_named(module: str, name: str):
    """What nbcore offers under this name."""
    try:
        return getattr(import_module(f"nbcore.{module}"), name)
    except (ModuleNotFoundError, AttributeError):
        raise MissingError(f"nbcore.{module} has no {name} yet.") from None


def em_model(**options):
    """A HierarchicalBayes that takes exactly EM_STEPS steps from one start; its set-up is counted too."""
    fixed = dict(n_restarts=1, max_iter=EM_STEPS, tol=0, validation_fraction=0, random_state=0)
    return ours_named("hierarchical", "HierarchicalBayes")(**fixed, **options)


# --- data -------------------------------------------------------------------------------------------------------------


def samples(name: str, data: str):
    """What a model of this name likes to count, as X and y."""
    n_classes = next((classes for classes, sparse_data in SPARSE.items() if sparse_data == data), None)
    X, y = bags_of_words(n_classes) if n_classes else counts()
    if name == "GaussianNB":
        X = np.random.default_rng(1).normal(size=X.shape) + y[:, None]
    return (np.minimum(X, 6) if name == "CategoricalNB" else X), y


@cache
def measurements_and_categories():
    """Twenty measurements and twenty columns of seven categories, (1e5, 40): as an array of floats, and as a frame."""
    import pandas as pd

    rng, n = np.random.default_rng(0), 100_000
    y = rng.integers(CLASSES, size=n)
    measured = rng.normal(size=(n, 20)) + 0.2 * y[:, None]
    codes = (rng.integers(7, size=(n, 20)) + (rng.random((n, 20)) < 0.2) * y[:, None]) % 7
    text = np.array(list("abcdefg"), dtype=object)[codes]
    columns = {f"number {f}": measured[:, f] for f in range(20)} | {f"text {f}": text[:, f] for f in range(20)}
    return np.hstack([measured, codes]), pd.DataFrame(columns), y


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


@cache
def stories():
    """R8's training stories as counts of words."""
    from sklearn.feature_extraction.text import CountVectorizer

    from nbcore.datasets import FetchError, fetch_r8

    try:
        r8 = fetch_r8()
    except FetchError as sentence:
        raise MissingError(str(sentence)) from None
    return CountVectorizer().fit_transform(r8.data).astype(float), r8.target
