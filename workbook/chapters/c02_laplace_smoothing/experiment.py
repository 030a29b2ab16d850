"""The three data sets of chapter 02, each with a fitted model and its log losses along the alpha slider."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.model_selection import train_test_split

from nbcore.calibration import log_loss
from nbcore.datasets import load_iir_documents, load_names, load_play_tennis, name_ngrams
from nbcore.naive_bayes import CategoricalNB, MultinomialNB
from workbook.page.items import Item, counted, name_item

__all__ = ["ALPHAS", "Case", "document", "given_names", "split_names", "tennis"]

ALPHAS = (0.0, *(float(f"{10 ** (tenth / 10):.3g}") for tenth in range(-30, 31)))  # the steps of the slider
TRIGRAM = 3  # letters in a row that make a feature of a name


@dataclass(frozen=True)
class Case:
    """A fitted model, its two classes, and the log losses (alphas, 2) on training and on held-out items."""

    model: CategoricalNB | MultinomialNB
    classes: tuple[str, str]
    item: Callable[[str], Item]
    held_out: str
    losses: np.ndarray

    @property
    def best_alpha(self) -> float:
        """The step of the slider with the least held-out log loss."""
        return ALPHAS[int(np.argmin(self.losses[:, 1]))]


def losses_along_alpha(model, train, held_out) -> np.ndarray:
    """Training and held-out log loss at every step of the slider: resmoothed each time, fitted once.

    It is infinite where a true class was called impossible.
    """
    models = (model.smoothed(alpha) for alpha in ALPHAS)
    parts = train, held_out
    return np.array([[log_loss(y, m.predict_log_proba(X), m.classes_) for X, y in parts] for m in models])


@cache
def tennis() -> Case:
    """The 14 tennis days; each in turn is held out."""
    days = load_play_tennis()
    X, y, rows = days.data, days.target, np.arange(len(days.target))
    model = CategoricalNB(min_categories=[len(names) for names in days.categories])
    losses = np.zeros((len(ALPHAS), 2))
    for i in rows:
        others = copy(model).fit(X[rows != i], y[rows != i])
        losses += losses_along_alpha(others, (X[rows != i], y[rows != i]), (X[[i]], y[[i]])) / len(y)
    words = [str(names[code]) for names, code in zip(days.categories, days.sample[0], strict=True)]
    item = Item(days.sample, words, np.arange(len(words)), np.ones(len(words)))
    return Case(model.fit(X, y), tuple(days.target_names), lambda _: item, "each day left out once", losses)


@cache
def document() -> Case:
    """The four documents of Manning et al. (2008), table 13.1; held out is their fifth, supposed to be about China."""
    docs = load_iir_documents()
    model = MultinomialNB().fit(docs.data, docs.target)
    losses = losses_along_alpha(model, (docs.data, docs.target), (docs.sample, np.array([1])))
    item = counted(docs.sample, docs.feature_names)
    return Case(model, tuple(docs.target_names), lambda _: item, "document 5, if it is about China", losses)


@cache
def split_names():
    """Trigram counts and classes of the embedded names, four fifths and one fifth at random, and the vocabulary."""
    names = load_names()
    train, test, y_train, y_test = train_test_split(names.data, names.target, test_size=0.2, random_state=0)
    X_train, vocabulary = name_ngrams(train, TRIGRAM, min_n=TRIGRAM)
    X_test, _ = name_ngrams(test, TRIGRAM, vocabulary, TRIGRAM)
    return (X_train, y_train), (X_test, y_test), vocabulary


@cache
def given_names() -> Case:
    """The embedded US given names as trigrams; held out is a random fifth of them."""
    train, test, vocabulary = split_names()
    model, column_of = MultinomialNB().fit(*train), {trigram: j for j, trigram in enumerate(vocabulary)}

    def item(name: str) -> Item:
        return name_item(name, column_of, TRIGRAM, TRIGRAM)

    held_out = f"{len(test[1]):,} held-out names"
    return Case(model, tuple(load_names().target_names), item, held_out, losses_along_alpha(model, train, test))
