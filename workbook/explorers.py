"""The front door of the explorers: `from workbook.explorers import CopiesExplorer` loads chapter 05 and no other."""

from workbook._door import opener

__all__, __getattr__ = opener(
    __name__,
    {
        "c00_start_here.bayes_rule": "BayesRuleExplorer",
        "c00_start_here.log_odds": "LogOddsExplorer",
        "c00_start_here.repeated_tests": "RepeatedTestsExplorer",
        "c01_naive_bayes.bells": "BellsExplorer",
        "c01_naive_bayes.ellipses": "EllipsesExplorer",
        "c01_naive_bayes.event_models": "EventModelsExplorer",
        "c01_naive_bayes.evidence": "EvidenceExplorer",
        "c01_naive_bayes.gaussian_boundary": "GaussianBoundaryExplorer",
        "c01_naive_bayes.name_evidence": "NameEvidenceExplorer",
        "c02_laplace_smoothing.pseudo_counts": "PseudoCountExplorer",
        "c02_laplace_smoothing.smoothing": "SmoothingExplorer",
        "c02_laplace_smoothing.two_jobs": "TwoJobsExplorer",
        "c03_one_hot_pitfall.certainty": "CertaintyExplorer",
        "c03_one_hot_pitfall.eye_color": "EyeColorExplorer",
        "c03_one_hot_pitfall.extra_odds": "ExtraOddsExplorer",
        "c03_one_hot_pitfall.factor_bounds": "FactorBoundsExplorer",
        "c03_one_hot_pitfall.four_bits": "FourBitsExplorer",
        "c03_one_hot_pitfall.simplex": "SimplexExplorer",
        "c04_one_hot_experiments.dirichlet": "DirichletExplorer",
        "c04_one_hot_experiments.many_variables": "ManyVariablesExplorer",
        "c04_one_hot_experiments.sample_size": "SampleSizeExplorer",
        "c04_one_hot_experiments.several_variables": "SeveralVariablesExplorer",
        "c04_one_hot_experiments.winning_class": "WinningClassExplorer",
        "c05_perplexity_attenuation.attenuation": "AttenuationExplorer",
        "c05_perplexity_attenuation.copies": "CopiesExplorer",
        "c05_perplexity_attenuation.groups": "GroupsExplorer",
        "c05_perplexity_attenuation.letters": "LettersExplorer",
        "c05_perplexity_attenuation.partial_copies": "PartialCopiesExplorer",
        "c06_calibration.paper_names": "on_the_papers_names",
        "c06_calibration.reliability": "ReliabilityExplorer",
        "c06_calibration.threshold": "ThresholdExplorer",
        "c07_hidden_nodes.em_steps": "EMExplorer",
        "c07_hidden_nodes.three_layers": "ThreeLayerExplorer",
        "c08_xor_nonlinearity.digit_styles": "DigitStylesExplorer",
        "c08_xor_nonlinearity.shapes": "ShapesExplorer",
        "c08_xor_nonlinearity.xor": "XorExplorer",
        "c09_semi_supervised_em.clusters": "ClustersExplorer",
        "c09_semi_supervised_em.label_budget": "LabelBudgetExplorer",
        "c09_semi_supervised_em.moved": "MovedExplorer",
        "c09_semi_supervised_em.nodes": "NodesExplorer",
        "c10_naive_bayes_and_logistic_regression.generative_discriminative": "GenerativeDiscriminativeExplorer",
        "c11_reproduction_ledger.ledger": "LedgerExplorer",
        "c11_reproduction_ledger.redrawn": "show_redrawn",
    },
)


def __dir__():
    return __all__
