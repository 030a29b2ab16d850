"""The ledger's entries for Carlos & Rakshit (2016), sections 3.3 to 4.

Nothing is measured on import. Table 4 takes about ten seconds, Table 2 half a minute, behind progress bars. An interval
from five seeds says where 95 of 100 further runs end: that is what the paper's one run should agree with.
"""

from functools import partial

import numpy as np

from nbcore.datasets import load_xor, r8_counts
from nbcore.naive_bayes import MultinomialNB
from workbook.ledger.claim import Claim, Measured
from workbook.ledger.intervals import prediction_interval, proportion_interval

from .experiment import (
    TABLE_2,
    TABLE_4,
    best_of_starts,
    boundary_angle,
    lines_right,
    points_right,
    r8_accuracies,
    r8_study,
    shape_accuracies,
    xor_starts,
)

__all__ = ["CLAIMS", "TABLES", "further_run", "gaussian_cross", "product_of_sums_right"]

SOURCE, CHAPTER = "Carlos & Rakshit (2016)", "08_xor_nonlinearity"


def further_run(values):
    """The mean accuracy (or gain) of n runs, and where 95 % of further runs end."""
    return Measured(*prediction_interval(values, highest=1.0))


def naive_bayes_ties():
    """The largest |log odds| of multinomial naive Bayes at the four points, alpha = 0 and 1."""
    xor = load_xor()
    models = [MultinomialNB(alpha=alpha).fit(xor.data, xor.target) for alpha in (0, 1)]
    return Measured(float(max(np.abs(np.diff(m.predict_joint_log_proba(xor.data))).max() for m in models)))


def solved(leaf):
    """How many of the four points two nodes a class decide rightly."""
    return Measured(float(points_right(best_of_starts(xor_starts(leaf=leaf))).sum()))


def product_of_sums_right(n_starts=40):
    """The most points right with product of sums, over starts, nodes, and smoothing."""
    settings = [(H, smoothing) for H in (1, 2, 3, 5) for smoothing in (0.01, 0.1, 1.0)]
    fitted = [m for H, s in settings for m in xor_starts(H, smoothing=s, n_starts=n_starts, rule="product_of_sums")]
    return int(max(points_right(model).sum() for model in fitted))


def angles():
    """Degrees between the axis and the boundary below the diagonal, at radius 2, 10, 100 and 10,000; alpha = 0."""
    model = best_of_starts(xor_starts(smoothing=0.0))
    return Measured(tuple(boundary_angle(model, radius) for radius in (2, 10, 100, 10_000)))


def gaussian_cross(n=101):
    """The share of a grid on which two Gaussian nodes a class decide as the lines x = 3 and y = 3 do."""
    axis = np.linspace(0, 6, n)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    grid = grid[(np.abs(grid - 3) > 1e-9).all(axis=1)]
    decided = best_of_starts(xor_starts(leaf="gaussian")).predict(grid)
    return Measured(float((decided == (np.prod(grid - 3, axis=1) < 0)).mean()))


def table_4(shape, column):
    """Gaussian naive Bayes (column 0) or ten hidden nodes a class (1), five seeds."""
    return further_run(shape_accuracies(shape)[:, column])


def far_better():
    """Hidden nodes less naive Bayes, paired, on the four shapes."""
    return further_run(np.transpose([np.subtract(*shape_accuracies(shape).T[::-1]) for shape in TABLE_4]))


def r8_naive(alpha):
    """Naive Bayes on R8, with the interval of as many other documents."""
    return Measured(*proportion_interval(r8_accuracies(alpha)[0], r8_counts()[2].shape[0]))


def r8_nodes(alpha):
    """Two hidden nodes a class on R8, five seeds."""
    return further_run(r8_accuracies(alpha)[1])


def r8_gain(alpha):
    """Hidden nodes less naive Bayes on R8, five seeds."""
    naive, nodes, _ = r8_accuracies(alpha)
    return further_run(nodes - naive)


def _claim(place, statement, ours, verdict="reproduced", note="", stated=None, rounding=0.0):
    return Claim(SOURCE, place, statement, stated, ours, verdict, CHAPTER, note, rounding)


_XOR = [
    _claim(
        "section 3.4",
        "No straight line separates the two classes of figure 1 (ours: the most points that one decides rightly).",
        lambda: Measured(float(lines_right(through_origin=False))),
    ),
    _claim(
        "section 3.4.1",
        "Whatever the angle of a line through the origin, at least this many of the four points are misclassified.",
        lambda: Measured(float(4 - lines_right())),
        stated=1.0,
    ),
    _claim(
        "Figure 2(a)",
        "Naive Bayes, trained on the four points of figure 1, learns a line through the origin that misclassifies "
        "one of them (ours: its largest |log odds| at the four points).",
        naive_bayes_ties,
        "cannot be",
        "On these four points naive Bayes ties everywhere: both classes have the same counts. There is no line.",
    ),
    _claim(
        "section 3.3",
        "The product of sums gives a linear boundary (ours: the most of the four points right, 480 fits).",
        lambda: Measured(float(product_of_sums_right())),
    ),
    _claim(
        "section 3.4.2",
        "Sum of products with two multinomial nodes a class classifies this many of the four points correctly.",
        partial(solved, "multinomial"),
        stated=4.0,
    ),
    _claim(
        "section 3.4.3",
        "Sum of products with two Gaussian nodes a class classifies this many of the four points correctly.",
        partial(solved, "gaussian"),
        stated=4.0,
    ),
    _claim(
        "Figure 2(b)",
        "The multinomial boundary is two straight lines through the origin (ours: its angle with the axis in degrees "
        "at radius 2, 10, 100 and 10,000).",
        angles,
        "differs",
        "It is curved, and straight only far out: cosh(k (x - y)) = exp(q (x + y)). Nor do its asymptotes pass through "
        "the origin.",
    ),
    _claim(
        "Figure 2(c)",
        "The Gaussian boundary is two quadratic curves (ours: share of the square decided as by the lines x = 3, "
        "y = 3).",
        gaussian_cross,
        "differs",
        "One point a node: all variances sit at the floor, and with equal variances the boundary is "
        "(x - 3)(y - 3) = 0, a quadratic curve only in name. Unequal variances would bend it.",
    ),
]

_GNB_NOTE = "Figure 4 gives no measures. Ours were chosen so that this number comes out: it confirms nothing."


def _shapes():
    for shape, (naive, nodes) in TABLE_4.items():
        yield _claim("Table 4", f"{shape}: accuracy of Gaussian naive Bayes.", partial(table_4, shape, 0),
                     "not stated well enough", _GNB_NOTE, naive, 0.0005)  # fmt: skip
        yield _claim("Table 4", f"{shape}: accuracy with ten hidden nodes a class.", partial(table_4, shape, 1),
                     stated=nodes, rounding=0.0005)  # fmt: skip


_MEASURED_ELSEWHERE = "The corpus is not part of this book, and the paper gives neither restarts nor iterations. "
_TEXTS = [
    _claim(
        "section 4.5",
        "Hidden nodes model the shapes far better than naive Bayes (ours: gain in accuracy, ring, dots, XOR, S).",
        far_better,
    ),
    _claim("Table 2", "R8: accuracy of naive Bayes, Laplace smoothing.", partial(r8_naive, 1.0),
           stated=TABLE_2["naive Bayes"], rounding=0.0005),
    _claim("Table 2", "R8: accuracy with two hidden nodes a class, Laplace smoothing (alpha = 1).",
           partial(r8_nodes, 1.0), "differs",
           "With alpha = 1, as section 4 says, it is lower, and lower than naive Bayes; with alpha = 0.1 it comes out.",
           TABLE_2["hidden nodes"], 0.0005),
    _claim("Table 2", "R8: accuracy with two hidden nodes a class (ours: alpha = 0.1).", partial(r8_nodes, 0.1),
           stated=TABLE_2["hidden nodes"], rounding=0.0005),
    _claim("Table 2", "R8: the gain of hidden nodes over naive Bayes (ours: both with alpha = 1).",
           partial(r8_gain, 1.0), "differs",
           "The paper's .955 would be that of alpha = 1, its .964 that of alpha = 0.1. With 1 for both there is no "
           "gain; with 0.1 for both it is .001 if a tenth of the stories is held out to choose the start, .004 if EM "
           "learns from all of them. Five seeds tell .004 from 0 (t = 4.6), the 2,189 test stories do not (p = .18).",
           TABLE_2["hidden nodes"] - TABLE_2["naive Bayes"], 0.001),
    _claim("Table 2", "R52: two hidden nodes a class .921, naive Bayes .916.", None, "not stated well enough",
           _MEASURED_ELSEWHERE + "Measured apart from this book, R52 showed no gain."),
    _claim("Table 2", "20 Newsgroups: two hidden nodes a class .808, naive Bayes .797.", None,
           "not stated well enough",
           _MEASURED_ELSEWHERE + "Measured apart from this book, the gain was .01 to .02, and naive Bayes on documents "
           "of equal length did better still: the gain need not be non-linearity."),
]  # fmt: skip
TABLES = {"R8": r8_study}
CLAIMS = (*_XOR, *_shapes(), *_TEXTS)
