"""Chapter 11 has no claims of its own; what its pages show of the papers' names and of R8 is made here."""

from .experiment import measure_pairs, measure_readings

__all__ = ["CLAIMS", "TABLES"]

CLAIMS = ()
TABLES = {"Readings": measure_readings, "Pairs": measure_pairs}
