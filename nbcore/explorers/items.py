"""What is to be classified, as figures name it: counted rows, and names that a learner types."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcore.datasets import END, name_ngrams

from . import theme


@dataclass(frozen=True)
class Item:
    """What is to be classified: a row for the model, its features in words, how often it has each of them."""

    row: object
    features: list[str]
    columns: np.ndarray  # the model's column of each feature
    times: np.ndarray
    unseen: int = 0  # features that no training item had; they are dropped


def counted(row, features) -> Item:
    """The item that a row of counts stands for."""
    counts = np.ravel(row.toarray() if hasattr(row, "toarray") else row)
    columns = np.flatnonzero(counts)
    return Item(row, [features[j] for j in columns], columns, counts[columns])


def name_item(name: str, vocabulary, max_n: int, min_n: int = 1) -> Item:
    """A name by its n-grams of length min_n..max_n, in the order in which it reads, shorter ones first."""
    known = counted(name_ngrams([name], max_n, vocabulary, min_n)[0], vocabulary)
    place = [((name + END).index(feature), len(feature)) for feature in known.features]
    order = sorted(range(len(place)), key=place.__getitem__)
    marked = len(name) + 1
    there = sum(max(0, marked - n + 1) if n > 1 else len(name) for n in range(min_n, max_n + 1))  # n = 1: no bare mark
    features = [known.features[f] for f in order]
    return Item(known.row, features, known.columns[order], known.times[order], there - int(known.times.sum()))


def label(feature: str, times: float = 1) -> str:
    """A feature as plotly shall show it, with the number of times it stands there; a space would be invisible."""
    return theme.escape(feature).replace(" ", "␣") + (f" ×{times:.0f}" if times > 1 else "")


def isolated(text: str) -> str:
    """Typed text that cannot turn the direction of the sentence around it."""
    return f"\u2068{text}\u2069"
