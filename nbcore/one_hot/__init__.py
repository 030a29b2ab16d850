"""Effects of one-hot encoding on naive Bayes: factors and posteriors, random classifiers, search for one-hot columns.
"""

from nbcore.one_hot.dirichlet import DirichletExperiment, clustered_rate, dirichlet_experiment
from nbcore.one_hot.factors import (
    categorical_posterior,
    extremeness_threshold,
    f_bounds,
    f_factor,
    f_ratio_bounds,
    log_f_factor,
    log_q_factor,
    posteriors_of_several,
    product_of_bernoullis_posterior,
    q_bounds,
    q_factor,
    sparse_f_ratio,
)
from nbcore.one_hot.groups import one_hot_groups, ordinal_codes, variance_inflation

__all__ = [
    "DirichletExperiment", "categorical_posterior", "clustered_rate", "dirichlet_experiment", "extremeness_threshold",
    "f_bounds", "f_factor", "f_ratio_bounds", "log_f_factor", "log_q_factor", "one_hot_groups", "ordinal_codes",
    "posteriors_of_several", "product_of_bernoullis_posterior", "q_bounds", "q_factor", "sparse_f_ratio",
    "variance_inflation",
]  # fmt: skip
