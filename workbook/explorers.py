"""The explorers, as notebooks import them: `from workbook.explorers import CopiesExplorer` loads chapter 05 only."""

# ruff: noqa: F401
from typing import TYPE_CHECKING

from workbook._lazy import lazy_names

if TYPE_CHECKING:
    from workbook.chapters.c00_start_here.bayes_rule import BayesRuleExplorer
    from workbook.chapters.c00_start_here.repeated_tests import RepeatedTestsExplorer
    from workbook.chapters.c01_naive_bayes.bells import BellsExplorer
    from workbook.chapters.c01_naive_bayes.event_models import EventModelsExplorer
    from workbook.chapters.c01_naive_bayes.evidence import EvidenceExplorer
    from workbook.chapters.c01_naive_bayes.left_out import LeftOutExplorer
    from workbook.chapters.c01_naive_bayes.name_evidence import NameEvidenceExplorer
    from workbook.chapters.c02_laplace_smoothing.pseudo_counts import PseudoCountExplorer
    from workbook.chapters.c02_laplace_smoothing.smoothing import SmoothingExplorer
    from workbook.chapters.c03_one_hot_pitfall.certainty import CertaintyExplorer
    from workbook.chapters.c03_one_hot_pitfall.dummy_bells import DummyBellsExplorer
    from workbook.chapters.c03_one_hot_pitfall.extra_odds import ExtraOddsExplorer
    from workbook.chapters.c03_one_hot_pitfall.eye_color import EyeColorExplorer
    from workbook.chapters.c03_one_hot_pitfall.simplex import SimplexExplorer
    from workbook.chapters.c04_one_hot_experiments.dirichlet import DirichletExplorer
    from workbook.chapters.c04_one_hot_experiments.many_variables import ManyVariablesExplorer
    from workbook.chapters.c04_one_hot_experiments.winning_class import WinningClassExplorer
    from workbook.chapters.c05_perplexity_attenuation.copies import CopiesExplorer
    from workbook.chapters.c05_perplexity_attenuation.groups import GroupsExplorer
    from workbook.chapters.c05_perplexity_attenuation.letters import LettersExplorer
    from workbook.chapters.c05_perplexity_attenuation.overlap import OverlapExplorer
    from workbook.chapters.c05_perplexity_attenuation.partial_copies import PartialCopiesExplorer
    from workbook.chapters.c06_calibration.paper_names import on_the_papers_names
    from workbook.chapters.c06_calibration.promises import PromisesExplorer
    from workbook.chapters.c06_calibration.reliability import ReliabilityExplorer
    from workbook.chapters.c06_calibration.threshold import ThresholdExplorer
    from workbook.chapters.c07_hidden_nodes.lower_bound import LowerBoundExplorer
    from workbook.chapters.c07_hidden_nodes.starts import StartsExplorer
    from workbook.chapters.c07_hidden_nodes.styles import StylesExplorer
    from workbook.chapters.c08_xor_nonlinearity.additive import AdditiveExplorer
    from workbook.chapters.c08_xor_nonlinearity.shapes import ShapesExplorer
    from workbook.chapters.c08_xor_nonlinearity.xor import XorExplorer
    from workbook.chapters.c09_semi_supervised_em.climb import ClimbExplorer
    from workbook.chapters.c09_semi_supervised_em.clusters import ClustersExplorer
    from workbook.chapters.c10_naive_bayes_and_logistic_regression.leads import LeadsExplorer
    from workbook.chapters.c10_naive_bayes_and_logistic_regression.penalties import PenaltiesExplorer
    from workbook.chapters.c10_naive_bayes_and_logistic_regression.targets import TargetsExplorer
    from workbook.chapters.c11_reproduction_ledger.ledger import LedgerExplorer
    from workbook.chapters.c11_reproduction_ledger.readings import ReadingsExplorer
    from workbook.chapters.c11_reproduction_ledger.redrawn import show_redrawn
    from workbook.chapters.c11_reproduction_ledger.seeds import SeedsExplorer
    from workbook.chapters.c12_your_own_table.birds import BirdsExplorer
    from workbook.chapters.c12_your_own_table.sexes import SexesExplorer
    from workbook.chapters.c12_your_own_table.your_table import your_table

__all__, __getattr__, __dir__ = lazy_names(__name__)
