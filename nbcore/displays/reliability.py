"""The reliability diagram, with the band in which luck alone keeps a calibrated model."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nbcore._base import Floats, Matrix
from nbcore._display import DARK, FOR, GREY, PALE, Display
from nbcore.calibration import _bin_statistics, _equal_edges, reliability_bins, simulate_shares
from nbcore.checks import require


class ReliabilityDisplay(Display):
    """What comes true against what is said, in equal bins: scikit-learn's CalibrationDisplay for any number of classes.

    Parameters
    ----------
    prob_true, prob_pred : share that comes true and mean posterior of each bin, (B,); NaN, a gap, where it is empty
    band : None, or the shares between which 95 of 100 calibrated models lie, (2, B)
    estimator_name : for the legend

    Examples
    --------
    >>> from nbcore import GaussianNB, ReliabilityDisplay
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2], y[::2])
    >>> ReliabilityDisplay.from_estimator(model, X[1::2], y[1::2], n_bins=3)
    Reliability of GaussianNB. 2 of 3 bins lie outside the band of luck.
    """

    def __init__(
        self, prob_true: Floats, prob_pred: Floats, *, band: Floats | None = None, estimator_name: str = "model"
    ) -> None:
        self.prob_true, self.prob_pred, self.band = prob_true, prob_pred, band
        self.estimator_name = estimator_name

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Matrix, y: ArrayLike, *, n_bins: int = 10, pos_label: Any = None,
        name: str | None = None, ax: Any = None, **kwargs: Any,
    ) -> Self:  # fmt: skip
        """Draw the diagram of a fitted classifier on rows X (n, F) that it has not seen; see `from_predictions`."""
        given = dict(n_bins=n_bins, pos_label=pos_label, classes=estimator.classes_, ax=ax, **kwargs)
        return cls.from_predictions(y, estimator.predict_proba(X), name=name or type(estimator).__name__, **given)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_prob: ArrayLike, *, n_bins: int = 10, pos_label: Any = None,
        classes: ArrayLike | None = None, name: str = "model", ax: Any = None, **kwargs: Any,
    ) -> Self:  # fmt: skip
        """Draw the diagram of posteriors.

        Parameters
        ----------
        y_true : labels (n,)
        y_prob : posteriors (n, C), or of two classes (n,), those of pos_label
        n_bins : equal bins on [0, 1], at least 1
        pos_label : a class whose posteriors alone are judged. None: all n x C posteriors, as in `reliability_bins`; for
            y_prob (n,) the last label
        classes : labels of the columns; None: the sorted labels of y_true
        name, ax, kwargs : see `plot`

        Returns the display. ValueError: see `reliability_bins`.
        """
        p, labels = np.asarray(y_prob, dtype=float), np.unique(y_true) if classes is None else np.asarray(classes)
        if p.ndim == 1 or pos_label is not None:
            pos_label = labels[-1] if pos_label is None else pos_label
            require(pos_label in labels, "pos_label", pos_label, f"one of the classes {labels}")
            p = p if p.ndim == 1 else p[:, list(labels).index(pos_label)]
            shares = simulate_shares(p, n_bins)
            said, true, _ = _bin_statistics(p, np.asarray(y_true) == pos_label, _equal_edges(n_bins), None)
        else:
            found, shares = reliability_bins(y_true, p, n_bins, labels), simulate_shares(p, n_bins)
            said, true = found.mean_posterior, found.observed
        band = np.quantile(shares, [0.025, 0.975], axis=0)
        return cls(true, said, band=band, estimator_name=name).plot(ax=ax, **kwargs)

    def plot(self, *, ax: Any = None, ref_line: bool = True, **kwargs: Any) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : axes of matplotlib, or None for new ones
        ref_line : whether to draw the diagonal and the band; not for the second model on the same axes
        kwargs : for the line: color, marker, linestyle, label

        Returns the display itself. ImportError if there is no matplotlib.
        """
        ax, middle = self._start(ax), (np.arange(len(self.prob_true)) + 0.5) / len(self.prob_true)
        if ref_line and self.band is not None:
            low, high = self.band
            by_luck = "by luck, if calibrated: 95 of 100"
            ax.bar(middle, high - low, 0.94 / len(low), low, color=PALE, edgecolor=GREY, linewidth=0.6, label=by_luck)
        if ref_line:
            ax.plot([0, 1], [0, 1], ":", color=DARK, label="promise kept")
        style = dict(color=FOR, marker="o", linestyle="-", label=self.estimator_name) | kwargs
        ax.plot(self.prob_pred, self.prob_true, **style)
        ax.set(xlabel="Mean posterior", ylabel="Share that comes true", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
        return self

    def __repr__(self) -> str:
        full = np.isfinite(self.prob_true)
        low, high = np.full((2, len(full)), np.nan) if self.band is None else self.band
        out = int(((self.prob_true < low - 1e-9) | (self.prob_true > high + 1e-9)).sum())
        luck = "" if self.band is None else f" {out} of {full.sum()} bins lie outside the band of luck."
        return f"Reliability of {self.estimator_name}.{luck}"
