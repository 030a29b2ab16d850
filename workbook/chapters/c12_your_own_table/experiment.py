"""Chapter 12: the penguins under one model of mixed columns, each judged by a model of nine tenths it is not in.

Data: 344 penguins of three species (Horst, Hill & Gorman 2020; measured by Gorman, Williams & Fraser 2014). The year in
which a penguin was measured is no property of it and is left out.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import pandas as pd
from scipy.special import softmax
from scipy.stats import norm
from sklearn.metrics import log_loss
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from nbcore.datasets import load_penguins
from nbcore.diagnosis import Adjusted
from nbcore.mixed import MixedNB
from workbook.explorer.fitting import DiskCached

__all__ = [
    "COLUMNS",
    "FOLDS",
    "SHUFFLES",
    "SPECIES",
    "by_mixtures",
    "by_species_and_sex",
    "called_impossible",
    "crossed",
    "find_loss",
    "held_out",
    "held_out_by",
    "held_out_model",
    "nothing_measured",
    "penguins",
    "sexes",
    "two_bells_a_column",
    "wrong",
]

# What is known of a penguin, by how much it can say, with what it is called in a figure and its unit.
COLUMNS = {
    "bill_length_mm": ("bill length", "mm"),
    "flipper_length_mm": ("flipper", "mm"),
    "island": ("island", ""),
    "body_mass_g": ("body mass", "g"),
    "bill_depth_mm": ("bill depth", "mm"),
    "sex": ("sex", ""),
}
SPECIES = ("Adelie", "Chinstrap", "Gentoo")
SEXES = ("female", "male")
SHUFFLES = 20
FOLDS = StratifiedKFold(10, shuffle=True, random_state=0)


@cache
def _penguins() -> tuple[pd.DataFrame, np.ndarray]:
    data = load_penguins()
    return pd.DataFrame(data.data)[list(COLUMNS)], data.target_names[data.target]


def penguins() -> tuple[pd.DataFrame, np.ndarray]:
    """Return (344, 6) columns, COLUMNS in this order, and the species of each penguin (344,) str; copies."""
    X, y = _penguins()
    return X.copy(), y.copy()


@lru_cache(maxsize=8)
def held_out(columns: tuple[str, ...] = tuple(COLUMNS)) -> np.ndarray:
    """Return P(species) (344, 3) of every penguin, each by a model of the nine tenths that it is not in (FOLDS)."""
    X, y = _penguins()
    return cross_val_predict(MixedNB(), X[list(columns)], y, cv=FOLDS, method="predict_proba")


@lru_cache(maxsize=2)
def nothing_measured(fill: bool) -> np.ndarray:
    """Return P(species) (344, 3) from island and sex alone, held out; the measurements are gaps, or means (fill)."""
    X, y = _penguins()
    four = X.select_dtypes("number").columns
    proba = np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        blind = X.iloc[asked].copy()
        blind.loc[:, four] = X.iloc[learn][four].mean().to_numpy() if fill else np.nan
        proba[asked] = MixedNB().fit(X.iloc[learn], y[learn]).predict_proba(blind)
    return proba


def wrong(proba: np.ndarray) -> np.ndarray:
    """Return which penguins are decided wrongly, (344,) bool."""
    return np.array(SPECIES)[proba.argmax(axis=1)] != _penguins()[1]


def find_loss(proba: np.ndarray) -> float:
    """Return the log loss of P(species) (344, 3), in nats a penguin."""
    return float(log_loss(_penguins()[1], proba))


@cache
def called_impossible() -> int:
    """Count the penguins that, held out, get probability 0 for their own species from isotonic regression."""
    X, y = _penguins()
    curves = Adjusted(MixedNB(), "isotonic", cv=5)
    proba = cross_val_predict(curves, X, y, cv=FOLDS, method="predict_proba")
    return int((proba[np.arange(len(y)), np.searchsorted(SPECIES, y)] == 0).sum())


@lru_cache(maxsize=SHUFFLES + 1)
def sexes(shuffle: int = 0) -> np.ndarray:
    """Return the sex of each penguin (344,), None if unknown; from shuffle 1 on the known ones of a species permuted.

    So each species keeps its numbers of females and males.
    """
    X, y = _penguins()
    labels, rng = X["sex"].to_numpy(dtype=object, copy=True), np.random.default_rng(shuffle)
    for kind in SPECIES if shuffle else ():
        own = np.flatnonzero((y == kind) & X["sex"].notna())
        labels[own] = rng.permutation(labels[own])
    return labels


def learn_six(learn: np.ndarray, shuffle: int = 0) -> MixedNB:
    """Fit classes that are species and sex at once to those of the rows `learn` whose sex is known."""
    X, y = _penguins()
    labels = sexes(shuffle)
    known = learn[pd.notna(labels[learn])]
    return MixedNB().fit(X.drop(columns="sex").iloc[known], [f"{y[i]}, {labels[i]}" for i in known])


def crossed(learn: np.ndarray, asked: np.ndarray, told: bool = True, shuffle: int = 0) -> np.ndarray:
    """Return P(species) (n, 3) for the rows `asked`, from six classes of species and sex, learned from `learn`.

    A row of known sex keeps the three classes of its sex; another one is summed over both, and if it is not `told`
    which sex they have, so is every row. shuffle: see `sexes`.
    """
    measured = _penguins()[0].drop(columns="sex").iloc[asked]
    proba = learn_six(learn, shuffle).predict_proba(measured).reshape(len(asked), len(SPECIES), 2)
    for at, sex in enumerate(SEXES if told else ()):
        proba[sexes(shuffle)[asked] == sex, :, 1 - at] = 0
    found = proba.sum(axis=2)
    return found / found.sum(axis=1, keepdims=True)


@lru_cache(maxsize=SHUFFLES + 2)
@DiskCached
def by_species_and_sex(told: bool = True, shuffle: int = 0) -> np.ndarray:
    """Return P(species) (344, 3) by `crossed`, every penguin held out as in `held_out`."""
    X, y = _penguins()
    proba = np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        proba[asked] = crossed(learn, asked, told, shuffle)
    return proba


@lru_cache(maxsize=4)
def by_mixtures(nodes: int, shape: str) -> np.ndarray:
    """Return P(species) (344, 3), held out, with so many bells a species for the measurements; no sex is used.

    shape: "diag", bells of independent measurements, found by EM where there are several; "full", bells that tilt.
    """
    X, y = _penguins()
    measured = StandardScaler().fit_transform(X.select_dtypes("number"))
    there, islands = ~np.isnan(measured).any(axis=1), OneHotEncoder().fit_transform(X[["island"]]).toarray()
    joint = np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        known = asked[there[asked]]
        for c, kind in enumerate(SPECIES):
            own = learn[y[learn] == kind]
            shares = (islands[own].sum(axis=0) + 1) / (len(own) + islands.shape[1])
            bells = GaussianMixture(nodes, covariance_type=shape, n_init=10, random_state=0)
            joint[asked, c] = np.log(len(own) / len(learn)) + islands[asked] @ np.log(shares)
            joint[known, c] += bells.fit(measured[own[there[own]]]).score_samples(measured[known])
    return softmax(joint, axis=1)


@cache
def two_bells_a_column() -> np.ndarray:
    """Return P(species) (344, 3), held out: each column has a species' two bells, of its sexes; columns independent."""
    X, y = _penguins()
    measured, proba = X.select_dtypes("number").to_numpy(), np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        island = MixedNB().fit(X[["island"]].iloc[learn], y[learn])
        proba[asked] = island.predict_joint_log_proba(X[["island"]].iloc[asked])
        for c, kind in enumerate(SPECIES):
            own = [measured[learn][(y[learn] == kind) & (sexes()[learn] == sex)] for sex in SEXES]
            bells = [len(rows) * norm.pdf(measured[asked], np.nanmean(rows, axis=0), np.nanstd(rows, axis=0))
                     for rows in own]  # fmt: skip
            proba[asked, c] += np.nansum(np.log(sum(bells) / sum(map(len, own))), axis=1)
    return softmax(proba, axis=1)


def held_out_by(shuffle: int | None) -> np.ndarray:
    """Return P(species) (344, 3), held out: by three classes (None), or by six whose sexes are real (0) or shuffled."""
    return held_out() if shuffle is None else by_species_and_sex(shuffle=shuffle)


@lru_cache(maxsize=256)
def held_out_model(row: int, shuffle: int | None = None) -> MixedNB:
    """Return the model of the nine tenths that a penguin is not in: of three classes, or of six (see `learn_six`)."""
    X, y = _penguins()
    learn = next(learn for learn, asked in FOLDS.split(X, y) if row in asked)
    return MixedNB().fit(X.iloc[learn], y[learn]) if shuffle is None else learn_six(learn, shuffle)
