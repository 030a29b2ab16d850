"""One palette for every figure of the book, on the page and in print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "ATTENUATED", "BEFORE", "BITS", "BLACK", "BLUE", "BOUND", "CASES", "CATEGORICAL", "CLASSES", "CLASS_COLORS",
    "CLASS_DASHES", "CLASS_MARKERS", "CLASS_PATTERNS", "EQ_19", "ESTIMATE", "GREEN", "GREY",
    "GUIDE", "HELD", "HIDDEN", "IMAGINARY", "LOGISTIC", "NAIVE_BAYES", "NOW", "ORANGE", "OURS", "PALE",
    "PRINTED", "PURPLE", "Q_FACTOR", "REAL", "SHARES", "SKY", "TINTS", "TRUTH", "VERMILLION",
    "WRONG", "YELLOW", "YOURS", "Look", "Looks", "faint", "look_part",
]  # fmt: skip

# Okabe & Ito (2008): distinguishable with every common kind of colour blindness.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, YELLOW, BLACK = "#E69F00", "#56B4E9", "#F0E442", "#000000"
GREY, PALE = "#767676", "#D9D9D9"

# The n-th of several alike: of classes, of hidden nodes, of verdicts. Blue and vermillion mean nothing else.
# Colour is never the only sign: the n-th class has its own marker, dash and bar pattern as well.
CLASS_COLORS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
CLASS_MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star")
CLASS_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
CLASS_PATTERNS = ("", "/", ".", "x", "-", "+")


class Look(NamedTuple):
    """The look of one thing in every figure: a colour, and a second sign for readers who cannot tell colours apart."""

    color: str
    symbol: str = "circle"
    dash: str = "solid"
    hatch: str = ""


Looks = str | Look | Sequence[str | Look]  # a colour alone has the usual signs; or one look for each bar or point
CLASSES = tuple(map(Look, CLASS_COLORS, CLASS_MARKERS, CLASS_DASHES, CLASS_PATTERNS))


def look_part(look: Looks, part: str) -> str | list:
    """Return a field of a look ("color", "symbol", "dash" or "hatch"), or the field of each of several looks."""
    if isinstance(look, str):
        return look if part == "color" else Look._field_defaults[part]
    return getattr(look, part) if isinstance(look, Look) else [look_part(each, part) for each in look]


# Areas of a map in which class 0, neither or class 1 wins: pale on a light page, nearly black on a dark one (view.css).
TINTS = "#D3E8F7", "#E4E4E4", "#FCE1C8"
SHARES = [[0, TINTS[0]], [0.5, "#FFFFFF"], [1, TINTS[2]]]  # the colour scale of a probability of class 1

# Of every other thing its one colour, through the book: tests/chapters/test_colors.py holds every figure to it.
# Black is naive Bayes, green the truth, purple the model that a page is about; further models are orange and sky blue.
NAIVE_BAYES = BLACK  # beside another model
TRUTH = GREEN  # or what stands for it: the model that made the data, data held out, a converged rate, all labels
CATEGORICAL = GREEN  # 03, 04: it made the data of the experiments there
BITS = PURPLE  # one-hot columns, the product of Bernoullis: 03, 04
Q_FACTOR = ORANGE  # what the bits say too much
ESTIMATE = PURPLE  # smoothed: 02
REAL, IMAGINARY = BLACK, GREY  # what was counted, and what smoothing adds to it: 02
ATTENUATED, EQ_19 = PURPLE, SKY  # the root of everything, and of the likelihood: 05, 06
HIDDEN = PURPLE  # nodes or labels that EM fills in: 07 to 09
BOUND = ORANGE  # below the log likelihood, where EM climbs: 07
LOGISTIC = ORANGE  # 10
BEFORE = GUIDE = GREY  # a prior, the data already seen; an ideal, a diagonal, what is compared with
NOW = BLACK  # where a slider stands along an axis: a line
HELD = YELLOW  # with a black rim: a point in a panel that stands for sliders
OURS = PRINTED = BLACK  # a measured number; as an open diamond that of a paper
CASES, WRONG = SKY, BLACK  # simulated cases, a dot each; as a cross those decided otherwise, or missed
YOURS = SKY  # what the reader has drawn


def faint(color: str, share: float) -> str:
    """Return a colour of the palette with an opacity, for areas that lie under other marks."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"
