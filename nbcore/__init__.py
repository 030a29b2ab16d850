"""nbcore: naive Bayes classifiers and the analytic quantities around them. Numbers only: no plotting, no widgets."""

from typing import Any

__all__ = ["__version__", "diagnose"]

__version__ = "0.2.0.dev0"


def __getattr__(name: str) -> Any:
    """Import `diagnose` on first use, so that `import nbcore` itself loads nothing."""
    if name == "diagnose":
        from nbcore.diagnosis import diagnose

        return diagnose
    raise AttributeError(f"module 'nbcore' has no attribute {name!r}")
