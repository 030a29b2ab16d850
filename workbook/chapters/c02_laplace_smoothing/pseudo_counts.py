"""Chapter 02: alpha as imaginary tosses, and what they make of a side that was never seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import say
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BEFORE, ESTIMATE, IMAGINARY, REAL, Look
from workbook.explorer.theme import Panel

__all__ = ["PseudoCountExplorer"]

ALPHAS, TOSSES, SIDES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 100], [0, 1, 2, 4, 8, 16, 32, 64], [2, 3, 6, 20, 100]
CELLS = (np.arange(200) + 0.5) / 200  # inside 0 and 1, where a density may be infinite
PRIOR, POSTERIOR, OWN, OTHERS = "before the tosses", "after the tosses", "this side", "other sides"


@dataclass(frozen=True)
class PseudoCounts:
    """Hold what is believed of p, the probability of a side of K that N tosses never showed."""

    alpha: float
    N: int
    K: int
    p: np.ndarray  # (200,)
    prior: np.ndarray  # (200,) density before the tosses, 1 where it is largest
    posterior: np.ndarray  # (200,) density after them, likewise

    @property
    def added(self) -> float:
        """Return the number of imaginary tosses, of all sides together."""
        return self.alpha * self.K

    @property
    def mean(self) -> float:
        """Return the mean of the posterior: P(this side next)."""
        return self.alpha / (self.N + self.added)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c02 proves it for all states."""
        real, imaginary = (self.N, "real"), (self.added, "imaginary")
        if not self.N:
            return f"No toss yet: each of the {self.K} sides gets 1/{self.K}"
        if self.N == self.added:
            return f"{write_tosses(*real)}, {write_tosses(*imaginary)}: halfway from 0 to 1/{self.K}"
        (number, kind), less = (real, imaginary) if self.N > self.added else (imaginary, real)
        return f"{write_tosses(number, kind)} outweigh{'s' * (number == 1)} {write_tosses(*less)}"


class PseudoCountExplorer(Explorer):
    """A side that was never seen: (0 + alpha) / (N + alpha K) counts real tosses and imaginary ones."""

    alpha = Steps(1, ALPHAS, label="alpha", say="{:g}".format)
    N = Steps(8, TOSSES, label="tosses", say="{:g}".format)
    K = Steps(2, SIDES, label="sides", say="{:g}".format)

    presets: ClassVar = {
        "Never heads": Preset("Eight tails. A head and a tail that nobody tossed are added: one in ten.", {}),
        "Before the first toss": Preset("With alpha at 1, every p of a coin is as good as any other.", dict(N=0)),
        "Tokyo, one of six words": Preset("Eight words about China, none of them Tokyo: one in fourteen.", dict(K=6)),
        "The prior wins": Preset("A hundred of each side are imagined. Eight tails hardly count.", dict(alpha=100)),
    }

    def compute(self, alpha: float, N: int, K: int) -> PseudoCounts:
        p = CELLS * min(1, 4 / K)
        curves = (beta_curve(p, alpha, tosses + alpha * (K - 1)) for tosses in (0, N))
        return PseudoCounts(alpha, N, K, p, *curves)

    def draw(self, result: PseudoCounts) -> dict:
        head = dict(finding=result.finding, number=(say(result.mean), "P(this side next)"))
        return marks.figure(belief_panel(result), toss_panel(result), **head, widths=[1.4, 1], share=0.9, left=5)

    def describe(self, result: PseudoCounts) -> str:
        r, weight = result, result.N / (result.N + result.added)
        kept = f"The tosses keep the weight {say(weight)}, the prior mean 1/{r.K} the rest"
        return f"{r.finding}. P(this side next) = (0 + {r.alpha:g}) / ({r.N} + {r.added:g}) = {say(r.mean)}. {kept}."

    def explain(self, result: PseudoCounts) -> Sequence[Part]:
        r, alpha = result, Term(f"{result.alpha:g}", "alpha", OWN, IMAGINARY)
        below = [Term(str(r.N), "N", OTHERS, REAL), "+", alpha, "·", Term(str(r.K), "K")]
        return [Over([Term("0", "seen"), "+", alpha], below), "=", Term(say(r.mean), "mean", POSTERIOR, ESTIMATE)]


def write_tosses(number: float, kind: str) -> str:
    """Return a number of tosses in words: 0.2 imaginary tosses."""
    return f"{number:g} {kind} toss{'' if number == 1 else 'es'}"


def beta_curve(p: np.ndarray, a: float, b: float) -> np.ndarray:
    """Return the density of Beta(a, b) at p, divided by its largest value there."""
    logs = (a - 1) * np.log(p) + (b - 1) * np.log1p(-p)
    return np.exp(logs - logs.max())


def belief_panel(r: PseudoCounts) -> Panel:
    """Draw the densities of p before and after the tosses, both to the same height, with their means."""
    end, before = min(1, 4 / r.K), Look(BEFORE, "diamond", "dash")
    curves = (PRIOR, r.prior, before, 1 / r.K), (POSTERIOR, r.posterior, ESTIMATE, r.mean)
    lines = [marks.line(r.p, curve, look, width=3, name=name, id=name) for name, curve, look, _ in curves]
    said = [f"mean {name}: {say(mean)}" for name, *_, mean in curves]
    means = [marks.rule(x=mean, span=(0, 1), look=look) for *_, look, mean in curves]
    dots = [marks.points(mean, 0, look, size=12, hover=hover)
            for (*_, look, mean), hover in zip(curves, said, strict=True)]  # fmt: skip
    places = np.array([alpha / (r.N + alpha * r.K) for alpha in ALPHAS])
    grip = [Handle("alpha", r.mean, 0, "x", places)] if r.N else []
    x = marks.axis(-0.02 * end, 1.02 * end, "p, the probability of this side", ticks=5)
    return marks.panel("What p may be, and its mean", lines, means, dots, grip, x=x, y=marks.axis(-0.06, 1.06))


def toss_panel(r: PseudoCounts) -> Panel:
    """Draw how many tosses speak for this side and for the others: real ones black, imaginary ones grey."""
    rest = r.added - r.alpha
    said = [f"{OWN}: {write_tosses(r.alpha, 'imaginary')}", f"{OTHERS}: {write_tosses(rest, 'imaginary')}"]
    drawn = [
        marks.bars([r.N], [0], REAL, width=0.5, horizontal=True, name="real", id=OTHERS,
                   hover=f"{OTHERS}: {write_tosses(r.N, 'real')}"),
        marks.bars([r.alpha, rest], [1, 0], Look(IMAGINARY, hatch="/"), base=[0, r.N], width=0.5, horizontal=True,
                   name="imaginary", id=[OWN, "rest"], hover=said),
    ]  # fmt: skip
    x = marks.axis(0, 1.02 * (r.N + rest), "tosses", ticks=4)
    y = marks.axis(-0.6, 1.6, ticks={0: OTHERS, 1: OWN}, grid=False)
    return marks.panel("Tosses, real and imaginary", drawn, x=x, y=y)
