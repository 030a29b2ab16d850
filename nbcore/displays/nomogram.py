"""A nomogram: what each value of each column says, on one scale of points, and what their sum makes probable."""

from typing import Any, Self

import numpy as np
from scipy.special import logit

from nbcore._base import Floats, Matrix
from nbcore._display import DARK, FOR, Display
from nbcore.checks import require
from nbcore.displays.contribution import find_class, say_value, shorten, split_log_odds
from nbcore.mixed.table import Table, is_missing

MOST, LABELS = 20, 5  # columns that a picture can hold; values that a column of numbers shows
CHANCES = np.array([0.01, 0.1, 0.5, 0.9, 0.99])


class NomogramDisplay(Display):
    """Points of every value for one class against another: log odds in nats. Add them up, and read P at the sum.

    Parameters
    ----------
    names : of the columns, (F,)
    values, points : for each column those that rows show, in their order, and their points, (K_f,) each
    prior : log odds without any column
    target, against : the two classes

    Examples
    --------
    >>> import numpy as np
    >>> from nbcore import MixedNB, NomogramDisplay
    >>> X = np.array([["sun", "weak"], ["sun", "strong"], ["rain", "weak"], ["rain", "strong"]])
    >>> NomogramDisplay.from_estimator(MixedNB().fit(X, [1, 1, 1, 0]), X, target=1, against=0)
    Points for 1 against 0: prior +1.1; column 0: rain -0.5, sun +0.6; column 1: strong -0.5, weak +0.6.
    """

    def __init__(
        self, names: list[str], values: list[list[Any]], points: list[Floats], *,
        prior: float, target: Any, against: Any,
    ) -> None:
        self.names, self.values, self.points, self.prior = names, values, points, prior
        self.target, self.against = target, against

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Matrix, *, target: Any = None, against: Any = None, ax: Any = None
    ) -> Self:
        """Draw the nomogram of a naive Bayes.

        Parameters
        ----------
        estimator : a fitted naive Bayes as `diagnose` takes it, without a correction
        X : rows (n, F) that have the values to be shown
        target, against : two classes; may be left out where there are two: the last against the first
        ax : axes of matplotlib, or None for new ones

        Returns the display. ValueError: more than 20 columns, three classes or more of which two are not named, a
        correction, which changes the sum of points, a value that a class calls impossible.
        """
        recipe, Z, names, prior, terms = split_log_odds(estimator, X)
        classes = recipe.nb.classes_
        require(len(names) <= MOST, "X", f"{len(names)} columns", f"of at most {MOST} columns")
        require(len(classes) == 2 or not (target is None or against is None), "target and against",
                (target, against), f"two of the classes {classes}")  # fmt: skip
        own, other = (find_class(classes[place] if label is None else label, argument, classes)
                      for label, argument, place in ((target, "target", -1), (against, "against", 0)))  # fmt: skip
        log_p, joint = estimator.predict_log_proba(X), terms.sum(axis=2) + prior
        same = np.allclose(log_p[:, own] - log_p[:, other], joint[:, own] - joint[:, other])
        require(same, "estimator", estimator, "a naive Bayes without a correction")
        table, values, points = Table(Z, names), [], []
        for f, points_of_rows in enumerate((terms[:, own] - terms[:, other]).T):
            column = np.asarray(table.column(f), dtype=object)
            there = [row for row, value in enumerate(column) if not is_missing(value)]
            different = {column[row]: points_of_rows[row] for row in there}
            shown = sorted(different, key=lambda value: (isinstance(value, str), value))
            values.append(shown)
            points.append(np.array([different[value] for value in shown]))
        log_odds = float(prior[own] - prior[other])
        return cls(names, values, points, prior=log_odds, target=classes[own], against=classes[other]).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw the scales on axes of matplotlib, or on new ones; return the display. ImportError without matplotlib.

        Each value stands at its points, above the line where points rise with the value, below it where they fall.
        """
        alone, rows = ax is None, ["prior", *self.names]
        ax, every = self._start(ax), np.concatenate([*self.points, [self.prior]])
        low, high = min(0.0, every.min()) - 0.1, max(0.0, every.max()) + 0.1
        low, high = low - 0.08 * (high - low), high + 0.08 * (high - low)
        scales = zip([[""], *self.values], [np.array([self.prior]), *self.points], strict=True)
        for row, (values, points) in enumerate(scales):
            at, count = np.asarray(points), len(points)
            numbers = count > LABELS and not isinstance(values[0], str)
            shown = np.linspace(0, count - 1, LABELS).round().astype(int) if numbers else np.arange(count)
            ax.plot(at, [row] * count, color=FOR)
            ax.plot(at[shown], [row] * len(shown), "|", color=DARK, markersize=9)
            taken = {True: -np.inf, False: -np.inf}  # where the words above and below the line end
            for i in shown[np.argsort(at[shown])]:
                words, rising = say_value(values[i]), bool(at[min(i + 1, count - 1)] >= at[max(i - 1, 0)])
                room = 0.016 * (high - low) * (len(words) + 1)  # half of the width of the words, about
                for up in [rising] if numbers else [True, False]:
                    if at[i] - room > taken[up]:
                        taken[up] = at[i] + room
                        ax.annotate(words, (at[i], row), (0, 3 if up else -3), textcoords="offset points",
                                    ha="center", va="bottom" if up else "top", fontsize="x-small")  # fmt: skip
                        break
        ax.axvline(0, color=DARK, linewidth=0.8, linestyle=":")
        ax.set(xlim=(low, high), ylim=(len(rows) - 0.4, -0.7), yticks=range(len(rows)))
        ax.set_yticklabels(map(shorten, rows))
        ax.set_xlabel(f"points for {self.target} against {self.against}")
        scale = (high - low) / 11  # the lower scale has sums from -5.5 to 5.5
        both = (lambda x: (x - low) / scale - 5.5), (lambda total: (total + 5.5) * scale + low)
        total, ticks = ax.secondary_xaxis(-0.2, functions=both), logit(CHANCES)
        total.set_xticks(ticks, [f"{sum:+.1f}\n{chance:g}" for sum, chance in zip(ticks, CHANCES, strict=True)])
        total.set_xlabel(f"sum with the prior,\nand P({self.target}) there")
        if alone:
            self.figure_.set_figheight(max(4.8, 1.8 + 0.5 * len(rows)))
        return self

    def __repr__(self) -> str:
        each = []
        for name, values, points in zip(self.names, self.values, self.points, strict=True):
            ends = range(len(values)) if len(values) <= LABELS else (0, len(values) - 1)
            each.append(f"{name}: " + ", ".join(f"{say_value(values[i])} {points[i]:+.1f}" for i in ends))
        return f"Points for {self.target} against {self.against}: prior {self.prior:+.1f}; {'; '.join(each)}."
