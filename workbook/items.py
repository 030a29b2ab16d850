"""Items to classify, as figures name them: rows of counts, and names that a learner types."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from nbcore.datasets import END, name_ngrams

__all__ = ["Item", "counts_item", "isolate_text", "label", "name_item"]


@dataclass(frozen=True)
class Item:
    """An item to classify: a row for the model, its features in words, how often it has each of them."""

    row: object
    features: list[str]
    columns: np.ndarray  # the model's column of each feature
    times: np.ndarray
    unseen: int = 0  # features that no training item had; they are dropped


def counts_item(row, features) -> Item:
    """Return a row of counts as an item."""
    counts = np.ravel(row.toarray() if hasattr(row, "toarray") else row)
    columns = np.flatnonzero(counts)
    return Item(row, [features[j] for j in columns], columns, counts[columns])


def name_item(name: str, column_of: dict[str, int], max_n: int, min_n: int = 1) -> Item:
    """Return a name as an item: its n-grams of length min_n..max_n from left to right, shorter ones first.

    column_of: the model's column of every n-gram that it knows; the others are dropped.
    """
    counts, own = name_ngrams([name], max_n, min_n=min_n)
    times = dict(zip(own, counts.toarray()[0], strict=True))
    known = sorted(times.keys() & column_of.keys(), key=lambda f: ((name + END).index(f), len(f)))
    columns, often = np.array([column_of[f] for f in known], dtype=int), np.array([times[f] for f in known])
    row = csr_array((often, (np.zeros_like(columns), columns)), shape=(1, len(column_of)))
    return Item(row, known, columns, often, int(counts.sum() - often.sum()))


def label(feature: str, times: float = 1) -> str:
    """Write a feature for a figure, with the number of times it occurs; a space becomes visible."""
    return html.escape(feature, quote=False).replace(" ", "␣") + (f" ×{times:.0f}" if times > 1 else "")


def isolate_text(text: str) -> str:
    """Return typed text in isolation marks, so that it cannot turn the direction of the sentence around it."""
    return f"\u2068{text}\u2069"
