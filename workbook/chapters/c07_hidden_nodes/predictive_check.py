"""Chapter 07: real images beside images drawn from one profile, or from several nodes: is the model a likeness?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import inked_digits
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .em_steps import spread
from .experiment import STRIPS, ones
from .sampled import LEFT, MOST_NODES, NEAR, RIGHT, SETS, STATISTICS, counted, drawn, expected, learned

__all__ = ["PredictiveCheckExplorer"]

RANGES = {RIGHT: [-2, 60], LEFT: [-2, 60], NEAR: [25, 115]}
TALLEST = 30  # dots in a stack
PLANE = dict(range=[-0.04, 0.84], tickvals=[0, 0.2, 0.4, 0.6, 0.8], title="share right")
UP = dict(range=[-0.04, 0.66], tickvals=[0, 0.2, 0.4, 0.6], title="share left")
POINT = dict(type="scatter", mode="markers", hovertemplate="%{text}<extra></extra>", showlegend=False)


@dataclass(frozen=True)
class Check:
    """The result: one set of drawn images, and a count of them in every set."""

    seed: int
    statistic: str
    weight: np.ndarray  # (H,) P(h|c)
    profile: np.ndarray  # (H, 3) P(f|h,c)
    counts: np.ndarray  # (182, 3) of the set that is shown
    node: np.ndarray  # (182,) which node wrote each
    values: np.ndarray  # (SETS,) the statistic of every set
    real: int  # the statistic of the real images
    expected: np.ndarray  # (H,) the statistic on average, if the node wrote all images

    @property
    def mean(self) -> float:
        """The statistic on average."""
        return float(self.weight @ self.expected)

    @property
    def here(self) -> int:
        """The statistic of the set that is shown."""
        return int(self.values[self.seed - 1])


class PredictiveCheckExplorer(Explorer):
    """Images drawn from one to four nodes, as long as the real ones: Carlos & Rakshit (2016), eq. (10)."""

    H = IntSlider(1, 1, MOST_NODES, label="H, nodes")
    seed = IntSlider(1, 1, SETS, label="drawn set")
    statistic = Choice(RIGHT, list(STATISTICS), label="count of images with")

    presets: ClassVar = {
        "One profile": Preset("Real images run along both edges; drawn ones crowd around the profile.", {}),
        "Two nodes": Preset(
            "One node now writes hardly any ink right. The lower left corner is still too empty.", dict(H=2)
        ),
        "Two nodes, left": Preset(
            "Count the other edge: no set of a hundred has as many images without ink left as there really are.",
            dict(H=2, statistic=LEFT),
        ),
        "Three nodes": Preset(
            "A node for upright strokes as well, and the boomerang is back, with both of its arms.",
            dict(H=3, statistic=LEFT),
        ),
        "Four nodes": Preset(
            "Three nodes leave the count on the right at the edge of its heap; a fourth puts it in the middle.",
            dict(H=4),
        ),
    }

    def compute(self, H, seed, statistic) -> Check:
        nodes, (sets, writers) = learned(H), drawn(H)
        return Check(
            seed=seed,
            statistic=statistic,
            weight=np.exp(nodes.log_prob),
            profile=np.exp(nodes.parameters[0]),
            counts=sets[seed - 1],
            node=writers[seed - 1],
            values=values(H, statistic),
            real=int(counted(ones(), statistic)),
            expected=expected(H, statistic),
        )

    def draw(self, result):
        return theme.figure([[real_panel(), drawn_panel(result), heap_panel(result)]], widths=[1.25, 1.25, 0.75])

    def describe(self, result) -> str:
        r = result
        low, high = r.values.min(), r.values.max()
        return (
            f"{r.real} of the 182 real images {STATISTICS[r.statistic]}. In {SETS} sets drawn from {named(r)} it is "
            f"{low} to {high} ({r.mean:.1f} on average); in set {r.seed} it is {r.here}. "
            f"{reaching(r)} of the {SETS} sets lie as far out as the real images."
        )

    def explain(self, result) -> Sequence[Part]:
        """The average of the statistic over all sets: each node's own, weighed by P(h|c)."""
        r, parts = result, []
        for h, (weight, all_its_own) in enumerate(zip(r.weight, r.expected, strict=True)):
            color, node = palette.CLASS_COLORS[h], f"h{'₁₂₃₄'[h]}"
            parts += ["+", Term(f"{weight:.4g}", f"P({node}|c)", f"node {h + 1}", color), "·"]
            parts.append(Term(f"{all_its_own:.4g}", f"of 182, all by {node}", color=color))
        total = Term(f"{r.mean:.3g}", "on average")
        return [f"{r.statistic}:", *parts[1:], "=", total, "; real:", Term(f"{r.real}", "", "real images")]


@lru_cache(maxsize=MOST_NODES * len(STATISTICS))
def values(H: int, statistic: str) -> np.ndarray:
    """The statistic of every drawn set, (SETS,)."""
    return counted(drawn(H)[0], statistic)


@lru_cache(maxsize=MOST_NODES * len(STATISTICS))
def stacked(H: int, statistic: str) -> np.ndarray:
    """Where the dot of each set stands in the heap, (SETS, 2): above those of earlier sets with the same value."""
    found = values(H, statistic)
    return np.array([(value, 1 + (found[:at] == value).sum()) for at, value in enumerate(found)], dtype=float)


def reaching(r: Check) -> int:
    """How many sets lie as far from the average as the real images, on their side."""
    return int((r.values >= r.real if r.real > r.mean else r.values <= r.real).sum())


def named(r: Check) -> str:
    """The model in words."""
    return "one profile" if len(r.weight) == 1 else f"{len(r.weight)} nodes"


def placed(counts: np.ndarray) -> dict:
    """Points of the plane: share right across, share left up; images of equal shares close around their place."""
    x, y = spread(counts / counts.sum(axis=1, keepdims=True)).T
    return dict(x=x, y=y)


def in_words(counts: np.ndarray) -> list[str]:
    """The counts of every image."""
    return [", ".join(f"{n} {strip}" for n, strip in zip(own, STRIPS, strict=True)) for own in counts.tolist()]


def signs(weight: np.ndarray, profile: np.ndarray) -> list[dict]:
    """The nodes at their profiles, larger for larger P(h|c)."""
    found = []
    for h, (w, (left, _, right)) in enumerate(zip(weight, profile, strict=True)):
        look = dict(size=9 + 6 * w, symbol=palette.CLASS_MARKERS[h], color=palette.CLASS_COLORS[h])
        look |= dict(line=dict(color=palette.BLACK, width=2.5))
        said = f"node {h + 1}, P(h|c) = {w:.2f}: share left {left:.3f}, right {right:.3f}"
        found.append(POINT | dict(x=[right], y=[left], text=[said], marker=look, meta=dict(mark=f"node {h + 1}")))
    return found


def cross() -> dict:
    """Naive Bayes' one profile."""
    left, _, right = ones().sum(axis=0) / ones().sum()
    look = dict(size=15, symbol="cross-thin", color=palette.NAIVE_BAYES, line=dict(color=palette.NAIVE_BAYES, width=3))
    said = f"naive Bayes' profile: share left {left:.3f}, right {right:.3f}"
    return POINT | dict(x=[right], y=[left], text=[said], name="naive Bayes", marker=look, showlegend=True)


@lru_cache(maxsize=1)  # no arguments
def real_panel() -> Panel:
    """The 182 ones; a point shows its image."""
    pixels, digit = inked_digits()
    said = [f"image {at}: {words}" for at, words in enumerate(in_words(ones().astype(int)), start=1)]
    look = dict(size=6, color=palette.REAL, opacity=0.5)
    points = POINT | placed(ones()) | dict(text=said, marker=look, meta=dict(pixels=[8, 8]))
    points["customdata"] = pixels[digit == 1].astype(np.uint8)
    return Panel("Real", [points, cross()], PLANE, UP, equal=True)


def drawn_panel(r: Check) -> Panel:
    """As many images drawn from the nodes, each in the look of the node that wrote it."""
    h = r.node.tolist()
    look = dict(size=6, opacity=0.5, symbol=[palette.CLASS_MARKERS[k] for k in h])
    look["color"] = [palette.CLASS_COLORS[k] for k in h]
    said = [f"drawn from node {k + 1}: {words}" for k, words in zip(h, in_words(r.counts), strict=True)]
    points = POINT | placed(r.counts) | dict(text=said, marker=look)
    return Panel(f"Drawn from {named(r)}", [points, *signs(r.weight, r.profile)], PLANE, UP, equal=True)


def heap_panel(r: Check) -> Panel:
    """The statistic of every drawn set, a dot each, and of the real images."""
    places = stacked(len(r.weight), r.statistic)
    x, y = places.T
    dots = dict(type="scatter", mode="markers", x=x, y=y, name="a drawn set", marker=dict(size=5, color=palette.CASES))
    dots |= dict(hovertemplate=f"%{{text}}: %{{x:.0f}} of 182 {STATISTICS[r.statistic]}<extra></extra>")
    dots["text"] = [f"set {at}" for at in range(1, SETS + 1)]
    held = dict(size=11, color=palette.HELD, symbol="circle", line=dict(color=palette.BLACK, width=2))
    here = dots | dict(x=x[[r.seed - 1]], y=y[[r.seed - 1]], text=[f"set {r.seed}"], name="the one shown", marker=held)
    line = dict(color=palette.REAL, width=3, dash="dash")
    real = dict(type="scatter", mode="lines", x=[r.real, r.real], y=[0, TALLEST], name="real images", line=line)
    real |= dict(meta=dict(mark="real images"))
    real["hovertemplate"] = f"%{{x:.0f}} of the 182 real images {STATISTICS[r.statistic]}<extra></extra>"
    across = dict(range=RANGES[r.statistic], nticks=5, title="of 182 images")
    pick = Handle("seed", x[r.seed - 1], y[r.seed - 1], axis="xy", places=places, shape="pick")
    title = f"{r.statistic[0].upper()}{r.statistic[1:]}"
    up = dict(range=[0, TALLEST], tickvals=[0, 10, 20], title="sets")
    return Panel(title, [dots, real, here], across, up, handles=[pick])
