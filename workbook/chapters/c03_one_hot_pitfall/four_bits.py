"""Chapter 03: the 16 states of four bits as areas; four are students, and Q is the coloured share of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from nbcore.datasets import load_hair_eye_color
from nbcore.one_hot import f_factor, q_factor
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .factor_bounds import BITS, CATEGORICAL

__all__ = ["FourBitsExplorer"]

DATA = load_hair_eye_color()
HAIR, EYES = ([str(name) for name in names] for names in DATA.categories[:2])
THETA = np.zeros((4, 4))  # of the eye colours within each hair colour
np.add.at(THETA, tuple(DATA.data[:, :2].T), 1)
THETA /= THETA.sum(axis=1, keepdims=True)
TURNS = [(0, 0), (1, 0), (1, 1), (0, 1)]  # of two bits, in an order that keeps the states of each bit side by side
STATES = [(*across, *up) for across, up in product(TURNS, TURNS)]  # (16,) the four bits
KINDS = {
    "one eye colour": (BITS, "#FFFFFF"),
    "no eye colour": ("#FFFFFF", palette.GREY),
    "two or more": (palette.PALE, palette.GREY),
}


@dataclass(frozen=True)
class FourBits:
    """The result: theta (2, 4) of the eye colours in the classes on the left and on the right, and the colour seen."""

    classes: tuple[str, str]
    eye: str
    moved: float
    theta: np.ndarray  # (2, 4)
    q: np.ndarray  # (2,) Q of the colour seen
    f: np.ndarray  # (2,)
    legal: np.ndarray  # (2,) probability of all states with one bit on
    none: np.ndarray  # (2,) of the state with no bit on

    @property
    def seen(self) -> int:
        return EYES.index(self.eye)


def moved_to(theta, j: int, share: float) -> np.ndarray:
    """Of the other eye colours this share is moved to colour j."""
    return (1 - share) * theta + share * np.eye(4)[j]


def cuts(first: float, second: float) -> np.ndarray:
    """(5,) where the four states of two independent bits, in the order of TURNS, cut [0, 1]."""
    pieces = [(first if a else 1 - first) * (second if b else 1 - second) for a, b in TURNS]
    return np.concatenate([[0.0], np.cumsum(pieces)])


def strip(theta, j: int) -> tuple[float, float]:
    """Where the states with bit j on begin and end, across (bits 0 and 1) or upwards (2 and 3)."""
    edges = cuts(*(theta[:2] if j < 2 else theta[2:]))
    return (edges[1], edges[3]) if j % 2 == 0 else (edges[2], edges[4])


class FourBitsExplorer(Explorer):
    """All 16 states of four independent bits, area = probability, in two classes: Williams (2024), eq. (1), (4)."""

    left = Choice("Blond", HAIR, label="Hair, left")
    right = Choice("Brown", HAIR, label="Hair, right")
    eye = Choice("Blue", EYES, label="Eyes seen")
    moved = FloatSlider(0.0, 0.0, 1.0, step=0.05, label="Moved, left")

    presets: ClassVar = {
        "Blond and brown": Preset(
            "Three quarters of the frame are coloured on the left, not half of it on the right. That share is Q.",
            {},
        ),
        "Brown eyes, black hair": Preset(
            "Now brown eyes are seen: black hair has the larger frame, and a larger share of it is coloured.",
            dict(left="Black", right="Blond", eye="Brown"),
        ),
        "Rare: green": Preset(
            "Thin frames. Something else is common, so its bit is often on: little of a frame is coloured.",
            dict(left="Red", right="Black", eye="Green"),
        ),
        "Green: the wrong side": Preset(
            "Blond hair has the larger frame, and the smaller coloured part: blue is common there, its bit often on.",
            dict(eye="Green"),
        ),
        "All blue-eyed": Preset(
            "Everybody on the left has blue eyes: all four bits are certain, and all of the square is coloured.",
            dict(moved=1),
        ),
    }

    def compute(self, left, right, eye, moved) -> FourBits:
        j = EYES.index(eye)
        theta = np.array([moved_to(THETA[HAIR.index(left)], j, moved), THETA[HAIR.index(right)]])
        f = f_factor(theta)
        return FourBits(
            classes=(left, right),
            eye=eye,
            moved=moved,
            theta=theta,
            q=q_factor(theta)[:, j],
            f=f[:, j],
            legal=f.sum(axis=1),
            none=np.prod(1 - theta, axis=1),
        )

    def draw(self, result):
        panels = [square_panel(result, side) for side in (0, 1)]
        return theme.figure([[*panels, evidence_panel(result)]], widths=[1, 1, 0.62])

    def describe(self, result) -> str:
        r = result
        one, other = r.classes
        theta, eyes = r.theta[:, r.seen], r.eye.lower()
        return (
            f"{one} hair, {r.moved:.2f} moved: {eyes} eyes {theta[0]:.3f}, of which Q = {r.q[0]:.3f} is coloured. "
            f"{other} hair: {theta[1]:.3f}, Q = {r.q[1]:.3f}. "
            f"The ratio {theta[0] / theta[1]:.2f} becomes {r.f[0] / r.f[1]:.2f}. "
            f"Coloured: {r.legal[0]:.3f} and {r.legal[1]:.3f}; no eyes: {abs(r.none[0]):.3f} and {r.none[1]:.3f}."
        )

    def explain(self, result):
        """Eq. (1) in both classes: the ratio of the strips, times the ratio of their coloured shares."""
        r = result
        parts = [
            [Term(f"{theta:.3f}", "θ", f"theta {side}", CATEGORICAL), "·", Term(f"{q:.3f}", "Q")]
            for side, (theta, q) in enumerate(zip(r.theta[:, r.seen], r.q, strict=True))
        ]
        lit = [[Term(f"{r.f[side]:.3f}", "f", f"f {side}", BITS)] for side in (0, 1)]
        ratio = Term(f"{r.f[0] / r.f[1]:.2f}", "ratio by bits", "bits", BITS)
        return [Over(*parts), "=", Over(*lit), "=", ratio]


def square_panel(r: FourBits, side: int) -> Panel:
    """The unit square of one class: bits of the first two colours across, of the other two upwards."""
    theta = r.theta[side]
    edges = [cuts(*theta[:2]), cuts(*theta[2:])]
    traces = []
    for kind, (color, line) in KINDS.items():
        chosen = [n for n, bits in enumerate(STATES) if kind_of(bits) == kind]
        across, up = np.divmod(chosen, 4)
        (x0, x1), (y0, y1) = (edge[[at, at + 1]] for edge, at in zip(edges, (across, up), strict=True))
        names = [f"f {side}" if n == alone(r.seen) else f"state {n} {side}" for n in chosen]
        words = [f"{told(STATES[n])}: {area:.3f}" for n, area in zip(chosen, (x1 - x0) * (y1 - y0), strict=True)]
        traces.append(
            dict(
                type="bar", x=(x0 + x1) / 2, width=x1 - x0, base=y0, y=y1 - y0, ids=names, customdata=words, name=kind,
                marker=dict(color=color, line=dict(color=line, width=1)), showlegend=side == 0,
                hovertemplate="%{customdata}<extra></extra>",
            )
        )  # fmt: skip
    low, high = strip(theta, r.seen)
    wide, tall = ((low, high), (0, 1)) if r.seen < 2 else ((0, 1), (low, high))
    outline = dict(type="rect", x0=wide[0], x1=wide[1], y0=tall[0], y1=tall[1], name=f"theta {side}")
    outline |= dict(line=dict(color=CATEGORICAL, width=3))
    bare = dict(range=[-0.01, 1.01], showgrid=False, ticks="", showline=False, tickangle=0)
    x, y = (
        bare | names_along(edge, shares, EYES[at : at + 2])
        for edge, shares, at in zip(edges, (theta[:2], theta[2:]), (0, 2), strict=True)
    )
    title = f"{theme.escape(r.classes[side])} hair: {r.legal[side]:.3f} coloured"
    return Panel(title, traces, x, y, [outline], handles=[] if side else [grip(r)], equal=True)


def names_along(edge, shares, names) -> dict:
    """Ticks where one of two bits is on and no other, if that can be seen; of two in one place the more probable."""
    middles = (edge[[1, 3]] + edge[[2, 4]]) / 2
    apart = abs(middles[1] - middles[0]) > 0.09
    shown = [k for k in (0, 1) if shares[k] > 0.01 and (apart or shares[k] == max(shares))]
    return dict(tickvals=[float(middles[k]) for k in shown], ticktext=[names[k].lower() for k in shown])


def grip(r: FourBits) -> Handle:
    """The near edge of the strip on the left; it moves as the share that is moved grows."""
    own = THETA[HAIR.index(r.classes[0])]
    places = [strip(moved_to(own, r.seen, share), r.seen)[0] for share in FourBitsExplorer.moved.values]
    at, axis = strip(r.theta[0], r.seen)[0], "x" if r.seen < 2 else "y"
    return Handle("moved", *((at, 0.5) if axis == "x" else (0.5, at)), axis=axis, places=np.array(places), shape="edge")


def alone(j: int) -> int:
    """The number of the state in which bit j is on and no other."""
    return STATES.index(tuple(int(bit == j) for bit in range(4)))


def kind_of(bits) -> str:
    """The name of a state's kind, by how many bits are on."""
    on = sum(bits)
    return list(KINDS)[0 if on == 1 else 1 if on == 0 else 2]


def told(bits) -> str:
    """A state in words."""
    on = [name.lower() for name, bit in zip(EYES, bits, strict=True) if bit]
    return (" and ".join(on) or "no") + " eyes"


def evidence_panel(r: FourBits) -> Panel:
    """The log of both ratios, left against right: what the seen colour says by categories and by bits."""
    logs = np.log([r.theta[0, r.seen] / r.theta[1, r.seen], r.f[0] / r.f[1]])
    names, words = ["categories", "bits"], ["by categories", "by bits"]
    bars = dict(type="bar", x=[0, 1], y=logs, width=0.6, ids=names, showlegend=False)
    bars |= dict(marker=dict(color=[CATEGORICAL, BITS]), customdata=words)
    bars |= dict(hovertemplate="log of the ratio %{customdata}: %{y:.3f}<extra></extra>")
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.BLACK, width=1))
    x = dict(tickvals=[0, 1], ticktext=names, tickangle=0, showgrid=False, range=[-0.6, 1.6])
    y = dict(range=[-0.5, 4.7] if logs.sum() >= 0 else [-4.7, 0.5], nticks=6)
    return Panel("Log of the ratio", [bars], x, y, [zero])
