"""Confident errors: rows decided wrongly with a posterior near 1, and the features behind them. Chapter 06."""

from typing import Any

import numpy as np
from scipy.stats import poisson

from nbcore.diagnosis.case import Case
from nbcore.diagnosis.finding import LEVEL, Finding, list_columns, measure_adjustment, share_interval, sort_remedies
from nbcore.diagnosis.selection import keep_columns

SURE_POSTERIOR = 0.99  # a decision with a larger posterior is called sure
MOST_SHOWN = 5  # errors listed, and features listed for each
SILENT_NATS = -1e6  # replaces a log probability of -inf, so that differences are finite


def sure_and_wrong(case: Case) -> list[dict[str, Any]]:
    """List the five most confident errors: row, label, decision, posterior, and the features with the most nats.

    Nats: log P(x_f|decision) - log P(x_f|label), and the same of the prior; together they are the log odds.
    """
    decided = case.log_p.argmax(axis=1)
    wrong = np.flatnonzero(decided != case.code)
    rows = wrong[np.argsort(-(case.log_p.max(axis=1) - case.log_p[np.arange(case.n), case.code])[wrong])][:MOST_SHOWN]
    contributions = np.maximum(case.contributions(rows), SILENT_NATS)
    errors = []
    for of_row, row in zip(contributions, rows, strict=True):
        nats = of_row[decided[row]] - of_row[case.code[row]]
        strongest = np.argsort(-abs(nats))[:MOST_SHOWN]
        prior = case.scores.log_prior[row]
        errors.append(
            {
                "row": int(row),
                "label": case.classes[case.code[row]],
                "decision": case.classes[decided[row]],
                "posterior": float(np.exp(case.log_p[row].max())),
                "prior": float(prior[decided[row]] - prior[case.code[row]]),
                "others": float(np.delete(nats, strongest).sum()),
                "features": [{"name": case.names[f], "nats": float(nats[f])} for f in strongest],
            }
        )
    return errors


def _most_misleading(case: Case, rows: np.ndarray) -> int:
    """Return the feature that argues most for the wrong decisions of these rows."""
    rows = rows[:100]
    contributions = np.maximum(case.contributions(rows), -50.0)
    own = np.arange(len(rows))
    nats = contributions[own, case.log_p[rows].argmax(axis=1)] - contributions[own, case.code[rows]]
    return int(nats.mean(axis=0).argmax())


def find_sure_errors(case: Case) -> Finding | None:
    """Compare the errors above .99 with their expected number, the sum of 1 - posterior."""
    p, wrong = np.exp(case.log_p.max(axis=1)), case.log_p.argmax(axis=1) != case.code
    sure = p > SURE_POSTERIOR
    k, errors = int((sure & wrong).sum()), int(wrong.sum())
    expected = float((1 - p[sure]).sum())
    if k == 0 or poisson.sf(k - 1, expected) >= LEVEL:
        return None
    remedies = [measure_adjustment(case, "temperature")]
    if case.Z.shape[1] > 1:
        worst = _most_misleading(case, np.flatnonzero(sure & wrong))
        kept = [j for j in range(case.Z.shape[1]) if j != worst]
        remedies.append(keep_columns(case, f"without {list_columns([case.names[worst]])}, which misleads most", kept))
    return Finding(
        "sure_and_wrong",
        f"{k} of {errors} errors are made with a posterior above {SURE_POSTERIOR}; {expected:.1f} errors above it were "
        "to be expected.",
        k / errors,
        share_interval(k, errors),
        f"share of errors above {SURE_POSTERIOR}",
        "06_calibration",
        sort_remedies(remedies),
        details={"sure_and_wrong": k, "errors": errors, "expected": expected, "rows": sure_and_wrong(case)},
    )
