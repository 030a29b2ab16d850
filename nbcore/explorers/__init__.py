"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .attenuation import AttenuationExplorer
from .base import Explorer, Preset, lecture
from .certainty import CertaintyExplorer
from .copies import CopiesExplorer
from .eye_color import EyeColorExplorer
from .factor_bounds import FactorBoundsExplorer
from .ledger import LedgerExplorer
from .one_hot_experiments import DirichletExplorer
from .paper_names import on_the_papers_names
from .pseudo_counts import PseudoCountExplorer
from .reliability import ReliabilityExplorer
from .sample_size import SampleSizeExplorer
from .several_variables import SeveralVariablesExplorer
from .simplex import SimplexExplorer
from .smoothing import SmoothingExplorer
from .threshold import ThresholdExplorer
from .winning_class import WinningClassExplorer

__all__ = [
    "AttenuationExplorer",
    "CertaintyExplorer",
    "CopiesExplorer",
    "DirichletExplorer",
    "Explorer",
    "EyeColorExplorer",
    "FactorBoundsExplorer",
    "LedgerExplorer",
    "Preset",
    "PseudoCountExplorer",
    "ReliabilityExplorer",
    "SampleSizeExplorer",
    "SeveralVariablesExplorer",
    "SimplexExplorer",
    "SmoothingExplorer",
    "ThresholdExplorer",
    "WinningClassExplorer",
    "lecture",
    "on_the_papers_names",
]
