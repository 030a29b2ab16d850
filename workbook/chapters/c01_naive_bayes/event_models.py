"""Chapter 01, deeper page: one document, three event models, and what each hears of a word that is there or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from nbcore.datasets import load_iir_documents
from nbcore.naive_bayes import BernoulliNB, MultinomialNB
from workbook.explorer import marks
from workbook.explorer.controls import Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import BLACK, GREY, NAIVE_BAYES, ORANGE, SKY, Look
from workbook.explorer.theme import Panel

__all__ = ["EventModelsExplorer"]

DOCS = load_iir_documents()
WORDS = DOCS.feature_names
MODELS = {
    "multinomial": MultinomialNB().fit(DOCS.data, DOCS.target),
    "cut to 1": MultinomialNB().fit(DOCS.data > 0, DOCS.target),
    "Bernoulli": BernoulliNB().fit(DOCS.data, DOCS.target),
}
LOOKS = Look(NAIVE_BAYES), Look(ORANGE, "square", "dash", "/"), Look(SKY, "diamond", "dot", ".")
START = float(np.log(3))  # three documents of four are about China
MOST = 5
TIMES = "not there", "once", "twice", "three times", "four times", "five times"


@dataclass(frozen=True)
class Document:
    """Hold how often Chinese, Tokyo and Japan stand in a document without other words."""

    chinese: int
    tokyo: int
    japan: int

    @property
    def counts(self) -> np.ndarray:
        """Return the counts of the vocabulary, (6,)."""
        return np.array([dict(Chinese=self.chinese, Tokyo=self.tokyo, Japan=self.japan).get(w, 0) for w in WORDS])

    def bars(self, model: str) -> np.ndarray:
        """Return what each word of the vocabulary adds to the log odds of China, (6,)."""
        counts = self.counts > 0 if model == "cut to 1" else self.counts
        other, china = MODELS[model].feature_contributions(counts[None])[0]
        return china - other

    @property
    def totals(self) -> np.ndarray:
        """Return the log odds of China by each model, (3,)."""
        return np.array([START + self.bars(model).sum() for model in MODELS])

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c01 proves it for all states."""
        china = [name for name, odds in zip(MODELS, self.totals, strict=True) if odds > 0]
        other = [name for name in MODELS if name not in china]
        if not china or not other:
            return f"All three models say {'not ' * (not china)}China"
        pair, single, word = (other, china[0], "China") if len(china) == 1 else (china, other[0], "not China")
        return f"{single.capitalize()} says {word}; {pair[0]} and {pair[1]} say {'not ' * (word == 'China')}China"


class EventModelsExplorer(Explorer):
    """Three models judge one document: a word is counted, cut to one, or there or not. IIR, table 13.1."""

    chinese = Steps(3, range(MOST + 1), label="Chinese", say="{} ×".format)
    tokyo = Steps(1, range(3), label="Tokyo", say="{} ×".format)
    japan = Steps(1, range(3), label="Japan", say="{} ×".format)

    presets: ClassVar = {
        "Document 5": Preset("Three times Chinese is three steps for who counts, and one for the two others.", {}),
        "Tokyo alone": Preset("Nothing is cut in the document. The cut in the training data turns the decision.",
                              dict(chinese=0, japan=0)),
        "Tokyo twice": Preset("Who counts hears Tokyo twice, the other two once: now they are for China.",
                              dict(chinese=1, tokyo=2, japan=0)),
    }  # fmt: skip

    def compute(self, chinese: int, tokyo: int, japan: int) -> Document:
        return Document(int(chinese), int(tokyo), int(japan))

    def draw(self, result: Document) -> dict:
        number = f"{expit(result.totals[0]):.3f}", "P(China), multinomial"
        panels = words_panel(result), chinese_panel(result)
        return marks.figure(*panels, finding=result.finding, number=number, widths=[1.3, 1], left=7)

    def describe(self, result: Document) -> str:
        said = ", ".join(f"{name} {expit(odds):.3f}" for name, odds in zip(MODELS, result.totals, strict=True))
        return f"{result.finding}. Chinese {result.chinese} ×, P(China): {said}."

    def explain(self, result: Document) -> Sequence[Part]:
        r, bars = result, result.bars("Bernoulli")
        there, absent = (float(bars[at].sum()) for at in (r.counts > 0, r.counts == 0))
        return [Term(signed(START), "prior"), Term(signed(there), "words there"),
                Term(signed(absent), "words absent"), "=",
                Term(signed(r.totals[2]), "log odds, Bernoulli", "Bernoulli together", LOOKS[2].color)]  # fmt: skip


def words_panel(r: Document) -> Panel:
    """Draw what each word says to the three models, a group of bars a word, and all together with the prior."""
    names = [f"{word} ×{n}" if n > 1 else word if n else f"no {word}" for word, n in zip(WORDS, r.counts, strict=True)]
    names, drawn = ["prior", *names, "together"], []
    y = np.arange(len(names))[::-1]
    for k, (model, look) in enumerate(zip(MODELS, LOOKS, strict=True)):
        heights = np.array([START, *r.bars(model), r.totals[k]])
        said = [f"{name}, {model}: {signed(height)}" for name, height in zip(names, heights, strict=True)]
        drawn += [marks.bars(heights, y + 0.25 * (1 - k), look, width=0.24, horizontal=True, name=model, hover=said,
                             id=[f"{model} {name}" for name in names])]  # fmt: skip
    rules = marks.rule(x=0, look=BLACK, width=1), marks.rule(y=0.5, look=GREY, width=1)
    x = marks.axis(-3.6, 3.6, "← not China · log odds · China →", ticks=[-3, -2, -1, 0, 1, 2, 3])
    return marks.panel("What each word says", drawn, rules, x=x, y=marks.named_axis(names[::-1]))


def chinese_panel(r: Document) -> Panel:
    """Draw P(China) by each model against how often Chinese stands there."""
    along, drawn = list(range(MOST + 1)), []
    odds = np.array([Document(n, r.tokyo, r.japan).totals for n in along])
    for model, look, p in zip(MODELS, LOOKS, expit(odds).T, strict=True):
        said = [f"Chinese {TIMES[n]}, {model}: {v:.3f}" for n, v in zip(along, p, strict=True)]
        drawn += [marks.line(along, p, look, width=3, size=8, hover=said)]
    now = float(expit(odds[r.chinese, 0]))
    drawn += [marks.points(r.chinese, now, NAIVE_BAYES, size=13, stroke=2, rim=BLACK, hover=f"multinomial: {now:.3f}")]
    grip = Handle("chinese", r.chinese, now, "xy", np.column_stack([along, expit(odds[:, 0])]))
    level = marks.rule(y=0.5, look=GREY, width=1)
    x, y = marks.axis(-0.3, MOST + 0.3, "times Chinese", ticks=along), marks.axis(-0.04, 1.04, ticks=[0, 0.5, 1])
    return marks.panel("P(China)", level, drawn, grip, x=x, y=y)
