"""Chapter 08: four shapes learned by bells, with the sum over them last or first. Carlos & Rakshit (2016), 4.4."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from nbcore.datasets.shapes import XOR_SQUARES
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Slow
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.palette import BLACK, GUIDE, HIDDEN, NAIVE_BAYES, TINTS, VERMILLION
from workbook.explorer.theme import Panel

from .experiment import TABLE_4, WIDTH, fit_shape, shape_data
from .regions import square

__all__ = ["ShapesExplorer"]

SHAPES, NAMES = list(TABLE_4), ["the ring", "the dots", "XOR", "the S"]
LOOKS = HIDDEN, NAIVE_BAYES
NODES = [1, 2, 3, 4, 6, 8, 10]
SUMS, RULES = ["sum last", "sum first"], ["sum_of_products", "product_of_sums"]
AXIS, GRID = square(0.0, WIDTH, 41)
TURN = np.linspace(0, 2 * np.pi, 25)
CIRCLE = np.stack([np.cos(TURN), np.sin(TURN)], axis=-1)
S_X, S_Y = [2, 8, 8, 3, 3, 8, 8, 2, 2, 7, 7, 2, 2], [1, 1, 5.5, 5.5, 8, 8, 9, 9, 4.5, 4.5, 2, 2, 1]
OUTLINES = {  # closed lines, in widths of the square; test_c08 has them change what `is_inside` says
    "ring": [0.5 + radius * CIRCLE for radius in (0.28, 0.43)],
    "dots": [np.array(middle) / 6 + 0.1275 * CIRCLE for middle in product((1, 3, 5), repeat=2)],
    "xor": [np.array([(x, y), (w, y), (w, z), (x, z), (x, y)]) for x, w, y, z in XOR_SQUARES],
    "s": [np.transpose([S_X, S_Y]) / 10],
}


@dataclass(frozen=True)
class Shape:
    """Hold what H bells a class have learned of a shape, with the sum over them last (first = 0) or first (1)."""

    shape: int
    H: int
    first: int
    inside: np.ndarray  # (2, 41, 41) whether each order of the sum says "inside", row = x₂
    accuracies: tuple[float, float]  # on 1,000 test points, by either order
    outside: float  # the share of the test points outside
    ellipses: np.ndarray  # (2, H, 25, 2) one standard deviation around the nodes of either class

    @property
    def accuracy(self) -> float:
        """Return the accuracy by the order that is chosen."""
        return self.accuracies[self.first]

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c08 proves it for all states."""
        right = f"{100 * self.accuracy:.1f} % of {NAMES[self.shape]} are right"
        if self.H == 1:
            return f"One bell a class is naive Bayes: {right}"
        if not self.first:
            return f"{self.H} bells a class, summed last: {right}"
        return f"Summed first: {right} instead of {100 * self.accuracies[0]:.1f} %"


def learn(shape: int, H: int, progress) -> tuple:
    """Fit H nodes a class; return the map and the accuracy by either order, the share outside, and the ellipses."""
    (T, t), model = shape_data(SHAPES[shape]).test, fit_shape(SHAPES[shape], H, progress=progress)
    orders = [copy(model).set_params(rule=rule) for rule in RULES]
    maps = np.array([each.predict(GRID).reshape(len(AXIS), -1) for each in orders])
    ellipses = model.means_[:, :, None] + np.sqrt(model.variances_)[:, :, None] * CIRCLE
    return maps, tuple(each.score(T, t) for each in orders), float(np.mean(t == 0)), ellipses


learned = Slow(learn)


def outline(shape: int) -> np.ndarray:
    """Return the edge of the true shape, (n, 2), with NaN between its closed lines."""
    gap = np.full((1, 2), np.nan)
    return WIDTH * np.concatenate([part for line in OUTLINES[SHAPES[shape]] for part in (line, gap)])


class ShapesExplorer(Explorer):
    """Bells a class on the shapes of figure 4, by eq. (34) or by the product of sums; best of ten starts."""

    shape = Steps(0, range(4), label="shape", say=["ring", "dots", "XOR", "S"].__getitem__)
    H = Steps(10, NODES, label="nodes", say="{:d}".format)
    first = Steps(0, range(2), label="sum", say=["last", "first"].__getitem__)

    presets: ClassVar = {
        "The ring": Preset("Ten bells inside and ten outside.", {}),
        "The ring, one bell": Preset("Both bells have the same middle.", dict(H=1)),
        "The ring, sum first": Preset("The same ten bells, summed feature by feature.", dict(first=1)),
        "XOR, sum first": Preset("The four points again, as corners of a square.", dict(shape=2, first=1)),
    }

    def pending(self, shape, H, first):
        return learned.work(shape, H)

    def compute(self, shape: int, H: int, first: int) -> Shape:
        return Shape(shape, H, first, *learned(shape, H))

    def draw(self, result: Shape) -> dict:
        score, panels = f"{100 * result.accuracy:.1f} %", (map_panel(result), bars_panel(result))
        return marks.figure(*panels, finding=result.finding, number=(score, "of the test points right"))

    def describe(self, result: Shape) -> str:
        last, first = result.accuracies
        numbers = f"with the sum last {100 * last:.1f} % are right, with the sum first {100 * first:.1f} %"
        return f"{result.finding}. Of 1,000 test points {numbers}; {100 * result.outside:.1f} % lie outside."

    def explain(self, result: Shape) -> Sequence[Part]:
        last, first = (Term(f"{each:.3f}", name, name, look)
                       for each, name, look in zip(result.accuracies, SUMS, LOOKS, strict=True))  # fmt: skip
        return [last, "−", first, "=", Term(signed(np.subtract(*result.accuracies), 3), "what the order is worth")]


def map_panel(r: Shape) -> Panel:
    """Draw where "inside" is said, the outline of the true shape, and the nodes of the inside as ellipses."""
    scale = [[0, TINTS[0]], [0.5, TINTS[0]], [0.5, TINTS[2]], [1, TINTS[2]]]
    gap = np.full((r.H, 1, 2), np.nan)
    x, y = np.concatenate([r.ellipses[1], gap], axis=1).reshape(-1, 2).round(1).T
    nodes = marks.line(x, y, VERMILLION, width=2, name="nodes, inside")
    ends = marks.axis(0, 500, ticks=[0, 250, 500])
    tiles = marks.cells(AXIS, AXIS, r.inside[r.first], scale)
    shape = marks.line(*outline(r.shape).round(1).T, BLACK, width=2, name="the true shape")
    note = [] if r.inside[r.first].any() else [marks.text(250, 250, "“outside” everywhere", paper="white")]
    return marks.panel("Where “inside” is said", tiles, shape, nodes, note, x=ends, y=ends, equal=True)


def bars_panel(r: Shape) -> Panel:
    """Draw the accuracy by either order of the sum, and as a level line what "outside" everywhere has."""
    said = [f"{name}: {100 * each:.1f} % right" for name, each in zip(SUMS, r.accuracies, strict=True)]
    drawn = [marks.bars([at], [100 * each], LOOKS[at], width=0.5, hover=said[at], id=SUMS[at])
             for at, each in enumerate(r.accuracies)]  # fmt: skip
    names = [f"{'▸ ' * (at == r.first)}{name}: {100 * each:.1f} %"
             for at, (name, each) in enumerate(zip(SUMS, r.accuracies, strict=True))]  # fmt: skip
    base = marks.rule(y=100 * r.outside, look=GUIDE, width=2)
    name = [marks.text(0.5, 100 * r.outside, "“outside”", place="above"),
            marks.text(0.5, 100 * r.outside, "everywhere", place="below")]
    return marks.panel("Test points that are right, %", drawn, base, name, x=marks.named_axis(names),
                       y=marks.axis(0, 100, ticks=[0, 50, 100]))  # fmt: skip
