"""Chapter 07: a class, two hidden nodes, two words; and why the order of sum and product makes a line or a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import superscript, typeset, written
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import TOKENS, three_layers

__all__ = ["ThreeLayerExplorer"]

SUM, PRODUCT = palette.HIDDEN, palette.NAIVE_BAYES  # sum of products; product of sums, which is naive Bayes
NODES = palette.CLASS_COLORS[:2]
HATCHES = "", "/"
SUBSCRIPTS = "₁₂"
LOWS = -16, -23, -31  # where the axis of log P(x|c) may end; few, so that it rarely moves


@dataclass(frozen=True)
class ThreeLayers:
    """The result. x: how many of the ten tokens are f1; both rules' log P(x|c) for 0, 1, ..., 10 such tokens."""

    x: int
    node: np.ndarray  # (2,) P(h|c)
    feature: np.ndarray  # (2, 2) P(f|h,c)
    product_of_sums: np.ndarray  # (11,)
    sum_of_products: np.ndarray  # (11,)

    @property
    def mixed(self) -> np.ndarray:
        """P(f|c) of both words, the nodes averaged away, (2,)."""
        return self.node @ self.feature

    @property
    def ratio(self) -> float:
        """Sum of products over product of sums, at x."""
        return float(np.exp(self.sum_of_products[self.x] - self.product_of_sums[self.x]))


class ThreeLayerExplorer(Explorer):
    """The three-layer model, and log P(x|c) by both rules: Carlos & Rakshit (2016), eq. (10), (14) and (33)."""

    weight = FloatSlider(0.5, 0.0, 1.0, step=0.05, label="P(h₁|c)")
    first = FloatSlider(0.9, 0.05, 0.95, step=0.05, label="P(f₁|h₁,c)")
    second = FloatSlider(0.1, 0.05, 0.95, step=0.05, label="P(f₁|h₂,c)")
    x = IntSlider(8, 0, TOKENS, label="f₁ among ten")

    presets: ClassVar = {
        "Two kinds of document": Preset(
            "One node writes mostly f₁, the other mostly f₂. Mixed bags are rare; only the curve knows.", {}
        ),
        "Equal nodes": Preset(
            "Both nodes say the same. There is nothing to mix, and the two rules are one.", dict(first=0.5, second=0.5)
        ),
        "One node only": Preset("The second node has no weight: this is naive Bayes, by either rule.", dict(weight=1)),
        "A rare node": Preset(
            "One document in twenty is the second node's. Where that one is good, the curve leaves the line.",
            dict(weight=0.95, x=1),
        ),
    }

    def compute(self, weight, first, second, x) -> ThreeLayers:
        node = np.array([weight, 1 - weight])
        feature = np.array([[first, 1 - first], [second, 1 - second]])
        return ThreeLayers(x, node, feature, *three_layers(weight, first, second))

    def draw(self, result):
        return theme.figure([[layers_panel(result), square_panel(result), rules_panel(result)]], widths=[1, 0.85, 1.05])

    def explain(self, result):
        """Both orders of sum and product, for x."""
        r = result
        powers = [superscript(r.x), superscript(TOKENS - r.x)]
        parts = []
        for h, (weight, row, color) in enumerate(zip(r.node, r.feature, NODES, strict=True)):
            node = f"h{SUBSCRIPTS[h]}"
            parts += ["+"] * h + [Term(f"{weight:.2f}", f"P({node}|c)", f"c {node}", color)]
            for p, power, f in zip(row, powers, SUBSCRIPTS, strict=True):
                parts += ["·", Term(f"{p:.2f}{power}", f"P(f{f}|{node},c)", f"{node} f{f}", color)]
        f1, f2 = (f"{p:.4f}{power}" for p, power in zip(r.mixed, powers, strict=True))
        summed, multiplied = (typeset(f"{np.exp(rule[r.x]):.3g}") for rule in (r.sum_of_products, r.product_of_sums))
        return [
            *parts,
            "=",
            Term(summed, "sum of products", "sum of products", SUM),
            "; mixed first:",
            Term(f1, "P(f₁|c)", "mixed", PRODUCT),
            "·",
            Term(f2, "P(f₂|c)"),
            "=",
            Term(multiplied, "product of sums", "product of sums", PRODUCT),
        ]

    def describe(self, result) -> str:
        r = result
        f1 = float(r.mixed[0])
        line, bend = (written(np.exp(rule[r.x]), 2) for rule in (r.product_of_sums, r.sum_of_products))
        curve = "a curve" if np.ptp(r.feature[:, 0]) > 0 and r.node.min() > 0 else "the same line"
        return (
            f"P(h₁|c) = {r.node[0]:.2f}, P(f₁|h,c) = {r.feature[0, 0]:.2f} and {r.feature[1, 0]:.2f}, mixed {f1:.3f}. "
            f"{r.x} f₁ of {TOKENS}: product of sums (a line) gives {line}, sum of "
            f"products ({curve}) {bend}, {written(r.ratio)} times as much."
        )


def layers_panel(r: ThreeLayers) -> Panel:
    """Class above nodes above features; a line is as thick as its probability."""
    top, nodes, leaves = (0.5, 2.0), [(0.0, 1.0), (1.0, 1.0)], [(0.0, 0.0), (1.0, 0.0)]
    names = ["h₁", "h₂"]
    edges = [(top, at, p, color, f"c {h}") for at, p, color, h in zip(nodes, r.node, NODES, names, strict=True)]
    edges += [
        (at, leaf, p, color, f"{h} {f}")
        for at, row, color, h in zip(nodes, r.feature, NODES, names, strict=True)
        for leaf, p, f in zip(leaves, row, ["f₁", "f₂"], strict=True)
    ]
    line = dict(type="scatter", mode="lines", showlegend=False)
    dashes = {NODES[0]: "solid", NODES[1]: "8px,4px"}
    traces = [
        line
        | dict(x=[a[0], b[0]], y=[a[1], b[1]], line=dict(color=c, width=0.5 + 9 * p, dash=dashes[c]))
        | dict(meta=dict(mark=mark), hovertemplate=f"{said(mark)} = {p:.2f}<extra></extra>")
        for a, b, p, c, mark in edges
    ]
    for (x, y), name, color in zip(
        [top, *nodes, *leaves], ["c", "h₁", "h₂", "f₁", "f₂"], [palette.BLACK, *NODES, palette.BLACK, palette.BLACK],
        strict=True,
    ):  # fmt: skip
        dot = dict(size=2 * theme.size().font, color="white", line=dict(color=color, width=2.5))
        traces.append(
            dict(type="scatter", mode="markers+text", x=[x], y=[y], text=[name], textposition="middle center",
                 marker=dot, hoverinfo="skip", showlegend=False)
        )  # fmt: skip
    place = dict(bgcolor="white", borderpad=1)
    notes = [  # the crossing lines say it above the crossing
        place | dict(x=a[0] + s * (b[0] - a[0]), y=a[1] + s * (b[1] - a[1]), text=f"{p:.2f}")
        for a, b, p, _, _ in edges
        for s in [0.3 if a[1] == 1 and a[0] != b[0] else 0.5]
    ]
    bare = dict(showgrid=False, showticklabels=False, ticks="", showline=False)
    y = bare | dict(range=[-0.3, 2.3], showticklabels=True, tickvals=[0, 1, 2], ticktext=["words", "nodes", "class"])
    return Panel("Three layers", traces, bare | dict(range=[-0.25, 1.25]), y, annotations=notes)


def said(mark: str) -> str:
    """The probability that the line from one layer to the next stands for."""
    start, end = mark.split()
    return f"P({end}|c)" if start == "c" else f"P({end}|{start},c)"


def square_panel(r: ThreeLayers) -> Panel:
    """Nodes as wide as P(h|c) and as high as P(f1|h,c); their area is P(f1|c), the height of the broken line."""
    left, right = r.node / 2 + [0, r.node[0]]
    hatched = dict(fillmode="overlay", fgcolor="white", solidity=0.2)
    bars = dict(
        type="bar",
        x=[left, right],
        y=r.feature[:, 0],
        width=r.node,
        marker=dict(color=list(NODES), pattern=hatched | dict(shape=list(HATCHES))),
        customdata=["P(f₁|h₁,c)", "P(f₁|h₂,c)"],
        hovertemplate="%{customdata} = %{y:.2f}<extra></extra>",
        showlegend=False,
    )
    mixed = dict(type="line", x0=0, x1=1, y0=r.mixed[0], y1=r.mixed[0], name="mixed")
    edge = dict(type="line", x0=r.node[0], x1=r.node[0], y0=0, y1=1, line=dict(color=palette.BLACK, width=2))
    handles = [
        Handle("weight", r.node[0], 1.0, shape="edge"),
        Handle("first", left, r.feature[0, 0], axis="y", shape="bar"),
        Handle("second", right, r.feature[1, 0], axis="y", shape="bar"),
    ]
    axis = dict(tickvals=[0, 0.5, 1], showgrid=False)
    return Panel(
        "P(f₁|h,c)",
        [bars],
        axis | dict(range=[-0.02, 1.02], title="P(h|c)"),
        axis | dict(range=[0, 1.1]),
        [edge, mixed | dict(line=dict(color=PRODUCT, width=3, dash="dash"))],
        handles=handles,
        equal=True,
    )


def rules_panel(r: ThreeLayers) -> Panel:
    """log P(x|c) against the number of f1, by both rules."""
    x = np.arange(TOKENS + 1)
    words = f"%{{x}} f₁ of {TOKENS}: %{{fullData.name}} gives log P(x|c) = %{{y:.2f}}<extra></extra>"
    curve = dict(type="scatter", mode="lines+markers", x=x, hovertemplate=words)
    low = next(low for low in LOWS if low < min(r.sum_of_products.min(), r.product_of_sums.min()) - 1)
    here = dict(type="scatter", mode="lines", x=[r.x, r.x], y=[low, 1], hoverinfo="skip", showlegend=False)
    side = "right" if r.x > TOKENS / 2 else "left"  # of the line lies less of its panel
    words_here = dict(x=r.x, y=low, text=f"\u00a0{r.x} f₁\u00a0", xanchor=side, yanchor="bottom")
    traces = [
        here | dict(line=dict(color=palette.NOW, width=2)),
        curve
        | dict(
            y=r.sum_of_products,
            name="sum of products",
            meta=dict(mark="sum of products"),
            line=dict(color=SUM, width=3),
            marker=dict(size=7),
        ),
        curve
        | dict(
            y=r.product_of_sums,
            name="product of sums",
            meta=dict(mark="product of sums"),
            line=dict(color=PRODUCT, width=3, dash="dash"),
            marker=dict(size=8, symbol="square-open"),
        ),
    ]
    return Panel(
        "log P(x|c): line or curve?",
        traces,
        dict(range=[-0.4, TOKENS + 0.4], tickvals=[0, 5, 10], title="f₁ among ten tokens"),
        dict(range=[low, 1], tickvals=[-30, -20, -10, 0]),
        annotations=[words_here],
        handles=[Handle("x", r.x, 0.9 * low, shape="line")],
    )
