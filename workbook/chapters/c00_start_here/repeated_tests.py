"""Chapter 00: several positive tests that partly repeat one another, and what naive Bayes makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import expit

from workbook.chapters.c00_start_here.experiment import LIKELIHOOD, again, chance, log_odds_after
from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, IntSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import say, superscript
from workbook.explorer.formula import Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

__all__ = ["RepeatedTestsExplorer"]

MOST = 6
TRUTH, NAIVE, PRIOR = "truth", "naive Bayes", "before any test"
LOOKS = {
    TRUTH: dict(line=dict(color=palette.TRUTH, width=9), marker=dict(size=0)),
    NAIVE: dict(line=dict(color=palette.NAIVE_BAYES, dash="dash", width=3), marker=dict(symbol="square", size=7)),
}
GROUPS, COLORS, HATCHES = ("ill", "well"), palette.CLASS_COLORS[1::-1], palette.CLASS_PATTERNS[1::-1]


@dataclass(frozen=True)
class Repeated:
    """The result: log odds of being ill after 0 to MOST positive tests, and what a further test shows."""

    tests: int
    repeated: float
    prevalence: float
    log_odds: dict[str, np.ndarray]  # (MOST + 1,)
    again: np.ndarray  # (2,) P(positive | one positive before), of the ill and of the well

    @property
    def factor(self) -> float:
        """By how much a further positive test multiplies the odds."""
        return float(self.again[0] / self.again[1])


class RepeatedTestsExplorer(Explorer):
    """Positive tests of which some only repeat the first one: P(++ | c) = repeated · s + (1 − repeated) · s²."""

    tests = IntSlider(2, 1, MOST, label="positive tests")
    repeated = FloatSlider(1.0, 0.0, 1.0, step=0.05, label="repeats")
    prevalence = Steps(0.01, (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5), label="prevalence")

    presets: ClassVar = {
        "The same sample twice": Preset(
            "The second result is a copy. Nothing new was seen, and naive Bayes counts it as news.", {}
        ),
        "Two tests of their own": Preset(
            "Nothing is repeated: within each group the results are independent, and naive Bayes is right.",
            dict(repeated=0.0),
        ),
        "Half are repeats": Preset(
            "Half of the second results are copies. The truth is twelve in a hundred; naive Bayes says forty-one.",
            dict(repeated=0.5),
        ),
        "Six in a row": Preset(
            "Six positive tests, half of the further ones copies. Naive Bayes is all but certain; the truth is a coin.",
            dict(repeated=0.5, tests=MOST),
        ),
    }

    def compute(self, tests, repeated, prevalence) -> Repeated:
        every = np.arange(MOST + 1)
        log_odds = {
            TRUTH: log_odds_after(every, prevalence, repeated),
            NAIVE: log_odds_after(every, prevalence),
        }
        return Repeated(tests, repeated, prevalence, log_odds, again(repeated))

    def draw(self, result):
        return theme.figure([[belief_panel(result), again_panel(result)]], widths=[1.6, 1], share=0.9)

    def explain(self, result):
        """The odds after one positive test, times what each further one is worth to naive Bayes, and in truth."""
        r = result
        more = superscript(r.tests - 1) if r.tests > 2 else ""
        first, parts = np.exp(r.log_odds[TRUTH][1]), []
        for name, factor in ((NAIVE, LIKELIHOOD[0] / LIKELIHOOD[1]), (TRUTH, r.factor)):
            log_odds = r.log_odds[name][r.tests]
            odds = Term(f"{np.exp(log_odds):,.0f}" if log_odds > 6 else say(np.exp(log_odds)), "odds")
            says = Term(chance(expit(log_odds)), "P(ill)", name, LOOKS[name]["line"]["color"])
            so_far, result = Term(say(first), "after one"), Term(say(factor, 4) + more, "each more")
            if r.tests == 1:  # nothing is repeated yet
                so_far = Term(say(np.exp(r.log_odds[TRUTH][0])), "before")
                result = Term(say(np.divide(*LIKELIHOOD), 4), "the first")
            parts += [f"{name}:", so_far, "·", result, "=", odds, ", so", says, ";"]
        return parts[:-1]

    def describe(self, result) -> str:
        r = result
        truth, naive = (chance(expit(path[r.tests])) for path in r.log_odds.values())
        tests = "1 positive test" if r.tests == 1 else f"{r.tests} positive tests"
        return (
            f"{tests}, prevalence {say(r.prevalence)}, repeats {r.repeated:.2f}. P(ill) is {truth}; naive "
            f"Bayes says {naive}. A further positive test multiplies the odds by {say(r.factor)}; naive Bayes takes "
            f"it for {say(LIKELIHOOD[0] / LIKELIHOOD[1])}."
        )


def belief_panel(r: Repeated) -> Panel:
    """P(ill) against the number of positive tests; the truth is broad and lies under the other line."""
    lines = [
        dict(type="scatter", mode="lines+markers", x=np.arange(MOST + 1), y=expit(path), name=name, **LOOKS[name])
        | dict(meta=dict(mark=name), customdata=[chance(p) for p in expit(path)])
        | dict(hovertemplate="%{fullData.name}, after %{x} positive tests: P(ill) = %{customdata}<extra></extra>")
        for name, path in r.log_odds.items()
    ]
    before = dict(type="scatter", mode="markers", x=[0], y=[r.prevalence], name=PRIOR, meta=dict(mark=PRIOR))
    before |= dict(marker=dict(symbol="star", size=12, color=palette.BEFORE))
    before |= dict(hovertemplate="before any test: P(ill) = %{y:.3g}<extra></extra>")
    here = dict(type="line", x0=r.tests, x1=r.tests, y0=0, y1=1, yref="domain", line=dict(width=2, color=palette.NOW))
    x = dict(range=[-0.35, MOST + 0.35], tickvals=np.arange(MOST + 1), title="positive tests")
    y = dict(range=[-0.04, 1.04], tickvals=[0, 0.5, 1])
    handles = [
        Handle("tests", x=r.tests, y=0.5, shape="line"),
        Handle("prevalence", x=0, y=r.prevalence, axis="y"),
    ]
    return Panel("P(ill)", [*lines, before], x, y, [here], handles=handles)


def again_panel(r: Repeated) -> Panel:
    """What a further test shows, after a positive one: as it is (bars), and as naive Bayes takes it (outlined)."""
    shared = dict(type="bar", x=[0, 1], width=0.6, hovertemplate="%{customdata}<extra></extra>", showlegend=False)
    words = "P(positive again | {}): {} {}"
    bars = shared | dict(
        y=r.again, marker=dict(color=list(COLORS), pattern=theme.class_marker([1, 0])["pattern"]),
        text=[say(p) for p in r.again], textposition="outside", cliponaxis=False,
        customdata=[words.format(group, "in truth", say(p)) for group, p in zip(GROUPS, r.again, strict=True)],
    )  # fmt: skip
    outlines = shared | dict(
        y=LIKELIHOOD, marker=theme.OUTLINE, name="as naive Bayes takes it", showlegend=True,
        customdata=[words.format(group, "to naive Bayes", say(p)) for group, p in zip(GROUPS, LIKELIHOOD, strict=True)],
    )  # fmt: skip
    x = dict(range=[-0.6, 1.6], tickvals=[0, 1], ticktext=GROUPS, showgrid=False)
    y = dict(range=[0, 1.15], tickvals=[0, 0.5, 1])
    places = [again(share)[1] for share in RepeatedTestsExplorer.repeated.values]
    grip = Handle("repeated", x=1.24, y=float(r.again[1]), axis="y", places=np.array(places), shape="bar")
    return Panel("Positive again, after a positive", [bars, outlines], x, y, handles=[grip])
