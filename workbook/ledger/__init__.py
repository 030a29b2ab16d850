"""The reproduction ledger: what the sources state, what our code computes, and whether the two agree."""

from workbook.ledger.book import counts, deviations, ledger, measured, stored
from workbook.ledger.claim import SOURCES, VERDICTS, Claim, Measured
from workbook.ledger.intervals import mean_interval, prediction_interval, ratio_interval
from workbook.ledger.table import show_ledger

__all__ = [
    "SOURCES",
    "VERDICTS",
    "Claim",
    "Measured",
    "counts",
    "deviations",
    "ledger",
    "mean_interval",
    "measured",
    "prediction_interval",
    "ratio_interval",
    "show_ledger",
    "stored",
]
