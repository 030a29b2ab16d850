"""The report: all findings about a model, causes before symptoms, and its text."""

from __future__ import annotations  # signatures stay as short as they are written

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr
from sklearn.base import clone
from sklearn.model_selection import BaseCrossValidator

from nbcore._base import Matrix
from nbcore.checks import one_of
from nbcore.diagnosis.calibration import find_calibration
from nbcore.diagnosis.case import FOLDS, Case
from nbcore.diagnosis.copies import find_copies
from nbcore.diagnosis.drift import find_drift
from nbcore.diagnosis.event_model import find_event_model
from nbcore.diagnosis.finding import RULE, Finding, Remedy
from nbcore.diagnosis.gaps import find_gaps
from nbcore.diagnosis.one_hot import find_one_hot
from nbcore.diagnosis.prior import find_prior
from nbcore.diagnosis.smoothing import find_smoothing

FINDINGS: dict[str, Callable[[Case], Finding | None]] = {
    "one_hot": find_one_hot,
    "copies": find_copies,
    "smoothing": find_smoothing,
    "event_model": find_event_model,
    "gaps": find_gaps,
    "calibration": find_calibration,
    "prior": find_prior,
    "drift": find_drift,
}


class Report:
    """Hold what `diagnose` found: `findings`, gaps first, calibration last; `log_loss` (nats a row) and `accuracy`.

    `report["copies"]` is the finding of that name, `"copies" in report` whether there is one. `remedies`: every remedy
    that gains for sure, by name; `apply(name)` fits one. `print` it, or leave it at the end of a cell.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        found = [find(case) for find in FINDINGS.values()]
        self.findings = sorted(filter(None, found), key=lambda f: (f.name == "calibration", f.name != "gaps", -f.cost))
        self.log_loss = float(case.losses.mean())
        self.accuracy = float(1 - case.wrong.mean())

    def __contains__(self, name: str) -> bool:
        return any(f.name == name for f in self.findings)

    def __getitem__(self, name: str) -> Finding:
        one_of("name", name, [f.name for f in self.findings] or ["(nothing found)"])
        return next(f for f in self.findings if f.name == name)

    @property
    def remedies(self) -> dict[str, Remedy]:
        """Return the first remedy of each finding whose gain counts, by the finding's name, in their order."""
        return {f.name: f.best for f in self.findings if f.best}

    def apply(self, name: str, X: Matrix | None = None, y: ArrayLike | None = None) -> tuple[Any, Report]:
        """Fit the model with the first remedy of a finding; return it and the report after, on the same rows.

        name: of a finding; `remedies` holds those whose gain is sure. X, y: the training rows, for remedies
        that change what is learned. Without them those learn from the held-out rows, and the report after is by
        cross-validation; remedies with `new_rows` learn from the held-out rows in any case.
        """
        case, remedy = self.case, self[name].remedies[0]
        if X is None or case.cv is not None or remedy.new_rows:
            after = Report(Case(remedy.estimator, case.X, case.y, case.cv or FOLDS))
            return clone(remedy.estimator).fit(case.X, case.y), after
        fitted = clone(remedy.estimator).fit(X, y)
        return fitted, Report(Case(fitted, case.X, case.y))

    def plot(self, *, ax: Any = None) -> Any:
        """Draw what each finding costs, on axes of matplotlib or on new ones; return a FindingsDisplay."""
        from nbcore.displays import FindingsDisplay  # which imports parts of this package
        return FindingsDisplay(self.findings).plot(ax=ax)

    @property
    def summary(self) -> str:
        """Return a sentence about rows and losses, and another one if the classes' shares alone do as well."""
        case = self.case
        share = np.bincount(case.code) / case.n
        shares_alone = float(entr(share).sum())
        new = "rows it has not seen" if case.cv is not None else "rows given as new to it"
        around = f"{type(case.model).__name__} of " * (case.model is not case.recipe.own)
        sentence = (
            f"{around}{type(case.recipe.own).__name__} on {case.n} {new}, {case.Z.shape[1]} features, "
            f"{case.n_classes} classes: accuracy {self.accuracy:.3f}, log loss {self.log_loss:.3f} nats a row."
        )
        alone = f" The classes' shares alone have {share.max():.3f} and {shares_alone:.3f}."
        return sentence + alone * (self.log_loss >= shares_alone)

    def __repr__(self) -> str:
        nothing = "Nothing found that costs for sure; more rows may show more. "
        nothing += "Dependence is sought in measurements without gaps only."
        lines = [self.summary, "" if self.findings else nothing]
        for i, f in enumerate(self.findings, 1):
            cost = f"costs {f.cost:.3f} nats a row" if f.best else "no remedy gains for sure"
            lines.append(f"{i}. {f.name}: {cost}. {f.sentence} See page {f.chapter}.")
            lines += [f"   tried: {remedy}" for remedy in f.remedies]
            if f.best:
                lines.append(f"   better, after = report.apply({f.name!r})")
        if self.findings:
            lines += ["", f"{RULE} Costs overlap: they do not add up."]
        return "\n".join(lines)


def diagnose(model: Any, X: Matrix, y: ArrayLike, *, cv: int | BaseCrossValidator | None = None) -> Report:
    """Report what is wrong with a naive Bayes model, what it costs, and what helps.

    Parameters
    ----------
    model : a fitted naive Bayes of nbcore or of scikit-learn, alone, in `PerplexedBayes` or `Adjusted`, or at the end
        of a Pipeline
    X : rows (n, F) that the model has not seen, as it takes them; 40 or more
    y : their labels (n,)
    cv : None, or with an int or a splitter of scikit-learn: X and y are the training rows, and every row is looked at
        by a model fitted to the other folds. An int does not shuffle, as in scikit-learn: where the rows are sorted,
        give StratifiedKFold(5, shuffle=True)

    Log loss is in nats a row, clipped as scikit-learn's is. What a remedy gains is cross-validated on these rows: what
    sets the fitted model right learns from four fifths of them; a changed recipe is compared with the model's own, both
    fitted to four fifths of them, so that its "before" is not the loss of the model that was fitted elsewhere.

    Returns a Report. A finding is raised only where chance would raise it once in 160 clean data sets, so that all
    eight together are wrong in at most one of twenty. ValueError: a model that is no naive Bayes, too few rows, one
    class, labels that the model does not know.

    Examples
    --------
    >>> from nbcore import diagnose
    >>> from nbcore.naive_bayes import GaussianNB
    >>> from sklearn.datasets import load_breast_cancer
    >>> table = load_breast_cancer(as_frame=False)
    >>> report = diagnose(GaussianNB(), table.data, table.target, cv=10)
    >>> "copies" in report
    True
    """
    return Report(Case(model, X, y, cv))
