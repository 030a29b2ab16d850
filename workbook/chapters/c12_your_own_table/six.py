"""Chapter 12: species and sex as one class, six in all; the sexes as they are, or dealt out at random as a control."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from nbcore.mixed import MixedNB

from .experiment import FOLDS, SPECIES, held_out, penguins

__all__ = ["SHUFFLES", "by_species_and_sex", "crossed", "held_out_by", "held_out_model", "sexes"]

SEXES = ("female", "male")
SHUFFLES = 20


@lru_cache(maxsize=SHUFFLES + 1)
def sexes(shuffle: int = 0) -> np.ndarray:
    """Return the sex of each penguin (344,), None if unknown; from shuffle 1 on the known ones of a species permuted.

    So each species keeps its numbers of females and males.
    """
    X, y = penguins()
    labels, rng = X["sex"].to_numpy(dtype=object, copy=True), np.random.default_rng(shuffle)
    for kind in SPECIES if shuffle else ():
        own = np.flatnonzero((y == kind) & X["sex"].notna())
        labels[own] = rng.permutation(labels[own])
    return labels


def learn_six(learn: np.ndarray, shuffle: int = 0) -> MixedNB:
    """Fit classes that are species and sex at once to those of the rows `learn` whose sex is known."""
    X, y = penguins()
    labels = sexes(shuffle)
    known = learn[pd.notna(labels[learn])]
    return MixedNB().fit(X.drop(columns="sex").iloc[known], [f"{y[i]}, {labels[i]}" for i in known])


def crossed(learn: np.ndarray, asked: np.ndarray, told: bool = True, shuffle: int = 0) -> np.ndarray:
    """Return P(species) (n, 3) for the rows `asked`, from six classes of species and sex, learned from `learn`.

    A row of known sex keeps the three classes of its sex; another one is summed over both, and if it is not `told`
    which sex they have, so is every row. shuffle: see `sexes`.
    """
    measured = penguins()[0].drop(columns="sex").iloc[asked]
    proba = learn_six(learn, shuffle).predict_proba(measured).reshape(len(asked), len(SPECIES), 2)
    for at, sex in enumerate(SEXES if told else ()):
        proba[sexes(shuffle)[asked] == sex, :, 1 - at] = 0
    found = proba.sum(axis=2)
    return found / found.sum(axis=1, keepdims=True)


@lru_cache(maxsize=SHUFFLES + 2)
def by_species_and_sex(told: bool = True, shuffle: int = 0) -> np.ndarray:
    """Return P(species) (344, 3) by `crossed`, every penguin held out as in `held_out`."""
    X, y = penguins()
    proba = np.zeros((len(y), len(SPECIES)))
    for learn, asked in FOLDS.split(X, y):
        proba[asked] = crossed(learn, asked, told, shuffle)
    return proba


def held_out_by(shuffle: int | None) -> np.ndarray:
    """Return P(species) (344, 3), held out: by three classes (None), or by six whose sexes are real (0) or shuffled."""
    return held_out() if shuffle is None else by_species_and_sex(shuffle=shuffle)


@lru_cache(maxsize=256)
def held_out_model(row: int, shuffle: int | None = None) -> MixedNB:
    """Return the model of the nine tenths that a penguin is not in: of three classes, or of six (see `learn_six`)."""
    X, y = penguins()
    learn = next(learn for learn, asked in FOLDS.split(X, y) if row in asked)
    return MixedNB().fit(X.iloc[learn], y[learn]) if shuffle is None else learn_six(learn, shuffle)
