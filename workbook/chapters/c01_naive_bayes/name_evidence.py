"""Chapter 01: a name as evidence: pieces that overlap count its letters several times, pieces cut apart once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from workbook.explorer import marks
from workbook.explorer.controls import Steps, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import how_many, signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.palette import BLACK, CLASSES, GUIDE
from workbook.explorer.theme import Panel
from workbook.items import isolate_text, label

from .pieces import APART, CUTS, EDGES, OVERLAP, count_pieces, heap_names, name_votes
from .steps import SEXES, look_of, sex_of, tick_odds, write_odds

__all__ = ["NameEvidenceExplorer"]

HOW = "overlap", "share no letter"
SHOWN = 5  # pieces with a step of their own
FAR = 26  # log odds to which the axis goes, whole or cut: what is longer says more


@dataclass(frozen=True)
class NameEvidence:
    """Hold a name and the votes of its pieces, log odds of male, classes taken as equally frequent."""

    name: str
    cut: int
    votes: dict[str, float]

    @property
    def total(self) -> float:
        """Return the log odds of all pieces."""
        return sum(self.votes.values())

    @property
    def shown(self) -> dict[str, float]:
        """Return the strongest votes as the name reads, and the sum of the others."""
        times, strongest = Counter(CUTS[self.cut](self.name)), sorted(self.votes, key=lambda p: -abs(self.votes[p]))
        kept = {label(p, times[p]): v for p, v in self.votes.items() if p in strongest[:SHOWN]}
        others = len(self.votes) - len(kept)
        if others:
            kept[f"{others} others"] = self.total - sum(kept.values())
        return kept

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c01 proves it for all names that are offered."""
        if not self.votes:
            return "No piece of this name was ever counted"
        sex, known = sex_of(self.total), count_pieces(OVERLAP)[0].get(self.name)
        wrong = ", wrongly" if known is not None and SEXES[known] != sex else ""
        pieces = how_many(len(self.votes), "piece") + (f" that {HOW[self.cut]}" if len(self.votes) > 1 else "")
        return f"{pieces}: {write_odds(self.total)} for {sex}{wrong}"


NAMES = json.loads((Path(__file__).parent / "usual_names.json").read_text("utf-8"))  # of Faker's usual US names


class NameEvidenceExplorer(Explorer):
    """Naive Bayes on the pieces of a given name: a step each, all other names counted."""

    name = Text("Gloria", label="Name", forbidden=END, chosen=NAMES)
    cut = Steps(OVERLAP, [OVERLAP, APART], label="pieces", say=["overlap", "apart"].__getitem__)

    presets: ClassVar = {
        "Gloria": Preset("Her final a speaks in a, a¶, ia, ia¶ and ria: one letter, several votes.", {}),
        "Gloria, cut apart": Preset("Each letter is heard once. Still female, and less sure.", dict(cut=APART)),
        "Brooke": Preset("A woman, say the lists. A man, say her pieces, and they are sure.", dict(name="Brooke")),
    }  # fmt: skip

    def compute(self, name: str, cut: int) -> NameEvidence:
        return NameEvidence(name, int(cut), name_votes(name, int(cut)))

    def draw(self, result: NameEvidence) -> dict:
        number = write_odds(result.total), f"for {sex_of(result.total)}"
        panels = pieces_panel(result), heap_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.3, 1], left=7.5)

    def describe(self, result: NameEvidence) -> str:
        return f"{result.finding}. The name: {isolate_text(result.name)}."

    def explain(self, result: NameEvidence) -> Sequence[Part]:
        for_female, for_male = (sum(v for v in result.votes.values() if (v > 0) == male) for male in (False, True))
        return [Term(signed(for_female, 1), "pieces for female"), Term(signed(for_male, 1), "pieces for male"), "=",
                Term(signed(for_female + for_male, 1), "log odds of male", "together")]  # fmt: skip


def pieces_panel(r: NameEvidence) -> Panel:
    """Draw a step for each of the strongest pieces, for the others together, and for all; its odds in its name."""
    ends = np.cumsum(np.append(0, [*r.shown.values()])).round(1)  # to what the eye can tell apart
    heights, begin = np.append(np.diff(ends), ends[-1]), np.append(ends[:-1], 0)
    y, far = np.arange(len(heights))[::-1], FAR
    bars = marks.bars(heights, y, list(map(look_of, heights)), base=begin, width=0.62, horizontal=True,
                      hover="its odds stand beside its name", id=[*map(str, y[:-1]), "together"])  # fmt: skip
    rules = marks.rule(x=0, look=BLACK, width=1), marks.rule(y=0.5, look=GUIDE, width=1)
    x = marks.axis(-far, far, "← female · odds · male →", ticks=tick_odds(-far, far))
    names = ["together", *[f"{piece} · {write_odds(v).removesuffix(' : 1')}" for piece, v in r.shown.items()][::-1]]
    return marks.panel("What each piece says, odds to 1", bars, rules, x=x, y=marks.named_axis(names))


def heap_panel(r: NameEvidence) -> Panel:
    """Draw how many names of either list have which log odds, and where this name stands."""
    at, drawn = (EDGES[1:] + EDGES[:-1]) / 2, []
    for sex, way in ((0, 1), (1, -1)):
        heap = heap_names(r.cut)[sex]
        said = [f"{n:,} {SEXES[sex]} names with log odds about {x:+g}" for n, x in zip(heap, at, strict=True)]
        drawn += [marks.bars(at, way * heap, CLASSES[sex], width=1.7, name=SEXES[sex], hover=said)]
    here = round(float(np.clip(r.total, EDGES[0], EDGES[-1])), 1)
    rules = marks.rule(x=0, look=BLACK, width=1), marks.rule(x=here, width=3)
    x = marks.axis(-23, 23, "log odds of male", ticks=[-20, -10, 0, 10, 20])
    return marks.panel("All names, and this one", drawn, rules, x=x, y=marks.axis(-1300, 1300, ticks=[]))
