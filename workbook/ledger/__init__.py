"""The reproduction ledger: what the sources state, what our code computes, and whether the two agree."""

from workbook.ledger.book import counts, deviations, expected_outside, find, ledger, measured, stored
from workbook.ledger.claim import READINGS, SOURCES, VERDICTS, Claim, Measured
from workbook.ledger.intervals import mean_interval, prediction_interval, ratio_interval
from workbook.ledger.table import show_ledger

__all__ = [
    "READINGS",
    "SOURCES",
    "VERDICTS",
    "Claim",
    "Measured",
    "counts",
    "deviations",
    "expected_outside",
    "find",
    "ledger",
    "mean_interval",
    "measured",
    "prediction_interval",
    "ratio_interval",
    "show_ledger",
    "stored",
]
