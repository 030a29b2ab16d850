"""Expectation maximization for the hidden nodes of one class, with one plain function for each step.

    rows = leaf.prepare(X)                              # the rows of one class
    nodes = start_from_responsibilities(rows, ...)      # or start_from_points
    responsibility, log_likelihood = e_step(rows, nodes, leaf)
    nodes = m_step(rows, responsibility, leaf)

`run_em` repeats the last two; `sum_of_products` and `product_of_sums` give the likelihood under nodes of all classes.
Shapes: n rows, C classes, H hidden nodes, F features. All logs are natural.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from nbcore._base import Floats, log
from nbcore.hierarchical.leaves import CentredRows, GaussianLeaf, Leaf, Rows


class Nodes(NamedTuple):
    """The hidden nodes of one class."""

    log_prob: Floats  # log P(h|c), (H,)
    parameters: tuple[Floats, ...]  # what the leaf's `estimate` returns: arrays (H, F)


class Run(NamedTuple):
    """The result of one run of EM."""

    nodes: Nodes
    path: Floats  # the objective after 0, 1, 2, ... steps
    converged: bool  # whether the last step changed the objective by less than tol times its size

    @property
    def objective(self) -> float:
        """Return the last value of the path."""
        return self.path[-1]


def e_step(rows: Rows, nodes: Nodes, leaf: Leaf, em: str = "soft") -> tuple[Floats, Floats]:
    """Share every row among the nodes: Carlos & Rakshit (2016), eq. (6).

    Returns the responsibilities r_ih (n, H), rows summing to one (Carlos & Rakshit (2016), eq. (26)), and every row's
    log likelihood (n,): log sum_h P(x|h,c) P(h|c), Carlos & Rakshit (2016), eq. (10). em="hard" gives the whole row to
    its best node (of equals the first), and the log likelihood of the row together with that node. A row that no node
    can produce has log likelihood -inf and is shared as P(h|c).
    """
    joint = leaf.log_likelihood(rows, *nodes.parameters) + nodes.log_prob  # log P(x,h|c), eq. (9)
    joint = np.ascontiguousarray(joint.T)  # one node, one line of memory: much faster for few nodes
    best = joint.max(axis=0)
    if np.isneginf(best).any():
        joint = np.where(np.isneginf(best), nodes.log_prob[:, None], joint)
    if em == "hard":
        return np.eye(len(joint))[joint.argmax(axis=0)], best
    share = np.exp(joint - joint.max(axis=0))
    total = share.sum(axis=0)
    share /= total
    return share.T, best + np.log(total)


def m_step(
    rows: Rows, responsibility: Floats, leaf: Leaf, node_weights: str = "documents", smooth_nodes: bool = False
) -> Nodes:
    """Return the nodes that fit the shared rows best: Carlos & Rakshit (2016), eq. (7).

    P(f|h,c) is the leaf's `estimate`. P(h|c) is the node's share of the class, counted in "documents" (the true EM of
    section 2.5) or in "tokens": Carlos & Rakshit (2016), eq. (22) hard, eq. (27) soft. smooth_nodes adds the node's
    pseudo-tokens, (C_h + aF) / (C + HaF). Nodes without rows get P(h|c) = 0; if all are without, 1/H. Rows of weight w
    have responsibilities that sum to w.
    """
    weight = responsibility.sum(axis=0) if node_weights == "documents" else leaf.tokens(rows) @ responsibility
    parameters = leaf.estimate(rows, responsibility)
    if smooth_nodes:
        weight = weight + leaf.pseudo_tokens(parameters[0].shape[1])  # type: ignore[union-attr]  # a leaf of counts
    total = weight.sum()
    share = weight / total if total > 0 else np.full(len(weight), 1 / len(weight))
    return Nodes(log(share), parameters)


def start_from_responsibilities(
    rows: Rows, n_hidden: int, leaf: Leaf, rng: np.random.Generator, em: str = "soft", weight: Floats | None = None,
    **m_step_options: Any,
) -> Nodes:  # fmt: skip
    """Share the rows at random, Dirichlet(1, ..., 1), and return the nodes that fit: a good start for counts.

    em="hard" gives every row to the node with the largest share, as in the E-step. weight (n,): what each row counts.
    For measurements this start is slow: all nodes begin near the centre, and part only after many steps.
    """
    responsibility = rng.dirichlet(np.ones(n_hidden), size=rows.shape[0])
    if em == "hard":
        responsibility = np.eye(n_hidden)[responsibility.argmax(axis=1)]
    return m_step(rows, weight_responsibility(responsibility, weight), leaf, **m_step_options)


def start_from_points(
    rows: CentredRows, n_hidden: int, leaf: GaussianLeaf, rng: np.random.Generator, weight: Floats | None = None
) -> Nodes:
    """Return nodes of equal weight, each centred at a row and as wide as the whole class, for Gaussian leaves.

    Rows are drawn without replacement, as long as there are enough of them; in proportion to their weight (n,), if any.
    """
    n_rows = rows.shape[0]
    chance = None if weight is None else weight / weight.sum()
    points = rng.choice(n_rows, size=n_hidden, replace=n_rows < n_hidden, p=chance)
    _, variance = leaf.estimate(rows, weight_responsibility(np.ones((n_rows, 1)), weight))
    parameters = rows.z[points] + rows.centre, np.tile(variance, (n_hidden, 1))
    return Nodes(np.full(n_hidden, -np.log(n_hidden)), parameters)


def weight_responsibility(responsibility: Floats, weight: Floats | None) -> Floats:
    """Return the responsibilities (n, H) times the rows' weights (n,); None: 1 each."""
    return responsibility if weight is None else weight[:, None] * responsibility


def run_em(
    rows: Rows, nodes: Nodes, leaf: Leaf, em: str = "soft", max_iter: int = 100, tol: float = 1e-8,
    weight: Floats | None = None, **m_step_options: Any,
) -> Run:  # fmt: skip
    """Repeat E-step and M-step from the given nodes; returns `Run(nodes, path, converged)`.

    path[t] is the objective after t M-steps: log P(X|theta) of the rows, Carlos & Rakshit (2016), eq. (5), plus
    alpha sum log P(f|h,c); for hard EM log P(X, Z|theta) with every row at its best node. Stops after max_iter M-steps,
    or once a step changes it by less than tol times its size. weight (n,): a row of weight w counts as w rows.

    With document weights and without smooth_nodes path never falls, if the variances of the given nodes respect the
    floor of a Gaussian leaf. Smaller ones may be better than the floor allows: then the first step can fall.
    """
    path: list[float] = []
    while True:
        responsibility, log_likelihood = e_step(rows, nodes, leaf, em)
        total = log_likelihood.sum() if weight is None else weight @ log_likelihood
        path.append(float(total) + leaf.log_penalty(*nodes.parameters))
        if (converged := has_converged(path, tol)) or len(path) > max_iter:
            return Run(nodes, np.array(path), converged)
        nodes = m_step(rows, weight_responsibility(responsibility, weight), leaf, **m_step_options)


def has_converged(path: Sequence[float] | Floats, tol: float) -> bool:
    """Return whether the last step changed the objective by less than this share of its size."""
    return len(path) > 1 and bool(np.isfinite(path[-2])) and abs(path[-1] - path[-2]) < tol * abs(path[-1])


def sum_of_products(rows: Rows, node_log_prob: Floats, parameters: Sequence[Floats], leaf: Leaf) -> Floats:
    """Return log P(x|c) = log sum_h P(h|c) prod_f P(f|h,c), (n, C): Carlos & Rakshit (2016), eq. (10) and eq. (34).

    rows: from `leaf.prepare`; node_log_prob (C, H); parameters: the leaf's, arrays (C, H, F).
    """
    C, H = node_log_prob.shape
    at_node = leaf.log_likelihood(rows, *(p.reshape(C * H, -1) for p in parameters))
    return np.logaddexp.reduce(at_node.reshape(-1, C, H) + node_log_prob, axis=2)


def product_of_sums(rows: Rows, node_log_prob: Floats, parameters: Sequence[Floats], leaf: Leaf) -> Floats:
    """Return log P(x|c) = log prod_f sum_h P(f|h,c) P(h|c), (n, C): Carlos & Rakshit (2016), eq. (14)."""
    return leaf.product_of_sums(rows, node_log_prob, *parameters)


def draw_seeds(random_state: Any, n: int) -> NDArray[np.int64]:
    """Draw n seeds from a numpy Generator, or from whatever scikit-learn takes as random_state."""
    if isinstance(random_state, np.random.Generator):
        return random_state.integers(2**31 - 1, size=n)
    return check_random_state(random_state).randint(2**31 - 1, size=n)
