"""Naive Bayes for a table whose columns are events of different kinds, with gaps left out.

`MixedNB` models measurements, categories, counts and marks, each by its own event model, and adds the log likelihoods.
"""

from nbcore.mixed.model import MixedNB

__all__ = ["MixedNB"]
