"""The experiments that chapters compute with `nbcore`, as notebooks import them."""

# ruff: noqa: F401, I001
from typing import TYPE_CHECKING

from workbook._lazy import lazy_names

if TYPE_CHECKING:
    from workbook.chapters.c01_naive_bayes.experiment import leave_one_out, sure_names
    from workbook.chapters.c04_one_hot_experiments.experiment import (
        PAPER, compare_models, many_rates,
    )
    from workbook.chapters.c05_perplexity_attenuation.experiment import (
        CUTS, Cut, held_out_posteriors, judge_by_sum, judge_without, measure_cut,
    )
    from workbook.chapters.c06_calibration.experiment import (
        ALL, TABLE_1, WithLogOdds, attenuated, calibrated_k, costs, decided_alike, flat_k, luck, naive_posterior,
        split_deviation, table_rmse, temperature_posterior, ten_lines, ten_splits, training_k, validated_k,
    )
    from workbook.chapters.c07_hidden_nodes.experiment import (
        count_strips, decided_otherwise, dispersion, end_gains, held_out_pairs, parted_starts, pixel_ends,
        strips_of_digit, wedge_angle, widest_ratio,
    )
    from workbook.chapters.c07_hidden_nodes.sampled import draw_sets, node_gain
    from workbook.chapters.c08_xor_nonlinearity.experiment import (
        TABLE_4, best_of_starts, best_sum, boundary_angle, fit_shape, r8_accuracies, r8_found, shape_data, xor_starts,
    )
    from workbook.chapters.c09_semi_supervised_em.experiment import (
        PLANE_LABELS, climb, crossing, digit_split, gains, label_budget, node_accuracies, objective_of,
        one_step_by_hand, plane_dots, plane_run, plus_minus,
    )
    from workbook.chapters.c10_naive_bayes_and_logistic_regression.experiment import (
        FEATURES, SIZES, learning_curve, letter_features, mean_and_half, name_pair, names_for, penalized,
    )
    from workbook.chapters.c10_naive_bayes_and_logistic_regression.strengths import (
        SCALED, STRENGTHS, choose_strength, split_with_coins, strengths,
    )
    from workbook.chapters.c10_naive_bayes_and_logistic_regression.two_bits import TABLES, letter_pairs
    from workbook.chapters.c11_reproduction_ledger.experiment import CHOICES, readings
    from workbook.chapters.c12_your_own_table.csv_table import read_table
    from workbook.chapters.c12_your_own_table.experiment import FOLDS, by_mixtures, by_species_and_sex, penguins, wrong
    from workbook.chapters.names import names_split

__all__, __getattr__, __dir__ = lazy_names(__name__)
