"""The experiments of Carlos & Rakshit (2016), sections 3.4 and 4: XOR, four shapes, Reuters R8.

Everything is fitted by `HierarchicalBayes`; this module says on which data, how often, and what is counted.
`progress` is called with the share that is done. Bad settings raise the estimators' ValueError.
"""

from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp, xlogy
from tqdm import tqdm

from nbcore.datasets import SHAPES, is_inside, load_xor, make_shape
from nbcore.hierarchical import HierarchicalBayes
from nbcore.naive_bayes import GaussianNB, MultinomialNB
from workbook.chapters.news import r8_counts
from workbook.explorer.fitting import DiskCached
from workbook.ledger.numbers import table

__all__ = [
    "TABLE_2",
    "TABLE_4",
    "ShapeData",
    "additive_right",
    "best_additive",
    "best_of_starts",
    "best_sum",
    "boundary_angle",
    "fit_shape",
    "lines_right",
    "parted_log_odds",
    "points_right",
    "r8_accuracies",
    "r8_found",
    "r8_study",
    "shape_accuracies",
    "shape_data",
    "xor_starts",
]

TABLE_2 = {"naive Bayes": 0.955, "hidden nodes": 0.964}  # the column R8
TABLE_4 = {"ring": (0.664, 0.949), "dots": (0.527, 0.926), "xor": (0.560, 0.985), "s": (0.770, 0.973)}  # GNB, GHB
TRAIN, VALIDATION, TEST = 1000, 250, 1000  # section 4.4
WIDTH = 500  # of the square with a shape
SHAPE_FLOOR = 1.0  # least variance there
XOR_STEPS = 20_000  # EM is done after 10 to 2,500, whatever the sliders say
UNDECIDED = 1e-4  # a posterior this near to 1/2 decides nothing


def _silent(share):
    """Ignore the share done of work that nobody watches."""


# ------------------------------------------------------------------------------------------------------ four points


def xor_starts(n_hidden=2, leaf="multinomial", smoothing=1.0, n_starts=10, seed=0, em="soft", rule="sum_of_products"):
    """Return the models that n_starts single starts of EM lead to on the four points of figure 1.

    smoothing: alpha of multinomial leaves, the variance floor of Gaussian ones.
    """
    xor, models = load_xor(), []
    for state in np.random.SeedSequence(seed).generate_state(n_starts):
        models.append(
            HierarchicalBayes(
                n_hidden, leaf=leaf, em=em, rule=rule, n_restarts=1, validation_fraction=0, random_state=int(state),
                keep_runs=True, max_iter=XOR_STEPS, **{"var_floor" if leaf == "gaussian" else "alpha": smoothing},
            ).fit(xor.data, xor.target)
        )  # fmt: skip
    return models


def best_of_starts(models):
    """Return the model of repeated EM, section 2.6: each class has the start with the best objective.

    The four points leave none for validation, so the objective on the training rows chooses.
    """
    by_class = zip(*(model.runs_[0] for model in models), strict=True)
    return models[0].with_runs([max(runs, key=attrgetter("objective")) for runs in by_class])


def points_right(model):
    """Return which of the four points the model decides rightly, bool (4,); a tie is not right."""
    xor = load_xor()
    return model.predict_proba(xor.data)[np.arange(4), xor.target] > 0.5 + UNDECIDED


def lines_right(through_origin=True, n=720):
    """Return how many of the four points the best straight line decides rightly, of n directions and all offsets."""
    xor = load_xor()
    angles = np.arange(n) * 2 * np.pi / n
    height = xor.data @ np.array([np.cos(angles), np.sin(angles)])  # of each point, across each line
    sign = np.where(xor.target == 1, 1, -1)[:, None]
    offsets = np.zeros((1, n)) if through_origin else np.sort(height, axis=0) + 1e-9  # between neighbours, and outside
    right = [(sign * (height - offset) > 1e-12).sum(axis=0).max() for offset in offsets]
    return int(max(right))


def additive_right(n=9):
    """Return how many of the four points the best b + f(x1) + g(x2) decides rightly, of n values of each part."""
    b, f1, f5, g1, g5 = np.meshgrid(*[np.linspace(-4, 4, n)] * 5, sparse=True)
    right = [b + f1 + g1 < 0, b + f5 + g5 < 0, b + f1 + g5 > 0, b + f5 + g1 > 0]
    return int(sum(part.astype(int) for part in right).max())


def parted_log_odds(points, apart, weight):
    """Return log P(x | 1) - log P(x | 0) of points (n, 2): sum of products, eq. (10), and a third feature.

    apart: each node of class 1 writes its word with probability (1 + apart) / 2, class 0 both alike. weight: 8 / v
    for the feature (x₁ - 3)(x₂ - 3), Gaussian with means 4 and -4 and variance v. -inf: impossible in class 1.
    """
    node = np.array([1 + apart, 1 - apart]) / 2
    at_nodes = xlogy(points[:, None], np.stack([node, node[::-1]])).sum(axis=-1)  # (n, 2 nodes)
    nodes = logsumexp(at_nodes, axis=1) - np.log(2) - xlogy(points, 0.5).sum(axis=1)
    return nodes - weight * np.prod(points - 3, axis=1)


def boundary_angle(model, radius):
    """Return the angle in degrees, below the diagonal, at which class 1 takes over on a circle around the origin.

    model: fitted to the four points; ValueError of scipy where all of the circle belongs to one class.
    """

    def log_odds(angle):
        at = radius * np.array([[np.cos(angle), np.sin(angle)]])
        return float(np.diff(model.predict_joint_log_proba(at)[0])[0])

    return float(np.degrees(brentq(log_odds, 0.0, np.pi / 4, xtol=1e-12)))


# ---------------------------------------------------------------------------------------------------------- shapes


class ShapeData(NamedTuple):
    """Hold the points (n, 2) of a square 500 wide and their labels (n,), in three parts."""

    train: tuple
    validation: tuple
    test: tuple


@lru_cache(maxsize=32)  # 0.1 MB each
def shape_data(shape, seed=0):
    """Draw 1000 points of a shape to train on, 250 to choose the start, 1000 to test: section 4.4."""
    rng = np.random.default_rng([seed, list(SHAPES).index(shape)])
    parts = (make_shape(shape, n, rng) for n in (TRAIN, VALIDATION, TEST))
    return ShapeData(*((part.data, part.target) for part in parts))


@DiskCached
def fit_shape(shape, n_hidden=10, start="points", seed=0, n_starts=10, max_iter=100, progress=_silent):
    """Fit Gaussian nodes to a shape; of n_starts starts of EM keep the one that does best on the validation points."""
    data, best, best_score = shape_data(shape, seed), None, -1.0
    for number, state in enumerate(np.random.SeedSequence([seed, n_hidden]).generate_state(n_starts)):
        model = HierarchicalBayes(
            n_hidden, leaf="gaussian", var_floor=SHAPE_FLOOR, n_restarts=1, max_iter=max_iter, tol=0, start=start,
            validation_fraction=0, random_state=int(state),
        ).fit(*data.train)  # fmt: skip
        if (score := model.score(*data.validation)) > best_score:
            best, best_score = model, score
        progress((number + 1) / n_starts)
    return best


def best_additive(inside, n_starts=50, seed=0):
    """Search for the additive rule f(column) + g(row) > 0 that agrees best with a table; return what it says, bool.

    By turns: the best g beside f, then the best f beside g, until nothing gains; the best of n_starts random starts.
    """
    rng, best = np.random.default_rng(seed), np.zeros_like(inside)
    for _ in range(n_starts):
        said, f = np.zeros_like(inside), rng.normal(size=inside.shape[1])
        while True:
            g, now = best_offsets(inside, f)
            f, now = best_offsets(inside.T, g)
            if (now.T == inside).sum() <= (said == inside).sum():
                break
            said = now.T
        best = max(best, said, key=lambda table: (table == inside).sum())
    return best


def best_offsets(inside, f):
    """Return for each row of a table the g that makes f + g > 0 agree best with it, and where that says "inside"."""
    order = np.argsort(-f)
    gains = np.cumsum(np.where(inside[:, order], 1, -1), axis=1)  # of the first columns inside, each row
    many = np.where(gains.max(axis=1) > 0, gains.argmax(axis=1) + 1, 0)
    ends = np.concatenate([[f[order[0]] + 1], f[order], [f[order[-1]] - 1]])
    g = -(ends[many] + ends[many + 1]) / 2
    return g, f + g[:, None] > 0


def best_sum(shape, n=200, seed=0):
    """Return the share of a shape's test points that an additive rule has right, learned from n x n squares of it."""
    middles = (np.arange(n) + 0.5) * WIDTH / n
    inside = is_inside(shape, np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)).reshape(n, n)
    (T, t) = shape_data(shape, seed).test
    column, row = np.minimum((T * n / WIDTH).astype(int), n - 1).T
    return float(np.mean(best_additive(inside)[row, column] == t))


@lru_cache(maxsize=32)  # ten numbers each
def shape_accuracies(shape, seeds=5, start="points", n_starts=10, n_hidden=10):
    """Return the test accuracies (seeds, 2) of Gaussian naive Bayes and of hidden nodes, a row for each seed."""
    rows = []
    for seed in tqdm(range(seeds), desc=f"{shape}, {start}", disable=None):
        data = shape_data(shape, seed)
        fitted = GaussianNB().fit(*data.train), fit_shape(shape, n_hidden, start, seed, n_starts)
        rows.append([model.score(*data.test) for model in fitted])
    return np.array(rows)


# ------------------------------------------------------------------------------------------------------------- R8


@lru_cache(maxsize=8)  # six numbers each
def r8_accuracies(alpha, seeds=5, n_restarts=10, max_iter=100):
    """Return test accuracies on R8: of naive Bayes, and of two nodes a class, one for each seed.

    Returns (float, array (seeds,)). Downloads the corpus on first use: errors as in `nbcore.datasets.fetchers`.
    """
    X, y, T, t = r8_counts()
    nodes = [
        HierarchicalBayes(2, alpha=alpha, n_restarts=n_restarts, max_iter=max_iter, tol=0, random_state=seed)
        .fit(X, y)
        .score(T, t)
        for seed in tqdm(range(seeds), desc=f"R8, alpha = {alpha:g}", disable=None)
    ]
    return MultinomialNB(alpha=alpha).fit(X, y).score(T, t), np.array(nodes)


ALPHAS = 1.0, 0.5, 0.2, 0.1, 0.05, 0.01
PROTOCOLS = (10, 0.1), (10, 0.0), (1, 0.0)  # starts, share of the stories held out to choose one


def r8_study(seeds=5):
    """Compute what the page says of R8: accuracies for each alpha, and, for the ledger, by other ways to start EM.

    Two hidden nodes a class, 100 steps of EM. Downloads the corpus on first use, as `r8_accuracies`; two minutes.
    """
    X, y, T, t = r8_counts()
    right = {alpha: MultinomialNB(alpha=alpha).fit(X, y).predict(T) == t for alpha in ALPHAS}
    rows = []
    for alpha in (1.0, 0.1):
        for starts, held_out in PROTOCOLS:
            settings = dict(alpha=alpha, n_restarts=starts, validation_fraction=held_out, max_iter=100, tol=0)
            label = f"R8, alpha = {alpha:g}, {starts} starts, {held_out:g} held out"
            nodes = [
                HierarchicalBayes(2, random_state=seed, **settings).fit(X, y).score(T, t)
                for seed in tqdm(range(seeds), desc=label, disable=None)
            ]
            rows.append(dict(alpha=alpha, starts=starts, held_out=held_out, accuracy=nodes))
    naive = [[alpha, float(of.mean())] for alpha, of in right.items()]
    return dict(naive=naive, nodes=rows, alphas=each_at_its_best(right, seeds))


def each_at_its_best(right, seeds=5):
    """Compare naive Bayes with two nodes a class on R8, each with its best alpha; EM from one start, 100 steps.

    right: alpha -> the stories that naive Bayes has right, bool (stories,). Returns the accuracy of the nodes for each
    alpha (mean of the seeds), and the gain of the best on the best with half of its paired 95 % interval over stories.
    """
    X, y, T, t = r8_counts()
    settings, nodes = dict(n_restarts=1, max_iter=100, tol=0), {}
    for alpha in right:
        models = (HierarchicalBayes(2, alpha=alpha, random_state=seed, **settings).fit(X, y) for seed in range(seeds))
        nodes[alpha] = np.mean([model.predict(T) == t for model in models], axis=0)  # (stories,) share of the seeds
    naive_best, nodes_best = (max(of, key=lambda alpha, of=of: of[alpha].mean()) for of in (right, nodes))
    gains = nodes[nodes_best] - right[naive_best]
    half = 1.96 * gains.std(ddof=1) / np.sqrt(len(t))
    accuracy = [[alpha, float(of.mean())] for alpha, of in nodes.items()]
    return dict(nodes=accuracy, best=[naive_best, nodes_best], gain=float(gains.mean()), half=float(half))


def r8_found():
    """Return the stored result of `r8_study` for five seeds; it needs no corpus."""
    return table("R8")
