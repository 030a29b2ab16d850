"""Which model when: `python -m tests.which_model` compares nbcore's models with peers, for docs/library.md."""

import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_selector as select
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from nbcore import Adjusted, HierarchicalBayes, MixedNB, PerplexedBayes
from nbcore.calibration import reliability_bins
from nbcore.datasets import load_penguins, load_titanic
from tests.diagnosis.worlds import bells

PAGE = Path(__file__).parents[1] / "docs" / "library.md"
BEGIN, END = "<!-- peers -->\n", "<!-- end of peers -->\n"
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
FEW = 60
OURS, PEER = "`Adjusted(MixedNB)`, temperature", "LogisticRegression"


def tables() -> Iterator[tuple[str, pd.DataFrame, np.ndarray]]:
    """Yield name, frame and labels of six tables that anybody can get."""
    penguins, titanic = load_penguins(), load_titanic()
    yield "penguins", pd.DataFrame(penguins.data).drop(columns="year"), penguins.target
    words = {name: names[codes] for name, names, codes in
             zip(titanic.feature_names, titanic.categories, titanic.data.T, strict=True)}  # fmt: skip
    yield "titanic", pd.DataFrame(words), titanic.target
    for name, load in (("wine", load_wine), ("cancer", load_breast_cancer), ("digits", load_digits)):
        yield name, *load(return_X_y=True, as_frame=True)
    X, y, *_ = bells(0, n=FEW)
    yield "bells", pd.DataFrame(X), y


def prepare(*steps: object, scale: bool = True) -> object:
    """Return a pipeline that fills gaps, encodes words one-hot and scales measurements before the last step."""
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    words = make_pipeline(SimpleImputer(strategy="most_frequent"), one_hot)
    numbers = make_pipeline(SimpleImputer(), *([StandardScaler()] if scale else []))
    parts = (numbers, select(dtype_include="number")), (words, select(dtype_exclude="number"))
    return make_pipeline(make_column_transformer(*parts), *steps)


def models() -> dict[str, object]:
    """Return the unfitted models by the names they have on the page."""
    mixed = MixedNB(handle_unknown="ignore")
    return {
        "`MixedNB`": mixed,
        OURS: Adjusted(mixed, "temperature", cv=FOLDS),
        "`PerplexedBayes(MixedNB)`": PerplexedBayes(mixed, cv=FOLDS, random_state=0),
        "`HierarchicalBayes(n_hidden=3)`": HierarchicalBayes(n_hidden=3, random_state=0),
        "scikit-learn's GaussianNB, filled and one-hot": prepare(GaussianNB(), scale=False),
        PEER: prepare(LogisticRegression(max_iter=2000)),
        "HistGradientBoosting": prepare(HistGradientBoostingClassifier(max_iter=60, random_state=0)),
    }


def predict(model: object, X: pd.DataFrame, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the posteriors of every row by the model of the folds without it, and the seconds of a fold."""
    proba, start = np.zeros((len(y), len(np.unique(y)))), time.perf_counter()
    for learn, held in FOLDS.split(X, y):
        proba[held] = clone(model).fit(X.iloc[learn], y[learn]).predict_proba(X.iloc[held])
    return proba, (time.perf_counter() - start) / FOLDS.n_splits


def loss(proba: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return -log P of the true class, (n,), at most 36 nats, where scikit-learn's log loss ends, too."""
    return -np.log(proba[np.arange(len(y)), y].clip(np.finfo(float).eps))


def interval(difference: np.ndarray) -> str:
    """Return the mean of paired differences and the half width of its 95 % interval."""
    return f"{difference.mean():+.3f} ± {1.96 * difference.std(ddof=1) / len(difference) ** 0.5:.3f}"


def table() -> str:
    """Return both tables in Markdown: the measures, and the paired differences of logistic regression and ours."""
    rows, pairs, names = {name: [] for name in models()}, [[], []], []
    for name, X, y in tables():
        y, posteriors = np.asarray(y), {}
        names.append(f"{name}, {X.shape[0]:,} x {X.shape[1]}")
        for label, model in models().items():
            if "Hierarchical" in label and name != "digits":
                rows[label].append("-")
                continue
            p, seconds = predict(model, X, y)
            posteriors[label] = p
            ece = reliability_bins(y, p).ece(kind="top")
            measures = [f"{(p.argmax(axis=1) == y).mean():.3f}", f"{loss(p, y).mean():.3f}", f"{ece:.3f}"]
            rows[label].append(" / ".join([*measures, f"{seconds:.2g} s"]))
        right = {label: p.argmax(axis=1) == y for label, p in posteriors.items()}
        pairs[0].append(interval(right[PEER].astype(float) - right[OURS]))
        pairs[1].append(interval(loss(posteriors[PEER], y) - loss(posteriors[OURS], y)))
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    lines += [f"| {label} | {' | '.join(cells)} |" for label, cells in rows.items()]
    lines += [f"| {PEER} less `Adjusted`: {what} | {' | '.join(cells)} |"
              for what, cells in zip(("accuracy", "log loss"), pairs, strict=True)]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(head + BEGIN + table() + END + rest.partition(END)[2], "utf-8")
