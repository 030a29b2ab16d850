"""Merging of models that were fitted on parts of the rows, on any number of machines: counts and moments add up."""

from copy import copy
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nbcore._base import CountingNB
from nbcore.checks import require
from nbcore.mixed import MixedNB
from nbcore.mixed.categories import unite_categories
from nbcore.mixed.columns import MODELS

__all__ = ["merge"]

Model = TypeVar("Model", bound=CountingNB)
MERGEABLE: tuple[type[CountingNB], ...] = (*MODELS.values(), MixedNB)


def merge(*models: Model) -> Model:
    """Return one new model from models fitted on parts of the rows, as one `fit` on all rows would give it.

    models: of one type, with the same parameters and columns. A part may lack classes and categories; one with rows of
    a single class is learned by `partial_fit(X, y, classes)`. Counts are equal exactly, moments up to rounding, in any
    order of the parts. Categories of MixedNB are sorted, or stay in the order that all parts share. A Gaussian variance
    of 0 is refused in `predict`, as after `partial_fit`. ValueError: no model, an unfitted one, models that differ.

    Examples
    --------
    >>> from nbcore import CategoricalNB, merge
    >>> monday = CategoricalNB().fit([[0], [1], [1]], ["no", "no", "yes"])
    >>> tuesday = CategoricalNB().fit([[2], [2], [0]], ["maybe", "yes", "yes"])
    >>> merge(monday, tuesday).category_count_[0].tolist()  # rows: maybe, no, yes; columns: 0, 1, 2
    [[0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    """
    require(models, "the arguments of merge", models, "one fitted model or more: merge(*models)")
    for model in models:
        names = ", ".join(kind.__name__ for kind in MERGEABLE)
        require(isinstance(model, MERGEABLE), "each argument of merge", model, f"a model of {names}: merge(*models)")
        check_is_fitted(model)
        check_same_settings(models[0], model)
    labels = [label for model in models for label in model.classes_.tolist()]
    one_kind = len({isinstance(label, str) for label in labels}) == 1
    require(one_kind, "the classes of all models", labels, "either text or numbers: fit each part on such labels")
    merged = copy(models[0])
    merged.classes_ = np.unique(np.concatenate([model.classes_ for model in models]))
    merged.class_count_ = np.zeros(len(merged.classes_))
    places = [np.searchsorted(merged.classes_, model.classes_) for model in models]
    for model, place in zip(models, places, strict=True):
        merged.class_count_[place] += model.class_count_
    if isinstance(merged, MixedNB):
        known = [model.categories_ for model in models if isinstance(model, MixedNB)]
        merged.categories_ = {name: unite_categories([each[name] for each in known]) for name in known[0]}
    merged._check_settings(len(merged.classes_), merged.n_features_in_)
    merged._start_counts(len(merged.classes_), merged.n_features_in_)
    with np.errstate(over="ignore", invalid="ignore"):  # `_estimate` refuses sums that overflow
        for model, place in zip(models, places, strict=True):
            merged._add_counts(model, place)
        merged._estimate()
    return merged


def check_same_settings(first: Any, other: Any) -> None:
    """Raise ValueError unless two fitted models have one type, the same columns and the same parameters."""
    expected, found = settings(first), settings(other)
    for name, value in found.items():
        if not np.array_equal(expected[name], value):
            raise ValueError(
                f"models to be merged must agree in {name}; got {expected[name]!r} and {value!r}. "
                "Fit every part with the same parameters and columns."
            )


def settings(model: Any) -> dict[str, Any]:
    """Return what models must share to be merged: type, columns, parameters, and those of the parts of a MixedNB."""
    shared: dict[str, Any] = {"type": type(model).__name__, "columns_": repr(getattr(model, "columns_", None))}
    shared |= {name: getattr(model, name, None) for name in ("n_features_in_", "feature_names_in_")}
    for i, part in enumerate(getattr(model, "parts_", [])):
        shared |= {f"{name} of parts_[{i}]": value for name, value in part.get_params().items()}
    parameters = model.get_params(deep=False)
    parameters.pop("columns", None)  # `columns_` has what became of it: a callable equals no copy of itself
    return shared | parameters
