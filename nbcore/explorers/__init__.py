"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .base import Explorer, Preset, lecture
from .certainty import CertaintyExplorer
from .eye_color import EyeColorExplorer
from .factor_bounds import FactorBoundsExplorer
from .generative_discriminative import GenerativeDiscriminativeExplorer
from .label_budget import LabelBudgetExplorer
from .one_hot_experiments import DirichletExplorer
from .pseudo_counts import PseudoCountExplorer
from .sample_size import SampleSizeExplorer
from .several_variables import SeveralVariablesExplorer
from .simplex import SimplexExplorer
from .smoothing import SmoothingExplorer
from .winning_class import WinningClassExplorer

__all__ = [
    "CertaintyExplorer",
    "DirichletExplorer",
    "Explorer",
    "EyeColorExplorer",
    "FactorBoundsExplorer",
    "GenerativeDiscriminativeExplorer",
    "LabelBudgetExplorer",
    "Preset",
    "PseudoCountExplorer",
    "SampleSizeExplorer",
    "SeveralVariablesExplorer",
    "SimplexExplorer",
    "SmoothingExplorer",
    "WinningClassExplorer",
    "lecture",
]
