"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .base import Explorer, Preset, lecture
from .certainty import CertaintyExplorer
from .digit_styles import DigitStylesExplorer
from .eye_color import EyeColorExplorer
from .factor_bounds import FactorBoundsExplorer
from .one_hot_experiments import DirichletExplorer
from .pseudo_counts import PseudoCountExplorer
from .sample_size import SampleSizeExplorer
from .several_variables import SeveralVariablesExplorer
from .shape_nodes import ShapesExplorer
from .simplex import SimplexExplorer
from .smoothing import SmoothingExplorer
from .winning_class import WinningClassExplorer
from .xor import XorExplorer

__all__ = [
    "CertaintyExplorer",
    "DigitStylesExplorer",
    "DirichletExplorer",
    "Explorer",
    "EyeColorExplorer",
    "FactorBoundsExplorer",
    "Preset",
    "PseudoCountExplorer",
    "SampleSizeExplorer",
    "SeveralVariablesExplorer",
    "ShapesExplorer",
    "SimplexExplorer",
    "SmoothingExplorer",
    "WinningClassExplorer",
    "XorExplorer",
    "lecture",
]
