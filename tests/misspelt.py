"""What a type checker must refuse: each line has a mistake, and mypy reports an ignore that nothing needs.

Nothing runs this file; `mypy` reads it, as pyproject.toml says.
"""

from numpy.typing import ArrayLike

from nbcore import Adjusted, GaussianNB, HierarchicalBayes, MixedNB, PerplexedBayes, SemiSupervisedNB, diagnose
from nbcore import MixedBN as Unknown  # type: ignore[attr-defined]


def mistakes(X: ArrayLike, y: ArrayLike) -> None:
    """Call the library with misspelt arguments and names."""
    GaussianNB(smoothing=1e-9)  # type: ignore[call-arg]
    MixedNB(alpa=1.0)  # type: ignore[call-arg]
    MixedNB().fit(X, y, weights=y)  # type: ignore[call-arg]
    PerplexedBayes(GaussianNB(), folds=5)  # type: ignore[call-arg]
    HierarchicalBayes(hidden=3)  # type: ignore[call-arg]
    SemiSupervisedNB(GaussianNB(), clamped=True)  # type: ignore[call-arg]
    Adjusted(GaussianNB(), "temperature", folds=5)  # type: ignore[call-arg]
    diagnose(GaussianNB(), X, y, folds=5)  # type: ignore[call-arg]
    print(diagnose(GaussianNB(), X, y).finding, Unknown)  # type: ignore[attr-defined]
