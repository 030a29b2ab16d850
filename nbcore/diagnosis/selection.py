"""Remedies that keep or transform columns before a naive Bayes: as an estimator, and as the code that makes it."""

from typing import Any

from sklearn.base import clone
from sklearn.compose import ColumnTransformer

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import Remedy, measure_refit

IMPORTS = (
    "from sklearn.base import clone\n"
    "from sklearn.compose import ColumnTransformer\n"
    "from sklearn.pipeline import make_pipeline\n"
)


def keep_columns(case: Case, name: str, kept: list[int]) -> Remedy:
    """Measure the model's recipe with only these columns."""
    parts = f'[("kept", "passthrough", {_column_labels(case, kept)})]'
    change = ColumnTransformer([("kept", "passthrough", _column_labels(case, kept))])
    return _measure_change(case, name, IMPORTS, change, f"ColumnTransformer({parts}", kept)


def transform_columns(case: Case, name: str, columns: list[int], transformer: Any, words: str, imports: str) -> Remedy:
    """Measure the model's recipe with a transformer before some columns; `words` is the transformer in code."""
    parts = f'[("changed", {words}, {_column_labels(case, columns)})], remainder="passthrough"'
    change = ColumnTransformer([("changed", transformer, _column_labels(case, columns))], remainder="passthrough")
    order = columns + [j for j in range(case.Z.shape[1]) if j not in set(columns)]
    return _measure_change(case, name, f"{imports}\n{IMPORTS}", change, f"ColumnTransformer({parts}", order)


def _column_labels(case: Case, columns: list[int]) -> list[Any]:
    """Return the columns by name in a frame, else by number."""
    return [case.Z.columns[j] for j in columns] if hasattr(case.Z, "columns") else columns


def _measure_change(
    case: Case, name: str, imports: str, change: ColumnTransformer, words: str, order: list[int]
) -> Remedy:
    """Measure a column transformer in front of the naive Bayes, whose own columns are relocated if it names them."""
    change.set_params(verbose_feature_names_out=False)
    words, nb, nb_code = f"{words}, verbose_feature_names_out=False)", None, ""
    if case.event == "mixed":
        if hasattr(case.Z, "columns"):
            library = type(case.Z).__module__.split(".")[0]  # pandas or polars: frames stay frames
            change.set_output(transform=library)
            words += f'.set_output(transform="{library}")'
        nb, nb_code = _with_parameters(case, columns=_relocated_parts(case, order))
    if case.event == "categorical":  # a fold may lack a category that the model knows
        nb, nb_code = _with_parameters(case, min_categories=[int(case.nb.n_categories_[j]) for j in order])
    code = f"{imports}\nchange = {words}\n{case.rebuilt_code('change', nb_code)}"
    return measure_refit(case, name, code, case.rebuilt(change, nb))


def _with_parameters(case: Case, **parameters: Any) -> tuple[Any, str]:
    """Return the model's naive Bayes, unfitted, with other parameters, and the code for it."""
    words = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    return clone(case.recipe.own).set_params(**parameters), f"clone({case.own}).set_params({words})"


def _relocated_parts(case: Case, order: list[int]) -> list[tuple[str, list[Any]]]:
    """Return the parts of a MixedNB with its columns where the transformer puts them."""
    names = list(getattr(case.nb, "feature_names_in_", range(case.Z.shape[1])))
    place = {names[j]: names[j] if hasattr(case.Z, "columns") else i for i, j in enumerate(order)}
    return [
        (part, [place[name] for name in columns if name in place])
        for part, columns in case.nb.columns_
        if any(name in place for name in columns)
    ]
