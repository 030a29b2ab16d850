"""Chapter 02: a large alpha smooths and calms; one number that divides the log odds can do the calming instead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

import numpy as np

from workbook.explorer import palette, theme
from workbook.explorer.controls import FloatSlider, Steps
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import typeset
from workbook.explorer.formula import Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import FINE, TEMPERATURES, losses_on_grid, split

__all__ = ["TwoJobsExplorer"]

PLAIN, CALMED, RIGHT = "naive Bayes", "with temperature", "how often right"
LOOKS = (PLAIN, palette.BLACK, dict(dash="dash", width=2)), (CALMED, palette.PURPLE, dict(width=3))


@dataclass(frozen=True)
class TwoJobs:
    """The result, along every alpha: losses and certainty, at temperature 1 and at this one, and the share right."""

    alpha: float
    temperature: float
    here: int  # the place of alpha
    losses: np.ndarray  # (2, alphas): at temperature 1, and at this one
    sure: np.ndarray  # (2, alphas): mean probability of the class that is decided for
    right: np.ndarray  # (alphas,), the same at every temperature

    @property
    def best(self) -> list[int]:
        """Where each of the losses is least."""
        return [int(np.argmin(losses)) for losses in self.losses]


@lru_cache(maxsize=len(TEMPERATURES))
def certainty(temperature: float) -> np.ndarray:
    """(alphas,) mean probability of the class decided for, on the names kept aside."""
    return (1 / (1 + np.exp(-np.abs(split().log_odds) / temperature))).mean(axis=1)


@cache
def share_right() -> np.ndarray:
    """(alphas,) share of the names kept aside that get their class: whatever the temperature, no sign changes."""
    return ((split().log_odds > 0) == split().male).mean(axis=1)


class TwoJobsExplorer(Explorer):
    """Names kept aside, judged with log odds divided by a temperature: what is left for alpha to do."""

    alpha = Steps(1.0, FINE, say="{:g}".format, label="alpha")
    temperature = FloatSlider(1.0, TEMPERATURES[0], TEMPERATURES[-1], step=0.1, label="temperature")

    presets: ClassVar = {
        "Less smoothing": Preset(
            "Almost as many names are right as alpha can get, and the model is far too sure of itself.", dict(alpha=1.0)
        ),
        "Alpha alone": Preset(
            "Alpha calms the model by itself. Fewer names are right, and it still says more than it keeps.",
            dict(alpha=2.0),
        ),
        "Calmed": Preset(
            "Every log odds divided by 1.5. Not one decision changes; what it says is now close to what comes true.",
            dict(alpha=1.0, temperature=1.5),
        ),
        "Calmed twice": Preset(
            "A large alpha and the same temperature: now the model is more often right than it says.",
            dict(alpha=10.0, temperature=1.5),
        ),
    }

    def compute(self, alpha, temperature) -> TwoJobs:
        at = [0, TEMPERATURES.index(temperature)]
        return TwoJobs(
            alpha=alpha,
            temperature=temperature,
            here=FINE.index(alpha),
            losses=whole(losses_on_grid()[at]),
            sure=np.array([certainty(TEMPERATURES[t]) for t in at]),
            right=share_right(),
        )

    def draw(self, result):
        return theme.figure([[loss_panel(result), sure_panel(result)]])

    def describe(self, result) -> str:
        r, (alone, now) = result, result.best
        best = f"the least is {r.losses[1, now]:.3f}, at alpha = {FINE[now]:g}"
        plain = (
            f"; without temperature {r.losses[0, alone]:.3f}, at alpha = {FINE[alone]:g}" if r.temperature > 1 else ""
        )
        return (
            f"alpha = {r.alpha:g}, temperature {r.temperature:g}: sure of {r.sure[1, r.here]:.3f} on average, right in "
            f"{r.right[r.here]:.3f} of the names kept aside. Log loss {r.losses[1, r.here]:.3f}; {best}{plain}."
        )

    def explain(self, result) -> list[Part]:
        sure, right = round(result.sure[1, result.here], 3), round(result.right[result.here], 3)
        gap = sure - right
        return [
            Term(f"{sure:.3f}", "sure, on average", "sure", palette.PURPLE),
            "−",
            Term(f"{right:.3f}", "right", "right", palette.GREEN),
            "=",
            Term(typeset(f"{gap:+.3f}"), "too sure" if gap > 0 else "not sure enough"),
        ]


def whole(halves: np.ndarray) -> np.ndarray:
    """The loss on all names kept aside, from the losses (..., 2) on their two halves."""
    n = len(split().male)
    return halves @ np.array([n // 2, n - n // 2]) / n


def on_top(*rows) -> list[tuple]:
    """Both lines, the dashed one last: at temperature 1 they are the same, and it is to be seen on the other."""
    return list(zip(*rows, strict=True))[::-1]


def loss_panel(r: TwoJobs) -> Panel:
    """Log loss against alpha, without temperature and with it; a large ring where each is least."""
    told = "%{fullData.name}: log loss %{y:.3f} at alpha = %{x:.3g}<extra></extra>"
    line = dict(type="scatter", mode="lines", x=FINE, hovertemplate=told)
    traces = [
        line | dict(y=losses, name=name, line=look | dict(color=color))
        for losses, (name, color, look) in on_top(r.losses, LOOKS)
    ]
    for losses, best, (name, color, _) in on_top(r.losses, r.best, LOOKS):
        ring = dict(symbol="circle-open", size=22, color=color, line=dict(width=3))
        words = f"the least, {name}: log loss %{{y:.3f}} at alpha = %{{x:.3g}}<extra></extra>"
        traces.append(line | dict(mode="markers", x=[FINE[best]], y=[losses[best]], marker=ring, showlegend=False)
                      | dict(hovertemplate=words))  # fmt: skip
    dot = dict(size=11, color=palette.PURPLE, symbol="circle")
    traces.append(line | dict(mode="markers", x=[r.alpha], y=[r.losses[1, r.here]], marker=dot, showlegend=False)
                  | dict(name=CALMED))  # fmt: skip
    grip = Handle("alpha", x=r.alpha, y=r.losses[1, r.here])
    return Panel("Log loss on names kept aside", traces, alphas(), dict(range=[0.3, 0.62], nticks=5), handles=[grip])


def sure_panel(r: TwoJobs) -> Panel:
    """How sure the model is on average, and how often it is right; the distance between them at the present alpha."""
    told = "%{fullData.name}: %{y:.3f}, at alpha = %{x:.3g}<extra></extra>"
    line = dict(type="scatter", mode="lines", x=FINE, hovertemplate=told)
    traces = [
        line | dict(y=sure, name=name, line=look | dict(color=color), showlegend=False)
        for sure, (name, color, look) in on_top(r.sure, LOOKS)
    ]
    traces.append(line | dict(y=r.right, name=RIGHT, line=dict(color=palette.GREEN, dash="dot", width=4)))
    at, sure, right = [r.alpha, r.alpha], r.sure[1, r.here], r.right[r.here]
    gap = dict(color=palette.BLACK, width=2)
    traces.append(
        dict(type="scatter", mode="lines", x=at, y=[right, sure], line=gap, hoverinfo="skip", showlegend=False)
    )
    point = line | dict(mode="markers", x=[r.alpha], showlegend=False)
    for y, name, color, mark in ((sure, CALMED, palette.PURPLE, "sure"), (right, RIGHT, palette.GREEN, "right")):
        traces.append(point | dict(y=[y], name=name, marker=dict(size=10, color=color), meta=dict(mark=mark)))
    return Panel("How sure, and how often right", traces, alphas(), dict(range=[0.5, 1.0], nticks=6))


def alphas() -> dict:
    """The axis of alpha."""
    ends = [np.log10(FINE[0]) - 0.05, np.log10(FINE[-1]) + 0.05]
    return dict(type="log", tickvals=[0.1, 1, 10, 100], ticktext=["0.1", "1", "10", "100"], title="alpha", range=ends)
