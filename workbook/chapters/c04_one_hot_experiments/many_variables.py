"""Chapter 04: what the bits say of ever more variables, strong or weak. Williams (2024), section 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import Work
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BITS, BLACK, CATEGORICAL, GUIDE, Look
from workbook.explorer.theme import Panel

from .experiment import EQUAL, RANDOM, SIZES, Compared, compare_models

__all__ = ["ManyVariablesExplorer"]

ALPHAS, PRIORS = [1, 3, 10, 30], (RANDOM, EQUAL)
STRONG = ALPHAS[0]
KINDS = {1: "strong", 3: "mild", 10: "weak", 30: "very weak"}


@dataclass(frozen=True)
class Many:
    """Hold the curves of the present variables, and of strong ones with the same priors."""

    F: int
    alpha: int
    priors: str
    curves: Compared
    strong: Compared

    @property
    def now(self) -> tuple[float, ...]:
        """Return changed, says, right and best at the present number of variables, in percent."""
        return tuple(100 * float(share) for share in self.curves.at(self.F))

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c04 proves it for all states."""
        _, says, right, _ = self.now
        variables = f"{self.F} {KINDS[self.alpha]} variable{'s' if self.F > 1 else ''}"
        return f"{variables}: the bits say {says:.1f} %, and are right in {right:.1f} %"


class ManyVariablesExplorer(Explorer):
    """The bits say a probability: how often they are right, and how often they decide otherwise, by variables."""

    F = Steps(8, SIZES, label="variables", say="{:d}".format)
    alpha = Steps(10, ALPHAS, label="each is", say=KINDS.__getitem__)
    priors = Steps(0, (0, 1), label="priors", say=PRIORS.__getitem__)

    presets: ClassVar = {
        "Eight weak": Preset("The category is as unsure as of one strong variable, and fewer decisions change.", {}),
        "One strong": Preset("A tenth of the decisions change, and one right answer in a hundred is lost.",
                             dict(F=1, alpha=1)),
        "Sixty-four weak": Preset("Weak each, strong together: the bits are sure, and seldom decide otherwise.",
                                  dict(F=64)),
        "Equal priors": Preset("A third as many decisions change: there is no prior to outvote.", dict(priors=1)),
    }  # fmt: skip

    def pending(self, F: int, alpha: int, priors: int) -> Work | None:
        return compare_models.work(alpha, PRIORS[priors]) or compare_models.work(STRONG, PRIORS[priors])

    def compute(self, F: int, alpha: int, priors: int) -> Many:
        named = PRIORS[priors]
        return Many(F, alpha, named, compare_models(alpha, named), compare_models(STRONG, named))

    def draw(self, result: Many) -> dict:
        number = f"{result.now[0]:.1f} %", "of the decisions change"
        return marks.figure(says_panel(result), changed_panel(result), finding=result.finding, number=number)

    def describe(self, result: Many) -> str:
        changed, _, _, best = result.now
        model = f"With {result.priors} priors the category says {best:.1f} %, and is as often right"
        return f"{result.finding}. {model}. The bits decide otherwise in {changed:.1f} %."

    def explain(self, result: Many) -> Sequence[Part]:
        says, right, best = (round(share, 1) for share in result.now[1:])
        return [Term(f"{says:.1f} %", "bits say", "bits say", BITS), "−",
                Term(f"{right:.1f} %", "bits are right", "bits are right", BITS), "=",
                Term(f"{says - right:.1f} points", "too sure"), ";",
                Term(f"{best:.1f} %", "category", "category", CATEGORICAL), "−",
                Term(f"{right:.1f} %", "bits are right"), "=", Term(f"{abs(best - right):.1f} points", "lost")]


def says_panel(r: Many) -> Panel:
    """Draw what the bits say and how often they are right, against the number of variables."""
    looks = (("category", r.curves.best, CATEGORICAL, 6), ("bits say", r.curves.says, Look(BITS, dash="dash"), 3),
             ("bits are right", r.curves.right, BITS, 3))  # fmt: skip
    lines = [marks.line(SIZES, 100 * y, look, width=width, name=name, id=name,
                        hover=f"{name}, {{x}} variables: {{y:.1f}} %") for name, y, look, width in looks]
    grip = Handle("F", r.F, r.now[1], "xy", np.column_stack([SIZES, 100 * r.curves.says]))
    gap = marks.line([r.F, r.F], r.now[1:3], BLACK, width=5, hover=[f"{r.now[1] - r.now[2]:.1f} points too sure"] * 2)
    x = marks.axis(0.8, 80, "variables", log=True, ticks={F: str(F) for F in (1, 2, 4, 8, 16, 32, 64)})
    return marks.panel("Says and is right, %", lines, gap, grip, x=x, y=marks.axis(25, 103, ticks=[25, 50, 75, 100]))


def changed_panel(r: Many) -> Panel:
    """Draw how often the bits decide otherwise, against how sure the category is."""
    curves, drawn = [(r.strong, GUIDE, "strong")], []
    if r.alpha != STRONG:
        curves.append((r.curves, BITS, KINDS[r.alpha]))
    for curve, look, name in curves:
        said = [f"{F} {name}: {100 * y:.1f} % decide otherwise" for F, y in zip(SIZES, curve.changed, strict=True)]
        drawn.append(marks.line(100 * curve.best, 100 * curve.changed, look, width=3, size=6, name=name, hover=said))
    changed, *_, best = r.now
    here = marks.points(best, changed, BITS, size=13, stroke=2, rim=BLACK, hover=f"now {changed:.1f} % change")
    grip = Handle("F", best, changed, "xy", 100 * np.column_stack([r.curves.best, r.curves.changed]))
    return marks.panel("Bits decide otherwise, %", drawn, here, grip, y=marks.axis(-0.5, 13, ticks=[0, 5, 10]),
                       x=marks.axis(25, 103, "the category says, %", ticks=[25, 50, 75, 100]))  # fmt: skip
