"""Pictures by matplotlib, as scikit-learn's displays: calibration, what the columns of a row say, a nomogram."""

from __future__ import annotations  # signatures stay as short as they are written

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from io import BytesIO
from textwrap import fill
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, logsumexp
from sklearn.utils.validation import check_is_fitted

from nbcore._base import Floats, Matrix, as_rows
from nbcore.calibration import reliability_bins, simulate_shares
from nbcore.checks import is_missing, require, require_every
from nbcore.diagnosis.finding import MATERIAL, Finding
from nbcore.diagnosis.recipe import column_names, contributions, unwrap, without_names
from nbcore.perplexed import evidence

__all__ = ["ContributionDisplay", "FindingsDisplay", "NomogramDisplay", "ReliabilityDisplay"]

BLUE, VERMILION, PALE, GREY, DARK = "#0072B2", "#D55E00", "#DDDDDD", "#999999", "#333333"  # Okabe and Ito's, and greys
BARS, COLUMNS = 10, 20  # columns with a bar of their own, and in a nomogram
REACH = 12  # nats: a nomogram puts points beyond on its border, as then P is next to 0 or 1
WIDE = "width: 560px; height: auto; max-width: none"  # of a picture in a notebook, which scrolls on a phone


def shorten(value: Any, most: int = 66) -> str:
    """Return a text or a value of a table in at most `most` characters, in two lines at most."""
    text = str(value)
    if isinstance(value, float):
        text = "no value" if np.isnan(value) else f"{value:,.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}"
    return fill(text if len(text) <= most else f"{text[: most // 2]}…{text[1 - most // 2 :]}", 36, max_lines=2)


class Display:
    """Show a picture: `plot` sets `ax_` and `figure_`; `repr` is a sentence, in a notebook the picture's alt text."""
    _draw: Any  # draws on axes of matplotlib, and returns the height in inches that a figure of its own needs

    def plot(self, *, ax: Any = None) -> Self:
        """Draw on axes of matplotlib, or on new ones; return the display. ImportError names the extra to install."""
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError('A picture needs matplotlib: pip install "naive-bayes-workbook[plot]".') from error
        self.ax_ = pyplot.subplots(layout="constrained")[1] if ax is None else ax
        self.figure_: Any = self.ax_.figure
        height = self._draw(self.ax_)
        if ax is None:
            pyplot.gcf().set_figheight(height)
        return self

    def _repr_html_(self) -> str:
        """Return the picture with its alt text, and close the figure, which pyplot would show a second time."""
        from matplotlib import pyplot
        self.figure_.savefig(png := BytesIO(), format="png", dpi=100)
        pyplot.close(self.figure_)
        data = f'alt="{escape(repr(self))}" src="data:image/png;base64,{b64encode(png.getvalue()).decode()}"'
        return f'<figure style="margin: 0; overflow-x: auto" tabindex="0"><img {data} style="{WIDE}"></figure>'


@dataclass(repr=False, eq=False)
class ReliabilityDisplay(Display):
    """Draw the share that comes true against the mean posterior of each bin, for any classes, with luck's band.

    prob_true and prob_pred (B,), NaN in an empty bin, and band (2, B), where luck keeps 95 of 100 calibrated models.

    Examples
    --------
    >>> from nbcore import GaussianNB, ReliabilityDisplay
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ReliabilityDisplay.from_estimator(GaussianNB().fit(X[::2], y[::2]), X[1::2], y[1::2], n_bins=3)
    Reliability of GaussianNB: 2 of 3 bins lie outside the band of luck.
    """

    prob_true: Floats
    prob_pred: Floats
    band: Floats
    name: str

    @classmethod
    def from_estimator(cls, estimator: Any, X: Matrix, y: ArrayLike, **options: Any) -> Self:
        """Draw the diagram of a fitted classifier on rows X (n, F) it has not seen; options: see `from_predictions`."""
        check_is_fitted(estimator)
        options = {"name": type(estimator).__name__, "classes": estimator.classes_} | options
        return cls.from_predictions(y, estimator.predict_proba(X), **options)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_prob: ArrayLike, *, n_bins: int = 10, classes: ArrayLike | None = None,
        name: str = "model", ax: Any = None,
    ) -> Self:  # fmt: skip
        """Draw the diagram of posteriors.

        Parameters
        ----------
        y_true, y_prob, n_bins, classes : as in `nbcore.calibration.reliability_bins`, whose errors they raise
        name, ax : of the model; and axes of matplotlib, or None for new ones. A second model on them adds its line only
        """
        bins = reliability_bins(y_true, y_prob, n_bins, classes)
        band = np.quantile(simulate_shares(y_prob, n_bins), [0.025, 0.975], axis=0)
        return cls(bins.observed, bins.mean_posterior, band, name).plot(ax=ax)

    def _draw(self, ax: Any) -> float:
        (low, high), middle = self.band, (np.arange(len(self.prob_true)) + 0.5) / len(self.prob_true)
        if not ax.lines:
            ax.bar(middle, high - low, 0.94 / len(low), low, fc=PALE, ec=GREY, label="luck: 95 of 100 calibrated ones")
            ax.plot([0, 1], [0, 1], ":", color=DARK, label="what is said comes true")
        ax.plot(self.prob_pred, self.prob_true, "o-", color=(DARK, BLUE, VERMILION)[len(ax.lines) % 3], label=self.name)
        ax.set(xlabel="mean posterior", ylabel="share that comes true", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
        return 3.6

    def __repr__(self) -> str:
        true, (low, high) = self.prob_true, self.band
        out, full = ((true < low - 1e-9) | (true > high + 1e-9)).sum(), np.isfinite(true).sum()
        return f"Reliability of {self.name}: {out} of {full} bins lie outside the band of luck."


@dataclass(repr=False, eq=False)
class PairDisplay(Display):
    """Hold what each column says for a class, the target, against another one, in log odds (nats): a base of displays.

    names (F,), values (n, F), of X where a column kept its name, NaN for a gap; steps (n, F + 1), the prior's first;
    correction (n,), what is left of the log odds; exact: there is none, or a factor such as 1 / temperature.
    """

    names: list[str]
    values: NDArray[Any]
    steps: Floats
    correction: Floats
    exact: bool
    target: Any
    against: Any

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Matrix, *, target: Any = None, against: Any = None, ax: Any = None
    ) -> Self:
        """Draw what the columns say.

        Parameters
        ----------
        estimator : a fitted naive Bayes as `diagnose` takes it
        X : rows (n, F): one for ContributionDisplay, for NomogramDisplay those with the values to be shown
        target, against : two classes; None: the most probable ones in X
        ax : axes of matplotlib, or None for new ones

        Returns the display. ValueError: what it cannot show, an unknown class, a value that a class calls impossible.
        """
        X, recipe = as_rows(X), unwrap(estimator)
        Z, classes, log_p = recipe.transform(X), recipe.nb.classes_.tolist(), estimator.predict_log_proba(X)
        left = [classes[c] for c in np.argsort(-logsumexp(log_p, axis=0), kind="stable")]
        pair = []
        for argument, label in (("target", target), ("against", against)):
            require(label is None or label in left, argument, label, f"one of the classes {left}")
            pair.append(left.pop(0 if label is None else left.index(label)))
        both = [classes.index(label) for label in pair]
        terms = contributions(recipe, Z, np.arange(Z.shape[1]))[:, both]
        terms = np.insert(terms, 0, recipe.nb.class_log_prior_[both], axis=2)
        require_every(np.isfinite(terms), "log P(x_f|c)", terms, "finite: smooth, with alpha > 0")
        _, _, n_features = evidence(recipe.nb, without_names(recipe.nb, Z))
        scale = np.ones(len(terms)) if recipe.scale is None else recipe.scale(n_features)
        steps = (terms[:, 0] - terms[:, 1]) * scale[:, None]
        with np.errstate(invalid="ignore"):  # isotonic curves may call both classes impossible
            total = log_p[:, both[0]] - log_p[:, both[1]]
        exact = recipe.scale is not None and np.ptp(scale) == 0
        names = [f"column {name}" if isinstance(name, int) else name for name in column_names(estimator, recipe, X, Z)]
        values = Z.toarray() if hasattr(Z, "toarray") else np.array(Z, dtype=object)
        for f in [f for f, name in enumerate(names) if name in getattr(X, "columns", ()) and values.dtype == object]:
            values[:, f] = [np.nan if is_missing(z) else x for z, x in zip(values[:, f], X[names[f]], strict=True)]
        return cls(names, values, steps, total - steps.sum(axis=1), exact, *pair).plot(ax=ax)


@dataclass(repr=False, eq=False)
class ContributionDisplay(PairDisplay):
    """Draw what the prior, the ten loudest columns, all others and a correction add to the log odds of one row.

    Examples
    --------
    >>> from nbcore import ContributionDisplay, GaussianNB
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> ContributionDisplay.from_estimator(GaussianNB().fit(X, y), X.iloc[[70]])
    Log odds of 2 against 1: +1.7, of which petal width (cm) adds +2.3.
    """

    def __post_init__(self) -> None:
        require(len(self.steps) == 1, "X", self.values.shape, "one row, of shape (1, F)")
        require(np.isfinite(self.correction), "target", self.target, "such that the model calls one of both possible")

    def _draw(self, ax: Any) -> float:
        (prior, *terms), order = self.steps[0], np.argsort(-abs(self.steps[0, 1:]), kind="stable")
        bars = [(f"{self.names[f]}: {shorten(self.values[0, f], 12)}", terms[f]) for f in order[:BARS]]
        rest = f"{len(terms) - BARS} more columns", sum(terms[f] for f in order[BARS:])
        bars += [bar for bar in (rest, ("correction", self.correction[0])) if abs(bar[1]) > 1e-6]
        names, steps = zip(("prior", prior), *bars, strict=True)
        widths, starts = np.array([*steps, sum(steps)]), np.array([0, *np.cumsum(steps[:-1]), 0])
        artists = ax.barh(range(len(widths)), widths, 0.7, starts, color=np.where(widths < 0, VERMILION, BLUE))
        ax.bar_label(artists, [f"{width:+.2f}" for width in widths], padding=2)
        ax.axvline(0, color=DARK, linewidth=0.8)
        ax.use_sticky_edges = False
        words = map(shorten, [*names, f"sum: P = {expit(widths[-1]):.4g} of the two"])
        ax.set_yticks(range(len(widths)), list(words), fontsize="small")
        ax.set(ylim=(len(widths) - 0.4, -0.6), xmargin=0.2, xlabel=f"log odds of {self.target}\nagainst {self.against}")
        return 1.2 + 0.28 * len(widths)

    def __repr__(self) -> str:
        (_, *terms), pair = self.steps[0], f"{self.target} against {self.against}"
        most, total = np.argmax(np.abs(terms)), self.steps[0].sum() + self.correction[0]
        return f"Log odds of {pair}: {total:+.1f}, of which {self.names[most]} adds {terms[most]:+.1f}."


def place_labels(ax: Any, row: int, words: list[tuple[float, str]], width: float) -> int:
    """Write words at their points above or below a row of an axis of that width; return how many had room."""
    room, taken = 0.009 * width, [(row - 0.28, list[Any]()), (row + 0.28, list[Any]())]  # half of a letter, about
    middle = sum(at for at, _ in words) / max(1, len(words))
    for at, word in sorted(words, key=lambda pair: -abs(pair[0] - middle)):  # the ends first
        for up, there in taken:
            if all(abs(at - x) > room * (1 + len(word + other)) for x, other in there):
                there.append((at, word))
                ax.plot(at, row, "|", color=DARK)
                ax.text(at, up, word, ha="center", va="center", fontsize="x-small")
                break
    return sum(len(there) for _, there in taken)


@dataclass(repr=False, eq=False)
class NomogramDisplay(PairDisplay):
    """Draw the points (log odds) of values: texts that have room, a few numbers a column; columns past 20 as a sum.

    Examples
    --------
    >>> from nbcore import MixedNB, NomogramDisplay
    >>> X = [["sun", "weak"], ["sun", "strong"], ["rain", "weak"], ["rain", "strong"]]
    >>> NomogramDisplay.from_estimator(MixedNB().fit(X, [1, 1, 1, 0]), X)
    Points for 1 against 0: prior +1.1; column 0 says most, from -0.5 to +0.6.
    """

    def __post_init__(self) -> None:
        require(self.exact, "estimator", "one with another correction", "a naive Bayes, alone or with a temperature")

    def _draw(self, ax: Any) -> float:
        (prior, *own), loud = self.steps.T, np.argsort(-np.ptp(self.steps[:, 1:], axis=0), kind="stable")
        rows = [("prior", np.full(len(prior), ""), prior)]
        rows += [(self.names[f], self.values[:, f], own[f]) for f in sorted(loud[:COLUMNS])]
        if len(own) > COLUMNS:
            rest = np.sum([own[f] for f in loud[COLUMNS:]], axis=0)
            rows.append((f"{len(own) - COLUMNS} more columns", rest.round(1), rest))
        names, ends = [], np.clip([self.steps.min(), self.steps.max(), -5, 5], -REACH, REACH)
        for row, (name, column, steps) in enumerate(rows):
            seen = {value: at for value, at in zip(column, steps, strict=True) if not is_missing(value)}
            order = sorted(seen, key=lambda value: (1, seen[value]) if isinstance(value, str) else (0, value))
            far = [f" ({shorten(seen[value])})" if abs(seen[value]) > REACH else "" for value in order]
            points, texts = np.clip([seen[v] for v in order], -REACH, REACH), any(isinstance(v, str) for v in order)
            ax.plot(points, np.full(len(points), row), "|-" if texts else "-", color=BLUE)
            near = np.flatnonzero(abs(points) < REACH)[:: max(1, round((abs(points) < REACH).sum() / 5))]
            few = {*near, 0, len(points) - 1, *points.argsort()[[0, -1]]} if len(points) else ()
            words = [(points[i], shorten(order[i], 12) + far[i]) for i in (range(len(order)) if texts else sorted(few))]
            left = len(words) - place_labels(ax, row, words, np.ptp(ends))
            names.append(shorten(name) + f"\n(+ {left} without a label)" * (texts and left > 0))
        ax.axvline(0, color=PALE, zorder=0)
        ax.set_yticks(range(row + 1), names, fontsize="small")
        ax.set(ylim=(row + 0.6, -0.6), xmargin=0.12, xlabel=f"points for {self.target}\nagainst {self.against}")
        ax.set_xlim(min(ax.get_xlim()[0], -5), max(ax.get_xlim()[1], 5))
        total, chances = ax.secondary_xaxis("top"), [0.01, 0.1, 0.5, 0.9, 0.99]  # on the scale of the points
        total.set_xlabel(f"P({shorten(self.target)}) of the two,\nwhere the sum of points and prior stands below")
        total.set_xticks(logit(chances), map(str, chances))
        return 1.9 + 0.34 * row

    def __repr__(self) -> str:
        low, high = self.steps.min(axis=0), self.steps.max(axis=0)
        most, pair = 1 + np.argmax(high[1:] - low[1:]), f"{self.target} against {self.against}: prior {low[0]:+.1f}"
        return f"Points for {pair}; {self.names[most - 1]} says most, from {low[most]:+.1f} to {high[most]:+.1f}."


@dataclass(repr=False, eq=False)
class FindingsDisplay(Display):
    """Draw a bar for each finding of a report: what its best remedy gains; white if the gain is not sure."""

    findings: list[Finding]

    def _draw(self, ax: Any) -> float:
        for row, best in enumerate(f.remedies[0] for f in self.findings):
            ax.barh(-row, best.gain, 0.6, color=BLUE if best.sure else "white", edgecolor=DARK)
            ax.plot(best.interval, [-row, -row], "|-", color=DARK)
        ax.axvline(MATERIAL, color=VERMILION, linestyle=":")
        names = [shorten(f"{f.name}: {f.remedies[0].name}") for f in self.findings]
        ax.set_yticks(-np.arange(len(names)), names, fontsize="small")
        ax.set(xlabel="nats gained a row (white: not sure,\ndotted: material)", title="" if names else "Nothing found")
        return 1.4 + 0.45 * len(names)

    def __repr__(self) -> str:
        return f"Found: {'; '.join(f'{f.name}: {f.remedies[0]}' for f in self.findings) or 'nothing'}."
