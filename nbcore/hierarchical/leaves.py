"""Three models of the features at a hidden node, each with estimates from shared rows and a likelihood.

Features are independent given the node, P(x|h,c) = prod_f P(f|h,c): Carlos & Rakshit (2016), eq. (33). Shapes: n rows,
C classes, H hidden nodes, F features. All logs are natural.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from nbcore._base import Floats, blocks
from nbcore.checks import refuse, require_every
from nbcore.naive_bayes.discrete import smoothed_log_prob
from nbcore.naive_bayes.linear import binarize_values, linear_score

Rows: TypeAlias = Any  # what a leaf's `prepare` returns: an array, a sparse matrix, or CentredRows

SAFE_RANGE = 1e4  # up to this many variances a squared distance has 12 exact digits as a difference of products


def mix_nodes(node_log_prob: ArrayLike, feature_log_prob: ArrayLike) -> Floats:
    """Return log P(f|c) = log sum_h P(f|h,c) P(h|c), (..., F): Carlos & Rakshit (2016), eq. (11), (19).

    node_log_prob: (..., H); feature_log_prob: (..., H, F). Zero probabilities (-inf) are welcome.
    """
    return np.logaddexp.reduce(np.asarray(node_log_prob)[..., None] + np.asarray(feature_log_prob), axis=-2)


def expected_counts(rows: Rows, responsibility: Floats) -> Floats:
    """Return the counts at every node, sum_i r_ih x_if, (H, F): Carlos & Rakshit (2016), eq. (28), above.

    Its sum over h is the count C(f) of the whole class: eq. (21), because responsibilities sum to one: eq. (26).
    """
    return np.ascontiguousarray((rows.T @ responsibility).T)


class BaseLeaf:
    """Base class of the leaves: every row is one observation of each feature."""

    def tokens(self, rows: Rows) -> Floats:
        """Count the observations in each row, (n,); if all rows have F, token weights are document weights."""
        return np.full(rows.shape[0], float(rows.shape[1]))


@dataclass(frozen=True)
class CountingLeaf(BaseLeaf):
    """Base class of the leaves of counts."""

    alpha: float = 1.0
    parameter_names: ClassVar[tuple[str, ...]]
    log_likelihood: ClassVar[Callable[..., Floats]]

    def pseudo_tokens(self, n_features: float) -> float:
        """Return the observations that smoothing adds to a node: alpha for every value of every feature."""
        return self.alpha * n_features * len(self.parameter_names)

    def product_of_sums(self, rows: Rows, node_log_prob: Floats, *tables: Floats) -> Floats:
        """Return log prod_f sum_h P(x_f|h,c) P(h|c), (n, C), for nodes (C, H), (C, H, F): eq. (14)."""
        return self.log_likelihood(rows, *(mix_nodes(node_log_prob, table) for table in tables))

    def log_penalty(self, *tables: Floats) -> float:
        """Return alpha sum log P(f|h,c) over the tables: what smoothing adds to the objective, up to a constant."""
        return self.alpha * sum(table.sum() for table in tables) if self.alpha else 0.0


@dataclass(frozen=True)
class MultinomialLeaf(CountingLeaf):
    """A leaf of tokens: a node draws feature f with probability P(f|h,c); rows hold counts >= 0, dense or sparse.

    alpha: pseudo-count >= 0 of every feature at every node. Parameters of H nodes: log P(f|h,c) (H, F).
    """

    parameter_names: ClassVar[tuple[str, ...]] = ("feature_log_prob_",)

    def prepare(self, X: Any) -> Rows:
        """Return rows as EM takes them: X itself, (n, F). ValueError for a negative count."""
        values = X.data if sparse.issparse(X) else X
        if values.size and values.min() < 0:
            refuse("X", float(values.min()), "counts >= 0 (Negative values in data passed to multinomial leaves)")
        return X

    def tokens(self, rows: Rows) -> Floats:
        """Count the tokens in each row, (n,): sum_f x_if in Carlos & Rakshit (2016), eq. (27)."""
        return np.asarray(rows.sum(axis=1)).ravel()

    def estimate(self, rows: Rows, responsibility: Floats) -> tuple[Floats, ...]:
        """Return log P(f|h,c) from C_h(f) / sum_f C_h(f), plus alpha: Carlos & Rakshit (2016), eq. (23), (28).

        A node without tokens and alpha = 0 gets the uniform distribution, the limit of small alpha.
        """
        count = expected_counts(rows, responsibility)
        mass = count.sum(axis=1, keepdims=True) + self.pseudo_tokens(count.shape[1])
        return (smoothed_log_prob(count, self.alpha, mass, count.shape[1]),)

    def log_likelihood(self, rows: Rows, feature_log_prob: Floats) -> Floats:
        """Return log P(x|h,c) = sum_f x_f log P(f|h,c), (n, H), without the multinomial coefficient: eq. (33)."""
        return linear_score(rows, feature_log_prob, 0.0)


@dataclass(frozen=True)
class BernoulliLeaf(CountingLeaf):
    """A leaf of presence and absence, both of which count; rows dense or sparse.

    alpha: pseudo-count >= 0 of presence and of absence. binarize: values above it are "there" (None: X is 0 and 1).
    Parameters of H nodes: log P(x_f=1|h,c) and log P(x_f=0|h,c), (H, F) each.
    """

    binarize: float | None = 0.0
    parameter_names: ClassVar[tuple[str, ...]] = ("feature_log_prob_", "absent_log_prob_")

    def prepare(self, X: Any) -> Rows:
        """Return rows as EM takes them: 0 and 1, (n, F). ValueError for another value with binarize=None."""
        if self.binarize is not None:
            return binarize_values(X, self.binarize)
        values = X.data if sparse.issparse(X) else X
        require_every((values == 0) | (values == 1), "X", values, "only 0 and 1 with binarize=None")
        return X

    def estimate(self, rows: Rows, responsibility: Floats) -> tuple[Floats, ...]:
        """Return logs of (N_hf + alpha) / (N_h + 2 alpha) for presence and absence; 1/2 without rows or alpha."""
        rows_at_node = responsibility.sum(axis=0)[:, None]
        present = expected_counts(rows, responsibility)
        absent = rows_at_node - present
        always = absent <= 1e-13 * rows_at_node  # what is left of a feature that is always there is rounding
        present, absent = np.where(always, rows_at_node, present), np.where(always, 0.0, absent)
        mass = rows_at_node + 2 * self.alpha
        return tuple(smoothed_log_prob(count, self.alpha, mass, 2) for count in (present, absent))

    def log_likelihood(self, rows: Rows, present_log_prob: Floats, absent_log_prob: Floats) -> Floats:
        """Return log P(x|h,c), (n, H): Carlos & Rakshit (2016), eq. (33), over present and absent features."""
        absent = np.where(np.isinf(absent_log_prob), 0.0, absent_log_prob)
        return linear_score(rows, present_log_prob - absent_log_prob, absent.sum(axis=1))


class CentredRows(NamedTuple):
    """Rows less their mean, on which the expanded square z^2 - 2 z m + m^2 loses few digits."""

    centre: Floats  # (F,)
    z: Floats  # (n, F)
    square: Floats  # (n, F), z^2
    reach: Floats  # (F,), the largest z^2

    @property
    def shape(self) -> tuple[int, ...]:
        return self.z.shape


@dataclass(frozen=True)
class GaussianLeaf(BaseLeaf):
    """A leaf of measurements: a node draws every feature from a normal distribution; rows are real, dense.

    var_floor: least variance > 0, in squared units of X, one number or one per feature (F,). Parameters of H nodes:
    means and variances, (H, F) each.
    """

    var_floor: float | Floats = 1e-3
    parameter_names: ClassVar[tuple[str, ...]] = ("means_", "variances_")

    def prepare(self, X: Floats) -> CentredRows:
        """Return rows as EM takes them: `CentredRows`."""
        centre = X.mean(axis=0) if len(X) else np.zeros(X.shape[1])
        z = X - centre
        square = np.square(z)
        return CentredRows(centre, z, square, square.max(axis=0, initial=0.0))

    def estimate(self, rows: CentredRows, responsibility: Floats) -> tuple[Floats, ...]:
        """Return weighted means and variances of the rows; variances below the floor are lifted to it.

        `max` keeps EM monotone among nodes that respect the floor: it is the best variance that the floor allows.
        Adding the floor would not be. A node without rows sits at the rows' centre.
        """
        total = responsibility.sum(axis=0)
        share = np.ascontiguousarray((responsibility / np.where(total > 0, total, 1.0)).T)
        mean = share @ rows.z
        variance = share @ rows.square - np.square(mean)
        for h in np.flatnonzero((variance * SAFE_RANGE < rows.reach).any(axis=1)):  # too many digits cancelled
            variance[h] = share[h] @ np.square(rows.z - mean[h])
        return mean + rows.centre, np.maximum(variance, self.var_floor)

    def log_likelihood(self, rows: CentredRows, means: Floats, variances: Floats) -> Floats:
        """Return log densities log P(x|h,c), (n, H): Carlos & Rakshit (2016), eq. (33), with normal factors."""
        mean, precision = means - rows.centre, 1 / variances
        if (rows.reach * precision).max() < SAFE_RANGE:
            distance = rows.square @ precision.T
            distance -= rows.z @ (2 * mean * precision).T
            distance += (np.square(mean) * precision).sum(axis=1)
        else:
            pairs = zip(mean, precision, strict=True)
            distance = np.stack([np.square(rows.z - m) @ p for m, p in pairs], axis=1)
        distance += np.log(2 * np.pi * variances).sum(axis=1)
        distance *= -0.5
        return distance

    def product_of_sums(self, rows: CentredRows, node_log_prob: Floats, means: Floats, variances: Floats) -> Floats:
        """Return log prod_f sum_h P(x_f|h,c) P(h|c), (n, C), for nodes (C, H), (C, H, F): eq. (14), with densities."""
        X = rows.z + rows.centre
        score = np.empty((len(X), len(means)))
        for some in blocks(len(X), 512):
            for c, (mean, variance) in enumerate(zip(means, variances, strict=True)):
                density = -0.5 * (np.square(X[some, None] - mean) / variance + np.log(2 * np.pi * variance))
                score[some, c] = mix_nodes(node_log_prob[c], density).sum(axis=1)
        return score

    def log_penalty(self, means: Floats, variances: Floats) -> float:
        """Return 0: nothing is smoothed, so nothing is added to the objective."""
        return 0.0


Leaf: TypeAlias = MultinomialLeaf | BernoulliLeaf | GaussianLeaf
