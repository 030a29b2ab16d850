"""Chapter 04: which class wins when the priors differ. Williams (2024), section 3, on the scatter of Figure 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks, palette
from workbook.explorer.controls import FloatSlider, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import CLASSES, Look
from workbook.explorer.theme import Panel

from .dirichlet import slopes
from .draws import ALPHAS, half_width
from .experiment import two_class_ratios

__all__ = ["WinningClassExplorer"]

CLASSIFIERS, MOST_POINTS = 2000, 900


@dataclass(frozen=True)
class Wins:
    """The result. x, y (n K,): log ratios of theta and f; class c wins above log rho = log(P(d) / P(c))."""

    alpha: float
    K: int
    log_rho: float
    x: np.ndarray
    y: np.ndarray

    @property
    def wins(self):
        return self.x > self.log_rho

    @property
    def changed(self):
        return self.wins != (self.y > self.log_rho)

    @property
    def surer(self):
        """Whether PoB's largest posterior is the higher one: its log odds lie further from 0."""
        return np.abs(self.y - self.log_rho) > np.abs(self.x - self.log_rho)


class WinningClassExplorer(Explorer):
    """Two classes with prior odds rho = P(d) / P(c): what moves across the lines at log rho changes its class."""

    log_rho = FloatSlider(1.0, -4.0, 4.0, step=0.1, label="log rho")
    alpha = Steps(1.0, ALPHAS, label="alpha")
    K = IntSlider(3, 2, 12, label="K")
    seed = IntSlider(0, 0, 20, label="seed")

    presets: ClassVar = {
        "Prior against c": Preset(
            "Class c needs strong evidence to win. Strong evidence is exaggerated, so c keeps what it wins.", {}
        ),
        "Prior for c": Preset(
            "Class c wins even against mild evidence. That evidence is exaggerated too, and takes wins away.",
            dict(log_rho=-1.0),
        ),
        "Equal priors": Preset("Both lines cross at 0, and few points change sides.", dict(log_rho=0.0)),
        "K = 2": Preset("With two values every point lies on the line of slope 2.", dict(K=2, log_rho=-1.0)),
    }

    def compute(self, log_rho, alpha, K, seed) -> Wins:
        return Wins(alpha, K, log_rho, *map(np.ravel, two_class_ratios(alpha, K, seed, CLASSIFIERS)))

    def draw(self, result):
        return marks.figure(scatter_panel(result), share_panel(result), widths=[1.5, 1])

    def describe(self, result) -> str:
        r = result
        lost, won = r.wins & r.changed, ~r.wins & r.changed
        log_rho = typeset(f"{r.log_rho:.2f}")  # as the slider writes it
        return (
            f"log rho = {log_rho}, alpha = {r.alpha:.3g}, K = {r.K}: class c wins {share(r.wins)} of the cases. "
            f"PoB takes {share(lost, r.wins)} of these wins away, and gives c {share(won, ~r.wins)} of class d's; "
            f"it is surer in {share(r.surer, r.wins)} of c's wins and in {share(r.surer, ~r.wins)} of d's."
        )

    def explain(self, result):
        """The cases that c wins by either model, right of the upright line and above the level one."""
        r = result
        won, lost, gained = (int(cases.sum()) for cases in (r.wins, r.wins & r.changed, ~r.wins & r.changed))
        changes = dict(mark="changes", color=palette.WRONG)
        log_rho = typeset(f"{r.log_rho:.2f}")
        return [
            "at", Term(log_rho, "log ρ"), "c wins", Term(f"{won:,}", "right of the line", "right", palette.NOW),
            "−", Term(f"{lost:,}", "lost", **changes), "+", Term(f"{gained:,}", "gained", **changes), "=",
            Term(f"{won - lost + gained:,}", "above the line", "above", palette.NOW), f"of {r.x.size:,} cases",
        ]  # fmt: skip


def share(event, among=None) -> str:
    """A share of cases as percent."""
    found = event if among is None else event[among]
    return f"{100 * found.mean():.1f} %" if len(found) else "none"


def scatter_panel(r: Wins) -> Panel:
    """Draw the scatter of Figure 2 with the lines at log rho; what changes its class has a sign of its own."""
    w, few = max(half_width(r.x), 4), slice(MOST_POINTS)
    x, y, wins, changed = r.x[few], r.y[few], r.wins[few], r.changed[few]
    hover = "{name}: log θ ratio {x:.2f}, log f ratio {y:.2f}"
    dots = [
        marks.points(x[which], y[which], look, size=5, opacity=opacity, name=name, id=name, hover=hover)
        for which, name, look, opacity in (
            (wins & ~changed, "c wins", CLASSES[0], 1),
            (~wins & ~changed, "d wins", CLASSES[1], 1),
            (changed, "changes", Look(palette.WRONG, "x"), 0.5),  # the wedge at log rho is seen through them
        )
    ]
    here, grey = Look(palette.NOW, dash="dot"), palette.faint(palette.GREY, 0.25)
    return marks.panel(
        "Log ratios; in grey the class changes",
        slopes(w), dots,
        [marks.frame((r.log_rho, side * w), (r.log_rho, -2 * side * w), fill=grey) for side in (1, -1)],
        marks.rule(x=r.log_rho, look=here, id="right"), marks.rule(y=r.log_rho, look=here, id="above"),
        [Handle("log_rho", r.log_rho, r.log_rho, axis=axis, shape="line") for axis in "xy"],
        x=marks.axis(-w, w, "log θ ratio", ticks=6), y=marks.axis(-2 * w, 2 * w, "log f ratio", ticks=6),
    )  # fmt: skip


def share_panel(r: Wins) -> Panel:
    """Draw of either class's wins how many PoB changes and in how many it is surer."""
    groups = [r.wins, ~r.wins]
    surer, lost = ([100 * event[g].mean() if g.any() else 0.0 for g in groups] for event in (r.surer, r.changed))
    looks = ("is surer in", surer, 0.0, palette.BITS), ("changes", lost, -0.42, Look(palette.WRONG, hatch="/"))
    bars = [
        marks.bars(x, [1 + shift, shift], look, width=0.22, horizontal=True, data=["c", "d"],
                   hover=f"of the wins of {{data}}, PoB {what} {{x:.1f}} %")
        for what, x, shift, look in looks
    ]  # fmt: skip
    words = [
        marks.text("left", 1 - i + shift, text)
        for i, name in enumerate("cd")
        for shift, text in ((0.27, f"{name}: surer in {surer[i]:.0f} %"), (-0.19, f"changes {lost[i]:.1f} %"))
    ]
    x, y = marks.axis(0, 100, "%", ticks=3), marks.axis(-0.6, 1.45, grid=False)
    return marks.panel("Of the wins of …", bars, words, x=x, y=y)
