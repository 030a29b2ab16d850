"""Figures of Williams (2024), "Naive Bayes Classifiers and One-hot Encoding of Categorical Variables"."""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap
from matplotlib.tri import Triangulation

from nbcore.checks import require, require_count
from workbook.explorer.palette import BITS, BLACK, CASES, CATEGORICAL, PALE, WRONG
from workbook.figures._print import (
    FONT,
    GUIDE,
    as_curve,
    as_numbers,
    as_probabilities,
    draw_curves,
    for_print,
    legend_outside,
    new_figure,
)

__all__ = ["bounds_on_f", "log_ratio_scatter", "map_scatter", "q_on_simplex", "simplex_grid"]

SHADES = ListedColormap(colormaps["Oranges"](np.linspace(0.0, 0.5, 256)))  # black lines and numbers stand out on all
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])  # of the drawn simplex, one for each theta


def simplex_grid(steps):
    """All points (n, 3) of the simplex whose three entries are multiples of 1 / steps; n = (steps + 1)(steps + 2) / 2.

    steps: int >= 1. For `q_on_simplex`.
    """
    require_count("steps", steps)
    i, j = np.indices((steps + 1, steps + 1)).reshape(2, -1)
    inside = i + j <= steps
    i, j = i[inside], j[inside]
    return np.column_stack([i, j, steps - i - j]) / steps


@for_print
def q_on_simplex(points, q):
    """Q^-4(theta_1, theta_2, theta_3) over the simplex, theta_4 = 0: Williams (2024), figure 1(a).

    points: (n, 3), rows sum to 1, such as `simplex_grid`; q: (n,), `nbcore.one_hot.q_factor` of (points, 0) at j = 4.
    Shading and labelled contours say the same. Returns a matplotlib Figure.
    """
    points, q = as_probabilities("points", points, ndim=2), as_probabilities("q", q)
    require(points.shape[1] == 3 and len(points) >= 3, "points", points.shape, "of shape (n, 3), n >= 3")
    require(len(q) == len(points), "q", q.shape, f"of shape ({len(points)},), one for each point")
    for off in points.sum(axis=1)[abs(points.sum(axis=1) - 1) > 1e-6][:1]:
        require(False, "points", float(off), "on the simplex: the sum of a row 1")
    figure, (ax,) = new_figure(height=3.0)
    mesh = Triangulation(*(points @ CORNERS).T)
    shades = ax.tripcolor(mesh, q, shading="gouraud", cmap=SHADES)
    if np.ptp(q) > 0:
        lines = ax.tricontour(mesh, q, levels=6, colors=BLACK, linewidths=0.8)
        ax.clabel(lines, fontsize=FONT)
    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color=BLACK, linewidth=0.8)
    for k, (x, y) in enumerate(CORNERS, start=1):
        ax.annotate(
            rf"$\theta_{k} = 1$", (x, y), (0, 4 if y else -4), textcoords="offset points", ha="center",
            va="bottom" if y else "top",
        )  # fmt: skip
    ax.set(aspect="equal")
    ax.set_axis_off()
    bar = figure.colorbar(shades, ax=ax, shrink=0.75, pad=0.1)
    bar.ax.tick_params(labelsize=FONT, colors=BLACK)
    bar.set_label(r"$Q^{-4}(\theta)$")
    return figure


@for_print
def bounds_on_f(theta_j, lower, upper, K):
    """Upper and lower bound of f_j against theta_j, and the band between them: Williams (2024), figure 1(b).

    theta_j, lower, upper: (T,), theta_j increasing, bounds from `nbcore.one_hot.f_bounds(theta_j, K)`; K: int, for the
    title; the paper's is 6. Returns a matplotlib Figure.
    """
    require_count("K", K)
    theta_j = as_probabilities("theta_j", theta_j)
    require((np.diff(theta_j) > 0).all(), "theta_j", theta_j, "increasing")
    bounds = {"Upper bound": upper, "Lower bound": lower}
    curves = {
        label: as_curve(label.lower(), theta_j, as_probabilities(label.lower(), y)) for label, y in bounds.items()
    }
    figure, (ax,) = new_figure(height=3.2)
    ax.fill_between(theta_j, lower, upper, color=PALE, linewidth=0)
    lines = draw_curves(ax, curves)
    for line in lines:
        line.set(marker="", color=BITS)
    ax.set(xlabel=r"$\theta_j$", ylabel=r"$f_j(\theta)$", title=f"K = {K}", xlim=(0, 1), ylim=(0, 1))
    legend_outside(figure, lines)
    return figure


@for_print
def log_ratio_scatter(log_theta_ratio, log_f_ratio):
    """log(f_jc / f_jd) against log(theta_jc / theta_jd): Williams (2024), figure 2(a), alpha = 1, and figure 2(b), 1/3.

    Both (n,), in nats, finite. The paper shows every pair of classes in both orders: (x, y) and (-x, -y). Guides of
    slope 1, where one-hot encoding changes nothing, and of slope 2, eq. (14). Returns a matplotlib Figure.
    """
    x, y = as_numbers("log_theta_ratio", log_theta_ratio), as_numbers("log_f_ratio", log_f_ratio)
    require(len(x) == len(y), "log_f_ratio", y.shape, f"of the shape of log_theta_ratio, {x.shape}")
    figure, (ax,) = new_figure(height=3.7)
    reach = 1.05 * max(abs(x).max(), abs(y).max(), 1e-6)
    ends = np.array([-reach, reach])
    (cloud,) = ax.plot(x, y, "o", color=CASES, markersize=2.5, alpha=0.6, markeredgewidth=0, label="Pair of classes")
    guides = [
        *ax.plot(ends, ends, linestyle="-", label="Slope 1", **GUIDE | dict(color=CATEGORICAL)),
        *ax.plot(ends / 2, ends, linestyle="--", label="Slope 2", **GUIDE | dict(color=BITS)),
    ]
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set(xlabel=r"$\log(\theta_{jc}/\theta_{jd})$", ylabel=r"$\log(f_j(\theta_c)/f_j(\theta_d))$")
    legend_outside(figure, [cloud, *guides])
    return figure


@for_print
def map_scatter(experiment):
    """Largest posterior of PoB against the categorical one, marked where the classes differ: Williams (2024), figure 3.

    experiment: result of `nbcore.one_hot.dirichlet_experiment`, or anything with posteriors `categorical` and
    `bernoullis` (n, C, K) and boolean `disagrees` (n, K); the paper's has n = 100, C = 4, K = 3, alpha = 1. Returns a
    matplotlib Figure.
    """
    holds = all(hasattr(experiment, name) for name in ("categorical", "bernoullis", "disagrees"))
    require(holds, "experiment", experiment, "a result of dirichlet_experiment")
    exact, pob = (
        as_probabilities(f"{name} of experiment", getattr(experiment, name), ndim=3)
        for name in ("categorical", "bernoullis")
    )
    differ = np.asarray(experiment.disagrees)
    n, C, K = exact.shape
    require(pob.shape == exact.shape, "bernoullis of experiment", pob.shape, f"of shape ({n}, {C}, {K})")
    require(differ.shape == (n, K) and differ.dtype == bool, "disagrees of experiment", differ.shape,
            f"boolean, of shape ({n}, {K})")  # fmt: skip
    x, y = exact.max(axis=1), pob.max(axis=1)
    figure, (ax,) = new_figure(height=3.65)
    ax.plot([1 / C, 1], [1 / C, 1], linestyle="-", **GUIDE)
    signs = {
        "Same class": (~differ, dict(marker="o", color=CASES, markersize=3, alpha=0.7, markeredgewidth=0)),
        "Different class": (differ, dict(marker="X", color=WRONG, markersize=6, markeredgecolor="white")),
    }
    points = [
        line
        for label, (which, look) in signs.items()
        for line in ax.plot(x[which], y[which], linestyle="", label=label, **look)
    ]
    ax.set(xlabel="Maximum posterior, categorical", ylabel="Maximum posterior, PoB", aspect="equal")
    ax.set(xlim=(1 / C - 0.02, 1.02), ylim=(1 / C - 0.02, 1.02))
    legend_outside(figure, points)
    return figure
