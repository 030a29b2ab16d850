"""What each column of one row says for a class, as bars that begin where the one above ends."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit, logsumexp

from nbcore._base import Floats, Matrix, as_rows, encode_labels
from nbcore._display import AGAINST, DARK, FOR, Display
from nbcore.checks import require, require_count, require_every
from nbcore.diagnosis.recipe import Recipe, contributions, unwrap


def split_log_odds(estimator: Any, X: Matrix) -> tuple[Recipe, Any, list[str], Floats, Floats]:
    """Return of rows X: the model's parts, the columns' values, their names, log P(c), (C,), log P(x_f|c), (n, C, F).
    """
    X, recipe = as_rows(X), unwrap(estimator)
    Z = recipe.transform(X)
    given = getattr(estimator, "feature_names_in_", getattr(X, "columns", None))
    names = recipe.names(None if given is None else np.asarray(given, dtype=object))
    names = [f"column {f}" for f in range(Z.shape[1])] if names is None else list(map(str, names))
    terms = contributions(recipe, Z, np.arange(Z.shape[1]))
    require_every(np.isfinite(terms), "log P(x_f|c)", terms, "finite: smooth, with alpha > 0")
    return recipe, Z.toarray() if sparse.issparse(Z) else Z, names, recipe.nb.class_log_prior_, terms


def find_class(label: Any, argument: str, classes: NDArray[Any]) -> int:
    """Return the index of a label in the classes; ValueError if it is none of them."""
    require(label in classes, argument, label, f"one of the classes {classes}")
    return int(encode_labels(np.asarray([label]), classes)[0])


class ContributionDisplay(Display):
    """Log odds of one row from the prior to the posterior, column by column, the loudest first.

    Parameters
    ----------
    names : of the bars, (B,), from above
    steps : what each adds to the log odds, in nats, (B,); they sum to those of `predict_log_proba`
    target, against : the class that the bars to the right speak for, and the other one, or "the rest"

    Examples
    --------
    >>> from nbcore import ContributionDisplay, GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = GaussianNB().fit(X, y)
    >>> ContributionDisplay.from_estimator(model, X.iloc[[70]], target=2, against=1, max_columns=1)
    Log odds of 2 against 1: prior +0.0, petal width (cm): 1.8 +2.3, 3 more columns -0.6; sum +1.7.
    """

    def __init__(self, names: list[str], steps: Floats, *, target: Any, against: Any) -> None:
        self.names, self.steps, self.target, self.against = names, steps, target, against

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Matrix, *, target: Any = None, against: Any = None, max_columns: int = 8, ax: Any = None
    ) -> Self:
        """Draw why a model decides one row as it does.

        Parameters
        ----------
        estimator : a fitted naive Bayes as `diagnose` takes it; what a correction such as a temperature changes is a
            bar of its own
        X : the row, (1, F)
        target : a class; None: the one decided for
        against : another class; None: all others together, to which a bar says what its column adds to those above it
        max_columns : columns with bars of their own, at least 1; the others are summed in one bar
        ax : axes of matplotlib, or None for new ones

        Returns the display. ValueError: more rows than one, unknown classes, a value that a class calls impossible.
        """
        require(np.shape(X)[0] == 1, "X", np.shape(X), "one row, of shape (1, F)")
        require_count("max_columns", max_columns)
        recipe, Z, names, prior, terms = split_log_odds(estimator, X)
        classes, log_p = recipe.nb.classes_, estimator.predict_log_proba(as_rows(X))[0]
        own = int(log_p.argmax()) if target is None else find_class(target, "target", classes)
        others = np.arange(len(classes)) != own
        if against is not None:
            others = np.arange(len(classes)) == find_class(against, "against", classes)
        require(not others[own], "against", against, f"another class than {classes[own]}")

        def log_odds(log_p: Floats) -> Floats:
            return log_p[own] - logsumexp(log_p[others], axis=0)

        rival = np.flatnonzero(others)[log_p[others].argmax()]
        loudest = np.argsort(-abs(terms[0, own] - terms[0, rival]), kind="stable")
        path = log_odds(np.column_stack([prior, terms[0][:, loudest]]).cumsum(axis=1))
        path = np.append(path[: max_columns + 1], [path[-1], log_odds(log_p)])
        values = np.asarray(Z)[0]
        labels = ["prior", *(f"{names[f]}: {say_value(values[f])}" for f in loudest[:max_columns])]
        labels += [f"{len(names) - max_columns} more columns", "correction"]
        steps = np.diff(path, prepend=0)
        kept = [*range(len(steps) - 2), *([len(steps) - 2] if len(names) > max_columns else [])]
        kept += [len(steps) - 1] if abs(steps[-1]) > 1e-6 else []
        rest = "the rest" if against is None and others.sum() > 1 else classes[rival]
        return cls([labels[i] for i in kept], steps[kept], target=classes[own], against=rest).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw the bars on axes of matplotlib, or on new ones; return the display. ImportError without matplotlib."""
        ax = self._start(ax)
        widths, total = np.append(self.steps, self.steps.sum()), self.steps.sum()
        starts = np.append(self.steps.cumsum() - self.steps, 0)
        colors = np.where(widths < 0, AGAINST, FOR)
        bars = ax.barh(range(len(widths)), widths, 0.7, starts, color=colors, edgecolor=DARK, linewidth=0.6)
        for bar, width in zip(bars, widths, strict=True):
            bar.set_hatch("///" if width < 0 else "")
        ax.bar_label(bars, [f"{width:+.1f}" for width in widths], padding=2)
        ax.axvline(0, color=DARK, linewidth=0.8)
        ax.set_yticks(range(len(widths)), [*(shorten(name) for name in self.names), f"sum: P = {expit(total):.3g}"])
        ax.invert_yaxis()
        low, high = min(0, (starts + widths).min()), max(0, (starts + widths).max())
        room = 0.3 * max(high - low, 0.1)
        ax.set(xlabel=f"log odds\n{self.target} against {self.against}", xlim=(low - room, high + room))
        return self

    def __repr__(self) -> str:
        bars = ", ".join(f"{name} {step:+.1f}" for name, step in zip(self.names, self.steps, strict=True))
        return f"Log odds of {self.target} against {self.against}: {bars}; sum {self.steps.sum():+.1f}."


def say_value(value: Any) -> str:
    """Return a value of a table as a short text; a gap is a dash."""
    if isinstance(value, str) or value is None or value != value:
        return "–" if value is None or value != value else value
    return f"{value:.4g}"


def shorten(name: str) -> str:
    """Return a name of at most 24 characters."""
    return name if len(name) <= 24 else f"{name[:11]}…{name[-12:]}"
