"""Naive Bayes for a table: every column its own kind of event, and gaps left out.

`MixedNB` gives measurements, categories, counts and marks to the model that knows them, and adds up what they say.
"""

from nbcore.mixed.model import MixedNB

__all__ = ["MixedNB"]
