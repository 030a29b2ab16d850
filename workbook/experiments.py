"""The front door of the experiments: what the chapters compute with `nbcore`, for their pages and for you."""

from workbook._door import opener

__all__, __getattr__ = opener(
    __name__,
    {
        "c01_naive_bayes.experiment": "sure_names",
        "c02_laplace_smoothing.experiment": "new_shares two_jobs unseen_rules",
        "c04_one_hot_experiments.experiment": "PAPER held_out_scores many_rates surer_by_log_odds",
        "c05_perplexity_attenuation.experiment": "NAME_RULES held_out_posteriors independent_names",
        "c06_calibration.experiment": "PEERS TABLE_1 calibrated_k costs decided_alike decisions_changed flat_k luck "
        "naive_posterior peer_curve peer_posterior scores table_repeats table_rmse training_k two_parts validated_k",
        "c07_hidden_nodes.experiment": "STRIPS count_strips",
        "c08_xor_nonlinearity.experiment": "TABLE_4 additive_right best_of_starts boundary_angle digits_split "
        "equal_lengths fit_digits fit_shape lines_right points_right r8_accuracies r8_found shape_accuracies "
        "shape_data shape_walks shares_of_nodes starts_agree xor_starts",
        "c09_semi_supervised_em.experiment": "PLANE_LABELS accuracies chosen_weight crossing digit_split gains "
        "label_budget long_budget moved node_budget one_step_by_hand plane_dots plane_run plus_minus r8_budget",
        "c10_naive_bayes_and_logistic_regression.experiment": "FEATURES SIZES category_scores ending_and_before "
        "honest_error learning_curve letter_features letter_pairs logistic_scores mean_and_half name_pair names_for "
        "names_needed only_endings TABLES random_tables useless_lead",
        "c11_reproduction_ledger.experiment": "CHOICES readings",
        "c12_your_own_table.experiment": "ALPHAS FOLDS SPECIES by_alpha by_species_and_sex "
        "crossed held_out penguins read_table without wrong",
        "names": "names_split",
    },
)


def __dir__():
    return __all__
