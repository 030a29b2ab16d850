"""Pictures by matplotlib, as scikit-learn's displays: calibration, what the columns of a row say, a nomogram."""

from nbcore.displays.contribution import ContributionDisplay
from nbcore.displays.nomogram import NomogramDisplay
from nbcore.displays.reliability import ReliabilityDisplay

__all__ = ["ContributionDisplay", "NomogramDisplay", "ReliabilityDisplay"]
