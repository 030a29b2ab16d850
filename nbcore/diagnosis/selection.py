"""Columns kept or transformed in front of a naive Bayes: as an estimator, and as the code that makes it."""

from typing import Any

from sklearn.base import clone
from sklearn.compose import ColumnTransformer

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import Remedy, refit

__all__ = ["kept_alone", "transformed"]

IMPORTS = (
    "from sklearn.base import clone\n"
    "from sklearn.compose import ColumnTransformer\n"
    "from sklearn.pipeline import make_pipeline\n"
)


def kept_alone(case: Case, name: str, kept: list[int]) -> Remedy:
    """The model's recipe with some of its columns only, measured."""
    parts = f'[("kept", "passthrough", {_named(case, kept)})]'
    change = ColumnTransformer([("kept", "passthrough", _named(case, kept))])
    return _measured(case, name, IMPORTS, change, f"ColumnTransformer({parts}", kept)


def transformed(case: Case, name: str, columns: list[int], transformer: Any, words: str, imports: str) -> Remedy:
    """The model's recipe with a transformer before some columns, measured; `words` is the transformer in code."""
    parts = f'[("changed", {words}, {_named(case, columns)})], remainder="passthrough"'
    change = ColumnTransformer([("changed", transformer, _named(case, columns))], remainder="passthrough")
    order = columns + [j for j in range(case.Z.shape[1]) if j not in set(columns)]
    return _measured(case, name, f"{imports}\n{IMPORTS}", change, f"ColumnTransformer({parts}", order)


def _named(case: Case, columns: list[int]) -> list[Any]:
    return [case.Z.columns[j] for j in columns] if hasattr(case.Z, "columns") else columns


def _measured(case: Case, name: str, imports: str, change: ColumnTransformer, words: str, order: list[int]) -> Remedy:
    """The change in front of the naive Bayes; a MixedNB, which knows its columns by name or number, is told of it."""
    change.set_params(verbose_feature_names_out=False)
    words, nb, told = f"{words}, verbose_feature_names_out=False)", None, ""
    if case.event == "mixed":
        if hasattr(case.Z, "columns"):
            library = type(case.Z).__module__.split(".")[0]  # pandas or polars: frames stay frames
            change.set_output(transform=library)
            words += f'.set_output(transform="{library}")'
        nb, told = _set(case, columns=_told(case, order))
    if case.event == "categorical":  # a fold may lack a category that the model knows
        nb, told = _set(case, min_categories=[int(case.nb.n_categories_[j]) for j in order])
    return refit(case, name, f"{imports}\nchange = {words}\n{case.spelled('change', told)}", case.rebuilt(change, nb))


def _set(case: Case, **parameters: Any) -> tuple[Any, str]:
    """The model's naive Bayes, unfitted, with other parameters; and in code."""
    words = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return clone(case.recipe.own).set_params(**parameters), f"clone({case.own}).set_params({words})"


def _told(case: Case, order: list[int]) -> list[tuple[str, list[Any]]]:
    names = list(getattr(case.nb, "feature_names_in_", range(case.Z.shape[1])))
    place = {names[j]: names[j] if hasattr(case.Z, "columns") else i for i, j in enumerate(order)}
    return [
        (part, [place[name] for name in columns if name in place])
        for part, columns in case.nb.columns_
        if any(name in place for name in columns)
    ]
