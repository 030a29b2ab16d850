"""Chapter 08: four points that no line can part, and hidden nodes that can. Carlos & Rakshit (2016), section 3.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.datasets import load_xor
from workbook.page import palette, theme
from workbook.page.controls import Choice, IntSlider, LogSlider, Points
from workbook.page.explorer import Explorer, Preset
from workbook.page.fitting import Slow
from workbook.page.formula import Part
from workbook.page.handles import Handle
from workbook.page.theme import Panel

from .experiment import UNDECIDED, best_of_starts, points_right, with_points, xor_starts
from .regions import class_dots, own_dots, region_traces, ring, square
from .weighing import Weighing, equation, weigh

__all__ = ["XorExplorer"]

XOR = load_xor()
AXIS, GRID = square(0.0, 6.0, 61)
SUM, PRODUCT = "sum of products", "product of sums"
RULES = {PRODUCT: "product_of_sums", SUM: "sum_of_products"}
SOFT, HARD, GAUSSIAN = "multinomial", "multinomial, hard EM", "Gaussian"
ALIKE = 1e-3  # ends of EM that differ by less are one
LEAVES = {GAUSSIAN: ("gaussian", "soft"), SOFT: ("multinomial", "soft"), HARD: ("multinomial", "hard")}


@dataclass(frozen=True)
class Fitted:
    """What all starts of EM lead to."""

    H: int
    leaf: str
    rule: str
    smoothing: float
    seed: int
    points: tuple  # the reader's, n times (x, y, class)
    log_odds: np.ndarray  # (61, 61) of class 1 over the map, for the best of the starts
    posterior: np.ndarray  # (4 + n,) of class 1 at the four points, then at the reader's
    right: np.ndarray  # (4 + n,) bool
    weighing: Weighing  # at the reader's last point, or at (1, 5)
    objective: np.ndarray  # (starts,) where EM ended, both classes together
    solved: np.ndarray  # (starts,) bool: this start alone has 4 of 4

    @property
    def four(self) -> int:
        """How many of the four points are right."""
        return int(self.right[:4].sum())


def fit(H: int, leaf: str, rule: str, smoothing: float, starts: int, seed: int, points: tuple, progress) -> Fitted:
    """EM from every start, and the map of the best."""
    kind, em = LEAVES[leaf]
    models = xor_starts(H, kind, smoothing, starts, seed, em, RULES[rule], progress, points)
    rows, _ = with_points(XOR.data, XOR.target, points)
    best = best_of_starts(models)
    log_odds = np.diff(best.predict_joint_log_proba(GRID))[:, 0].reshape(len(AXIS), -1)
    return Fitted(
        H, leaf, rule, smoothing, seed, points, log_odds, best.predict_proba(rows)[:, 1], points_right(best, points),
        weigh(best, rows[-1] if points else (1, 5)),
        np.array([sum(path[-1] for path in model.log_likelihood_path_) for model in models]),
        np.array([points_right(model).all() for model in models]),
    )  # fmt: skip


fitted = Slow(fit)


class XorExplorer(Explorer):
    """The decision and posterior that hidden nodes make of four points and yours, and where each start of EM ends."""

    H = IntSlider(2, 1, 6, label="H")
    leaf = Choice(SOFT, list(LEAVES), label="Leaf")
    rule = Choice(SUM, list(RULES), label="Rule")
    smoothing = LogSlider(1.0, 0.001, 30, per_decade=4, label="alpha or floor")
    starts = IntSlider(10, 1, 30, label="starts of EM")
    seed = IntSlider(0, 0, 20, label="seed")
    points = Points(low=0, high=6, step=0.1, label="your points")

    presets: ClassVar = {
        "Naive Bayes: a tie": Preset(
            "One node per class is naive Bayes. It has counted the same in both classes and cannot decide anywhere.",
            dict(H=1),
        ),
        "Two nodes": Preset("Two nodes per class, sum of products: a wedge along the diagonal for class 0.", {}),
        "Two Gaussians": Preset(
            "Gaussian nodes sit on the four points, all equally wide. What is left is a cross.", dict(leaf=GAUSSIAN)
        ),
        "Product of sums": Preset(
            "The same hidden nodes, the sum taken first: every point is a tie.", dict(rule=PRODUCT)
        ),
        "Hard EM": Preset(
            "Hard EM gives each point to one node. About every second start puts both points into the same one.",
            dict(leaf=HARD, starts=20, seed=2),
        ),
        "Too smooth": Preset(
            "Alpha of 10 drowns the six counts of a point. The nodes become equal, and nothing is decided.",
            dict(smoothing=10),
        ),
        "A point of yours": Preset(
            "A fifth point, of class 0, beside (1, 5), and nodes that count lose (1, 5). Gaussian ones have all five.",
            dict(points="1 4 0"),
        ),
    }  # fmt: skip

    def pending(self, H, leaf, rule, smoothing, starts, seed, points):
        return fitted.work(H, leaf, rule, smoothing, starts, seed, self.declared["points"].read(points))

    def compute(self, H, leaf, rule, smoothing, starts, seed, points) -> Fitted:
        return fitted(H, leaf, rule, smoothing, starts, seed, self.declared["points"].read(points))

    def draw(self, result):
        panels = [decision_panel(result), posterior_panel(result), starts_panel(result)]
        return theme.figure([panels], widths=[1, 1, 0.95], share=0.84)

    def describe(self, result) -> str:
        r = result
        named = "floor" if r.leaf == GAUSSIAN else "alpha"
        p = ", ".join(f"{v:.3f}" for v in r.posterior[:4])
        own = f" Of your {len(r.points)}, which are learned too, {r.right[4:].sum()}." if r.points else ""
        alone = f"{r.solved.sum()} of {len(r.solved)} starts (seed {r.seed}) solve it alone."
        alone = alone if r.H > 1 else "With one node nothing has to start."
        return (
            f"H = {r.H}, {r.leaf}, {r.rule}, {named} {r.smoothing:g}: {r.four} of 4 points right.{own} "
            f"P(1 | x) at (1,1), (5,5), (1,5), (5,1): {p}. {alone}"
        )

    def explain(self, result) -> Sequence[Part]:
        return equation(result.weighing)


def decision_panel(r: Fitted) -> Panel:
    """The regions of both classes, the four points and the reader's; crossed out where they are not right."""
    words = "one of the four, %{fullData.name}, at (%{x:.0f}, %{y:.0f})"
    traces = region_traces(AXIS, r.log_odds, 4 * UNDECIDED)  # log odds of 1/2 + UNDECIDED
    traces += class_dots(XOR.data, XOR.target, np.full(4, True), 13, words=words)
    own = zip(r.points, r.posterior[4:], strict=True)
    traces += own_dots(r.points, [f"your point ({x:g}, {y:g}), class {c}: P(1 | x) = {p:.2f}" for (x, y, c), p in own])
    if not r.right.all():
        cross = dict(symbol="x-thin", size=22, line=dict(color=palette.WRONG, width=2))
        rows, _ = with_points(XOR.data, XOR.target, r.points)
        x, y = rows[~r.right].T
        traces.append(dict(type="scatter", mode="markers", x=x, y=y, name="not right", marker=cross))
        traces[-1]["hovertemplate"] = "(%{x:.1f}, %{y:.1f}) is not decided rightly<extra></extra>"
    axis = dict(range=[0, 6], tickvals=[1, 3, 5])
    x, y, handle = axis | dict(title="x₁"), axis | dict(title="x₂"), Handle("points", shape="points")
    return Panel(f"Decision: {r.four} of 4", traces, x, y, handles=[handle], equal=True)


def posterior_panel(r: Fitted) -> Panel:
    """P(1 | x) over the same square, with its value at the four points and where the ring is."""
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(-r.log_odds))
    scale = [[0, palette.BLUE], [0.5, "#FFFFFF"], [1, palette.VERMILLION]]
    heat = dict(type="heatmap", x=AXIS, y=AXIS, z=p.round(2), colorscale=scale, zmin=0, zmax=1, showscale=False)
    heat["hoverinfo"] = "skip"
    (x, y), here = r.weighing.x, r.weighing.posterior
    values = {tuple(place): v for place, v in zip(XOR.data, r.posterior, strict=False)} | {(x, y): here}
    said = {place: f"{value:.2f}" for place, value in values.items()}
    if np.abs(p - 0.5).max() < UNDECIDED:
        said |= {(3, 3): "½ everywhere"}
    notes = [dict(x=x, y=y, text=text, bgcolor="rgba(255,255,255,0.8)") for (x, y), text in said.items()]
    circle = ring(r.weighing.x, f"P(1 | x) at x = ({x:g}, {y:g}): {here:.2f}, as in the equation")
    axis = dict(range=[0, 6], tickvals=[1, 3, 5])
    x, y = axis | dict(title="x₁"), axis | dict(title="x₂")
    return Panel("P(1 | x); blank: ½", [heat, circle], x, y, annotations=notes, equal=True)


def starts_panel(r: Fitted) -> Panel:
    """The objective that each start ended with, those that end alike in a row; and which get all four points alone.

    One node has nothing to start from: one mark stands for all.
    """
    order = np.lexsort([~r.solved, r.objective])[: None if r.H > 1 else 1]
    ends, solved = r.objective[order], r.solved[order]
    level = np.append(0, np.cumsum(np.diff(ends) > ALIKE))
    place = np.arange(1, len(ends) + 1) - np.searchsorted(level, level)  # in its row
    words = "start %{customdata:.0f} ends at an objective of %{y:.3f}: %{fullData.name}<extra></extra>"
    dots = dict(type="scatter", mode="markers", hovertemplate=words)
    traces = [
        dots | dict(x=place[which], y=ends[which], customdata=order[which] + 1, name=name,
                    marker=dict(size=9, color=color, symbol=symbol))
        for which, name, color, symbol in (
            (solved, "start solves it", palette.HIDDEN, "diamond"), (~solved, "start fails", palette.WRONG, "x"))
    ]  # fmt: skip
    pad = max(0.25, 0.15 * (ends[-1] - ends[0]))
    x = dict(range=[0, len(r.objective) + 1], nticks=5, title="starts that end here")
    y = dict(range=[ends[0] - pad, ends[-1] + pad], nticks=5)
    title = f"Objective: {r.solved.sum()} of {len(ends)} solve it" if r.H > 1 else "One node: nothing to start"
    return Panel(title, traces, x, y)
