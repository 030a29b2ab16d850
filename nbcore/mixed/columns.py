"""Assignment of columns to models: by name, number, slice, type or selector, or by the dtypes alone."""

import warnings
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import clone

from nbcore._base import CountingNB
from nbcore.checks import name_few, refuse, require
from nbcore.mixed.categories import new_categories
from nbcore.mixed.table import Table
from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB

MODELS: dict[str, type[CountingNB]] = {
    "gaussian": GaussianNB,
    "categorical": CategoricalNB,
    "multinomial": MultinomialNB,
    "bernoulli": BernoulliNB,
}
KINDS: dict[Any, tuple[str, ...]] = {
    float: ("float",), int: ("integer",), bool: ("boolean",), str: ("text",), np.number: ("float", "integer")
}  # fmt: skip
Layout: TypeAlias = list[tuple[str | CountingNB, list[int]]]  # a model and the numbers of its columns, for each part


def lay_out(columns: Any, table: Table) -> Layout:
    """Return the parts that `columns` of MixedNB makes of a table; ValueError for columns in no part or in two."""
    if isinstance(columns, str) and columns == "auto":
        return layout_by_kind(table)
    require(models_of(columns), "columns", columns, '"auto", or a list of pairs (model, columns)')
    layout = [(check_model(model), find_columns(which, table)) for model, which in columns]
    check_partition([f for _, part in layout for f in part], table)
    layout = [(model, part) for model, part in layout if part and model != "drop"]
    require(layout, "columns", columns, "so that one column at least has a model")
    return layout


def models_of(columns: Any) -> list[Any]:
    """Return the models named in `columns` of MixedNB; [] if it is no list of pairs."""
    pairs = columns if isinstance(columns, list | tuple) else []
    good = all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in pairs)
    return [model for model, _ in pairs] if good else []


def layout_by_kind(table: Table) -> Layout:
    """Assign numbers to the Gaussian, everything else to the categorical model."""
    kinds = [table.kind(f) for f in range(table.shape[1])]
    numbers = [f for f, kind in enumerate(kinds) if kind in ("float", "integer")]
    others = [f for f, kind in enumerate(kinds) if kind not in ("float", "integer")]
    for f in others:
        if len(new_categories(table.column(f), [])) > max(20, table.shape[0] / 2):  # a handful of rows says nothing
            advice = "a category of its own for most rows: leave it out, or make word counts or numbers of it."
            warnings.warn(f"column {table.names[f]!r} of X has {advice}", UserWarning, stacklevel=2)
    return [(model, part) for model, part in (("gaussian", numbers), ("categorical", others)) if part]


def check_model(model: Any) -> str | CountingNB:
    """Return a model's name, or an estimator as a clone; ValueError for others and for one with its own prior."""
    if isinstance(model, str) and (model in MODELS or model == "drop"):
        return model
    names = ", ".join(map(repr, MODELS))
    good = type(model) in MODELS.values()
    require(good, "the model of a part", model, f'one of {names}, "drop", or such an estimator of nbcore.naive_bayes')
    given = [name for name in ("priors", "class_prior") if getattr(model, name, None) is not None]
    given += ["fit_prior"] if not getattr(model, "fit_prior", True) else []
    for name in given:
        refuse(f"{name} of a part", getattr(model, name), "left alone: there is one prior, that of MixedNB")
    return clone(model)


def find_columns(which: Any, table: Table) -> list[int]:
    """Return the numbers of the chosen columns; ValueError for a name or number that the table does not have."""
    if callable(which) and not isinstance(which, type):
        which = which(table.X)
    if isinstance(which, str | int | np.integer) and not isinstance(which, bool):
        return [find_column(which, table)]
    if isinstance(which, slice):
        return list(range(table.shape[1]))[which]
    if isinstance(which, type) and which in KINDS:
        return [f for f in range(table.shape[1]) if table.kind(f) in KINDS[which]]
    allowed = "a name, a number, a list of them, a slice, a callable, or one of float, int, bool, str"
    require(hasattr(which, "__iter__") and not isinstance(which, type), "columns", which, allowed)
    return [find_column(each, table) for each in which]


def find_column(which: Any, table: Table) -> int:
    """Return the number of one column, given by its name, or by its place (from the end if negative)."""
    n_features = table.shape[1]
    if isinstance(which, str) or (not isinstance(table.names[0], str) and table.names != list(range(n_features))):
        require(which in table.names, "columns", which, f"names of columns of X, which are {table.names}")
        return table.names.index(which)
    good = isinstance(which, int | np.integer) and not isinstance(which, bool) and -n_features <= which < n_features
    require(good, "columns", which, f"names of columns of X, or integers from {-n_features} to {n_features - 1}")
    return int(which) % n_features


def check_partition(chosen: list[int], table: Table) -> None:
    """Raise ValueError unless every column is chosen exactly once."""
    times = np.bincount(chosen, minlength=table.shape[1])
    for problem, mask in (("in two parts", times > 1), ("in no part", times == 0)):
        names = [table.names[f] for f in np.flatnonzero(mask)]
        if names:
            allowed = 'columns must have every column in one part, or in ("drop", ...)'
            raise ValueError(f"{allowed}; found {problem}: {name_few(names)}.")
