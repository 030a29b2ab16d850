"""Chapter 05: a name letter by letter; which n-grams lie on the same few letters, and what they say together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import END
from workbook.chapters.names import LONGEST, names_split
from workbook.explorer import palette, theme
from workbook.explorer.controls import IntSlider, Text, Toggle
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import how_many, signed, typeset, written
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.items import NAME_CHOICES, isolate_text, label

__all__ = ["LettersExplorer"]

MOST_PAIRS = 20
TICKS = 24  # letters that can be told apart below a panel
THICK = 0.86  # of a row: an n-gram, whatever it says
FIRST = -0.8  # where the prior stands, before the letters 1, 2, ...
ASIDE = 0.04  # of a letter, between an n-gram and its edge
FULL = 2.0  # nats that fill it; where one says more, that fills it
ROWS = LONGEST * (LONGEST + 1) // 2


@dataclass(frozen=True)
class Letters:
    """The result: a name's n-grams, each occurrence by itself, and what each adds to the log odds of classes[1]."""

    max_n: int
    spread: bool
    at: int  # the pair is the letters at and at + 1, counted from 1; 0 if there is none
    name: str
    classes: tuple[str, str]
    letters: str  # of the name and the end mark
    prior: float
    start: np.ndarray  # (n,) the first letter of each known n-gram, from 1
    length: np.ndarray  # (n,)
    votes: np.ndarray  # (n,)
    dropped: np.ndarray  # (m, 2) first letter and length of the n-grams that no training name has

    @property
    def total(self) -> float:
        return float(self.prior + self.votes.sum())

    @property
    def held(self) -> np.ndarray:
        """Which n-grams hold both letters of the pair, (n,)."""
        return (self.at > 0) & (self.start <= self.at) & (self.start + self.length > self.at + 1)

    @property
    def covers(self) -> np.ndarray:
        """Which n-gram lies on which letter, (n, letters)."""
        places = np.arange(1, len(self.letters) + 1)
        return (self.start[:, None] <= places) & (places < (self.start + self.length)[:, None])

    @property
    def shares(self) -> np.ndarray:
        """What falls on each letter if every n-gram deals out its log odds evenly to its letters."""
        return (self.votes / self.length) @ self.covers

    @property
    def pair(self) -> str:
        return self.letters[self.at - 1 : self.at + 1] if self.at else ""

    def text(self, start: int, length: int) -> str:
        """An n-gram as plotly shall show it."""
        return label(self.letters[start - 1 : start - 1 + length])


@lru_cache(maxsize=LONGEST)
def votes_of(max_n: int) -> tuple[float, dict[str, float]]:
    """The log odds of the prior and of every n-gram that the model knows."""
    split = names_split(max_n)
    of_each = np.diff(split.model.feature_log_prob_, axis=0)[0]
    return float(np.diff(split.model.class_log_prior_)[0]), dict(zip(split.vocabulary, of_each, strict=True))


@lru_cache(maxsize=64)
def opened(name: str, max_n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places (first letter, length) and votes of a name's known n-grams, short ones first; places of the others."""
    _, known = votes_of(max_n)
    marked = name + END
    places = [(at, n) for n in range(1, max_n + 1) for at in range(len(marked) - n + 1) if marked[at : at + n] != END]
    seen = [place for place in places if marked[place[0] : sum(place)] in known]
    votes = np.array([known[marked[at : at + n]] for at, n in seen], dtype=float)
    unseen = [place for place in places if place not in set(seen)]
    counted = (np.array(found, dtype=int).reshape(-1, 2) + np.array([1, 0]) for found in (seen, unseen))
    return *counted, votes


class LettersExplorer(Explorer):
    """A name's n-grams over the letters that they cover, and what each adds to the log odds: Carlos (2015), eq. (4)."""

    at = IntSlider(6, 1, MOST_PAIRS, label="pair no., to the last")
    max_n = IntSlider(LONGEST, 1, LONGEST, label="n-grams up to")
    spread = Toggle(False, label="dealt out to letters")
    name = Text("Nathaniel", label="Name", forbidden=END, chosen=NAME_CHOICES)

    presets: ClassVar = {
        "Single letters": Preset(
            "One witness for each letter, and none overlaps another: 13 to 1 for female, no more.", dict(max_n=1)
        ),
        "Its end": Preset(
            "The last letter and the end of the name speak for male. Only four n-grams hold them both.", dict(at=9)
        ),
        "Dealt out to letters": Preset(
            "Each n-gram deals out its log odds to its letters. Much falls where most n-grams overlap.",
            dict(spread=True),
        ),
        "Daniel": Preset("The same pair again. It makes a woman of Daniel, too.", dict(name="Daniel", at=3)),
        "Angelina": Preset(
            "Right this time. Eight letters and the end, heard as 34 witnesses: more than 10¹⁶ to 1.",
            dict(name="Angelina", at=7),
        ),
    }

    def compute(self, at, max_n, spread, name) -> Letters:
        (seen, dropped, votes), (prior, _) = opened(name, max_n), votes_of(max_n)
        classes = names_split(max_n).classes
        return Letters(
            max_n, spread, min(at, len(name)), name, classes, name + END, prior, *seen.T, votes=votes, dropped=dropped
        )

    def draw(self, result):
        return theme.figure([[ngrams_panel(result), letters_panel(result)]], widths=[1.7, 1], share=1.08)

    def explain(self, result) -> list[Part]:
        """The sum of votes, the pair apart from the rest; spread, the same sum letter by letter."""
        r = result
        parts = [f"log odds of {r.classes[1]} =", Term(signed(r.prior), "prior", "prior", *look_of(r.prior))]
        if r.spread:
            pair = [r.at - 1, r.at] if r.at else []
            apart = [(r.shares[i], label(r.letters[i]), f"letter {i + 1}", *look_of(r.shares[i])) for i in pair]
            rest = [(r.shares.sum() - r.shares[pair].sum(), how_many(len(r.letters) - len(pair), "other letter"))]
        else:
            held = r.held
            apart = [(r.votes[held].sum(), f"{grams(held.sum())} with {label(r.pair)}", "held")] if held.any() else []
            rest = [(r.votes[~held].sum(), how_many((~held).sum(), "other"), "others")] if (~held).any() else []
        for value, *seen in apart + rest:
            parts += ["+", Term(f"({signed(value)})", *seen)]
        return [*parts, "≈", Term(signed(r.total), "all")]

    def describe(self, result) -> str:
        r, side = result, int(result.total > 0)
        odds = np.exp(abs(r.total))
        said = written(odds) if odds < 10 else f"{odds:,.0f}" if odds < 1e12 else typeset(f"{odds:.3g}")
        this = f"{isolate_text(r.pair)}, pair {r.at} of {len(r.name)}"
        told = f"{isolate_text(r.name)}, n = {len(r.votes)}: naive Bayes says {r.classes[side]}, {said} to 1."
        if r.spread and r.at:
            pair = f"{signed(r.shares[[r.at - 1, r.at]].sum())} falls on the letters {this}"
        elif r.held.any():
            pair = f"{signed(r.votes[r.held].sum())} comes from {grams(r.held.sum())} with {this}"
        else:
            pair = f"{signed(r.prior)} is the prior's"
        return f"{told} Of {signed(r.total)}, the log odds of {r.classes[1]}, {pair}."


def grams(count: int) -> str:
    return how_many(count, "n-gram")


def look_of(vote: float) -> tuple[str, str]:
    """Colour and hatch of the class that a vote is for."""
    return palette.CLASS_COLORS[int(vote > 0)], palette.CLASS_PATTERNS[int(vote > 0)]


def row_of(start: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Where an n-gram lies: those of one length take as many rows as they are long, so none covers another."""
    return length * (length - 1) / 2 + start % length


def lying(start, length, rows, **more) -> dict:
    """Bars over the letters that n-grams cover."""
    place = dict(x=length - 2 * ASIDE, base=start - 0.5 + ASIDE, y=rows)
    return dict(type="bar", orientation="h", showlegend=False) | place | more


def letters_axis(r: Letters, prior: bool = True) -> dict:
    """The letters, and a place for the prior before them."""
    step = -(-len(r.letters) // TICKS)
    places = np.arange(1, len(r.letters) + 1, step)
    names = ["prior" if prior else "", *(label(r.letters[i - 1]) for i in places)]
    return dict(tickvals=[FIRST, *places], ticktext=names, range=[FIRST - 0.8, len(r.letters) + 0.6], showgrid=False)


def ngrams_panel(r: Letters) -> Panel:
    """Every n-gram over its letters, as thick as what it says; those that hold the pair have a rim."""
    rows, traces = row_of(r.start, r.length), []
    for held, rim in ((False, 0), (True, 1.5)):
        these = r.held == held
        under = dict(color=palette.PALE, line=dict(color=palette.BLACK, width=rim))
        trace = lying(r.start[these], r.length[these], rows[these], width=THICK, marker=under, hoverinfo="skip")
        traces.append(trace | dict(meta=dict(mark="held" if held else "others")))
    start, length = r.dropped.T
    unseen = dict(color="white", line=dict(color=palette.GREY, width=1))
    words = [r.text(*place) for place in r.dropped]
    traces.append(
        lying(start, length, row_of(start, length), width=THICK, marker=unseen, customdata=words)
        | dict(hovertemplate="%{customdata}: no training name has it, so it is dropped<extra></extra>")
    )
    each = r.votes / r.length if r.spread else r.votes
    most = max(FULL, np.abs(each).max(initial=0.0), abs(r.prior))
    ends = np.append(r.start, FIRST), np.append(r.length, 1), np.append(rows, 0.0), np.append(each, r.prior)
    words = [*map(r.text, r.start, r.length), "the prior"]
    ids = [*(f"n-gram {at} {n}" for at, n in zip(r.start, r.length, strict=True)), "prior"]
    unit = f"log odds of {r.classes[1]}" + (" for each of its letters" if r.spread else "")
    for side, name in enumerate(r.classes):
        these = np.flatnonzero((ends[3] > 0) == side)
        trace = lying(*(end[these] for end in ends[:3]), width=THICK * np.abs(ends[3][these]) / most)
        told = [f"{words[i]}: {signed(ends[3][i])}, {unit}" for i in these]
        trace |= dict(name=name, showlegend=True, marker=theme.CLASS_BARS[side], ids=[ids[i] for i in these])
        traces.append(trace | dict(customdata=told, hovertemplate="%{customdata}<extra></extra>"))
    lengths = np.arange(1, LONGEST + 1)
    tops = lengths * (lengths + 1) / 2  # where the next ones would lie, clear of every rim
    y = dict(tickvals=lengths * lengths / 2 - 0.5, ticktext=[*map(str, lengths)], range=[-0.6, ROWS + 0.3])
    shapes = [dict(type="line", x0=0, x1=1, xref="domain", y0=tops[r.max_n - 1], y1=tops[r.max_n - 1])]
    handles = [Handle("max_n", y=tops[r.max_n - 1], axis="y", places=tops, shape="line")]
    if r.at:
        between = np.minimum(LettersExplorer.at.values, len(r.name)) + 0.5
        shapes.append(dict(type="line", x0=r.at + 0.5, x1=r.at + 0.5, y0=0, y1=1, yref="domain"))
        handles.append(Handle("at", x=r.at + 0.5, places=between, shape="line"))
    shapes = [shape | dict(line=dict(color=palette.NOW, width=2)) for shape in shapes]
    y |= dict(title="letters of the n-gram", showgrid=False)
    return Panel("Who says what, on which letters", traces, letters_axis(r), y, shapes, handles=handles, narrow=2.2)


def letters_panel(r: Letters) -> Panel:
    """Above each letter how many n-grams lie on it; or what falls on it, if they deal out their log odds."""
    places, upright = np.arange(len(r.letters) + 1.0), dict(type="bar", width=0.8, showlegend=False)
    places[0] = FIRST
    names = ["the prior", *map(label, r.letters)]
    ids = ["prior", *(f"letter {i:.0f}" for i in places[1:])]
    if not r.spread:
        heard = r.covers.sum(axis=0)
        words = [f"{grams(count)} with {name}" for count, name in zip(heard, names[1:], strict=True)]
        trace = upright | dict(x=places[1:], y=heard, ids=ids[1:], marker=theme.OUTLINE, customdata=words)
        y, title = dict(range=[0, ROWS + 1], tickvals=[0, 5, 10, 15]), "n-grams on each letter"
    else:
        share = np.append(r.prior, r.shares)
        words = [f"{name}: {signed(s)}, log odds of {r.classes[1]}" for s, name in zip(share, names, strict=True)]
        look = theme.class_marker((share > 0).astype(int))
        trace = upright | dict(x=places, y=share, ids=ids, marker=look, customdata=words)
        edge = 1.1 * max(1.0, np.abs(share).max())
        y, title = dict(range=[-edge, edge], nticks=5), f"Log odds of {r.classes[1]} by letter"
    trace |= dict(hovertemplate="%{customdata}<extra></extra>")
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.BLACK, width=1))
    return Panel(title, [trace], letters_axis(r, prior=r.spread), y, [zero])
