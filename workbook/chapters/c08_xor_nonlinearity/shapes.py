"""Chapter 08: four shapes, one Gaussian per class beside several. Carlos & Rakshit (2016), section 4.4 and Table 4."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import is_inside
from nbcore.naive_bayes import GaussianNB
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider, Points
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formula import Part
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import HEAP, HEAP_RADIUS, TABLE_4, fit_shape, shape_data, shape_training
from .regions import class_dots, own_dots, region_traces, ring, square
from .weighing import Weighing, equation, weigh

__all__ = ["ShapesExplorer"]

SIDE = 500.0
AXIS, GRID = square(0.0, SIDE, 71)
NAMES = ("outside", "inside")
WORDS = {"dots": "dots", "ring": "ring", "xor": "XOR", "s": "S"}
STARTS = {"at random shares": "responsibilities", "at data points": "points"}
SUM, PRODUCT = "sum of products", "product of sums"
RULES = {PRODUCT: "product_of_sums", SUM: "sum_of_products"}
TURN = np.linspace(0, 2 * np.pi, 33)
SHOWN = 250  # points drawn
NEAR_EDGE = {"dots": (350, 250), "ring": (150, 150), "xor": (280, 280), "s": (180, 250)}  # where both classes speak


@dataclass(frozen=True)
class Map:
    """A classifier's decisions over the square, on the test points, and how many are right."""

    log_odds: np.ndarray  # (71, 71)
    decided: np.ndarray  # (1000,)
    accuracy: float


@dataclass(frozen=True)
class Shape:
    """The result: one Gaussian per class beside H of them."""

    shape: str
    H: int
    start: str
    rule: str
    points: tuple  # the reader's, (x, y, class) each
    naive: Map
    nodes: Map
    ellipses: np.ndarray  # (2, H, 33, 2): one standard deviation around each node of the outside, of the inside
    weight: np.ndarray  # (2, H) P(h | outside), P(h | inside)
    weighing: Weighing  # by the nodes, at the reader's last point, or at NEAR_EDGE
    test: tuple


def few_starts(shape: str, H: int, start: str, seed: int, points: tuple, progress):
    """The best of three starts: a slider cannot wait for the ten of Table 4."""
    return fit_shape(shape, H, start, seed, n_starts=3, max_iter=60, progress=progress, points=points)


fitted = Slow(few_starts)


def mapped(model, shape: str, seed: int) -> Map:
    """What a model makes of the square and of the test points."""
    X, y = shape_data(shape, seed).test
    joint = model.predict_joint_log_proba(np.vstack([GRID, X]))
    odds, decided = np.diff(joint[: len(GRID)])[:, 0], joint[len(GRID) :].argmax(axis=1)
    return Map(odds.reshape(len(AXIS), -1), decided, float((decided == y).mean()))


@lru_cache(maxsize=128)
def naive_map(shape: str, seed: int, points: tuple) -> Map:
    """Gaussian naive Bayes."""
    return mapped(GaussianNB().fit(*shape_training(shape, seed, points)), shape, seed)


def fit(shape: str, H: int, start: str, rule: str, seed: int, points: tuple, progress) -> Shape:
    """The nodes, and the maps of both classifiers."""
    found = fitted(shape, H, STARTS[start], seed, points, progress=progress)
    model = copy(found).set_params(rule=RULES[rule])
    circle = np.stack([np.cos(TURN), np.sin(TURN)], axis=-1)
    ellipses = model.means_[:, :, None] + np.sqrt(model.variances_)[:, :, None] * circle
    weight = np.exp(model.node_log_prob_)
    at = points[-1][:2] if points else NEAR_EDGE[shape]
    return Shape(
        shape, H, start, rule, points, naive_map(shape, seed, points), mapped(model, shape, seed), ellipses, weight,
        weigh(model, at, SIDE), shape_data(shape, seed).test,
    )  # fmt: skip


shown = Slow(fit)


class ShapesExplorer(Explorer):
    """Gaussian naive Bayes beside H Gaussian nodes per class on the shapes of figure 4; presets are Table 4's rows.

    A point of the reader's stands for a heap of training points around it, so that one makes a difference among 1,000.
    """

    shape = Choice("ring", list(WORDS), label="Shape")
    H = IntSlider(10, 1, 12, label="H")
    start = Choice("at data points", list(STARTS), label="Start of EM")
    rule = Choice(SUM, list(RULES), label="Rule")
    seed = IntSlider(0, 0, 4, label="seed")
    points = Points(low=0, high=500, step=5, label="your points")

    presets: ClassVar = {
        "Ring": Preset("Naive Bayes says “outside” everywhere: its score is the area of the background. "
                       "Ten nodes bend around the ring.", {}),
        "Dots": Preset("Nine dots, ten nodes: some dots get two, and two dots share one.", dict(shape="dots")),
        "XOR": Preset("Two corner squares: the same riddle as the four points, with a thousand of them.",
                      dict(shape="xor")),
        "S": Preset("Five bars, covered piece by piece.", dict(shape="s")),
        "Random shares": Preset("Nine dots, but all nodes start near the centre. After 60 steps few dots are found.",
                                dict(shape="dots", start="at random shares")),
        "Sum first": Preset("The sum taken first: one function of x₁ times one of x₂. Now move Shape: what is lost?",
                            dict(rule=PRODUCT)),
    }  # fmt: skip

    def pending(self, shape, H, start, rule, seed, points):
        return shown.work(shape, H, start, rule, seed, self.declared["points"].read(points))

    def compute(self, shape, H, start, rule, seed, points) -> Shape:
        return shown(shape, H, start, rule, seed, self.declared["points"].read(points))

    def draw(self, result):
        r = result
        panels = [truth_panel(r), map_panel(f"Naive Bayes: {r.naive.accuracy:.3f}", r.naive, r),
                  map_panel(f"H = {r.H}: {r.nodes.accuracy:.3f}", r.nodes, r, nodes_traces(r))]  # fmt: skip
        return theme.figure([panels], share=0.84)

    def describe(self, result) -> str:
        r = result
        stated = "Table 4: {:.3f} and {:.3f}".format(*TABLE_4[r.shape])
        own = f" Both have learned from {len(r.points) * HEAP} points of yours, too." if r.points else ""
        return (
            f"{WORDS[r.shape]}: of 1,000 test points Gaussian naive Bayes decides {r.naive.accuracy:.3f} rightly, "
            f"H = {r.H} nodes per class {r.nodes.accuracy:.3f} ({r.rule}, started {r.start}). {stated}.{own}"
        )

    def explain(self, result) -> Sequence[Part]:
        return equation(result.weighing, NAMES, head="P(inside | x) =")


def truth_panel(r: Shape) -> Panel:
    """The shape itself, and some test points."""
    inside = is_inside(r.shape, GRID).reshape(len(AXIS), -1)
    traces = region_traces(AXIS, np.where(inside, 1.0, -1.0))[:1]
    some = np.arange(len(r.test[1])) < SHOWN
    traces += class_dots(*r.test, some, 4, NAMES, "a test point %{fullData.name}")
    return Panel("The truth", traces, *[axis()] * 2, equal=True)


def map_panel(title: str, found: Map, r: Shape, nodes=()) -> Panel:
    """A classifier's decisions, and which of the points drawn it gets wrong; its nodes, and the reader's points."""
    X, y = r.test
    wrong = (found.decided != y) & (np.arange(len(y)) < SHOWN)
    cross = dict(size=6, symbol="x", color=palette.WRONG)
    traces = region_traces(AXIS, found.log_odds)
    traces.append(dict(type="scatter", mode="markers", x=X[wrong, 0], y=X[wrong, 1], marker=cross))
    traces[-1] |= dict(name=f"wrong, of these {SHOWN}", showlegend=not nodes, hovertemplate="%{text}<extra></extra>")
    traces[-1]["text"] = [f"a test point {NAMES[c]}, decided wrongly" for c in y[wrong]]
    words = [f"your point ({x:g}, {y:g}): {HEAP} training points {NAMES[c]}, up to {HEAP_RADIUS:g} away"
             for x, y, c in r.points]  # fmt: skip
    own = [dots | dict(showlegend=bool(nodes)) for dots in own_dots(r.points, words)]
    handle = Handle("points", shape="points")
    alike = dict(x=SIDE / 2, y=SIDE / 2, text=f"all {NAMES[0]}", bgcolor="rgba(255,255,255,0.8)")
    notes = [] if (found.log_odds > 0).any() else [alike]
    return Panel(title, [*traces, *nodes, *own], axis(), axis(), annotations=notes, handles=[handle], equal=True)


def nodes_traces(r: Shape) -> list[dict]:
    """The nodes of both classes: ellipses and centres; and the ring where the equation is about."""
    traces = []
    for c, name in enumerate(NAMES):
        gap = np.full((r.H, 1, 2), np.nan)
        x, y = np.concatenate([r.ellipses[c], gap], axis=1).reshape(-1, 2).T
        line = dict(type="scatter", mode="lines", x=x, y=y, name=f"nodes, {name}", hoverinfo="skip")
        line["line"] = dict(color=palette.CLASS_COLORS[c], width=2 if c else 1, dash="dot")
        x, y = r.ellipses[c, :, :-1].mean(axis=1).T
        dots = dict(type="scatter", mode="markers", x=x, y=y, customdata=r.weight[c], showlegend=False)
        dots |= dict(marker=dict(size=5, color=palette.CLASS_COLORS[c], symbol=palette.CLASS_MARKERS[c]))
        dots |= dict(ids=[f"node {h}, {name}" for h in range(1, r.H + 1)])
        dots["hovertemplate"] = f"a node of the {name}: %{{customdata:.0%}} of its points<extra></extra>"
        traces += [line, dots]
    (x, y), p = r.weighing.x, r.weighing.posterior
    words = f"x = ({x:g}, {y:g}), of which the equation speaks: P(inside | x) = {p:.2f}; densities per square"
    return [*traces, ring(r.weighing.x, words) | dict(showlegend=True)]


def axis() -> dict:
    """The square's side."""
    return dict(range=[0, SIDE], tickvals=[0, 250, 500])
