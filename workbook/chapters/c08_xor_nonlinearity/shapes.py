"""Chapter 08: four shapes, one Gaussian per class beside several. Carlos & Rakshit (2016), section 4.4 and Table 4."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import is_inside
from nbcore.naive_bayes import GaussianNB
from workbook.page import palette, theme
from workbook.page.controls import Choice, IntSlider
from workbook.page.explorer import Explorer, Preset
from workbook.page.fitting import Slow
from workbook.page.theme import Panel

from .experiment import TABLE_4, fit_shape, shape_data
from .regions import class_dots, region_traces, square

__all__ = ["ShapesExplorer"]

AXIS, GRID = square(0.0, 500.0, 71)
WORDS = {"dots": "dots", "ring": "ring", "xor": "XOR", "s": "S"}
STARTS = {"at random shares": "responsibilities", "at data points": "points"}
SUM, PRODUCT = "sum of products", "product of sums"
RULES = {PRODUCT: "product_of_sums", SUM: "sum_of_products"}
TURN = np.linspace(0, 2 * np.pi, 33)
SHOWN = 250  # points drawn


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
    naive: Map
    nodes: Map
    ellipses: np.ndarray  # (H, 33, 2): one standard deviation around each node of the inside
    weight: np.ndarray  # (H,) P(h | inside)
    test: tuple


def few_starts(shape: str, H: int, start: str, seed: int, progress):
    """The best of three starts: a slider cannot wait for the ten of Table 4."""
    return fit_shape(shape, H, start, seed, n_starts=3, max_iter=60, progress=progress)


fitted = Slow(few_starts)


def mapped(model, shape: str, seed: int) -> Map:
    """What a model makes of the square and of the test points."""
    X, y = shape_data(shape, seed).test
    joint = model.predict_joint_log_proba(np.vstack([GRID, X]))
    odds, decided = np.diff(joint[: len(GRID)])[:, 0], joint[len(GRID) :].argmax(axis=1)
    return Map(odds.reshape(len(AXIS), -1), decided, float((decided == y).mean()))


@lru_cache(maxsize=128)
def naive_map(shape: str, seed: int) -> Map:
    """Gaussian naive Bayes."""
    return mapped(GaussianNB().fit(*shape_data(shape, seed).train), shape, seed)


def fit(shape: str, H: int, start: str, rule: str, seed: int, progress) -> Shape:
    """The nodes, and the maps of both classifiers."""
    model = copy(fitted(shape, H, STARTS[start], seed, progress=progress)).set_params(rule=RULES[rule])
    circle = np.stack([np.cos(TURN), np.sin(TURN)], axis=-1)
    ellipses = model.means_[1][:, None] + np.sqrt(model.variances_[1])[:, None] * circle
    weight = np.exp(model.node_log_prob_[1])
    test = shape_data(shape, seed).test
    return Shape(shape, H, start, rule, naive_map(shape, seed), mapped(model, shape, seed), ellipses, weight, test)


shown = Slow(fit)


class ShapesExplorer(Explorer):
    """Gaussian naive Bayes beside H Gaussian nodes per class on the shapes of figure 4; presets are Table 4's rows."""

    shape = Choice("ring", list(WORDS), label="Shape")
    H = IntSlider(10, 1, 12, label="H, nodes per class")
    start = Choice("at data points", list(STARTS), label="Start of EM")
    rule = Choice(SUM, list(RULES), label="Rule")
    seed = IntSlider(0, 0, 4, label="seed")

    presets: ClassVar = {
        "Ring": Preset("One Gaussian sees a disc and a square. Ten of them bend around the ring.", {}),
        "Dots": Preset("Nine dots, ten nodes: nearly every dot gets a node of its own.", dict(shape="dots")),
        "XOR": Preset("Two corner squares: the same riddle as the four points, with a thousand of them.",
                      dict(shape="xor")),
        "S": Preset("Five bars, covered piece by piece.", dict(shape="s")),
        "The trap": Preset("Nine dots, but the nodes start at random shares: all near the centre, and many stay.",
                           dict(shape="dots", start="at random shares")),
        "Sum first": Preset("The sum taken first: whatever the nodes have learned about shape is lost.",
                            dict(rule=PRODUCT)),
    }  # fmt: skip

    def pending(self, shape, H, start, rule, seed):
        return shown.work(shape, H, start, rule, seed)

    def compute(self, shape, H, start, rule, seed) -> Shape:
        return shown(shape, H, start, rule, seed)

    def draw(self, result):
        r = result
        panels = [truth_panel(r), map_panel(f"Naive Bayes: {r.naive.accuracy:.3f}", r.naive, r),
                  map_panel(f"H = {r.H}: {r.nodes.accuracy:.3f}", r.nodes, r, r.ellipses)]  # fmt: skip
        return theme.figure([panels])

    def describe(self, result) -> str:
        r = result
        stated = "Table 4: {:.3f} and {:.3f}".format(*TABLE_4[r.shape])
        return (
            f"{WORDS[r.shape]}: of 1,000 test points Gaussian naive Bayes decides {r.naive.accuracy:.3f} rightly, "
            f"H = {r.H} nodes per class {r.nodes.accuracy:.3f} ({r.rule}, started {r.start}). {stated}."
        )


def truth_panel(r: Shape) -> Panel:
    """The shape itself, and some test points."""
    inside = is_inside(r.shape, GRID).reshape(len(AXIS), -1)
    traces = region_traces(AXIS, np.where(inside, 1.0, -1.0))[:1]
    some = np.arange(len(r.test[1])) < SHOWN
    return Panel("The truth", traces + class_dots(*r.test, some, 4, ("outside", "inside")), *[axis()] * 2)


def map_panel(title: str, found: Map, r: Shape, ellipses=()) -> Panel:
    """A classifier's decisions, and which of the points it gets wrong; its nodes as ellipses."""
    X, y = r.test
    wrong = (found.decided != y) & (np.arange(len(y)) < SHOWN)
    cross = dict(size=6, symbol="x", color=palette.BLACK)
    traces = region_traces(AXIS, found.log_odds)
    traces.append(dict(type="scatter", mode="markers", x=X[wrong, 0], y=X[wrong, 1], name="wrong", marker=cross))
    traces[-1] |= dict(hoverinfo="skip", showlegend=len(ellipses) == 0)
    if len(ellipses):
        gap = np.full((len(ellipses), 1, 2), np.nan)
        x, line_y = np.concatenate([ellipses, gap], axis=1).reshape(-1, 2).T
        line = dict(color=palette.VERMILLION, width=2, dash="dot")
        traces.append(dict(type="scatter", mode="lines", x=x, y=line_y, name="nodes, inside", line=line))
        traces[-1]["hoverinfo"] = "skip"
    return Panel(title, traces, axis(), axis())


def axis() -> dict:
    """The square's side."""
    return dict(range=[0, 500], tickvals=[0, 250, 500])
