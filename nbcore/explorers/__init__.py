"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .base import Explorer, Preset, lecture
from .pseudo_counts import PseudoCountExplorer
from .smoothing import SmoothingExplorer

__all__ = ["Explorer", "Preset", "PseudoCountExplorer", "SmoothingExplorer", "lecture"]
