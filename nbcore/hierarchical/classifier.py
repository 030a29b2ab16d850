"""The classifier with hidden nodes: a class, its hidden nodes, their features, learned by EM.

Shapes: n rows, C classes, H hidden nodes in each class, F features. All logs are natural.
"""

import warnings
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nbcore._base import BaseNB, Floats, Matrix, check_classes, check_weights, encode_labels, hold_out, log
from nbcore.checks import is_number, one_of, require, require_count, require_number
from nbcore.hierarchical.em import (
    Nodes,
    Run,
    draw_seeds,
    product_of_sums,
    run_em,
    start_from_points,
    start_from_responsibilities,
    sum_of_products,
)
from nbcore.hierarchical.leaves import BernoulliLeaf, GaussianLeaf, Leaf, MultinomialLeaf, Rows

OPTIONS = {
    "leaf": ("multinomial", "bernoulli", "gaussian"),
    "em": ("soft", "hard"),
    "rule": ("sum_of_products", "product_of_sums"),
    "node_weights": ("documents", "tokens"),
    "start": ("auto", "points", "responsibilities"),
}
LARGEST_VALUE = 1e100  # of X: the square of a larger one, divided by a small variance, would overflow
VARIANCE_FLOOR_SHARE = 0.01  # of a column's variance, for var_floor=None: a node is at least a tenth as wide


class ClassRows(NamedTuple):
    """The rows of one class as EM takes them, and how to restore the units of X."""

    rows: Rows
    weight: Floats | None  # (n,), what each row counts; None: 1
    leaf: Leaf
    unit: Floats | None = None  # of each feature, where EM measures in other units than X

    def restore(self, run: Run) -> Run:
        """Return a run with its parameters and path in the units of X."""
        if self.unit is None:
            return run
        means, variances = run.nodes.parameters
        parameters = means * self.unit, variances * self.unit**2
        n_rows = self.rows.shape[0] if self.weight is None else self.weight.sum()
        path = run.path - n_rows * np.log(self.unit).sum()
        return Run(Nodes(run.nodes.log_prob, parameters), path, run.converged)


def column_spreads(X: Floats, weight: Floats | None) -> Floats:
    """Return each column's standard deviation, (F,); of a constant one the largest of all, 1 if all are."""
    mean = np.average(X, axis=0, weights=weight)
    spread = np.sqrt(np.average(np.square(X - mean), axis=0, weights=weight))
    varies = (X.max(axis=0) > X.min(axis=0)) & (spread > 0)
    return np.where(varies, spread, spread[varies].max() if varies.any() else 1.0)


class HierarchicalBayes(BaseNB):
    """Naive Bayes with H hidden nodes in every class, learned by EM: Carlos & Rakshit (2016), eq. (12).

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
    var_floor : least variance of Gaussian leaves; smaller ones are lifted to it. None: 1/100 of each column's variance
        in X, so that units do not matter; a number >= 1e-100 is absolute, in squared units of X.
    n_restarts, max_iter : int >= 1, starts of EM; M-steps after each start at most
    tol : >= 0; EM stops once its objective (of measurements: in standard deviations of the columns) changes by less
        than this share; a ConvergenceWarning says if max_iter came first. 0 runs all max_iter steps, with no warning.
    validation_fraction : in [0, 1), the share of each class's rows held out to choose the restart by accuracy (of
        equals by log posterior); the model is not refitted. With 0, one restart, one node, or less than one row of
        every class, all rows train, and each class keeps the restart of the best objective. P(c) is of all rows.
    random_state : int, RandomState, numpy Generator or None. Classes with equal rows start equally.
    smooth_nodes : with token weights of counts, P(h|c) = (C_h + aF) / (C + HaF): product of sums is then MultinomialNB
        with alpha = a H.
    binarize : threshold >= 0 or None (X is 0 and 1 already), for Bernoulli leaves
    start : "points" (Gaussian: each node starts at a row), "responsibilities" (Dirichlet), or "auto", the better one
    keep_runs : True keeps what every restart has learned in `runs_`

    Learned: `classes_`, `class_count_`, `class_log_prior_` (C,); `node_log_prob_` = log P(h|c) (C, H);
    `feature_log_prob_` = log P(f|h,c) (C, H, F) (Bernoulli also `absent_log_prob_`), or `means_`, `variances_` in the
    units of X and their square; `log_likelihood_path_`, one array a class: see `run_em`; `n_iter_` (C,), its M-steps.
    With keep_runs also `runs_`, for each restart a list of C `Run`s; `with_runs` makes a model of them.

    Examples
    --------
    XOR, which no straight line solves, and so no naive Bayes:

    >>> from nbcore.datasets import load_xor
    >>> from nbcore.hierarchical import HierarchicalBayes
    >>> xor = load_xor()
    >>> model = HierarchicalBayes(n_hidden=2, alpha=0, random_state=0).fit(xor.data, xor.target)
    >>> model.predict(xor.data) == xor.target
    array([ True,  True,  True,  True])
    >>> model.set_params(rule="product_of_sums").predict_proba(xor.data).round(2)[:, 1]
    array([0.5, 0.5, 0.5, 0.5])
    """

    class_log_prior_: Floats

    def __init__(
        self, n_hidden: int = 2, *, leaf: str = "multinomial", em: str = "soft", rule: str = "sum_of_products",
        node_weights: str = "documents", alpha: float = 1.0, var_floor: float | None = None, n_restarts: int = 10,
        max_iter: int = 100, tol: float = 1e-8, validation_fraction: float = 0.1, random_state: Any = None,
        smooth_nodes: bool = False, binarize: float | None = 0.0, start: str = "auto", keep_runs: bool = False,
    ) -> None:  # fmt: skip
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
        self.keep_runs = keep_runs

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from X (n, F), dense or (not for Gaussian leaves) sparse, and labels y (n,). Returns self.

        sample_weight (n,), >= 0: a row of weight w counts as w rows, in P(c), P(h|c), P(f|h,c), the objective and the
        choice of the restart; one of weight 0 is as if not there.
        ValueError: bad parameters, NaN, negative counts, values above 1e100, fewer than two classes.
        """
        self._check_settings()
        rows, target = validate_data(self, X, y, accept_sparse=self._accept_sparse, dtype=np.float64)
        check_classification_targets(target)
        self._check_size(rows)
        weight = check_weights(sample_weight, rows.shape[0])
        rows, target, weight = rows[weight > 0], target[weight > 0], weight[weight > 0]
        self.classes_ = check_classes(target)
        code = encode_labels(target, self.classes_)
        self.class_count_ = np.bincount(code, weight)
        self.class_log_prior_ = log(self.class_count_ / self.class_count_.sum())
        split_seed, *seeds = draw_seeds(self.random_state, self.n_restarts + 1)
        learn, held = self._split_rows(code, split_seed)
        self._leaf = self._make_leaf()
        parts = self._split_by_class(rows[learn], code[learn], None if (weight == 1).all() else weight[learn])
        runs = [[self._run_restart(part, seed) for part in parts] for seed in seeds]
        if len(held):
            scores = self._score_restarts(self._leaf.prepare(rows[held]), code[held], weight[held], runs)
            chosen = runs[max(range(len(runs)), key=scores.__getitem__)]
        else:
            chosen = [max(of_class, key=attrgetter("objective")) for of_class in zip(*runs, strict=True)]
        self._warn_if_unconverged(chosen)
        if self.keep_runs:
            self.runs_ = runs
        return self._store_runs(chosen)

    def with_runs(self, runs: Sequence[Run]) -> Self:
        """Return a copy of this fitted model whose class c has the parameters of runs[c]; runs: e.g. one of `runs_`."""
        return copy(self)._store_runs(runs)

    def _split_rows(self, code: NDArray[np.intp], seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return indices of the rows to learn from and of those to choose the restart by."""
        if min(self.n_restarts, self.n_hidden) > 1 and self.validation_fraction * np.bincount(code).max() >= 1:
            return hold_out(code, self.validation_fraction, check_random_state(seed))
        return np.arange(len(code)), np.arange(0)

    def _split_by_class(self, X: Any, code: NDArray[np.intp], weight: Floats | None) -> list[ClassRows]:
        """Return the rows of each class as EM takes them: measurements scaled."""
        leaf, unit = self._leaf, None
        if isinstance(leaf, GaussianLeaf):
            unit = column_spreads(X, weight)
            leaf = replace(leaf, var_floor=VARIANCE_FLOOR_SHARE if self.var_floor is None else self.var_floor / unit**2)
            X = X / unit
        own = [code == c for c in range(len(self.classes_))]
        return [ClassRows(leaf.prepare(X[mine]), None if weight is None else weight[mine], leaf, unit) for mine in own]

    def _run_restart(self, part: ClassRows, seed: int) -> Run:
        """Run EM once from a random start, on the rows of one class."""
        rng = np.random.default_rng(seed)
        rows, weight, leaf = part.rows, part.weight, part.leaf
        options = {"node_weights": self.node_weights, "smooth_nodes": self.smooth_nodes}
        if isinstance(leaf, GaussianLeaf) and self.start != "responsibilities":
            nodes = start_from_points(rows, self.n_hidden, leaf, rng, weight)
        else:
            nodes = start_from_responsibilities(rows, self.n_hidden, leaf, rng, self.em, weight, **options)
        return part.restore(run_em(rows, nodes, leaf, self.em, self.max_iter, self.tol, weight, **options))

    def _store_runs(self, runs: Sequence[Run]) -> Self:
        """Set the learned parameters from one run a class and return self."""
        self.node_log_prob_, parameters = stack_runs(runs)
        for name, values in zip(self._leaf.parameter_names, parameters, strict=True):
            setattr(self, name, values)
        self.log_likelihood_path_ = [run.path for run in runs]
        self.n_iter_ = np.array([len(run.path) - 1 for run in runs])
        return self

    def _score_restarts(self, rows: Rows, code: NDArray[np.intp], weight: Floats, runs: list[list[Run]]) -> list[Any]:
        """Return for every restart its accuracy and its mean log posterior of the true class on held-out rows."""
        scores = []
        for restart in runs:
            joint = self._joint_or_prior(self._joint(rows, *stack_runs(restart)))
            posterior = joint[np.arange(len(code)), code] - np.logaddexp.reduce(joint, axis=1)
            right = joint.argmax(axis=1) == code
            scores.append((np.average(right, weights=weight), np.average(posterior, weights=weight)))
        return scores

    def _joint_log_likelihood(self, X: Any) -> Floats:
        parameters = [getattr(self, name) for name in self._leaf.parameter_names]
        return self._joint(self._leaf.prepare(X), self.node_log_prob_, parameters)

    def _joint(self, rows: Rows, node_log_prob: Floats, parameters: Sequence[Floats]) -> Floats:
        """Return log P(c) P(x|c) by either rule: the numerators of Carlos & Rakshit (2016), eq. (15) and eq. (34)."""
        rule = sum_of_products if self.rule == "sum_of_products" else product_of_sums
        return self.class_log_prior_ + rule(rows, node_log_prob, parameters, self._leaf)

    def _warn_if_unconverged(self, runs: Sequence[Run]) -> None:
        """Warn if EM stopped at max_iter before it converged."""
        late = sum(not run.converged for run in runs)
        if late and self.tol:
            problem = f"EM has not converged in max_iter = {self.max_iter} steps for {late} of {len(runs)} classes"
            warnings.warn(f"{problem}: raise max_iter or tol, or set tol=0.", ConvergenceWarning, stacklevel=3)

    def _make_leaf(self) -> Leaf:
        if self.leaf == "multinomial":
            return MultinomialLeaf(self.alpha)
        return GaussianLeaf() if self.leaf == "gaussian" else BernoulliLeaf(self.alpha, self.binarize)

    @property
    def _accept_sparse(self) -> Any:
        return False if self.leaf == "gaussian" else "csr"

    def _check_rows(self, X: Matrix) -> Any:
        rows = validate_data(self, X, reset=False, accept_sparse=self._accept_sparse, dtype=np.float64)
        self._check_size(rows)
        return rows

    def _n_factors(self, X: Any) -> Floats:
        """Count the factors P(x_f|h,c) in the likelihood of each checked row, (n,): its tokens, or F."""
        return self._leaf.tokens(X)

    def _check_size(self, X: Any) -> None:
        """Raise ValueError for values whose squares would overflow."""
        values = X.data if sparse.issparse(X) else X
        largest = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
        allowed = f"no larger than {LARGEST_VALUE:g} in size, so that squares are finite"
        require(largest <= LARGEST_VALUE, "X", largest, allowed)

    def _check_settings(self) -> None:
        """Raise ValueError for every parameter that is not as the class docstring says."""
        for name, allowed in OPTIONS.items():
            one_of(name, getattr(self, name), allowed)
        for name in ("n_hidden", "n_restarts", "max_iter"):
            require_count(name, getattr(self, name))
        for name in ("alpha", "tol"):
            require_number(name, getattr(self, name), 0)
        floor, share, binarize = self.var_floor, self.validation_fraction, self.binarize
        positive = "a finite number >= 1e-100, or None; 0 gives NaN"
        require(floor is None or is_number(floor, 1e-100), "var_floor", floor, positive)
        require(is_number(share, 0) and share < 1, "validation_fraction", share, "a number from 0 to below 1")
        require(binarize is None or is_number(binarize, 0), "binarize", binarize, "a number >= 0, or None")
        for name in ("smooth_nodes", "keep_runs"):
            require(isinstance(getattr(self, name), bool | np.bool_), name, getattr(self, name), "True or False")
        restorable = self.node_weights == "tokens" and self.leaf != "gaussian"
        require(restorable or not self.smooth_nodes, "smooth_nodes", True, 'False unless node_weights="tokens" counts')
        points = self.leaf == "gaussian" or self.start != "points"
        require(points, "start", self.start, '"responsibilities" or "auto", unless leaf="gaussian"')

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.leaf != "gaussian"
        tags.input_tags.positive_only = self.leaf == "multinomial"
        tags.classifier_tags.poor_score = self.leaf != "gaussian"  # the checks give measurements to models of counts
        return tags


def stack_runs(runs: Sequence[Run]) -> tuple[Floats, list[Floats]]:
    """Return one run a class as log P(h|c), (C, H), and the leaf's parameters, (C, H, F) each."""
    parameters = zip(*(run.nodes.parameters for run in runs), strict=True)
    return np.array([run.nodes.log_prob for run in runs]), [np.array(values) for values in parameters]
