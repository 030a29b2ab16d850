"""Chapter 07: EM one step at a time, on the handwritten ones of `digit_strips`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from nbcore.datasets import inked_digits
from nbcore.hierarchical import MultinomialLeaf, Nodes, e_step, m_step, mix_nodes, start_from_responsibilities
from workbook.explorer import palette, theme
from workbook.explorer.controls import Choice, FloatSlider, IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.formatting import superscript, typeset
from workbook.explorer.formula import Over, Term
from workbook.explorer.handles import Handle
from workbook.explorer.theme import Panel

from .experiment import STRIPS, ones

__all__ = ["EMExplorer"]

STEPS, SEEDS = 30, 8
WEIGHTS = {
    "tokens, smoothed": dict(node_weights="tokens", smooth_nodes=True),
    "tokens": dict(node_weights="tokens"),
    "documents": {},
}
APART = 0.007  # in the plane, of images that would lie on one another
COLORS = np.array([[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in palette.CLASS_COLORS])
EQUAL = 1e-13  # what rounding leaves of a difference that is zero
UNMOVED = 0.0, 0.0
FIRST = "image 1"


@dataclass(frozen=True)
class Course:
    """One run of EM: the nodes after 0, 1, ..., 30 steps, and the objective that `run_em` reports."""

    nodes: tuple[Nodes, ...]
    objective: np.ndarray  # (31,)
    best: np.ndarray  # (31, 182) which node has most of each image


def equal_start(H: int, weights: str, alpha: float, moved: tuple[float, float]) -> Nodes:
    """All nodes alike, but for the first one's shares right and left, which are moved by so much."""
    log_prob, (profile,) = m_step(ones(), np.full((len(ones()), H), 1 / H), MultinomialLeaf(alpha), **WEIGHTS[weights])
    if moved != UNMOVED:  # else to the last bit alike
        right, left = moved
        profile[0] = np.log(np.exp(profile[0]) + np.array([left, -left - right, right]))
    return Nodes(log_prob, (profile,))


@lru_cache(maxsize=1024)  # every setting of the other sliders is 864: 31 nodes of 3 numbers each
def course(H: int, em: str, weights: str, alpha: float, seed: int, moved: tuple[float, float] = UNMOVED) -> Course:
    """EM from a random start, or for seed 0 from an equal one with the first node `moved`."""
    rows, leaf, options = ones(), MultinomialLeaf(alpha), WEIGHTS[weights]
    if seed:
        nodes = start_from_responsibilities(rows, H, leaf, np.random.default_rng(seed), em, **options)
    else:
        nodes = equal_start(H, weights, alpha, moved)
    visited, objective, best = [nodes], [], []
    while True:
        responsibility, log_likelihood = e_step(rows, visited[-1], leaf, em)
        objective.append(log_likelihood.sum() + leaf.log_penalty(*visited[-1].parameters))
        best.append(responsibility.argmax(axis=1).astype(np.uint8))
        if len(visited) > STEPS:
            return Course(tuple(visited), np.array(objective), np.array(best))
        visited.append(m_step(rows, responsibility, leaf, **options))


def gain(H: int, em: str, weights: str, alpha: float, seed: int, moved: tuple[float, float] = UNMOVED) -> np.ndarray:
    """The objective less that of naive Bayes, which is one node, after each step, (31,)."""
    one_node = course(1, "soft", "documents", alpha, 0).objective[0]
    return course(H, em, weights, alpha, seed, moved).objective - one_node


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
    setting: tuple  # H, em, weights, alpha, seed; weights and alpha move in the explorer of section 5 only
    nodes: Nodes
    start: np.ndarray  # (3,) the profile with which the first node started
    responsibility: np.ndarray  # (182, H)
    best: np.ndarray  # (31, 182) which node has most of each image, at every step of the run
    likelihood: np.ndarray  # (H,) log P(x|h,c) of the first image
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
    """EM on 182 handwritten ones, each a bag of dark pixels: Carlos & Rakshit (2016), eq. (6), (7)."""

    iteration = IntSlider(0, 0, STEPS, label="step of EM")
    H = IntSlider(3, 1, 4, label="H, nodes")
    em = Choice("soft", ["hard", "soft"], label="EM")
    seed = IntSlider(1, 0, SEEDS, label="seed, 0 equal")
    right = FloatSlider(0.0, -0.18, 0.33, step=0.03, label="node 1 right", when=dict(seed=0))
    left = FloatSlider(0.0, -0.12, 0.30, step=0.03, label="node 1 left", when=dict(seed=0))

    presets: ClassVar = {
        "Step 3": Preset(
            "After three steps there are two groups, and two of the nodes share one of them.", dict(iteration=3)
        ),
        "Step 30": Preset(
            "The two have parted, and the upright strokes have a node of their own.", dict(iteration=STEPS)
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

    def compute(self, iteration, H, em, seed, right, left, weights="documents", alpha=0.0) -> EMStep:
        rows, setting, leaf = ones(), (H, em, weights, alpha, seed), MultinomialLeaf(alpha)
        moved = UNMOVED if seed else (right, left)
        run = course(*setting, moved)
        visited = run.nodes
        nodes = visited[iteration]
        naive_alpha = alpha * (H if weights == "tokens, smoothed" else 1)
        one = np.ones((len(rows), 1))
        return EMStep(
            iteration=iteration,
            setting=setting,
            nodes=nodes,
            start=np.exp(visited[0].parameters[0][0]),
            responsibility=e_step(rows, nodes, leaf, em)[0],
            best=run.best,
            likelihood=leaf.log_likelihood(rows[:1], *nodes.parameters)[0],
            gain=gain(*setting, moved),
            others=gains(*setting[:-1]),
            mixed=np.exp(mix_nodes(nodes.log_prob, nodes.parameters[0])),
            naive=np.exp(MultinomialLeaf(naive_alpha).estimate(rows, one)[0][0]),
            naive_alpha=naive_alpha,
        )

    def draw(self, result):
        return theme.figure([[plane_panel(result), shares_panel(result), path_panel(result)]], widths=[1.35, 0.6, 1])

    def explain(self, result):
        """The E-step for the first image: what its best node says of it, among what all nodes say."""
        r = result
        best, living = r.responsibility[0].argmax(), np.flatnonzero(r.weight > 0)
        power = int(np.ceil(-r.likelihood[living].max() / np.log(10)))
        said = {h: joint(r, h, power) for h in living}
        share = Term(f"{r.responsibility[0, best]:.3f}", f"r of node {best + 1}", FIRST, colors_of(r)[0])
        if r.setting[1] == "hard":
            listed = [part for h in living for part in (",", *said[h])][1:]
            return [f"{FIRST}, the largest of", *listed, f"is node {best + 1}'s: r =", share]
        total = [part for h in living for part in ("+", *said[h])][1:]
        return [f"{FIRST}: r =", Over(said[best], total), "=", share]

    def describe(self, result) -> str:
        r = result
        best = r.responsibility[0].argmax()
        return (
            f"Step {r.iteration}: P(h|c) = {weights_of(r)}, gain {typeset(f'{r.gain[r.iteration]:.1f}')}. "
            f"Of {FIRST}, node {best + 1} has {r.responsibility[0, best]:.2f}."
        )


def weights_of(r: EMStep) -> str:
    """P(h|c) of all nodes, and how many are empty."""
    empty = int((r.weight == 0).sum())
    return ", ".join(f"{w:.2f}" for w in r.weight) + (f" ({empty} empty)" if empty else "")


def joint(r: EMStep, h: int, power: int) -> list[Term | str]:
    """P(h|c) P(x|h,c) of the first image, times a power of ten."""
    node, color = f"h{'₁₂₃₄'[h]}", palette.CLASS_COLORS[h]
    weight = Term(typeset(f"{r.weight[h]:.4g}"), f"P({node}|c)", f"node {h + 1}", color)
    likelihood = typeset(f"{np.exp(r.likelihood[h] + power * np.log(10)):.4g}")
    return [weight, "·", Term(likelihood, f"P(x|{node},c) · 10{superscript(power)}", color=color)]


def colors_of(r: EMStep) -> list[str]:
    """The colour of every image: its nodes', mixed by responsibility."""
    mixture = (r.responsibility @ COLORS[: len(r.weight)]).round().astype(int)
    return [f"#{red:02X}{green:02X}{blue:02X}" for red, green, blue in mixture.tolist()]


@lru_cache(maxsize=1)  # no arguments
def images() -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Places in the plane (182, 2), right and left, and dark pixels (182, 64) of all images, and each in words."""
    pixels, digit = inked_digits()
    counts = ones().astype(int).tolist()
    words = [f"image {at}: {', '.join(f'{n} {strip}' for n, strip in zip(own, STRIPS, strict=True))}"
             for at, own in enumerate(counts, start=1)]  # fmt: skip
    return spread(ones() / ones().sum(axis=1, keepdims=True)), pixels[digit == 1].astype(np.uint8), words


def spread(shares: np.ndarray) -> np.ndarray:
    """Where images with these shares are drawn: the first of a place right there, the next ones close around it."""
    _, place = np.unique(shares, axis=0, return_inverse=True)
    before = np.array([np.count_nonzero(place[:at] == own) for at, own in enumerate(place)])
    radius, turn = APART * np.sqrt(before), np.pi * (3 - np.sqrt(5)) * before  # as in a sunflower
    return shares[:, [2, 0]] + np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])


def hands(best: np.ndarray) -> list[str]:
    """In whose hands each image is from step to step, in words; best: (31, 182)."""
    told = [f"node {h + 1}" for h in best[0].tolist()]
    for image, step in zip(*np.nonzero(np.diff(best.astype(int), axis=0).T), strict=True):
        told[image] += f" to step {step}, node {best[step + 1, image] + 1}"
    return [f"{words} from then on" if "," in words else f"{words} at every step" for words in told]


def plane_panel(r: EMStep, mixture: bool = False) -> Panel:
    """Images as points, coloured by responsibility, and the nodes; if wanted, naive Bayes and product of sums."""
    (places, pixels, words), colors = images(), colors_of(r)
    best, most = r.best[r.iteration].tolist(), r.responsibility.max(axis=1).tolist()
    symbols = [palette.CLASS_MARKERS[h] for h in best]
    changed = r.best[r.iteration] != r.best[max(0, r.iteration - 1)]
    rim = dict(color=palette.BLACK, width=np.where(changed, 1.5, 0).tolist())
    said = [f"{text}; node {h + 1}: r = {share:.2f}; {held}"
            for text, h, share, held in zip(words, best, most, hands(r.best), strict=True)]  # fmt: skip
    marks = dict(type="scatter", mode="markers", showlegend=False)
    point = marks | dict(meta=dict(pixels=[8, 8]), hovertemplate="%{text}<extra></extra>")
    first = dict(size=9, symbol=symbols[0], color=colors[0], line=dict(color=palette.BLACK, width=1.5))
    traces = [
        point | dict(x=places[:, 0], y=places[:, 1], text=said, customdata=pixels)
        | dict(marker=dict(size=6, symbol=symbols, color=colors, opacity=0.65, line=rim)),
        point | dict(x=places[:1, 0], y=places[:1, 1], text=said[:1], customdata=pixels[:1], ids=[FIRST], marker=first),
    ]  # fmt: skip
    marks["hovertemplate"] = "%{fullData.name}: share left %{y:.3f}, right %{x:.3f}<extra></extra>"
    for h in np.flatnonzero(r.weight > 0):
        look = dict(size=13 + 12 * r.weight[h], symbol=palette.CLASS_MARKERS[h], color=palette.CLASS_COLORS[h],
                    line=dict(color=palette.BLACK, width=2.5))  # fmt: skip
        words = f"node {h + 1}, P(h|c) = {r.weight[h]:.2f}: share left %{{y:.3f}}, right %{{x:.3f}}<extra></extra>"
        traces.append(marks | dict(x=r.profile[[h], 2], y=r.profile[[h], 0], marker=look)
                      | dict(meta=dict(mark=f"node {h + 1}"), hovertemplate=words))  # fmt: skip
    ring = dict(size=20, symbol="circle-open", color=palette.BLACK, line=dict(width=3))
    cross = dict(size=15, symbol="cross-thin", color=palette.BLACK, line=dict(color=palette.BLACK, width=3))
    traces += [
        marks | dict(x=at[[2]], y=at[[0]], name=name, meta=dict(mark=name), marker=look, showlegend=True)
        for at, name, look in ((r.mixed, "product of sums", ring), (r.naive, "naive Bayes", cross))
        if mixture
    ]
    handles = []
    if not r.setting[-1]:
        here = dict(x=r.start[2], y=r.start[0])
        look = dict(size=15, symbol="circle-open", color=palette.CLASS_COLORS[0], line=dict(width=2))
        words = "node 1 starts here: share left %{y:.3f}, right %{x:.3f}<extra></extra>"
        traces.append(marks | dict(x=[here["x"]], y=[here["y"]], marker=look, hovertemplate=words))
        handles.append(Handle(("right", "left"), **here, axis="xy", places=starts(r.setting[2], r.setting[3])))
    x = dict(range=[-0.04, 0.7], tickvals=[0, 0.2, 0.4, 0.6], title="share right")
    y = dict(range=[-0.04, 0.5], tickvals=[0, 0.2, 0.4], title="share left")
    return Panel("182 images", traces, x, y, handles=handles, equal=True)


@lru_cache(maxsize=16)  # there are 12
def starts(weights: str, alpha: float) -> np.ndarray:
    """Where node 1 of an equal start stands for each step of its two sliders, (18, 15, 2)."""
    ((left, _, right),) = np.exp(equal_start(1, weights, alpha, UNMOVED).parameters[0])
    moves = [EMExplorer.right.values, EMExplorer.left.values]
    return np.stack(np.meshgrid(*moves, indexing="ij"), axis=-1) + np.array([right, left])


def shares_panel(r: EMStep) -> Panel:
    """The responsibilities for the first image, and the colour that they mix to."""
    H, (own, *_) = len(r.weight), r.responsibility
    words = f"{FIRST}: responsibility of node %{{x}} is %{{y:.3f}}<extra></extra>"
    bars = dict(type="bar", x=list(range(1, H + 1)), y=own, width=0.7, hovertemplate=words, showlegend=False)
    mixed = dict(type="scatter", mode="markers", x=[(H + 1) / 2], y=[1.12], hoverinfo="skip", showlegend=False)
    look = dict(size=14, symbol=palette.CLASS_MARKERS[own.argmax()], color=colors_of(r)[0])
    x = dict(range=[0.4, H + 0.6], tickvals=bars["x"], title="node", showgrid=False)
    traces = [
        bars | dict(marker=theme.class_marker(range(H))),
        mixed | dict(marker=look | dict(line=dict(color=palette.BLACK, width=1.5))),
    ]
    return Panel(f"r of {FIRST}", traces, x, dict(range=[0, 1.25], tickvals=[0, 0.5, 1]))


def path_panel(r: EMStep) -> Panel:
    """The log likelihood above that of one node, step by step: this run among all the others."""
    steps = np.arange(STEPS + 1)
    grey = dict(type="scatter", mode="lines", x=np.tile(np.append(steps, np.nan), len(r.others)), hoverinfo="skip")
    grey |= dict(y=np.insert(r.others, STEPS + 1, np.nan, axis=1).ravel(), name="other starts")
    words = dict(hovertemplate="after step %{x}: gain %{y:.1f}<extra></extra>")
    path = words | dict(
        type="scatter", mode="lines", x=steps, y=r.gain, name="this one", line=dict(color=palette.HIDDEN, width=4)
    )
    here = words | dict(type="scatter", mode="markers", x=[r.iteration], y=r.gain[[r.iteration]], showlegend=False)
    here |= dict(marker=dict(size=12, color=palette.HIDDEN, symbol="diamond", line=dict(color=palette.BLACK, width=2)))
    low, high = min(r.others.min(), r.gain.min()), max(r.others.max(), r.gain.max())
    pad = max(0.06 * (high - low), 1.0)
    return Panel(
        "Gain over one node",  # of log likelihood
        [grey | dict(line=dict(color=palette.GREY, width=1)), path, here],
        dict(range=[-1, STEPS + 1], tickvals=[0, 10, 20, 30], title="step"),
        dict(range=[low - pad, high + pad], nticks=5),
        handles=[Handle("iteration", r.iteration, r.gain[r.iteration])],
    )
