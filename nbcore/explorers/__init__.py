"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .base import Explorer, Preset, lecture
from .one_hot_experiments import DirichletExplorer
from .pseudo_counts import PseudoCountExplorer
from .sample_size import SampleSizeExplorer
from .several_variables import SeveralVariablesExplorer
from .smoothing import SmoothingExplorer
from .winning_class import WinningClassExplorer

__all__ = [
    "DirichletExplorer",
    "Explorer",
    "Preset",
    "PseudoCountExplorer",
    "SampleSizeExplorer",
    "SeveralVariablesExplorer",
    "SmoothingExplorer",
    "WinningClassExplorer",
    "lecture",
]
