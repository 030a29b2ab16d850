"""Chapter 02: the tennis days, the four documents and the given names, each as a model that takes any alpha."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.model_selection import train_test_split

from nbcore.datasets import load_iir_documents, load_names, load_play_tennis, name_ngrams
from nbcore.naive_bayes import CategoricalNB, MultinomialNB
from workbook.items import Item, counts_item, name_item

__all__ = ["NEW_DAY", "Case", "coded", "document", "given_names", "split_names", "tennis"]

NEW_DAY = "Overcast", "Hot", "High", "Strong"  # its zero overrules a prior and three values that say No
TRIGRAM = 3  # letters in a row that make a feature of a name
SEED = 21  # of the split of the names: it keeps Gloria aside, and counts Glover


@dataclass(frozen=True)
class Case:
    """Hold a fitted model, its two classes, and how an item is made of its name."""

    model: CategoricalNB | MultinomialNB
    classes: tuple[str, str]
    item: Callable[[str], Item]

    def counts(self, item: Item) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the counts of an item's features in the classes (2, F), their totals (2, F), and K of each (F,)."""
        if isinstance(self.model, CategoricalNB):
            tables = [self.model.category_count_[column] for column in item.columns]
            counts = [table[:, code] for table, code in zip(tables, item.row[0, item.columns], strict=True)]
            totals, sizes = self.model.class_count_, [table.shape[1] for table in tables]
            return np.transpose(counts), np.transpose([totals] * len(tables)), np.array(sizes)
        totals, sizes = self.model.feature_count_.sum(axis=1), np.full(len(item.columns), self.model.n_features_in_)
        return self.model.feature_count_[:, item.columns], np.transpose([totals] * len(sizes)), sizes

    def votes(self, item: Item, alpha: float) -> np.ndarray:
        """Return the log odds of the second class that the prior and each feature give at this alpha, (1 + F,)."""
        model = self.model.smoothed(alpha)
        first, second = model.feature_contributions(item.row)[0][:, item.columns]
        return np.append(np.diff(model.class_log_prior_), second - first)


def coded(day: tuple[str, ...]) -> np.ndarray:
    """Return the codes (1, 4) of a tennis day given in words."""
    categories = load_play_tennis().categories
    return np.array([[list(names).index(value) for names, value in zip(categories, day, strict=True)]])


@cache
def tennis() -> Case:
    """Return the case of the 14 tennis days; the item is a fifteenth."""
    days = load_play_tennis()
    model = CategoricalNB(min_categories=[len(names) for names in days.categories]).fit(days.data, days.target)
    item = Item(coded(NEW_DAY), list(NEW_DAY), np.arange(len(NEW_DAY)), np.ones(len(NEW_DAY)))
    return Case(model, tuple(days.target_names), lambda _: item)


@cache
def document() -> Case:
    """Return the case of the four documents of Manning et al. (2008), table 13.1; the item is their fifth."""
    docs = load_iir_documents()
    model = MultinomialNB().fit(docs.data, docs.target)
    item = counts_item(docs.sample, docs.feature_names)
    return Case(model, tuple(docs.target_names), lambda _: item)


@cache
def split_names():
    """Return trigram counts and classes of the names on one list, four fifths and a fifth, and the vocabulary."""
    names = load_names(both_lists=False)
    train, test, y_train, y_test = train_test_split(names.data, names.target, test_size=0.2, random_state=SEED)
    X_train, vocabulary = name_ngrams(train, TRIGRAM, min_n=TRIGRAM)
    X_test, _ = name_ngrams(test, TRIGRAM, vocabulary, TRIGRAM)
    return (X_train, y_train), (X_test, y_test), vocabulary


@cache
def given_names() -> Case:
    """Return the case of the US given names on one list as trigrams; a random fifth of them is not counted."""
    train, _, vocabulary = split_names()
    model, column_of = MultinomialNB().fit(*train), {trigram: j for j, trigram in enumerate(vocabulary)}

    def item(name: str) -> Item:
        return name_item(name, column_of, TRIGRAM, TRIGRAM)

    return Case(model, tuple(load_names(both_lists=False).target_names), item)
