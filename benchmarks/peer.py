"""The peer: SmoothingExplorer's figure as a notebook would draw it with matplotlib under ipywidgets' `interact`."""

from __future__ import annotations

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np

from workbook.chapters.c02_laplace_smoothing.experiment import ALPHAS, given_names
from workbook.explorers import SmoothingExplorer
from workbook.page import palette, theme

HATCHES = ("", "//")


def interact_figure() -> None:
    """The same controls, the same `compute`; each change draws the four panels anew."""
    explorer = SmoothingExplorer()

    def show(**state):
        draw(explorer.compute(**state))
        plt.show()

    widgets.interact(show, **{name: control.widget(control.default) for name, control in explorer.declared.items()})


def draw(result) -> plt.Figure:
    """The four panels of a `Smoothing` result, as many pixels as the explorer's figure on the page."""
    pixels = 100
    size = theme.PAGE.width / pixels, theme.PAGE.height / pixels
    with plt.rc_context({"font.size": 8}):
        figure, axes = plt.subplots(2, 2, figsize=size, dpi=pixels, width_ratios=[1.8, 1])
        figure.subplots_adjust(left=0.06, right=0.98, top=0.88, bottom=0.12, hspace=0.6, wspace=0.15)
        for panel, axis in zip((likelihoods, posterior, evidence, losses), axes.flat, strict=True):
            panel(axis, result)
            axis.spines[["top", "right"]].set_visible(False)
        figure.legend(ncols=6, loc="upper left", frameon=False, fontsize=7)
    return figure


def likelihoods(axis, r) -> None:
    """P(feature | class), filled at alpha and outlined without smoothing."""
    at = np.arange(len(r.shown))
    for c, shift in enumerate((-0.2, 0.2)):
        color = palette.CLASS_COLORS[c]
        axis.bar(at + shift, r.likelihoods[c], 0.36, color=color, hatch=HATCHES[c], ec="w", label=r.case.classes[c])
        label = "unsmoothed" if c else None
        axis.bar(at + shift, r.raw_likelihoods[c], 0.36, fill=False, ec="k", lw=1, label=label)
        for f in np.flatnonzero(r.likelihoods[c] == 0):
            axis.text(at[f] + shift, 0, "0", color=color, ha="center", transform=axis.get_xaxis_transform())
    if r.case is given_names():
        axis.set_yscale("log")
    axis.set_ylim(*((1e-8, 0.1) if r.case is given_names() else (0, 1)))
    axis.set_xticks(at, r.features)
    axis.set_title("P(feature | class)", loc="left")


def evidence(axis, r) -> None:
    """Log odds as a waterfall: the prior, each feature, their sum."""
    more = [r.rest.sum()] * (len(r.rest) > 0)
    steps = np.array([r.prior_log_odds, *r.log_odds, *more])
    total = 0.0 if r.impossible else steps.sum()
    walk = np.cumsum(np.where(np.isfinite(steps), steps, 0.0))
    edge = 1.2 * max(2.0, np.abs(walk).max())
    heights = np.clip([*steps, total], -3 * edge, 3 * edge)
    colors = [palette.CLASS_COLORS[side] for side in (heights > 0).astype(int)]
    axis.bar(np.arange(len(heights)), heights, 0.7, [0.0, *walk[:-1], 0.0], color=colors)
    axis.axhline(0, color="k", lw=1)
    axis.set_ylim(-edge, edge)
    axis.set_xticks(np.arange(len(heights)), ["prior", *r.features, *["more"] * len(more), "sum"])
    axis.set_title(f"Log odds: up for {r.case.classes[1]}, down for {r.case.classes[0]}", loc="left")


def posterior(axis, r) -> None:
    """The posterior of both classes, with and without smoothing."""
    axis.barh([0, 1], r.posterior, 0.56, color=palette.CLASS_COLORS[:2])
    axis.barh([0, 1], r.raw_posterior, 0.8, fill=False, ec="k", lw=1)
    for c, p in enumerate(r.posterior):
        axis.text(1.02, c, f"{p:.3f}", va="center")
    axis.set_xlim(0, 1.2)
    axis.set_yticks([0, 1], r.case.classes)
    axis.set_title("P(class | item)", loc="left")


def losses(axis, r) -> None:
    """Log loss against alpha on training and held-out items, the present alpha and the best one marked."""
    alphas = np.array(ALPHAS)
    alphas[0] = alphas[1] / 3
    now, best = ALPHAS.index(r.alpha), ALPHAS.index(r.case.best_alpha)
    finite = np.where(np.isfinite(r.case.losses), r.case.losses, np.nan)
    axis.semilogx(alphas, finite[:, 0], "--", color=palette.GREY, label="training")
    axis.semilogx(alphas, finite[:, 1], color=palette.GREEN, label="held out")
    axis.plot(alphas[best], finite[best, 1], "o", mfc="none", ms=9, color=palette.GREEN, label="best")
    axis.axvline(alphas[now], color="k")
    axis.set_ylim(0, min(1.1 * np.nanmax(finite), 1.5))
    axis.set_title("Log loss against alpha", loc="left")
