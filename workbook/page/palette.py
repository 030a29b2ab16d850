"""One palette for every figure of the book, on the page and in print."""

__all__ = [
    "BLACK",
    "BLUE",
    "CLASS_COLORS",
    "CLASS_DASHES",
    "CLASS_MARKERS",
    "CLASS_PATTERNS",
    "GREEN",
    "GREY",
    "ORANGE",
    "PALE",
    "PURPLE",
    "SKY",
    "VERMILLION",
    "YELLOW",
]

# Okabe & Ito (2008): distinguishable with every common kind of colour blindness.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, YELLOW, BLACK = "#E69F00", "#56B4E9", "#F0E442", "#000000"
GREY, PALE = "#767676", "#D9D9D9"

# Colour is never the only sign: the n-th class has its own marker, dash and bar pattern as well.
CLASS_COLORS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
CLASS_MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star")
CLASS_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
CLASS_PATTERNS = ("", "/", ".", "x", "-", "+")
