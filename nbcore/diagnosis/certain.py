"""Rows that the model is most sure of, and wrong; and which feature talked it into that. Chapter 06."""

from typing import Any

import numpy as np
from scipy.stats import binomtest, poisson

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, adjust, best_first, listed
from nbcore.diagnosis.selection import kept_alone

__all__ = ["find_certain", "sure_and_wrong"]

SURE = 0.99
SHOWN = 5


def sure_and_wrong(case: Case) -> list[dict[str, Any]]:
    """The five surest errors: row, label, decision, posterior, and the features that spoke loudest for the decision.

    Nats: log P(x_f|decision) - log P(x_f|label), and the same of the prior; together they are the log odds.
    """
    decided = case.log_p.argmax(axis=1)
    wrong = np.flatnonzero(decided != case.code)
    rows = wrong[np.argsort(-(case.log_p.max(axis=1) - case.log_p[np.arange(case.n), case.code])[wrong])][:SHOWN]
    told = np.maximum(case.contributions(rows), -1e6) if len(rows) else np.zeros((0, case.n_classes, 0))
    shown = []
    for said, row in zip(told, rows, strict=True):
        nats = said[decided[row]] - said[case.code[row]]
        loudest = np.argsort(-abs(nats))[:SHOWN]
        prior = case.scores.log_prior[row]
        shown.append(
            {
                "row": int(row),
                "label": case.classes[case.code[row]],
                "decision": case.classes[decided[row]],
                "posterior": float(np.exp(case.log_p[row].max())),
                "prior": float(prior[decided[row]] - prior[case.code[row]]),
                "others": float(np.delete(nats, loudest).sum()),
                "features": [{"name": case.names[f], "nats": float(nats[f])} for f in loudest],
            }
        )
    return shown


def _misleading(case: Case, rows: np.ndarray) -> int:
    """The feature that argues most for the wrong decisions of these rows."""
    rows = rows[:100]
    said = np.maximum(case.contributions(rows), -50.0)
    own = np.arange(len(rows))
    nats = said[own, case.log_p[rows].argmax(axis=1)] - said[own, case.code[rows]]
    return int(nats.mean(axis=0).argmax())


def find_certain(case: Case) -> Finding | None:
    """More errors above .99 than such posteriors allow: their expected number is the sum of 1 - posterior."""
    p, wrong = np.exp(case.log_p.max(axis=1)), case.log_p.argmax(axis=1) != case.code
    sure = p > SURE
    k, errors = int((sure & wrong).sum()), int(wrong.sum())
    expected = float((1 - p[sure]).sum())
    if k == 0 or poisson.sf(k - 1, expected) >= LEVEL:
        return None
    remedies = [adjust(case, "temperature")]
    if case.Z.shape[1] > 1:
        worst = _misleading(case, np.flatnonzero(sure & wrong))
        kept = [j for j in range(case.Z.shape[1]) if j != worst]
        remedies.append(kept_alone(case, f"without {listed([case.names[worst]])}, which misleads most", kept))
    interval = binomtest(k, errors).proportion_ci()
    return Finding(
        "sure_and_wrong",
        f"{k} of {errors} errors are made with a posterior above {SURE}; {expected:.1f} errors above it were to be "
        "expected.",
        k / errors,
        (float(interval.low), float(interval.high)),
        f"share of errors above {SURE}",
        "06_calibration",
        best_first(remedies),
        details={"sure_and_wrong": k, "errors": errors, "expected": expected, "rows": sure_and_wrong(case)},
    )
