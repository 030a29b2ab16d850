"""Chapter 03, deeper page: for which pairs of theta the bits are certain to exaggerate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import extremeness_threshold, f_ratio_bounds, q_bounds
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import superscript, written
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL, GREY, GUIDE, Q_FACTOR, Look
from workbook.explorer.theme import Panel

__all__ = ["CertaintyExplorer"]

SIZES = [2, 3, 4, 6, 10, 30]
THETAS = [0.1, 0.15, 0.2, 0.29, 0.4, 0.5, 0.6, 0.74, 0.9]  # .29 and .74: blue eyes of brown and blond hair
CURVE = np.linspace(0, 1, 51)
TICKS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300]
TIE = 1e-12  # a theta that equals the threshold may come out above it


@dataclass(frozen=True)
class Certainty:
    """Hold what is certain if class c gives the seen value theta c, class d theta d, and nothing else is known."""

    K: int
    c: float
    d: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the two theta, the larger one on top."""
        return max(self.c, self.d) / min(self.c, self.d)

    @property
    def reach(self) -> tuple[float, float]:
        """Return the least and the largest ratio of f, in the same order: Williams (2024), eq. (12)."""
        low, high = f_ratio_bounds(max(self.c, self.d), min(self.c, self.d), self.K)
        return float(low), float(high)

    @property
    def threshold(self) -> float:
        """Return what the larger theta must exceed: Williams (2024), eq. (13)."""
        return float(extremeness_threshold(min(self.c, self.d), self.K))

    @property
    def certain(self) -> bool:
        """Return whether eq. (13) holds."""
        return max(self.c, self.d) > self.threshold + TIE

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c03 proves it for all states."""
        once, (low, high) = written(self.ratio), map(written, self.reach)
        if self.K == 2:
            return f"Two values: the ratio {once} is squared" if self.c != self.d else "Two values: the ratio stays 1"
        if self.certain:
            return f"Certain: the ratio {once} becomes {low} or more"
        return f"Not certain: the ratio {once} may become {low}, or {high}"


class CertaintyExplorer(Explorer):
    """Show what one theta of each class makes certain: Williams (2024), eq. (12) and (13)."""

    K = Steps(4, SIZES, label="K, values", say="{:d}".format)
    c = Steps(0.74, THETAS, label="θ in class c", say="{:.2f}".format)
    d = Steps(0.29, THETAS, label="θ in class d", say="{:.2f}".format)

    presets: ClassVar = {
        "Blond and brown": Preset("Blue eyes. The ranges of Q share no height, so Q of blond is the larger one.", {}),
        "Two values": Preset("With two values there is no range: Q is θ, and the ratio is squared.", dict(K=2)),
        "Two rare values": Preset("The ranges overlap. Q of d can be the larger one, and then the bits say less.",
                                  dict(c=0.15, d=0.1)),
    }  # fmt: skip

    def compute(self, K: int, c: float, d: float) -> Certainty:
        return Certainty(K, c, d)

    def draw(self, result: Certainty) -> dict:
        low, high = map(written, result.reach)
        number = low if low == high else f"{low} to {high}", "ratio of f"
        return marks.figure(q_panel(result), ratio_panel(result), finding=result.finding, number=number)

    def describe(self, result: Certainty) -> str:
        r = result
        relation = "above" if r.certain else "not above"
        return f"{r.finding}. K = {r.K}: {max(r.c, r.d):.2f} is {relation} the threshold {write_threshold(r)}."

    def explain(self, result: Certainty) -> Sequence[Part]:
        r, power = result, f") {superscript(result.K - 1)} ="
        large, small = (Term(f"{end(r.c, r.d):.2f}", name) for end, name in ((max, "larger θ"), (min, "smaller θ")))
        base = ["1 −", Over(["1 −", small], [Term(f"{r.K}", "K"), "− 1"])]
        sign = ">" if r.certain else "≤"
        return [large, sign, "(", *base, power, Term(write_threshold(r), "threshold", "threshold", Q_FACTOR)]


def write_threshold(r: Certainty) -> str:
    """Return the threshold with as many digits as tell it apart from the larger theta."""
    larger = max(r.c, r.d)
    return next((t for n in (3, 4, 5) if float(t := f"{r.threshold:.{n}f}") != larger), f"{larger:.3f}")


def q_panel(r: Certainty) -> Panel:
    """Draw the range of Q over theta, the two classes' own ranges, and the threshold where that of d ends."""
    low, high = q_bounds(CURVE, r.K)
    curves = (marks.line(CURVE, high, Q_FACTOR, width=3, name="others even", hover="largest Q: {y:.3f}"),
              marks.line(CURVE, low, Look(Q_FACTOR, dash="dot"), width=3, name="one other has all",
                         hover="least Q: {y:.3f}"))  # fmt: skip
    ends = {name: (theta, float(q_bounds(theta, r.K)[1])) for name, theta in (("c", r.c), ("d", r.d))}
    bars = [marks.line([theta, theta], [theta, most], BLACK, width=6, hover=f"Q in {name}: {theta:.2f} to {most:.3f}")
            for name, (theta, most) in ends.items()]  # fmt: skip
    level = marks.rule(y=r.threshold, look=GUIDE, width=1)
    top = marks.points(min(r.c, r.d), r.threshold, Q_FACTOR, size=9, stroke=2, rim=BLACK, id="threshold",
                       hover=f"the threshold: {r.threshold:.3f}")  # fmt: skip
    named = {"c, d": ends["c"]} if r.c == r.d else ends
    words = [marks.text(x, y + 0.03, f"<b>{name}</b>", place="above") for name, (x, y) in named.items()]
    grips = [Handle("c", r.c, r.c, "xy", np.column_stack([THETAS, THETAS]))]
    grips += [Handle("d", r.d, r.d, "xy", np.column_stack([THETAS, THETAS]))] if r.c != r.d else []
    return marks.panel("Q: the ranges of both classes", level, curves, bars, top, words, grips,
                       x=marks.axis(0, 1, "θ", ticks=[0, 0.5, 1]), y=marks.axis(0, 1.15, ticks=[0, 1]))  # fmt: skip


def ratio_panel(r: Certainty) -> Panel:
    """Draw what the ratio of f can be for every K, beside the ratio of the two theta."""
    y, pair = np.arange(len(SIZES))[::-1], (max(r.c, r.d), min(r.c, r.d))
    reach, now = np.array([np.log(f_ratio_bounds(*pair, K)) for K in SIZES]), SIZES.index(r.K)
    said = [f"K = {K}: " + " to ".join(map(written, np.exp(ends))) for K, ends in zip(SIZES, reach, strict=True)]
    lines = [marks.line(ends, [row, row], GREY, width=4, size=6, hover=[words] * 2)
             for ends, row, words in zip(reach, y, said, strict=True)]  # fmt: skip
    here = marks.line(reach[now], [y[now]] * 2, BITS, width=10, size=8, name="bits", hover=[said[now]] * 2)
    once = marks.rule(x=float(np.log(r.ratio)), look=CATEGORICAL, width=3, id="counted once")
    grip = Handle("K", reach[now, 1], y[now], "y", y)
    low, high = min(0, reach.min()) - 0.3, reach.max() + 0.3
    ticks = {float(np.log(t)): f"{t:g}" for t in TICKS if low < np.log(t) < high}
    x = marks.axis(low, high, "ratio of f, log scale; green: of the two θ", ticks=ticks)
    named = marks.named_axis([f"K = {K}" for K in SIZES[::-1]])
    return marks.panel("The ratio, for every K", lines, here, once, grip, x=x, y=named)
