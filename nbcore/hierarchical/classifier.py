"""Three layers: a class, its hidden nodes, their features. One order of sum and product is linear, the other is not.

Where the numbered equations of Carlos & Rakshit (2016) live:
  eq. (1), eq. (2) `HierarchicalBayes.predict`, `predict_proba`; eq. (3) `e_step`; eq. (4) `predict_joint_log_proba`;
  eq. (5) `run_em` (its path); eq. (6) `e_step`; eq. (7) `m_step`; eq. (8), eq. (9), eq. (10), eq. (12)
  `sum_of_products`; eq. (11) `mix_nodes`; eq. (13), eq. (14), eq. (15) `product_of_sums`; eq. (16), eq. (17), eq. (18),
  eq. (19), eq. (20) the claim that this is `MultinomialNB`; eq. (21), eq. (26) `expected_counts`; eq. (22), eq. (27)
  `m_step` with token weights; eq. (23), eq. (28) `MultinomialLeaf.estimate`; eq. (24), eq. (25) and eq. (29), eq. (30),
  eq. (31), eq. (32) its proof, of `mix_nodes`, for any responsibilities; eq. (33) a leaf's `log_likelihood`;
  eq. (34) `sum_of_products`.
Shapes: n rows, C classes, H hidden nodes in each class, F features. All logs are natural.
"""

from functools import partial
from numbers import Real
from operator import attrgetter

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data
from tqdm import tqdm

from nbcore._base import BaseNB, check_classes, encode_labels, log
from nbcore.checks import require, require_count
from nbcore.hierarchical.em import (
    draw_seeds,
    hold_out,
    product_of_sums,
    run_em,
    start_from_points,
    start_from_responsibilities,
    sum_of_products,
)
from nbcore.hierarchical.leaves import BernoulliLeaf, GaussianLeaf, MultinomialLeaf

__all__ = ["HierarchicalBayes"]

OPTIONS = {
    "leaf": ("multinomial", "bernoulli", "gaussian"),
    "em": ("soft", "hard"),
    "rule": ("sum_of_products", "product_of_sums"),
    "node_weights": ("documents", "tokens"),
    "start": ("auto", "points", "responsibilities"),
}
LARGEST = 1e100  # squares of larger values, over a small variance, would overflow


def is_number(value, low, high=np.inf):
    return isinstance(value, Real) and not isinstance(value, bool) and low <= value < high


class HierarchicalBayes(BaseNB):
    """Every class is a mixture of H hidden nodes, learned by EM: Carlos & Rakshit (2016), eq. (12).

    Parameters
    ----------
    n_hidden : int >= 1, hidden nodes H in each class; with one, this is naive Bayes
    leaf : "multinomial" (counts >= 0), "bernoulli" or "gaussian" (real): what a node does with a feature
    em : "soft" shares every row among the nodes, "hard" gives it to the best one
    rule : "sum_of_products", not linear: Carlos & Rakshit (2016), eq. (34); or "product_of_sums": Carlos & Rakshit
        (2016), eq. (15), with token weights and alpha = 0 the same as MultinomialNB. Used by predict only.
    node_weights : P(h|c) counts "documents" (true EM) or "tokens": Carlos & Rakshit (2016), eq. (22), eq. (27). Rows of
        Bernoulli and Gaussian leaves all have F observations, so that for them both are the same.
    alpha : pseudo-count >= 0 in P(f|h,c), for counts; 0 is exact. P(h|c) is smoothed only with smooth_nodes.
    var_floor : least variance >= 1e-100, in squared units of X, for Gaussian leaves; smaller ones are lifted to it
    n_restarts, max_iter : int >= 1, starts of EM; M-steps after each start at most
    tol : >= 0; EM stops once its objective changes by less than this share; 0 runs all max_iter steps
    validation_fraction : in [0, 1), the share of each class's rows held out to choose the restart by accuracy (of
        equals by log posterior); the model is not refitted. With 0, with one restart, or with classes too small to
        spare a row, all rows train, and each class keeps the restart of the best objective. P(c) comes from all rows.
    random_state : int, RandomState, numpy Generator or None. Classes with equal rows start equally.
    smooth_nodes : with token weights of counts, P(h|c) = (C_h + aF) / (C + HaF): product of sums is then MultinomialNB
        with alpha = a H.
    binarize : threshold >= 0 or None (X is 0 and 1 already), for Bernoulli leaves
    start : "points" (Gaussian: each node starts at a row), "responsibilities" (Dirichlet), or "auto", the better one
    verbose : show a progress bar

    Learned: `classes_`, `class_count_`, `class_log_prior_` (C,); `node_log_prob_` = log P(h|c) (C, H);
    `feature_log_prob_` = log P(f|h,c) (C, H, F) (Bernoulli also `absent_log_prob_`), or `means_`, `variances_` in the
    units of X and their square; `log_likelihood_path_`, one array a class: see `run_em`; `n_iter_` (C,), its M-steps.
    """

    def __init__(
        self,
        n_hidden=2,
        *,
        leaf="multinomial",
        em="soft",
        rule="sum_of_products",
        node_weights="documents",
        alpha=1.0,
        var_floor=1e-3,
        n_restarts=10,
        max_iter=100,
        tol=1e-8,
        validation_fraction=0.1,
        random_state=None,
        smooth_nodes=False,
        binarize=0.0,
        start="auto",
        verbose=False,
    ):
        self.n_hidden = n_hidden
        self.leaf = leaf
        self.em = em
        self.rule = rule
        self.node_weights = node_weights
        self.alpha = alpha
        self.var_floor = var_floor
        self.n_restarts = n_restarts
        self.max_iter = max_iter
        self.tol = tol
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.smooth_nodes = smooth_nodes
        self.binarize = binarize
        self.start = start
        self.verbose = verbose

    def fit(self, X, y):
        """Learn from X (n, F), dense or (not for Gaussian leaves) sparse, and labels y (n,). Returns self.

        ValueError: bad parameters, NaN, negative counts, values above 1e100, fewer than two classes.
        """
        self._check_settings()
        X, y = validate_data(self, X, y, accept_sparse=self._accept_sparse, dtype=np.float64)
        check_classification_targets(y)
        self._check_size(X)
        self.classes_ = check_classes(y)
        code = encode_labels(y, self.classes_)
        self.class_count_ = np.bincount(code, minlength=len(self.classes_)).astype(float)
        self.class_log_prior_ = log(self.class_count_ / len(code))
        split_seed, *seeds = draw_seeds(self.random_state, self.n_restarts + 1)
        held = hold_out(code, self.validation_fraction if self.n_restarts > 1 else 0.0, split_seed)
        self._leaf = self._make_leaf()
        parts = [self._leaf.prepare(X[(code == c) & ~held]) for c in range(len(self.classes_))]
        with tqdm(total=len(parts) * len(seeds), desc="EM runs", disable=not self.verbose) as bar:
            if held.any():
                score = partial(self._validate, X[held], code[held])
                runs = max(([self._run(rows, seed, bar) for rows in parts] for seed in seeds), key=score)
            else:
                runs = [
                    max((self._run(rows, seed, bar) for seed in seeds), key=attrgetter("objective")) for rows in parts
                ]
        return self._remember(runs)

    def _run(self, rows, seed, bar):
        """One start of EM, on the rows of one class."""
        rng = np.random.default_rng(seed)
        options = {"node_weights": self.node_weights, "smooth_nodes": self.smooth_nodes}
        if self.leaf == "gaussian" and self.start != "responsibilities":
            nodes = start_from_points(rows, self.n_hidden, self._leaf, rng)
        else:
            nodes = start_from_responsibilities(rows, self.n_hidden, self._leaf, rng, self.em, **options)
        run = run_em(rows, nodes, self._leaf, self.em, self.max_iter, self.tol, **options)
        bar.update()
        return run

    def _remember(self, runs):
        self.node_log_prob_ = np.array([run.nodes.log_prob for run in runs])
        parameters = zip(*(run.nodes.parameters for run in runs), strict=True)
        for name, values in zip(self._leaf.parameter_names, parameters, strict=True):
            setattr(self, name, np.array(values))
        self.log_likelihood_path_ = [run.path for run in runs]
        self.n_iter_ = np.array([len(run.path) - 1 for run in runs])
        return self

    def _validate(self, X, code, runs):
        """Accuracy, then mean log posterior of the true class, on held-out rows."""
        joint = self._remember(runs)._decidable(self._joint_log_likelihood(X))
        posterior = joint[np.arange(len(code)), code] - np.logaddexp.reduce(joint, axis=1)
        return (joint.argmax(axis=1) == code).mean(), posterior.mean()

    def _joint_log_likelihood(self, X):
        """log P(c) P(x|c), by either rule: the numerators of Carlos & Rakshit (2016), eq. (15) and eq. (34)."""
        rule = sum_of_products if self.rule == "sum_of_products" else product_of_sums
        parameters = [getattr(self, name) for name in self._leaf.parameter_names]
        return self.class_log_prior_ + rule(self._leaf.prepare(X), self.node_log_prob_, parameters, self._leaf)

    def _make_leaf(self):
        if self.leaf == "multinomial":
            return MultinomialLeaf(self.alpha)
        return GaussianLeaf(self.var_floor) if self.leaf == "gaussian" else BernoulliLeaf(self.alpha, self.binarize)

    @property
    def _accept_sparse(self):
        return False if self.leaf == "gaussian" else "csr"

    def _check_rows(self, X):
        X = validate_data(self, X, reset=False, accept_sparse=self._accept_sparse, dtype=np.float64)
        self._check_size(X)
        return X

    def _check_size(self, X):
        values = X.data if sparse.issparse(X) else X
        largest = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
        require(largest <= LARGEST, "X", largest, f"no larger than {LARGEST:g} in size, so that squares are finite")

    def _check_settings(self):
        """ValueError for every parameter that is not as the class docstring says."""
        for name, allowed in OPTIONS.items():
            value = getattr(self, name)
            require(isinstance(value, str) and value in allowed, name, value, f"one of {', '.join(map(repr, allowed))}")
        for name in ("n_hidden", "n_restarts", "max_iter"):
            require_count(name, getattr(self, name))
        for name in ("alpha", "tol"):
            require(is_number(getattr(self, name), 0), name, getattr(self, name), "a finite number >= 0")
        require(
            is_number(self.var_floor, 1e-100), "var_floor", self.var_floor, "a finite number >= 1e-100; 0 gives NaN"
        )
        share = self.validation_fraction
        require(is_number(share, 0, 1), "validation_fraction", share, "a number from 0 to below 1")
        require(
            self.binarize is None or is_number(self.binarize, 0), "binarize", self.binarize, "a number >= 0, or None"
        )
        for name in ("smooth_nodes", "verbose"):
            require(isinstance(getattr(self, name), bool | np.bool_), name, getattr(self, name), "True or False")
        restorable = self.node_weights == "tokens" and self.leaf != "gaussian"
        require(restorable or not self.smooth_nodes, "smooth_nodes", True, 'False unless node_weights="tokens" counts')
        points = self.leaf == "gaussian" or self.start != "points"
        require(points, "start", self.start, '"responsibilities" or "auto", unless leaf="gaussian"')

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.leaf != "gaussian"
        tags.input_tags.positive_only = self.leaf == "multinomial"
        tags.classifier_tags.poor_score = self.leaf != "gaussian"  # the checks give measurements to models of counts
        return tags
