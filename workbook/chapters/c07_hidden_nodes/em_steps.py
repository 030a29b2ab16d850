"""Chapter 07: EM one step at a time, on the handwritten ones of `digit_strips`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, m_step, mix_nodes, start_from_responsibilities
from workbook.page import palette, theme
from workbook.page.controls import Choice, IntSlider, Steps
from workbook.page.explorer import Explorer, Preset
from workbook.page.theme import Panel

from .experiment import STRIPS, ones

__all__ = ["EMExplorer"]

STEPS, SEEDS = 30, 8
WEIGHTS = {
    "tokens, smoothed": dict(node_weights="tokens", smooth_nodes=True),
    "tokens": dict(node_weights="tokens"),
    "documents": {},
}
COLORS = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in palette.CLASS_COLORS])
EQUAL = 1e-13  # what rounding leaves of a difference that is zero


@dataclass(frozen=True)
class Course:
    """One run of EM: the nodes after 0, 1, ..., 30 steps, and the objective that `run_em` reports."""

    nodes: tuple[Nodes, ...]
    objective: np.ndarray  # (31,)


@lru_cache(maxsize=1024)  # every setting of the sliders is 864: 31 nodes of 3 numbers each
def course(H: int, em: str, weights: str, alpha: float, seed: int) -> Course:
    """EM from a random start; seed 0 starts all nodes alike."""
    rows, leaf, options = ones(), MultinomialLeaf(alpha), WEIGHTS[weights]
    if seed:
        nodes = start_from_responsibilities(rows, H, leaf, np.random.default_rng(seed), em, **options)
    else:
        nodes = m_step(rows, np.full((len(rows), H), 1 / H), leaf, **options)
    visited, objective = [nodes], []
    while True:
        responsibility, log_likelihood = e_step(rows, visited[-1], leaf, em)
        objective.append(log_likelihood.sum() + leaf.log_penalty(*visited[-1].parameters))
        if len(visited) > STEPS:
            return Course(tuple(visited), np.array(objective))
        visited.append(m_step(rows, responsibility, leaf, **options))


def gain(H: int, em: str, weights: str, alpha: float, seed: int) -> np.ndarray:
    """The objective less that of naive Bayes, which is one node, after each step, (31,)."""
    return course(H, em, weights, alpha, seed).objective - course(1, "soft", "documents", alpha, 0).objective[0]


@lru_cache(maxsize=128)  # every setting but the seed is 96
def gains(H: int, em: str, weights: str, alpha: float) -> np.ndarray:
    """`gain` from every random start, (8, 31)."""
    return np.array([gain(H, em, weights, alpha, seed) for seed in range(1, SEEDS + 1)])


def ends_empty(seed: int) -> bool:
    """Whether hard EM with three nodes ends with an empty one."""
    return bool(np.isneginf(course(3, "hard", "documents", 0.0, seed).nodes[-1].log_prob).any())


@dataclass(frozen=True)
class EMStep:
    """The result: the nodes at one step of one run, and what they make of the rows."""

    iteration: int
    setting: tuple  # H, em, weights, alpha, seed
    nodes: Nodes
    responsibility: np.ndarray  # (182, H)
    gain: np.ndarray  # (31,) of this run
    others: np.ndarray  # (8, 31) of all random starts
    mixed: np.ndarray  # (3,) sum_h P(f|h,c) P(h|c), what product of sums multiplies
    naive: np.ndarray  # (3,) P(f|c) of naive Bayes
    naive_alpha: float  # its alpha: H times as large where P(h|c) is smoothed

    @property
    def weight(self) -> np.ndarray:
        return np.exp(self.nodes.log_prob)

    @property
    def profile(self) -> np.ndarray:
        return np.exp(self.nodes.parameters[0])

    @property
    def difference(self) -> float:
        """Largest difference between product of sums and naive Bayes, in P(f|c)."""
        return float(np.abs(self.mixed - self.naive).max())


class EMExplorer(Explorer):
    """EM on 182 handwritten ones, each a bag of dark pixels: Carlos & Rakshit (2016), eq. (6), (7), (19) to (28)."""

    iteration = IntSlider(0, 0, STEPS, label="step of EM")
    H = IntSlider(3, 1, 4, label="H, nodes")
    em = Choice("soft", ["hard", "soft"], label="EM")
    weights = Choice("documents", list(WEIGHTS), label="P(h|c) counts")
    alpha = Steps(0.0, [0.0, 0.1, 0.3, 1.0], label="alpha")
    seed = IntSlider(1, 0, SEEDS, label="seed, 0: equal start")

    presets: ClassVar = {
        "Tokens": Preset(
            "Token weights, nothing smoothed: the ring sits on the cross at every step. Move the step.",
            dict(iteration=STEPS, weights="tokens"),
        ),
        "Documents": Preset(
            "The true EM counts documents. Upright ones have fewer dark pixels, and the ring slips off.",
            dict(iteration=STEPS),
        ),
        "Tokens, alpha = 1": Preset(
            "Tokens, but every node gets a pseudo-token per word. Now choose “tokens, smoothed”.",
            dict(iteration=STEPS, weights="tokens", alpha=1.0),
        ),
        "Equal start": Preset(
            "All nodes start alike, so each step moves them alike: three nodes, no more than naive Bayes.",
            dict(iteration=STEPS, seed=0),
        ),
        "Hard EM": Preset(
            "One node is no image's best. It is empty and never comes back; two do the work.",
            lambda: dict(iteration=STEPS, em="hard", seed=next(filter(ends_empty, range(1, SEEDS + 1)))),
        ),
    }

    def compute(self, iteration, H, em, weights, alpha, seed) -> EMStep:
        rows, setting = ones(), (H, em, weights, alpha, seed)
        nodes = course(*setting).nodes[iteration]
        naive_alpha = alpha * (H if weights == "tokens, smoothed" else 1)
        one = np.ones((len(rows), 1))
        return EMStep(
            iteration=iteration,
            setting=setting,
            nodes=nodes,
            responsibility=e_step(rows, nodes, MultinomialLeaf(alpha), em)[0],
            gain=gain(*setting),
            others=gains(*setting[:-1]),
            mixed=np.exp(mix_nodes(nodes.log_prob, nodes.parameters[0])),
            naive=np.exp(MultinomialLeaf(naive_alpha).estimate(rows, one)[0][0]),
            naive_alpha=naive_alpha,
        )

    def draw(self, result):
        return theme.figure([[plane_panel(result), difference_panel(result), path_panel(result)]],
                            widths=[1.35, 0.75, 1])  # fmt: skip

    def describe(self, result) -> str:
        r = result
        empty = int((r.weight == 0).sum())
        left = f" ({empty} empty)" if empty else ""
        naive = f" (alpha = {r.naive_alpha:.3g})" if r.naive_alpha != r.setting[3] else ""
        gained = f"{r.gain[r.iteration] + 0.0:.1f}".replace("-0.0", "0.0").replace("-", "−")
        return (
            f"Step {r.iteration}: P(h|c) = {', '.join(f'{w:.2f}' for w in r.weight)}{left}, gain {gained}; "
            f"ring and cross{naive} agree to within {max(r.difference, EQUAL):.2g}."
        )


def plane_panel(r: EMStep) -> Panel:
    """Images as points, coloured by responsibility; nodes, naive Bayes and product of sums among them."""
    shares = ones() / ones().sum(axis=1, keepdims=True)
    mixture = (r.responsibility @ COLORS[: len(r.weight)]).round().astype(int)
    colors = np.array([f"rgb({red},{green},{blue})" for red, green, blue in mixture])
    best = r.responsibility.argmax(axis=1)
    marks = dict(type="scatter", mode="markers", showlegend=False, hoverinfo="skip")
    traces = []
    for h in range(len(r.weight)):
        mine = best == h
        look = dict(size=6, symbol=palette.CLASS_MARKERS[h], color=colors[mine].tolist(), opacity=0.65)
        traces.append(marks | dict(x=shares[mine, 2], y=shares[mine, 0], marker=look))
    for h in np.flatnonzero(r.weight > 0):
        look = dict(size=13 + 12 * r.weight[h], symbol=palette.CLASS_MARKERS[h], color=palette.CLASS_COLORS[h],
                    line=dict(color=palette.BLACK, width=2.5))  # fmt: skip
        traces.append(marks | dict(x=r.profile[[h], 2], y=r.profile[[h], 0], marker=look))
    ring = dict(size=20, symbol="circle-open", color=palette.BLACK, line=dict(width=3))
    cross = dict(size=15, symbol="cross-thin", color=palette.BLACK, line=dict(color=palette.BLACK, width=3))
    traces += [
        marks | dict(x=at[[2]], y=at[[0]], name=name, marker=look, showlegend=True)
        for at, name, look in ((r.mixed, "product of sums", ring), (r.naive, "naive Bayes", cross))
    ]
    x = dict(range=[-0.03, 0.6], tickvals=[0, 0.2, 0.4], title="share right")
    return Panel("Share left (up)", traces, x, dict(range=[-0.03, 0.5], tickvals=[0, 0.2, 0.4]))


def difference_panel(r: EMStep) -> Panel:
    """Product of sums less naive Bayes, for each strip."""
    strips = np.arange(len(STRIPS))
    bars = dict(type="bar", x=strips, y=1000 * (r.mixed - r.naive), marker=dict(color=palette.BLACK), width=0.6)
    zero = dict(type="line", x0=0, x1=1, xref="domain", y0=0, y1=0, line=dict(color=palette.GREY, width=1))
    x = dict(range=[-0.5, 2.5], tickvals=strips, ticktext=STRIPS, showgrid=False, tickangle=-30)
    y = dict(range=[-16, 16], tickvals=[-10, 0, 10])
    hover = dict(showlegend=False, hovertemplate="%{y:.2f} thousandths<extra></extra>")
    return Panel("Ring − cross, ‰", [bars | hover], x, y, [zero])


def path_panel(r: EMStep) -> Panel:
    """The objective above that of one node, step by step: this run among all the others."""
    steps = np.arange(STEPS + 1)
    grey = dict(type="scatter", mode="lines", x=np.tile(np.append(steps, np.nan), len(r.others)), hoverinfo="skip")
    grey |= dict(y=np.insert(r.others, STEPS + 1, np.nan, axis=1).ravel(), name="other starts")
    path = dict(
        type="scatter", mode="lines", x=steps, y=r.gain, name="this one", line=dict(color=palette.BLUE, width=4)
    )
    here = dict(type="scatter", mode="markers", x=[r.iteration], y=r.gain[[r.iteration]], showlegend=False)
    here |= dict(marker=dict(size=12, color=palette.BLUE, symbol="diamond", line=dict(color=palette.BLACK, width=2)))
    low, high = min(r.others.min(), r.gain.min()), max(r.others.max(), r.gain.max())
    pad = max(0.06 * (high - low), 1.0)
    return Panel(
        "Gain over one node",
        [grey | dict(line=dict(color="#B0B0B0", width=1.5)), path, here],
        dict(range=[-1, STEPS + 1], tickvals=[0, 10, 20, 30], title="step"),
        dict(range=[low - pad, high + pad], nticks=5),
    )
