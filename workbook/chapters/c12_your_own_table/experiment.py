"""Chapter 12: the penguins under one model of mixed columns, and what is left when measurements are taken away.

Data: 344 penguins of three species (Horst, Hill & Gorman 2020; measured by Gorman, Williams & Fraser 2014). The year in
which a penguin was measured is no property of it and is left out.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from nbcore.datasets import load_penguins
from nbcore.diagnosis import Adjusted
from nbcore.mixed import MixedNB
from workbook.chapters.c12_your_own_table.csv_table import read_table

__all__ = [
    "ALPHAS",
    "COLUMNS",
    "FOLDS",
    "SPECIES",
    "all_but",
    "by_alpha",
    "by_species_and_sex",
    "called_impossible",
    "crossed",
    "held_out",
    "nothing_measured",
    "penguins",
    "read_table",
    "without",
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
ALPHAS = (0.0, 0.01, 0.1, 1.0, 10.0)
FOLDS = StratifiedKFold(10, shuffle=True, random_state=0)


@cache
def _penguins() -> tuple[pd.DataFrame, np.ndarray]:
    data = load_penguins()
    return pd.DataFrame(data.data)[list(COLUMNS)], data.target_names[data.target]


def penguins() -> tuple[pd.DataFrame, np.ndarray]:
    """(344, 6) columns, COLUMNS in this order, and the species of each penguin (344,) str; copies, yours to change."""
    X, y = _penguins()
    return X.copy(), y.copy()


@lru_cache(maxsize=16)
def held_out(columns: tuple[str, ...] = tuple(COLUMNS), alpha: float = 1.0) -> np.ndarray:
    """P(species) (344, 3) of every penguin, each by a model of the nine tenths that it is not in (FOLDS)."""
    X, y = _penguins()
    return cross_val_predict(MixedNB(alpha=alpha), X[list(columns)], y, cv=FOLDS, method="predict_proba")


@lru_cache(maxsize=2)
def nothing_measured(fill: bool) -> np.ndarray:
    """P(species) (344, 3) from island and sex alone, held out (FOLDS); the measurements are gaps, or means (fill)."""
    X, y = _penguins()
    four = X.select_dtypes("number").columns
    proba = np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        blind = X.iloc[asked].copy()
        blind.loc[:, four] = X.iloc[learn][four].mean().to_numpy() if fill else np.nan
        proba[asked] = MixedNB().fit(X.iloc[learn], y[learn]).predict_proba(blind)
    return proba


def wrong(proba: np.ndarray) -> np.ndarray:
    """Which penguins are decided wrongly, (344,) bool."""
    return np.array(SPECIES)[proba.argmax(axis=1)] != _penguins()[1]


@cache
def by_alpha() -> dict[float, float]:
    """Log loss a penguin, held out, for each of ALPHAS."""
    return {alpha: float(log_loss(_penguins()[1], held_out(alpha=alpha))) for alpha in ALPHAS}


@cache
def called_impossible() -> int:
    """How many penguins, held out, get probability 0 for their own species from isotonic regression."""
    X, y = _penguins()
    curves = Adjusted(MixedNB(), "isotonic", cv=5)
    proba = cross_val_predict(curves, X, y, cv=FOLDS, method="predict_proba")
    return int((proba[np.arange(len(y)), np.searchsorted(SPECIES, y)] == 0).sum())


@lru_cache(maxsize=32)
def all_but(row: int | None) -> MixedNB:
    """MixedNB with alpha 1, learned from all penguins but one (None: from all)."""
    X, y = _penguins()
    kept = np.arange(len(y)) != (-1 if row is None else row)
    return MixedNB().fit(X[kept], y[kept])


def without(row: int, gone: tuple[str, ...] = (), alpha: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """What a penguin's columns say to a model of all the others: log priors (3,) and log likelihoods (3, 6).

    gone: columns that are taken away; they and the real gaps say 0 to every species.
    """
    X, _ = _penguins()
    one = X.iloc[[row]].copy()
    for name in gone:
        one[name] = None if name in ("island", "sex") else np.nan
    model = all_but(row).smoothed(alpha)
    return model.class_log_prior_, model.feature_contributions(one)[0]


def crossed(learn: np.ndarray, asked: np.ndarray, told: bool = True) -> np.ndarray:
    """P(species) (n, 3) for the rows `asked`, from classes that are species and sex at once, learned from `learn`.

    A row of known sex keeps the three classes of its sex; another one is summed over both, and if it is not `told`
    which sex they have, so is every row.
    """
    X, y = _penguins()
    learn = learn[X["sex"].iloc[learn].notna().to_numpy()]
    sexes = X["sex"].to_numpy()
    measured = X.drop(columns="sex")
    model = MixedNB().fit(measured.iloc[learn], [f"{y[i]}, {sexes[i]}" for i in learn])
    proba = model.predict_proba(measured.iloc[asked]).reshape(len(asked), len(SPECIES), 2)  # female, male
    for at, i in enumerate(asked):
        if told and sexes[i] in ("female", "male"):
            proba[at, :, int(sexes[i] == "female")] = 0
    found = proba.sum(axis=2)
    return found / found.sum(axis=1, keepdims=True)


@lru_cache(maxsize=2)
def by_species_and_sex(told: bool = True) -> np.ndarray:
    """P(species) (344, 3) by `crossed`, every penguin held out as in `held_out`; told: its sex is, if it is known."""
    X, y = _penguins()
    proba = np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        proba[asked] = crossed(learn, asked, told)
    return proba
