"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .base import Explorer, Preset, lecture
from .certainty import CertaintyExplorer
from .eye_color import EyeColorExplorer
from .factor_bounds import FactorBoundsExplorer
from .pseudo_counts import PseudoCountExplorer
from .simplex import SimplexExplorer
from .smoothing import SmoothingExplorer

__all__ = [
    "CertaintyExplorer",
    "Explorer",
    "EyeColorExplorer",
    "FactorBoundsExplorer",
    "Preset",
    "PseudoCountExplorer",
    "SimplexExplorer",
    "SmoothingExplorer",
    "lecture",
]
