"""Chapter 02: three data sets along alpha, and twenty splits of the names for what one split cannot show."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.model_selection import train_test_split

from nbcore.calibration import log_loss
from nbcore.datasets import load_iir_documents, load_names, load_play_tennis, name_ngrams
from nbcore.naive_bayes import CategoricalNB, MultinomialNB
from workbook.items import Item, counts_item, name_item

__all__ = [
    "ALPHAS",
    "FINE",
    "NEW_DAY",
    "SEEDS",
    "TEMPERATURES",
    "Case",
    "Split",
    "coded",
    "document",
    "given_names",
    "losses_on_grid",
    "new_shares",
    "split",
    "split_anew",
    "split_names",
    "tennis",
    "two_jobs",
    "unseen_rules",
]

NEW_DAY = "Overcast", "Hot", "High", "Strong"  # its zero overrules a prior and three values that say No
ALPHAS = (0.0, *(float(f"{10 ** (tenth / 10):.3g}") for tenth in range(-30, 31)))  # along which the losses are measured
FINE = tuple(alpha for alpha in ALPHAS if 0.1 <= alpha <= 100)  # where the best ones lie, with a temperature or without
TEMPERATURES = tuple(float(f"{tenth / 10:.1f}") for tenth in range(10, 31))
TRIGRAM = 3  # letters in a row that make a feature of a name
SEEDS = range(21, 41)  # of twenty splits; the first keeps Gloria aside, counts Glover, and is the split of the page


@dataclass(frozen=True)
class Case:
    """Hold a fitted model, its two classes, and the log losses (alphas, 2) on training and held-out items, if any."""

    model: CategoricalNB | MultinomialNB
    classes: tuple[str, str]
    item: Callable[[str], Item]
    losses: np.ndarray | None = None

    @property
    def best_alpha(self) -> float:
        """Return the alpha with the least held-out log loss."""
        return ALPHAS[int(np.argmin(self.losses[:, 1]))]

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


def losses_along_alpha(model, train, held_out) -> np.ndarray:
    """Return training and held-out log loss at each of ALPHAS: the model is fitted once and resmoothed each time.

    It is infinite where a true class was called impossible.
    """
    models = (model.smoothed(alpha) for alpha in ALPHAS)
    parts = train, held_out
    return np.array([[log_loss(y, m.predict_log_proba(X), m.classes_) for X, y in parts] for m in models])


def coded(day: tuple[str, ...]) -> np.ndarray:
    """Return the codes (1, 4) of a tennis day given in words."""
    categories = load_play_tennis().categories
    return np.array([[list(names).index(value) for names, value in zip(categories, day, strict=True)]])


@cache
def tennis() -> Case:
    """Return the case of the 14 tennis days; each in turn is held out."""
    days = load_play_tennis()
    X, y, rows = days.data, days.target, np.arange(len(days.target))
    model = CategoricalNB(min_categories=[len(names) for names in days.categories])
    losses = np.zeros((len(ALPHAS), 2))
    for i in rows:
        others = copy(model).fit(X[rows != i], y[rows != i])
        losses += losses_along_alpha(others, (X[rows != i], y[rows != i]), (X[[i]], y[[i]])) / len(y)
    item = Item(coded(NEW_DAY), list(NEW_DAY), np.arange(len(NEW_DAY)), np.ones(len(NEW_DAY)))
    return Case(model.fit(X, y), tuple(days.target_names), lambda _: item, losses)


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
    train, test, y_train, y_test = train_test_split(names.data, names.target, test_size=0.2, random_state=SEEDS[0])
    X_train, vocabulary = name_ngrams(train, TRIGRAM, min_n=TRIGRAM)
    X_test, _ = name_ngrams(test, TRIGRAM, vocabulary, TRIGRAM)
    return (X_train, y_train), (X_test, y_test), vocabulary


@cache
def given_names() -> Case:
    """Return the case of the US given names on one list as trigrams; a random fifth of them is held out."""
    train, test, vocabulary = split_names()
    model, column_of = MultinomialNB().fit(*train), {trigram: j for j, trigram in enumerate(vocabulary)}

    def item(name: str) -> Item:
        return name_item(name, column_of, TRIGRAM, TRIGRAM)

    return Case(model, tuple(load_names(both_lists=False).target_names), item, losses_along_alpha(model, train, test))


@dataclass(frozen=True, eq=False)
class Split:
    """Hold the n names that one random split keeps aside, as models of the counted names see them.

    counts (2, K) of the K trigrams in the counted names; male (n,) is 1 or 0; log_odds (len(FINE), n) for male;
    known, new (n,): how many trigrams of a name somebody counted, and how many nobody did.
    """

    counts: np.ndarray
    male: np.ndarray
    log_odds: np.ndarray
    known: np.ndarray
    new: np.ndarray


@lru_cache(maxsize=len(SEEDS))
def split(seed: int = SEEDS[0]) -> Split:
    """Count four fifths of the names, keep one fifth aside, and cache the split; the first is the split of the page."""
    return split_anew(seed)


def split_anew(seed: int, shuffled: bool = False) -> Split:
    """Count four fifths of the names and keep one fifth aside, without caching the split.

    If shuffled, the counted trigrams of the names kept aside are dealt anew among the names of a class.
    """
    counts, y = trigram_counts()
    train, aside = train_test_split(np.arange(len(y)), test_size=0.2, random_state=seed)
    counted = np.ravel(counts[train].sum(axis=0)) > 0
    X, rows = counts[aside][:, counted], np.ravel(counts[aside].sum(axis=1))
    X = dealt_anew(X, y[aside], np.random.default_rng(seed)) if shuffled else X
    model, known = MultinomialNB().fit(counts[train][:, counted], y[train]), np.ravel(X.sum(axis=1))
    joints = (model.smoothed(alpha).predict_joint_log_proba(X) for alpha in FINE)
    log_odds = np.array([joint[:, 1] - joint[:, 0] for joint in joints])
    return Split(model.feature_count_, y[aside], log_odds, known, rows - known)


def dealt_anew(X: csr_matrix, y: np.ndarray, rng: np.random.Generator) -> csr_matrix:
    """Deal the features of each row anew among the rows of its class; every row keeps its number of features.

    What is left depends on the class and on nothing else, as naive Bayes assumes.
    """
    X = X.tocoo()
    times = X.data.astype(int)
    rows, columns = np.repeat(X.row, times), np.repeat(X.col, times)
    for c in np.unique(y):
        own = y[rows] == c
        columns[own] = rng.permutation(columns[own])
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=X.shape)


@cache
def trigram_counts():
    """Return the counts (6445, V) of every trigram in every name, and the classes of the names."""
    names = load_names(both_lists=False)
    return name_ngrams(names.data, TRIGRAM, min_n=TRIGRAM)[0], names.target


def losses(log_odds: np.ndarray, male: np.ndarray) -> np.ndarray:
    """Return -log P(true class) of each name, (..., n), from the log odds for male."""
    return np.logaddexp(0, np.where(male == 1, -log_odds, log_odds))


@lru_cache(maxsize=2 * len(SEEDS))
def losses_on_grid(seed: int = SEEDS[0], shuffled: bool = False) -> np.ndarray:
    """Return the log losses (temperatures, alphas, 2) on the first and the second half of the names kept aside.

    A temperature divides the log odds of every name; 1 leaves them as they are.
    """
    s = split_anew(seed, shuffled) if shuffled else split(seed)  # the shuffled ones are asked for once
    half = len(s.male) // 2
    each = (losses(s.log_odds / temperature, s.male) for temperature in TEMPERATURES)
    return np.array([[loss[:, :half].mean(axis=1), loss[:, half:].mean(axis=1)] for loss in each]).transpose(0, 2, 1)


@lru_cache(maxsize=2)
def two_jobs(shuffled: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays (splits, 3) of alpha, temperature and log loss: alpha chosen alone, and both chosen together.

    They are chosen on one half of the names kept aside and judged on the other; shuffled: see `split_anew`.
    """
    alone, together = [], []
    for seed in SEEDS:
        chosen, judged = np.moveaxis(losses_on_grid(seed, shuffled), -1, 0)
        for rows, upto in ((alone, 1), (together, len(TEMPERATURES))):
            t, a = np.unravel_index(np.argmin(chosen[:upto]), chosen[:upto].shape)
            rows.append((FINE[a], TEMPERATURES[t], judged[t, a]))
    return np.array(alone), np.array(together)


@cache
def new_shares() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays (splits, 2), each a share of the trigrams of each class.

    They are of trigrams counted once in all, of new ones among the names kept aside, and of their place at alpha = 1.
    """
    once, found, place = [], [], []
    for seed in SEEDS:
        s = split(seed)
        single, totals = s.counts.sum(axis=0) == 1, s.counts.sum(axis=1)
        once.append(s.counts[:, single].sum(axis=1) / totals)
        found.append([s.new[s.male == c].sum() / (s.known + s.new)[s.male == c].sum() for c in (0, 1)])
        place.append(1 / (totals + s.counts.shape[1] + 1))
    return np.array(once), np.array(found), np.array(place)


def with_share(log_odds: np.ndarray, known: np.ndarray, new: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return log odds (n,) once new trigrams have this share (2,) of each class, and the known ones what is left."""
    return log_odds + known * np.log((1 - share[1]) / (1 - share[0])) + new * np.log(share[1] / share[0])


@lru_cache(maxsize=len(SEEDS))
def unseen_rules(temperature: float) -> np.ndarray:
    """Return what it costs to drop new trigrams, to keep a place for them, or to use Good-Turing, (splits, 3, 3).

    The last axis has log loss, log loss of log odds divided by the temperature, and accuracy, at alpha = 1.
    """
    table, (all_once, _, places) = [], new_shares()
    for seed, once, place in zip(SEEDS, all_once, places, strict=True):
        s, log_odds = split(seed), split(seed).log_odds[FINE.index(1.0)]
        rules = [log_odds, *(with_share(log_odds, s.known, s.new, share) for share in (place, once))]
        each = ((losses(odds, s.male), losses(odds / temperature, s.male), (odds > 0) == s.male) for odds in rules)
        table.append([[np.mean(column) for column in columns] for columns in each])
    return np.array(table)
