"""Explorers: live figures with sliders. Imported when a notebook asks, never by `import nbcore`."""

from .attenuation import AttenuationExplorer
from .base import Explorer, Preset, lecture
from .bayes_rule import BayesRuleExplorer
from .certainty import CertaintyExplorer
from .copies import CopiesExplorer
from .digit_styles import DigitStylesExplorer
from .em_steps import EMExplorer
from .evidence import EvidenceExplorer
from .eye_color import EyeColorExplorer
from .factor_bounds import FactorBoundsExplorer
from .gaussian_boundary import GaussianBoundaryExplorer
from .generative_discriminative import GenerativeDiscriminativeExplorer
from .label_budget import LabelBudgetExplorer
from .ledger import LedgerExplorer
from .one_hot_experiments import DirichletExplorer
from .paper_names import on_the_papers_names
from .pseudo_counts import PseudoCountExplorer
from .reliability import ReliabilityExplorer
from .sample_size import SampleSizeExplorer
from .several_variables import SeveralVariablesExplorer
from .shape_nodes import ShapesExplorer
from .simplex import SimplexExplorer
from .smoothing import SmoothingExplorer
from .three_layers import ThreeLayerExplorer
from .threshold import ThresholdExplorer
from .winning_class import WinningClassExplorer
from .xor import XorExplorer

__all__ = [
    "AttenuationExplorer",
    "BayesRuleExplorer",
    "CertaintyExplorer",
    "CopiesExplorer",
    "DigitStylesExplorer",
    "DirichletExplorer",
    "EMExplorer",
    "EvidenceExplorer",
    "Explorer",
    "EyeColorExplorer",
    "FactorBoundsExplorer",
    "GaussianBoundaryExplorer",
    "GenerativeDiscriminativeExplorer",
    "LabelBudgetExplorer",
    "LedgerExplorer",
    "Preset",
    "PseudoCountExplorer",
    "ReliabilityExplorer",
    "SampleSizeExplorer",
    "SeveralVariablesExplorer",
    "ShapesExplorer",
    "SimplexExplorer",
    "SmoothingExplorer",
    "ThreeLayerExplorer",
    "ThresholdExplorer",
    "WinningClassExplorer",
    "XorExplorer",
    "lecture",
    "on_the_papers_names",
]
