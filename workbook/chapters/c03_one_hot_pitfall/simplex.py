"""Chapter 03: how small and how large Q can be, by how the other three values share the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbcore.one_hot import f_bounds, q_bounds, q_factor
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL, HELD, Q_FACTOR, Look
from workbook.explorer.theme import Panel

__all__ = ["SimplexExplorer"]

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])  # of the values 1, 2, 3 on the page
THETAS = np.round(np.arange(0, 1.01, 0.1), 1).tolist()
FIRST, SECOND = [n / 6 for n in range(7)], [n / 4 for n in range(5)]  # exact thirds: the centre is on the grid
SIXTHS = dict(zip(FIRST, ["0", "1/6", "1/3", "1/2", "2/3", "5/6", "all"], strict=True))
QUARTERS = dict(zip(SECOND, ["0", "1/4", "1/2", "3/4", "all"], strict=True))
LATTICE = np.array(sorted([(a, b, 12 - a - b) for a in range(13) for b in range(13 - a)], key=max)) / 12
CURVE = np.linspace(0, 1, 51)
FACTORS = "1−θ₁", "1−θ₂", "1−θ₃"
LOWER = Look(BITS, dash="dot")


def share_out(first: float, second: float) -> np.ndarray:
    """Return the shares (3,) of the rest: value 1 gets `first`, value 2 the part `second` of what is left."""
    return np.array([first, (1 - first) * second, (1 - first) * (1 - second)])


PLACES = np.array([[share_out(a, b) for b in SECOND] for a in FIRST]) @ CORNERS  # (7, 5, 2)


@dataclass(frozen=True)
class Shares:
    """Hold theta of four values: the fourth is the one that was seen, the others share the rest."""

    first: float
    second: float
    theta4: float

    @property
    def shares(self) -> np.ndarray:
        """Return what each of the other three gets of the rest, (3,)."""
        return share_out(self.first, self.second)

    @property
    def theta(self) -> np.ndarray:
        """Return the probabilities of all four values, (4,)."""
        return np.append((1 - self.theta4) * self.shares, self.theta4)

    @property
    def q(self) -> float:
        """Return Q of the value that was seen."""
        return float(q_factor(self.theta)[3])

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the least and the largest Q at this theta_4."""
        low, high = q_bounds(self.theta4, 4)
        return float(low), float(high)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c03 proves it for all states."""
        (low, high), q = self.bounds, f"Q is {self.q:.3f}"
        if self.theta4 == 1:
            return f"Nothing is left to share: {q}"
        if self.shares.max() == 1:
            return f"One other value has all the rest: {q}, the least it can be"
        if np.ptp(self.shares) < 1e-9:
            return f"The others share evenly: {q}, the most it can be"
        return f"{q}: more than {low:.3f}, less than {high:.3f}"


class SimplexExplorer(Explorer):
    """Q over all ways to share the rest, and f between its bounds: Williams (2024), eq. (4), (8) to (10), Figure 1."""

    first = Steps(1 / 2, FIRST, label="value 1 gets", say=SIXTHS.__getitem__)
    second = Steps(3 / 4, SECOND, label="then value 2", say=QUARTERS.__getitem__)
    theta4 = Steps(0.0, THETAS, label="θ₄", say="{:.1f}".format)

    presets: ClassVar = {
        "Figure 1(a)": Preset("The fourth value never occurs. Q is a hill over all ways to share.", {}),
        "A corner": Preset("One other value has all the rest. Its column is on so often that Q sinks to θ₄.",
                           dict(first=1.0, theta4=0.2)),
        "The centre": Preset("Three equal others: the top of the hill.", dict(first=1 / 3, second=1 / 2, theta4=0.2)),
    }  # fmt: skip

    def compute(self, first: float, second: float, theta4: float) -> Shares:
        return Shares(first, second, theta4)

    def draw(self, result: Shares) -> dict:
        panels, number = (hill_panel(result), bounds_panel(result)), (f"{result.q:.3f}", "Q")
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.2, 1])

    def describe(self, result: Shares) -> str:
        others = ", ".join(f"{theta:.3f}" for theta in result.theta[:3])
        f = result.theta4 * result.q
        return f"{result.finding}. The others have {others}; θ₄ = {result.theta4:.1f} becomes f = {f:.3f}."

    def explain(self, result: Shares) -> Sequence[Part]:
        first, second, third = (Term(f"{1 - t:.3f}", n) for t, n in zip(result.theta, FACTORS, strict=False))
        q = Term(f"{result.q:.3f}", "Q<sup>−4</sup>", "these shares", HELD)
        return [q, "=", first, "·", second, "·", third]


def hill_panel(r: Shares) -> Panel:
    """Draw a dot for each way to share the rest, as large as its Q, and the chosen way."""
    x, y = (LATTICE @ CORNERS).T
    q = np.prod(1 - (1 - r.theta4) * LATTICE, axis=1)
    dots = marks.points(x, y, Q_FACTOR, size=(16 * q / r.bounds[1]).round(1), hover="Q = {data:.3f} here", data=q)
    at = r.shares @ CORNERS
    here = marks.points(*at, HELD, size=14, symbol="diamond", stroke=2, rim=BLACK, id="these shares",
                        hover=f"here Q = {r.q:.3f}")  # fmt: skip
    outside = CORNERS + 0.07 * (CORNERS - CORNERS.mean(axis=0))  # clear of the dots
    ends = zip(outside, ("left", "right", "above"), "123", strict=True)
    names = [marks.text(*corner, f"<b>{name}</b>", place=place) for corner, place, name in ends]
    rim = marks.line(*CORNERS[[0, 1, 2, 0]].T, BLACK, width=1)
    bare = dict(showgrid=False, showticklabels=False, ticks="", showline=False)
    return marks.panel(
        "The larger the dot, the larger Q", rim, dots, here, names, Handle(("first", "second"), *at, "xy", PLACES),
        x=dict(marks.axis(-0.12, 1.12), **bare), y=dict(marks.axis(-0.06, 1.0), **bare), equal=True,
    )  # fmt: skip


def bounds_panel(r: Shares) -> Panel:
    """Draw f against theta_4: between the corner's curve and the centre's, both below theta_4 itself."""
    low, high = f_bounds(CURVE, 4)
    between = CURVE * np.prod(1 - (1 - CURVE)[:, None] * r.shares, axis=1)
    curves = (marks.line(CURVE, CURVE, CATEGORICAL, width=3, name="θ₄ itself", hover="θ₄ = {x:.2f}"),
              marks.line(CURVE, high, BITS, width=3, name="upper u", hover="at most f = {y:.3f}"),
              marks.line(CURVE, between, BLACK, width=1, name="these shares", hover="these shares: f = {y:.3f}"),
              marks.line(CURVE, low, LOWER, width=3, name="lower l", hover="at least f = {y:.3f}"))
    at = r.theta4, r.theta4 * r.q
    here = marks.points(*at, HELD, size=12, symbol="diamond", stroke=2, rim=BLACK, hover=f"here f = {at[1]:.3f}")
    rows = [(theta, theta * np.prod(1 - (1 - theta) * r.shares)) for theta in THETAS]
    axis = marks.axis(-0.02, 1.02, ticks=[0, 0.5, 1])
    return marks.panel("f = θ₄ Q, what the bits count", curves, here, Handle("theta4", *at, "xy", np.array(rows)),
                       x=dict(axis, title="θ₄"), y=axis)  # fmt: skip
