"""The reproduction ledger: what the sources state, what our code computes, and whether the two agree."""

from workbook.ledger.claim import READINGS, SOURCES, VERDICTS, Claim, Measured
from workbook.ledger.intervals import mean_interval, prediction_interval, ratio_interval
from workbook.ledger.numbers import deviations, measured, stored_numbers

__all__ = [
    "READINGS", "SOURCES", "VERDICTS", "Claim", "Measured", "deviations", "mean_interval", "measured",
    "prediction_interval", "ratio_interval", "stored_numbers",
]  # fmt: skip
