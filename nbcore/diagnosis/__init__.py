"""Diagnosis of a naive Bayes model: what is wrong, what it costs in nats of log loss a row, and what helps."""

from nbcore.diagnosis.adjusted import Adjusted
from nbcore.diagnosis.finding import Finding, Remedy
from nbcore.diagnosis.report import Report, diagnose

__all__ = ["Adjusted", "Finding", "Remedy", "Report", "diagnose"]
