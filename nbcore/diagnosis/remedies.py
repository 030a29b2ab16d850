"""What a remedy gains: changes of the recipe are fitted to folds of the held-out rows, corrections of the model too."""

from typing import Any

from sklearn.base import clone
from sklearn.compose import ColumnTransformer

from nbcore._base import Floats
from nbcore.diagnosis.adjusted import METHODS, Adjusted, cross_fitted_losses
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import Remedy
from nbcore.diagnosis.recipe import fit_folds, join_scores, row_losses


def measure_adjustment(case: Case, method: str) -> Remedy:
    """Measure a correction of the fitted model, learned from four fifths of the rows, on the other fifth."""
    if method not in case.cache:
        after = cross_fitted_losses(method, case.scores, case.code, case.folds)
        estimator = Adjusted(case.model, method, case.cv)
        case.cache[method] = Remedy.measured(METHODS[method].name, estimator, case.losses, after, case.cv is None)
    return case.cache[method]


def held_out_losses(case: Case, estimator: Any) -> Floats:
    """Return the loss of each row by an estimator fitted to the other folds, (n,)."""
    parts = fit_folds(estimator, case.X, case.y, case.folds)
    return row_losses(join_scores(parts, case.X, case.classes).log_p, case.code)


def measure_refit(case: Case, name: str, change: Any = None, nb: Any = None) -> Remedy:
    """Compare the recipe with a transformer before its naive Bayes, or another one, with the model's own recipe.

    Both are fitted to the same folds of the held-out rows. Which columns are changed was chosen on all of these rows,
    so the gain of such a choice is a little too good. Without a change the model's own recipe, fitted to the folds, is
    compared with the fitted model.
    """
    estimator = case.rebuilt(change, nb)
    try:
        if "refitted" not in case.cache:
            case.cache["refitted"] = held_out_losses(case, case.rebuilt())
        if change is None and nb is None:
            return Remedy.measured(name, estimator, case.losses, case.cache["refitted"], new_rows=True)
        return Remedy.measured(name, estimator, case.cache["refitted"], held_out_losses(case, estimator))
    except (TypeError, ValueError) as error:
        nothing = float("nan")
        return Remedy(name, estimator, nothing, nothing, (nothing, nothing), failed=str(error).splitlines()[0])


def changed_columns(case: Case, columns: list[int], transformer: Any = "drop", most: Any = None) -> tuple[Any, Any]:
    """Return what changes these columns, into at most so many, and the naive Bayes with its own where it puts them."""
    frame, rest = hasattr(case.Z, "columns"), [j for j in range(case.Z.shape[1]) if j not in set(columns)]
    labels = [case.Z.columns[j] for j in columns] if frame else columns
    change = ColumnTransformer(
        [("changed", transformer, labels)], remainder="passthrough", verbose_feature_names_out=False
    )
    order = rest if transformer == "drop" else columns[:most] + rest
    nb = clone(case.recipe.own)
    if case.event == "mixed":
        if frame:
            change.set_output(transform=type(case.Z).__module__.split(".")[0])  # pandas or polars: frames stay frames
        named = frame and not isinstance(case.Z.columns[0], str)  # a number is a name there
        place = {j: case.Z.columns[j] if named else i for i, j in enumerate(order)}
        kinds = [(part, own) for (part, _), (_, own) in zip(case.nb.columns_, case.nb._layout, strict=True)]
        parts = [(part, [place[j] for j in own if j in place]) for part, own in kinds]
        nb.set_params(columns=[(part, own) for part, own in parts if own])
    if case.event == "categorical":  # a fold may lack a category that the model knows
        nb.set_params(min_categories=[int(case.nb.n_categories_[j]) for j in order])
    return change, nb
