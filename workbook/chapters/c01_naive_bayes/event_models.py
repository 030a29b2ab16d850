"""Chapter 01: one document, three event models. What a word says, and what an absent word says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from scipy.special import expit

from nbcore.datasets import load_iir_documents
from nbcore.naive_bayes import BernoulliNB, MultinomialNB
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, Text
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import signed
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel
from workbook.items import isolate_text

from .evidence import BARE, row_axis

__all__ = ["EventModelsExplorer"]

MULTINOMIAL, CUT, BERNOULLI = "multinomial", "cut to 1", "Bernoulli"
EDGES = (3, 6, 12, 25, 50, 100)  # where the axes may end


@cache
def fitted():
    """The four documents, and the three models: of counts, of counts cut to one, of words there or not."""
    docs = load_iir_documents()
    models = {
        MULTINOMIAL: MultinomialNB().fit(docs.data, docs.target),
        CUT: MultinomialNB().fit(docs.data > 0, docs.target),
        BERNOULLI: BernoulliNB().fit(docs.data, docs.target),
    }
    return docs, models


@dataclass(frozen=True)
class EventModels:
    """The result: log odds of China."""

    text: str
    words: tuple[str, ...]  # the vocabulary, V words
    counts: np.ndarray  # (V,) of the document
    unknown: int  # words of the document that the vocabulary has not; they are dropped
    prior: float
    bars: dict[str, np.ndarray]  # model -> (V,) what each word adds, there or not

    @property
    def start(self) -> float:
        """Log odds of the prior."""
        return float(np.log(self.prior / (1 - self.prior)))

    def total(self, model: str) -> float:
        return self.start + float(self.bars[model].sum())


CHOSEN = "Chinese", "Japan", "Tokyo Japan", "Chinese Tokyo", "Chinese Chinese Chinese Tokyo Japan", "Osaka"


class EventModelsExplorer(Explorer):
    """The event models of Wikipedia ("Multinomial", "Bernoulli naive Bayes") on the documents of IIR, table 13.1."""

    text = Text("Tokyo", label="Document", chosen=CHOSEN)
    prior = FloatSlider(0.75, 0.01, 0.99, step=0.01, label="prior of China")

    presets: ClassVar = {
        "Tokyo": Preset(
            "One word. Two models weigh it and nothing else; the third also hears five absent words: they say little.",
            {},
        ),
        "No word at all": Preset(
            "Nothing stands there. Two models stay with the prior; for the third every absence is a bar.", dict(text="")
        ),
        "Chinese three times": Preset(
            "Three times Chinese is three bars for the model that counts, and one for the two others.",
            dict(text="Chinese Chinese Chinese Tokyo"),
        ),
        "Chinese missing": Preset(
            "Beijing, Shanghai, Macao, no Chinese: its absence takes back nearly all that the three words say.",
            dict(text="Beijing Shanghai Macao"),
        ),
    }

    def compute(self, text, prior) -> EventModels:
        docs, models = fitted()
        known = {word.lower(): word for word in docs.feature_names}
        typed = [known.get(word.lower()) for word in text.split()]
        counts = np.array([typed.count(word) for word in docs.feature_names])
        rows = {MULTINOMIAL: counts, CUT: counts > 0, BERNOULLI: counts}
        bars = {}
        for name, model in models.items():
            other, china = model.feature_contributions(rows[name][None])[0]
            bars[name] = china - other
        return EventModels(text, tuple(docs.feature_names), counts, typed.count(None), prior, bars)

    def draw(self, result):
        panels = [model_panel(result, name, k == 0) for k, name in enumerate(result.bars)]
        return theme.figure([panels], legend=False, left=7)

    def describe(self, result) -> str:
        r = result
        said = ", ".join(f"{name} {expit(r.total(name)):.3f}" for name in r.bars)
        dropped = f" ({r.unknown} unknown dropped)" if r.unknown else ""
        absent = r.bars[BERNOULLI][r.counts == 0]
        words = f"“{isolate_text(r.text)}”" if r.text.strip() else "no words"
        return (
            f"prior {r.prior:.2f}, {words}{dropped}: P(China) by the three models: {said}. "
            f"The {len(absent)} absent words say {signed(absent.sum())} to the Bernoulli model."
        )

    def explain(self, result):
        r = result
        there, absent = (float(r.bars[BERNOULLI][at].sum()) for at in (r.counts > 0, r.counts == 0))
        total = r.total(BERNOULLI)
        chance = Term(f"{expit(total):.3f}", "P(China), Bernoulli", f"{BERNOULLI} sum", palette.BLACK)
        return [
            Term(signed(r.start), "prior"),
            Term(signed(there), "words there"),
            Term(signed(absent), "words absent"),
            *("=", Term(signed(total), "log odds"), ", a probability of", chance),
        ]


def model_panel(r: EventModels, model: str, first: bool) -> Panel:
    """The waterfall of one model: prior, every word of the vocabulary (grey: it is absent), and the sum, outlined."""
    heights = np.array([r.start, *r.bars[model], r.total(model)])
    absent = np.array([False, *(r.counts == 0), False])
    base = np.array([0.0, *np.cumsum(heights[:-1])[:-1], 0.0])
    look = theme.class_marker((heights > 0).astype(int))
    look["color"] = [palette.GREY if gone else color for gone, color in zip(absent, look["color"], strict=True)]
    look["pattern"] = look["pattern"] | dict(
        shape=["" if gone else shape for gone, shape in zip(absent, look["pattern"]["shape"], strict=True)]
    )
    look["line"] = dict(color=palette.BLACK, width=[*[0] * (len(heights) - 1), 3])
    words = [f"{word} ×{n}" if n > 1 else word for word, n in zip(r.words, r.counts, strict=True)]
    told = ["prior", *(word if n else f"no {word}" for word, n in zip(words, r.counts, strict=True)), "sum"]
    bars = dict(type="bar", orientation="h", y=np.arange(len(heights)), x=heights, base=base, width=0.62)
    bars |= dict(marker=look, showlegend=False, ids=[f"{model} {name}" for name in ("prior", *r.words, "sum")])
    bars |= dict(customdata=[f"{name}: log odds {signed(h)}" for name, h in zip(told, heights, strict=True)])
    bars |= dict(hovertemplate=f"{model}, %{{customdata}}<extra></extra>")
    silent = absent & (heights == 0)
    numbers = [
        dict(x=1, xref="domain", xanchor="right", y=y, text="" if silent[y] else signed(height))
        for y, height in enumerate(heights)
    ]
    farthest = max(abs(np.cumsum([r.start, *b])).max() for b in r.bars.values())
    edge = next(edge for edge in EDGES if edge >= 1.05 * farthest or edge == EDGES[-1])
    zero = dict(type="line", x0=0, x1=0, y0=0, y1=1, yref="domain", line=dict(color=palette.BLACK, width=1))
    shown = [f"<i>{word}</i>" if n else f"no {word}" for word, n in zip(words, r.counts, strict=True)]
    y = row_axis(["prior", *r.words, "sum"]) | dict(ticktext=["prior", *shown, "sum"], showgrid=False)
    x = dict(range=[-edge, 1.5 * edge], nticks=6, title="log odds of China")
    grip = Handle("prior", x=r.start, y=0.0, places=starts(), shape="bar")
    chance = f"{expit(heights[-1]):.2f}".removeprefix("0")  # three titles share a projector's width
    title = f"{model}: {chance}, {decision(heights[-1])}"
    return Panel(title, [bars], x, y if first else y | BARE, [zero], numbers, [grip])


def decision(log_odds: float) -> str:
    return "undecided" if abs(log_odds) < 1e-9 else "China" if log_odds > 0 else "not China"


@cache
def starts() -> np.ndarray:
    """The prior's log odds for each value of its slider."""
    p = np.array(EventModelsExplorer.declared["prior"].values)
    return np.log(p / (1 - p))
