"""nbcore: naive Bayes classifiers and the analytic quantities around them. matplotlib draws on demand."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what a type checker reads; a program loads each on its first use
    from nbcore.diagnosis import Adjusted, diagnose
    from nbcore.displays import ContributionDisplay, NomogramDisplay, ReliabilityDisplay
    from nbcore.hierarchical import HierarchicalBayes
    from nbcore.merging import merge
    from nbcore.mixed import MixedNB
    from nbcore.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
    from nbcore.perplexed import PerplexedBayes
    from nbcore.semi_supervised import SemiSupervisedNB

__all__ = [
    "Adjusted", "BernoulliNB", "CategoricalNB", "ContributionDisplay", "GaussianNB", "HierarchicalBayes", "MixedNB",
    "MultinomialNB", "NomogramDisplay", "PerplexedBayes", "ReliabilityDisplay", "SemiSupervisedNB", "__version__",
    "diagnose", "merge",
]  # fmt: skip

__version__ = "0.3.0"

if not TYPE_CHECKING:
    MODULES = "diagnosis displays hierarchical merging mixed naive_bayes perplexed semi_supervised".split()

    def __getattr__(name):
        """Import a name of `__all__` on first use, so that `import nbcore` itself loads nothing."""
        if name in __all__:
            modules = (import_module(f"nbcore.{module}") for module in MODULES)
            return next(getattr(module, name) for module in modules if name in module.__all__)
        raise AttributeError(f"module 'nbcore' has no attribute {name!r}")

    __dir__ = __all__.copy  # for completion
