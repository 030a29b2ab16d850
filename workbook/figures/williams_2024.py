"""Figures of Williams (2024), "Naive Bayes Classifiers and One-hot Encoding of Categorical Variables"."""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap
from matplotlib.tri import Triangulation

from workbook.explorer.palette import BITS, BLACK, CASES, CATEGORICAL, PALE, WRONG
from workbook.figures._print import FONT, GUIDE, add_legend, draw_curves, new_figure, print_figure

__all__ = ["bounds_on_f", "log_ratio_scatter", "map_scatter", "q_on_simplex", "simplex_grid"]

SHADES = ListedColormap(colormaps["Oranges"](np.linspace(0.0, 0.5, 256)))  # black lines and numbers stand out on all
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])  # of the drawn simplex, one for each theta


def simplex_grid(steps):
    """Return all points (n, 3) of the simplex with entries in multiples of 1 / steps; n = (steps + 1)(steps + 2) / 2.

    steps: int >= 1. For `q_on_simplex`.
    """
    i, j = np.indices((steps + 1, steps + 1)).reshape(2, -1)
    inside = i + j <= steps
    i, j = i[inside], j[inside]
    return np.column_stack([i, j, steps - i - j]) / steps


@print_figure
def q_on_simplex(points, q):
    """Draw Q^-4(theta_1, theta_2, theta_3) over the simplex, theta_4 = 0: Williams (2024), figure 1(a).

    points: (n, 3), rows sum to 1, such as `simplex_grid`; q: (n,), `nbcore.one_hot.q_factor` of (points, 0) at j = 4.
    Shading and labelled contours say the same. Returns a matplotlib Figure.
    """
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


@print_figure
def bounds_on_f(theta_j, lower, upper, K):
    """Draw upper and lower bound of f_j against theta_j, and the band between them: Williams (2024), figure 1(b).

    theta_j, lower, upper: (T,), theta_j increasing, bounds from `nbcore.one_hot.f_bounds(theta_j, K)`; K: int, for the
    title; the paper's is 6. Returns a matplotlib Figure.
    """
    figure, (ax,) = new_figure(height=3.2)
    ax.fill_between(theta_j, lower, upper, color=PALE, linewidth=0)
    lines = draw_curves(ax, {"Upper bound": (theta_j, upper), "Lower bound": (theta_j, lower)})
    for line in lines:
        line.set(marker="", color=BITS)
    ax.set(xlabel=r"$\theta_j$", ylabel=r"$f_j(\theta)$", title=f"K = {K}", xlim=(0, 1), ylim=(0, 1))
    add_legend(figure, lines)
    return figure


@print_figure
def log_ratio_scatter(log_theta_ratio, log_f_ratio):
    """Draw log(f_jc / f_jd) against log(theta_jc / theta_jd): Williams (2024), figure 2(a) and figure 2(b).

    Both (n,), in nats, finite; alpha is 1 in (a) and 1/3 in (b). The paper shows every pair of classes in both orders:
    (x, y) and (-x, -y). Guides of slope 1, where one-hot encoding changes nothing, and of slope 2, eq. (14). Returns a
    matplotlib Figure.
    """
    figure, (ax,) = new_figure(height=3.7)
    reach = 1.05 * np.abs([log_theta_ratio, log_f_ratio]).max()
    ends = np.array([-reach, reach])
    (cloud,) = ax.plot(log_theta_ratio, log_f_ratio, "o", color=CASES, markersize=2.5, alpha=0.6, markeredgewidth=0,
                       label="Pair of classes")  # fmt: skip
    guides = [
        *ax.plot(ends, ends, linestyle="-", label="Slope 1", **GUIDE | dict(color=CATEGORICAL)),
        *ax.plot(ends / 2, ends, linestyle="--", label="Slope 2", **GUIDE | dict(color=BITS)),
    ]
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set(xlabel=r"$\log(\theta_{jc}/\theta_{jd})$", ylabel=r"$\log(f_j(\theta_c)/f_j(\theta_d))$")
    add_legend(figure, [cloud, *guides])
    return figure


@print_figure
def map_scatter(experiment):
    """Draw largest posteriors of PoB against the categorical ones, other classes marked: Williams (2024), figure 3.

    experiment: result of `nbcore.one_hot.dirichlet_experiment`, or anything with posteriors `categorical` and
    `bernoullis` (n, C, K) and boolean `disagrees` (n, K); the paper's has n = 100, C = 4, K = 3, alpha = 1. Returns a
    matplotlib Figure.
    """
    differ, C = experiment.disagrees, experiment.categorical.shape[1]
    x, y = experiment.categorical.max(axis=1), experiment.bernoullis.max(axis=1)
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
    add_legend(figure, points)
    return figure
