"""Naive Bayes that owns up to its doubts: Carlos (2015), "Perplexed Bayes Classifier".

Features that repeat each other make naive Bayes too sure of itself. Perplexed Bayes takes a root of the product of
their probabilities: decisions stay (eq. 20), confidence goes down. The formulas are in `nbcore.attenuation`; here are
the choice of k and the classifier.
"""

from numbers import Real

import numpy as np
from scipy import sparse
from scipy.optimize import minimize_scalar
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from nbcore._base import BaseNB, check_classes, encode_labels, hold_out
from nbcore.attenuation import (
    RULES,
    arithmetic_posterior,
    attenuated_posterior,
    check_k,
    check_rule,
    fully_perplexed_posterior,
    inverse_perplexity,
    log_attenuated_posterior,
    perplexity,
)
from nbcore.calibration import mean_log_loss, posterior_spread, reliability_bins
from nbcore.checks import require, require_count
from nbcore.naive_bayes import MultinomialNB

__all__ = [
    "RULES",
    "PerplexedBayes",
    "arithmetic_posterior",
    "attenuated_posterior",
    "evidence",
    "fully_perplexed_posterior",
    "inverse_perplexity",
    "k_grid",
    "log_attenuated_posterior",
    "perplexity",
]

GRID_SIZE = 200


def k_grid(n_features, rule="approximate"):
    """The coefficients among which k is chosen, (200,): from .1, in equal ratios, to naive Bayes.

    n_features: number of features of each item, (n,). Naive Bayes is k = n + 1 in Carlos (2015), eq. (20), and k = n
    in eq. (19); n is the mean here.
    """
    check_rule(rule)
    top = float(np.mean(n_features)) + (rule == "approximate")
    return np.geomspace(0.1, max(top, 0.2), GRID_SIZE)


def evidence(model, X):
    """What `attenuated_posterior` needs of rows X (n, F): log likelihood (n, C), log prior (C,), n of each row (n,).

    model: a fitted naive Bayes classifier of nbcore. The number of features of a row is the sum of its counts for
    MultinomialNB, F for the others. A class of prior 0 gets log likelihood 0: its prior rules it out.
    """
    joint, log_prior = model.predict_joint_log_proba(X), model.class_log_prior_
    possible = log_prior > -np.inf
    log_likelihood = np.where(possible, joint - np.where(possible, log_prior, 0.0), 0.0)
    if isinstance(model, MultinomialNB):
        n_features = np.asarray(X.sum(axis=1), dtype=float).ravel()
    else:
        n_features = np.full(X.shape[0], float(X.shape[1]))
    return log_likelihood, log_prior, n_features


class PerplexedBayes(MetaEstimatorMixin, BaseNB):
    """A naive Bayes estimator with attenuated posteriors: Carlos (2015), eq. (20), or with rule="exact" eq. (19).

    Parameters
    ----------
    estimator : one of nbcore's naive Bayes classifiers
    k : attenuation coefficient. A number > 0; "flat", the one with the flattest histogram of posteriors on the
        training rows (Carlos (2015), section 5); "calibrated", the best on rows held out from `fit`
    rule : "approximate", eq. (20), which decides exactly as the estimator does, or "exact", eq. (19)
    validation_fraction : share of the rows of each class held out for "calibrated", between 0 and 1
    bins : number of bins of the histogram or of the reliability diagram
    random_state : None, int or RandomState: which rows are held out
    objective : of "calibrated": "rmse" of the reliability diagram (Carlos (2015), section 5.2; rough in k, so it is
        looked up on a grid) or "log_loss" (convex in k)

    Learned: `k_`; `estimator_`, fitted on all rows; `classes_`, `class_log_prior_`, `n_features_in_`. The number n of
    features of an item is its tokens (the row sum) for MultinomialNB, and F for all others.
    """

    def __init__(
        self,
        estimator,
        k="calibrated",
        rule="approximate",
        validation_fraction=0.2,
        bins=10,
        random_state=None,
        objective="rmse",
    ):
        self.estimator = estimator
        self.k = k
        self.rule = rule
        self.validation_fraction = validation_fraction
        self.bins = bins
        self.random_state = random_state
        self.objective = objective

    def fit(self, X, y):
        """Fit the estimator to X (n, F), labels y (n,), then choose k. Returns self.

        ValueError: bad parameters or data, fewer than two classes, or k="calibrated" with every class in one row only.
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, accept_sparse=self._accept_sparse())
        check_classification_targets(y)
        self.classes_ = check_classes(y)
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.class_log_prior_ = self.estimator_.class_log_prior_
        if isinstance(self.k, str):
            self.k_ = self._flat_k(X) if self.k == "flat" else self._calibrated_k(X, y)
        else:
            self.k_ = float(self.k)
        return self

    def _check_parameters(self):
        require(isinstance(self.estimator, BaseNB), "estimator", self.estimator, "a naive Bayes classifier of nbcore")
        if isinstance(self.k, str):
            require(self.k in ("calibrated", "flat"), "k", self.k, '"calibrated", "flat" or a number > 0')
        else:
            check_k(self.k)
        check_rule(self.rule)
        fraction = self.validation_fraction
        holds = isinstance(fraction, Real) and 0 < fraction < 1
        require(holds, "validation_fraction", fraction, "a number between 0 and 1")
        require_count("bins", self.bins)
        require(self.objective in ("rmse", "log_loss"), "objective", self.objective, '"rmse" or "log_loss"')

    def _flat_k(self, X):
        """The k of the grid with the least spread of posteriors on the training rows."""
        seen = evidence(self.estimator_, X)
        grid = k_grid(seen[2], self.rule)
        spread = [posterior_spread(attenuated_posterior(*seen, k, self.rule), self.bins) for k in grid]
        return float(grid[np.argmin(spread)])

    def _calibrated_k(self, X, y):
        """The k that suits the held-out rows best, with an estimator that has not seen them."""
        code = encode_labels(y, self.classes_)
        learn, held = hold_out(code, self.validation_fraction, check_random_state(self.random_state))
        require(len(held), "y", y, 'labels of which one at least comes twice, to hold out a row for k="calibrated"')
        model = clone(self.estimator)
        if hasattr(self.estimator_, "n_categories_"):  # a held-out row may show a category that the others do not
            model.set_params(min_categories=self.estimator_.n_categories_)
        unseen = evidence(model.fit(X[learn], y[learn]), self._as_new(X[held], X[learn]))
        grid = k_grid(unseen[2], self.rule)

        def rmse(k):
            proba = attenuated_posterior(*unseen, k, self.rule)
            return reliability_bins(code[held], proba, self.bins, range(len(self.classes_))).rmse()

        def log_loss(k):
            return mean_log_loss(log_attenuated_posterior(*unseen, k, self.rule), code[held])

        if self.objective == "rmse":
            return float(grid[np.argmin([rmse(k) for k in grid])])
        best = minimize_scalar(log_loss, bounds=(grid[0], grid[-1]), method="bounded", options={"xatol": 1e-8})
        return float(best.x)

    def _as_new(self, rows, learned):
        """Held-out counts as new rows would come: without tokens that no learned row has, as they are in no vocabulary.

        Other models know every value of a feature beforehand.
        """
        if not isinstance(self.estimator, MultinomialNB):
            return rows
        seen = (np.asarray(learned.sum(axis=0)).ravel() > 0).astype(float)
        return rows.multiply(seen).tocsr() if sparse.issparse(rows) else rows * seen

    def _accept_sparse(self):
        return "csr" if get_tags(self.estimator).input_tags.sparse else False

    def _check_rows(self, X):
        return validate_data(self, X, reset=False, accept_sparse=self._accept_sparse())

    def _joint_log_likelihood(self, X):
        """log of the numerator: k/(n+1) (S + log P(c)) of eq. (20), or (k/n) S + log P(c) of eq. (19)."""
        S, log_prior, n = evidence(self.estimator_, X)
        n = n[:, None]
        if self.rule == "approximate":
            return self.k_ / (n + 1) * (S + log_prior)
        return np.where(n > 0, self.k_ / np.where(n > 0, n, 1.0) * S, 0.0) + log_prior

    def predict_log_proba(self, X):
        """log P(c|x) in nats, (n, C): Carlos (2015), eq. (20) or (19); see `attenuated_posterior`."""
        check_is_fitted(self)
        rows = evidence(self.estimator_, self._check_rows(X))
        return log_attenuated_posterior(*rows, self.k_, self.rule)

    def predict(self, X):
        """The most probable class of each row, (n,); under eq. (20) it is the estimator's own decision."""
        check_is_fitted(self)
        if self.rule == "approximate":
            return self.estimator_.predict(self._check_rows(X))
        return super().predict(X)

    def __sklearn_tags__(self):
        tags, own = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags, tags.classifier_tags = own.input_tags, own.classifier_tags
        return tags
