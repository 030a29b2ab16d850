"""nbcore: naive Bayes classifiers and the analytic quantities around them. Numbers only: no plotting, no widgets."""

__all__ = ["__version__"]

__version__ = "0.2.0.dev0"
