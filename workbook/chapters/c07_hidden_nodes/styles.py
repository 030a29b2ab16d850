"""Chapter 07: how widely the images of a digit scatter round their one profile, and what hidden nodes make of it."""

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
from workbook.explorer.formula import Over, Part, Term
from workbook.explorer.handles import Handle
from workbook.explorer.palette import HIDDEN, NOW, REAL, faint
from workbook.explorer.theme import Panel

from .experiment import dispersion, strips_of_digit
from .sampled import MOST_NODES, SETS, learn_nodes, spread, typical_set
from .triangle import HEIGHT, bare_axis, corners, images, place, scatter_ties, write_counts

__all__ = ["StylesExplorer"]

SHIFT = 1.25  # from the triangle of the real images to that of the drawn ones
MODELS = "", "one profile", "two nodes", "three nodes"


@dataclass(frozen=True)
class Styles:
    """Hold the scatter of a digit's images, and that of sets drawn from H nodes."""

    digit: int
    H: int
    ratios: np.ndarray  # (10,) dispersion of the real images of each digit
    bands: np.ndarray  # (10, 2) between which 95 of 100 drawn sets lie, for each digit
    drawn: np.ndarray  # (n, 3) counts of a typical set
    weight: np.ndarray  # (H,) P(h|c)
    profile: np.ndarray  # (H, 3) P(f|h,c)

    @property
    def ratio(self) -> float:
        """Return the dispersion of the digit's real images."""
        return float(self.ratios[self.digit])

    @property
    def side(self) -> int:
        """Return -1 if the real images scatter less than 95 of 100 drawn sets, 1 if more, 0 if neither."""
        low, high = self.bands[self.digit]
        return int(self.ratio > high) - int(self.ratio < low)

    @property
    def finding(self) -> str:
        """Return the title of this state; test_c07 proves it for all states."""
        name, model = f"The {self.digit}", MODELS[self.H]
        if self.H == 1:
            does = {-1: f"crowds: {self.ratio:.2f} of", 0: "scatters about by", 1: f"scatters: {self.ratio:.2f} times"}
            return f"{name} {does[self.side]} the variance that one profile gives"
        if self.side < 0:
            return f"{name} crowds all the same: {model} cannot scatter less than one profile"
        return f"{name}: {model} scatter {'less than' if self.side else 'as widely as'} the real images"


class StylesExplorer(Explorer):
    """Real images beside images drawn from one profile or from hidden nodes: Carlos & Rakshit (2016), eq. (10)."""

    digit = Steps(1, range(10), label="digit", say="a {:d}".format)
    H = Steps(1, range(1, MOST_NODES + 1), label="the model", say=MODELS.__getitem__)

    presets: ClassVar = {
        "The 1, one profile": Preset("Real ones run along two sides; drawn ones crowd round the profile.", {}),
        "The 1, three nodes": Preset("A node for each way to write a one, and both arms are there.", dict(H=3)),
        "The 6": Preset("The one profile scatters more than real sixes do.", dict(digit=6)),
        "The 6, three nodes": Preset("EM finds three nodes, and they are one and the same.", dict(digit=6, H=3)),
    }

    def compute(self, digit: int, H: int) -> Styles:
        nodes = learn_nodes(digit, H)
        ratios = np.array([dispersion(strips_of_digit(each)) for each in range(10)])
        bands = np.array([spread(each, H)[::2] for each in range(10)])
        weight, profile = np.exp(nodes.log_prob), np.exp(nodes.parameters[0])
        return Styles(digit, H, ratios, bands, typical_set(digit, H), weight, profile)

    def draw(self, result: Styles) -> dict:
        number = (f"{result.ratio:.2f}", "times the variance of one profile")
        return marks.figure(triangles_panel(result), ratios_panel(result), finding=result.finding, number=number,
                            widths=[1.9, 1])  # fmt: skip

    def describe(self, result: Styles) -> str:
        low, high = result.bands[result.digit]
        return (f"{result.finding}. Pearson's ratio is {result.ratio:.2f}; of {SETS} sets drawn from "
                f"{MODELS[result.H]}, 95 of 100 have {low:.2f} to {high:.2f}.")  # fmt: skip

    def explain(self, result: Styles) -> Sequence[Part]:
        freedom = 2 * (len(strips_of_digit(result.digit)) - 1)
        top = Term(f"{result.ratio * freedom:.0f}", "Σ (count − expected)² / expected")
        ratio = Term(f"{result.ratio:.2f}", "Pearson's ratio", f"ratio {result.digit}", REAL)
        return [Over([top], [Term(str(freedom), "2 (n − 1)")]), "=", ratio]


@lru_cache(maxsize=10)
def real_images(digit: int) -> dict:
    """Draw the real images of a digit; a point shows its image where it is pointed at."""
    rows, (pixels, label) = strips_of_digit(digit), inked_digits()
    places = scatter_ties(place(rows / rows.sum(axis=1, keepdims=True)))
    said = [f"image {at}: {words}" for at, words in enumerate(write_counts(rows), start=1)]
    return images(places, REAL, pixels[label == digit], said, opacity=0.45)


def drawn_images(r: Styles) -> dict:
    """Draw as many images from the model, beside the real ones."""
    x, y = scatter_ties(place(r.drawn / r.drawn.sum(axis=1, keepdims=True))).T
    return marks.points(x + SHIFT, y, HIDDEN, size=6, opacity=0.45, hover="a drawn image")


def triangles_panel(r: Styles) -> Panel:
    """Draw the real images and the drawn ones, each in a triangle of its own, and the nodes' profiles."""
    x, y = place(r.profile).T
    nodes = marks.points(x + SHIFT, y, HIDDEN, size=(10 + 14 * r.weight).tolist(), symbol="circle-open", stroke=3,
                         hover=[f"P(h|c) = {w:.2f}" for w in r.weight])  # fmt: skip
    own = strips_of_digit(r.digit)
    centre = marks.points(*place(own.sum(axis=0) / own.sum()), REAL, size=24, symbol="circle-open", stroke=3)
    names = [marks.text(at, HEIGHT + 0.19, words, place="above", color=color)
             for at, words, color in ((0.5, f"{len(own)} real", REAL),
                                      (0.5 + SHIFT, f"as many from {MODELS[r.H]}", HIDDEN))]  # fmt: skip
    return marks.panel("Where an image has its ink", corners(), corners(SHIFT), real_images(r.digit), drawn_images(r),
                       centre, nodes, names, equal=True, x=bare_axis(-0.1, SHIFT + 1.1),
                       y=bare_axis(-0.14, HEIGHT + 0.32))  # fmt: skip


def ratios_panel(r: Styles) -> Panel:
    """Draw ten bars round the line 1, and where 95 of 100 sets drawn from the model lie."""
    digits = np.arange(10)
    looks = [REAL if each == r.digit else faint(REAL, 0.45) for each in digits]
    real = marks.bars(r.ratios - 1, digits, looks, base=1, width=0.3, horizontal=True,
                      hover=[f"{d}: {ratio:.2f}" for d, ratio in enumerate(r.ratios)],
                      id=[f"ratio {d}" for d in digits])  # fmt: skip
    low, high = r.bands.T
    said = [f"{d}: 95 of 100 drawn sets, {a:.2f} to {b:.2f}" for d, (a, b) in enumerate(r.bands)]
    band = marks.bars(high - low, digits, faint(HIDDEN, 0.4), base=low, width=0.8, horizontal=True, hover=said)
    words = [marks.text(0.9, -1.1, "crowds", place="left"), marks.text(1.1, -1.1, "scatters", place="right")]
    names = {d: f"{'▸ ' * (d == r.digit)}{d}" for d in range(10)}
    grip = Handle("digit", 2.75, r.digit, "y")
    return marks.panel("Variance over that of one profile", band, real, marks.rule(x=1, look=NOW, width=1.5), words,
                       grip, x=marks.axis(0, 2.9, ticks=[0, 1, 2]),
                       y=marks.axis(9.6, -1.6, ticks=names, grid=False))  # fmt: skip
