"""Chapter 07: EM step by step from twenty random starts and an equal one: where do they come to rest?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from workbook.chapters.digits import inked_digits
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, HELD, HIDDEN, PALE, TINTS
from workbook.explorer.theme import Panel

from .courses import FLOOR, STEPS, follow, gains
from .experiment import STARTS, ones
from .triangle import HEIGHT, bare_axis, corners, images, place, scatter_ties, write_counts

__all__ = ["StartsExplorer"]

KINDS = "soft", "hard"
NAMES = ["equal", *(f"random {start}" for start in range(1, STARTS + 1))]
LOW, TOP = 0.5, 600  # of the beads' axis, which is logarithmic; a bead nearer to the best end stands at LOW


@dataclass(frozen=True)
class Fall:
    """Hold the nodes of one start after a step of EM, and how far all starts are above the best end."""

    step: int
    start: int  # 0 is the equal one
    em: str
    weight: np.ndarray  # (3,) P(h|c)
    profile: np.ndarray  # (3, 3) P(f|h,c)
    best: np.ndarray  # (182,) the node with most of each image
    heights: np.ndarray  # (21, steps of STEPS) nats below the best end, the equal start first
    gain: float  # of log likelihood over naive Bayes

    @property
    def now(self) -> np.ndarray:
        """Return the heights of all beads at this step, (21,)."""
        return self.heights[:, STEPS.index(self.step)]

    @property
    def down(self) -> int:
        """Return how many of the twenty random starts lie within FLOOR of the best end."""
        return int((self.now[1:] < FLOOR).sum())

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c07 proves it for all states."""
        if not self.start:
            soft = "Equal nodes stay equal: this bead never falls"
            return soft if self.em == "soft" else "Equal nodes: one gets every image, and is naive Bayes"
        if not self.step:
            return "Twenty random starts: none is near the best end"
        return f"{self.em.capitalize()} EM, step {self.step}: {self.down} of {STARTS} are at the best end"


class StartsExplorer(Explorer):
    """EM with three nodes on 182 handwritten ones, each three counts: Carlos & Rakshit (2016), eq. (6) and (7)."""

    step = Steps(0, STEPS, label="step of EM", say="{:d}".format)
    start = Steps(1, range(STARTS + 1), label="start", say=NAMES.__getitem__)
    hard = Steps(0, range(2), label="EM", say=KINDS.__getitem__)

    presets: ClassVar = {
        "Step 3": Preset("Three steps, and nodes that began nearly alike are parting.", dict(step=3)),
        "Step 100": Preset("All twenty are at the best end: soft EM forgives any of these starts.", dict(step=100)),
        "Hard EM": Preset("Most beads are caught on a ledge, and stay there.", dict(step=100, hard=1)),
        "Equal start": Preset("Three equal nodes: each step moves them alike.", dict(step=100, start=0)),
    }

    def compute(self, step: int, start: int, hard: int) -> Fall:
        em, at = KINDS[hard], STEPS.index(step)
        course, gain = follow(em, start), gains(em)
        heights = gain.max() - gain
        nodes = course.nodes[at]
        weight, profile = np.exp(nodes.log_prob), np.exp(nodes.parameters[0])
        return Fall(step, start, em, weight, profile, course.best[at], heights, float(gain[start, at]))

    def draw(self, result: Fall) -> dict:
        number = (f"{result.down} of {STARTS}", "random starts at the best end")
        return marks.figure(images_panel(result), beads_panel(result), finding=result.finding, number=number)

    def describe(self, result: Fall) -> str:
        shares = ", ".join(f"{w:.2f}" for w in result.weight)
        gain = typeset(f"{result.gain + 0.0:.1f}")
        here = f"{NAMES[result.start].capitalize()} start, step {result.step}"
        return f"{result.finding}. {here}: P(h|c) = {shares}, gain {gain}."

    def explain(self, result: Fall) -> Sequence[Part]:
        best = result.gain + result.now[result.start]
        low = Term(typeset(f"{best:.1f}"), "gain of the best end")
        mine = Term(typeset(f"{result.gain + 0.0:.1f}"), "gain of this start")
        height = f"{abs(round(best, 1) - round(result.gain, 1)):.1f}"
        return [low, "−", mine, "=", Term(height, "still to gain", "this bead")]


@lru_cache(maxsize=1)  # no arguments
def image_places() -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return the places of the 182 ones in the triangle (182, 2), their pixels (182, 64), and their counts in words."""
    pixels, label = inked_digits()
    places = scatter_ties(place(ones() / ones().sum(axis=1, keepdims=True)))
    return places, pixels[label == 1].astype(np.uint8), write_counts(ones())


def images_panel(r: Fall) -> Panel:
    """Draw each image in the look of the node that has most of it, and the nodes at their profiles."""
    places, pixels, words = image_places()
    shown = images(places, [CLASSES[h] for h in r.best], pixels, words, opacity=0.55)
    nodes = [marks.points(*place(r.profile[h]).round(3), look, size=round(12 + 14 * r.weight[h]), stroke=2.5, rim=BLACK,
                          hover=f"node {h + 1}, P(h|c) = {r.weight[h]:.2f}")
             for h, look in enumerate(CLASSES[:3]) if r.weight[h]]  # fmt: skip
    return marks.panel("182 ones and three nodes", corners(), shown, nodes, x=bare_axis(-0.1, 1.1),
                       y=bare_axis(-0.14, HEIGHT + 0.2), equal=True)  # fmt: skip


def beads_panel(r: Fall) -> Panel:
    """Draw a bead for each start at its height above the best end, and how far it has fallen."""
    at = np.arange(STARTS + 1)
    first, now = (np.maximum(heights, LOW).round(2) for heights in (r.heights[:, 0], r.now))
    gap = np.full(STARTS + 1, np.nan)
    fallen = marks.line(np.stack([at, at, gap], 1).ravel(), np.stack([first, now, gap], 1).ravel(), PALE, width=3)
    beads = marks.points(at, now, [HIDDEN if low < FLOOR else GREY for low in r.now], size=12, rim=BLACK, stroke=1,
                         data=r.now.round(1), hover="start {x}: {data} still to gain")  # fmt: skip
    held = marks.points(r.start, now[r.start], HELD, size=16, rim=BLACK, stroke=2, id="this bead",
                        hover=f"{NAMES[r.start]}: {r.now[r.start]:.1f} still to gain")  # fmt: skip
    ticks = {0: "equal", 5: "5", 10: "10", 15: "15", 20: "20"}
    pick = Handle("start", r.start, now[r.start], "xy", places=np.column_stack([at, now]), shape="pick")
    ground = marks.frame((-1, STARTS + 1), (LOW / 2, FLOOR), fill=TINTS[1])
    return marks.panel("Log likelihood still to gain", ground, fallen, beads, held, pick,
                       marks.text(STARTS / 2, 0.33, "at the best end"),
                       x=marks.axis(-1, STARTS + 1, "start", ticks=ticks, grid=False),
                       y=marks.axis(LOW / 2, TOP, ticks={1: "1", 10: "10", 100: "100"}, log=True))  # fmt: skip
