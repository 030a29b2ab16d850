"""Chapter 12: species and sex as one class, with the sexes as they are or dealt out at random: which bells decide?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from scipy.stats import norm

from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, CLASSES, GREY, GUIDE, HELD, PALE
from workbook.explorer.theme import Panel

from .experiment import COLUMNS, SHUFFLES, SPECIES, find_loss, held_out_by, held_out_model, penguins, sexes, wrong
from .words import BIRDS, write_bird, write_odds

__all__ = ["SexesExplorer"]

BILL = next(iter(COLUMNS))
MM = np.linspace(32, 56, 97)
TOGETHER, REAL = 0, 1  # steps of the control; from 2 on the sexes are shuffled
LABELS = ["together", "as they are", *(f"shuffled, {k}" for k in range(1, SHUFFLES + 1))]


def shuffle_of(step: int) -> int | None:
    """Return the number of the shuffle, 0 for the real sexes, None where the sexes are learned together."""
    return None if step == TOGETHER else step - REAL


@cache
def count_wrong() -> np.ndarray:
    """Count the penguins that are decided wrongly, held out, for each of LABELS, (22,)."""
    return np.array([wrong(held_out_by(shuffle_of(step))).sum() for step in range(len(LABELS))])


def find_bells(row: int, step: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return names, means and standard deviations of the bills of Adelies and Chinstraps, by a model without `row`."""
    model = held_out_model(row, shuffle_of(step))
    at, names = model.columns_[0][1].index(BILL), [str(name) for name in model.classes_]
    kept = [k for k, name in enumerate(names) if not name.startswith(SPECIES[2])]
    bells = model.parts_[0]
    return [names[k] for k in kept], bells.theta_[kept, at], np.sqrt(bells.var_[kept, at])


@dataclass(frozen=True)
class Sexes:
    """Hold the bells of bills that one penguin is judged by, and how many are wrong with every labelling."""

    row: int
    step: int
    label: str  # the sex that the penguin has in this labelling, "" where they are learned together
    names: list[str]  # of the bells: a species, or a species and a sex
    mean: np.ndarray
    sd: np.ndarray
    wrong: np.ndarray  # (22,) of 344, for each of LABELS

    @property
    def own(self) -> list[int]:
        """Return the numbers of the two bells of the penguin's label, Adelie first."""
        return [k for k, name in enumerate(self.names) if name.endswith(f", {self.label}") or not self.label]

    @property
    def vote(self) -> float:
        """Return powers of ten for Chinstrap that the bill brings by the bells of its label."""
        heights = norm.logpdf(penguins()[0][BILL][self.row], self.mean[self.own], self.sd[self.own])
        return float(np.diff(heights)[0] / np.log(10))

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c12 proves it for all states."""
        bells = ["One bell a species", f"Bells of {self.label}s", "Shuffled sexes"][min(self.step, REAL + 1)]
        return f"{bells}: its bill says {SPECIES[int(self.vote > 0)]}, {write_odds(self.vote)}"


class SexesExplorer(Explorer):
    """Bells of bills for each species, or for each species and sex; the sexes real, or shuffled within a species."""

    step = Steps(TOGETHER, range(len(LABELS)), label="sexes", say=LABELS.__getitem__)
    bird = Steps(7, range(len(BIRDS)), label="penguin", say=lambda at: f"row {BIRDS[at]}")

    presets: ClassVar = {
        "Together": Preset("Each bell mixes short bills of females and long ones of males.", {}),
        "Apart": Preset("Among females the same bill changes sides, and it comes out right.", dict(step=REAL)),
        "The placebo": Preset("Six classes, too, but with sexes dealt out at random: no gain.", dict(step=2)),
        "A new mistake": Preset("A female Adelie with a long bill: right together, wrong apart.",
                                dict(step=REAL, bird=1)),
    }  # fmt: skip

    def compute(self, step: int, bird: int) -> Sexes:
        row, shuffle = BIRDS[bird], shuffle_of(step)
        label = "" if shuffle is None else str(sexes(shuffle)[row])
        return Sexes(row, step, label, *find_bells(row, step), count_wrong())

    def draw(self, result: Sexes) -> dict:
        number = f"{result.wrong[result.step]} of {len(penguins()[1])}", "wrong"
        return marks.figure(bells_panel(result), wrong_panel(result), finding=result.finding, number=number,
                            widths=[1.2, 1], share=0.78)  # fmt: skip

    def describe(self, result: Sexes) -> str:
        r, loss = result, find_loss(held_out_by(shuffle_of(result.step)))
        rest = f"{r.wrong[r.step]} of {len(penguins()[1])} wrong, log loss {loss:.4f}"
        return f"{r.finding}. Row {r.row}, {write_bird(r.row)}; sexes {LABELS[r.step]}: {rest}."

    def explain(self, result: Sexes) -> Sequence[Part]:
        bill = penguins()[0][BILL][result.row]
        low, high = norm.pdf(bill, result.mean[result.own], result.sd[result.own])
        terms = [Term(f"{p:.4f}", f"{result.names[k]} at {bill} mm", result.names[k], CLASSES[c].color)
                 for c, (p, k) in enumerate(zip((low, high), result.own, strict=True))]  # fmt: skip
        top, bottom = terms if low > high else terms[::-1]
        return [top, ":", bottom, "=", Term(write_odds(result.vote).removesuffix(" : 1"), "to 1")]


def bells_panel(r: Sexes) -> Panel:
    """Draw the two bells that judge the penguin, those of the other sex pale, and its bill."""
    bill, drawn = penguins()[0][BILL][r.row], []
    for k, (name, mean, sd) in enumerate(zip(r.names, r.mean, r.sd, strict=True)):
        look, mine = CLASSES[int(name.startswith(SPECIES[1]))], k in r.own
        height = norm.pdf(MM, mean, sd)
        drawn.append(marks.line(MM, height.round(4), look if mine else PALE, width=3 if mine else 1.5,
                                id=name, hover=f"{name}: {{y:.3f}} at {{x}} mm"))  # fmt: skip
        if mine:
            drawn += [marks.text(mean, 0.32, name, color=look.color),
                      marks.points(bill, norm.pdf(bill, mean, sd), look, size=11, rim=BLACK, stroke=1)]  # fmt: skip
    bills = penguins()[0][BILL][list(BIRDS)].to_numpy()
    return marks.panel("Bills, and the bells they are judged by", marks.rule(x=bill), drawn,
                       Handle("bird", bill, 0.27, places=bills),
                       x=marks.axis(MM[0], MM[-1], "bill length, mm", ticks=[35, 40, 45, 50, 55]),
                       y=marks.axis(0, 0.34, ticks=[]))  # fmt: skip


def wrong_panel(r: Sexes) -> Panel:
    """Draw how many penguins are wrong with each labelling, and a line at the model of three classes."""
    at = np.arange(len(LABELS))
    said = [f"sexes {label}: {count} wrong" for label, count in zip(LABELS, r.wrong, strict=True)]
    dots = marks.points(at, r.wrong, [GREY] * len(at), size=10, hover=said)
    held = marks.points(r.step, r.wrong[r.step], HELD, size=15, rim=BLACK, stroke=2, hover=said[r.step])
    words = (marks.text(-0.6, 6.6, "together", place="right below"), marks.text(1.8, 2, "as they are", place="right"),
             marks.text(11.5, 12, "shuffled"))  # fmt: skip
    pick = Handle("step", r.step, r.wrong[r.step], "xy", places=np.column_stack([at, r.wrong]), shape="pick")
    return marks.panel("Wrong, of 344 penguins", marks.rule(y=r.wrong[TOGETHER], look=GUIDE), dots, held, words, pick,
                       x=marks.axis(-1, len(LABELS), ticks=[], grid=False),
                       y=marks.axis(0, 12.5, ticks=[0, 2, 4, 6, 8, 10, 12]))  # fmt: skip
