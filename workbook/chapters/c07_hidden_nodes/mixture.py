"""Chapter 07: the nodes that EM finds, averaged as product of sums does it, beside the one profile of naive Bayes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, Steps
from workbook.explorer.explorer import Preset
from workbook.explorer.formatting import written
from workbook.explorer.formula import Term
from workbook.explorer.theme import Panel

from .em_steps import EQUAL, STEPS, WEIGHTS, EMExplorer, EMStep, path_panel, plane_panel, weights_of
from .experiment import STRIPS

__all__ = ["MixtureExplorer"]


class MixtureExplorer(EMExplorer):
    """What product of sums makes of the nodes, at each step of EM: Carlos & Rakshit (2016), eq. (19) to (28)."""

    weights = Choice("documents", list(WEIGHTS), label="P(h|c) counts")
    alpha = Steps(0.0, [0.0, 0.1, 0.3, 1.0], label="alpha")

    presets: ClassVar = {
        "Documents": Preset(
            "The true EM counts documents. Upright ones have fewer dark pixels, and the ring slips off.",
            dict(iteration=STEPS),
        ),
        "Tokens": Preset(
            "Token weights, nothing smoothed: the ring sits on the cross at every step. Move the step.",
            dict(iteration=STEPS, weights="tokens"),
        ),
        "Tokens, alpha = 1": Preset(
            "Tokens, but every node gets a pseudo-token per word. Now choose “tokens, smoothed”.",
            dict(iteration=STEPS, weights="tokens", alpha=1.0),
        ),
    }

    def draw(self, result):
        return theme.figure(
            [[plane_panel(result, mixture=True), difference_panel(result), path_panel(result)]], widths=[1.35, 0.75, 1]
        )

    def explain(self, result):
        """The mixture for the word on which the two differ most."""
        r = result
        f = int(np.abs(r.mixed - r.naive).argmax()) if r.difference > EQUAL else 1
        parts = []
        for h, (weight, profile) in enumerate(zip(r.weight, r.profile, strict=True)):
            color = palette.CLASS_COLORS[h]
            mark = f"node {h + 1}" if weight else ""
            parts += ["+", Term(f"{weight:.4f}", f"P(h{'₁₂₃₄'[h]}|c)", mark, color if mark else "")]
            parts += ["·", Term(f"{profile[f]:.4f}")]
        mixed = Term(f"{r.mixed[f]:.4f}", "product of sums", "product of sums", palette.NAIVE_BAYES)
        naive = Term(f"{r.naive[f]:.4f}", "naive Bayes", "naive Bayes", palette.NAIVE_BAYES)
        return [f"{STRIPS[f]}:", *parts[1:], "=", mixed, "; pooled:", naive]

    def describe(self, result) -> str:
        r = result
        naive = f" (alpha = {r.naive_alpha:.3g})" if r.naive_alpha != r.setting[3] else ""
        apart = f"are {written(r.difference, 2)} apart at most" if r.difference > EQUAL else "agree to within 10⁻¹³"
        return f"Step {r.iteration}: P(h|c) = {weights_of(r)}; ring and cross{naive} {apart}, in P(f|c) of a strip."


def difference_panel(r: EMStep) -> Panel:
    """Product of sums less naive Bayes, for each strip."""
    strips = np.arange(len(STRIPS))
    bars = dict(type="bar", x=strips, y=1000 * (r.mixed - r.naive), marker=dict(color=palette.BLACK), width=0.6)
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.GREY, width=1))
    x = dict(range=[-0.5, 2.5], tickvals=strips, ticktext=STRIPS, showgrid=False, tickangle=-30)
    y = dict(range=[-16, 16], tickvals=[-10, 0, 10])
    words = "%{customdata}: ring less cross %{y:.2f} thousandths<extra></extra>"
    hover = dict(showlegend=False, customdata=STRIPS, hovertemplate=words)
    return Panel("Ring − cross, ‰", [bars | hover], x, y, [zero])
