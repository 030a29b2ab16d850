"""Equations with the present numbers; each number names the mark of the figure that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Over", "Part", "Term", "encode_parts", "spoken"]


@dataclass(frozen=True)
class Term:
    """A number of the equation with its symbol, in the look of its mark.

    value: as it is shown, e.g. "0.80". symbol: what it is, e.g. "P(+ | ill)"; <sub> and <sup> are read. mark: the name
    of the mark that shows it (`meta=dict(mark=...)` of a trace, one of its `ids`, or the `name` of a shape). color and
    hatch ("" or "/") are those of the mark.
    """

    value: str
    symbol: str = ""
    mark: str = ""
    color: str = ""
    hatch: str = ""


@dataclass(frozen=True)
class Over:
    """A fraction."""

    top: Sequence[Part]
    bottom: Sequence[Part]


Part = str | Term | Over


def encode_parts(parts: Sequence[Part]) -> list:
    """Convert an equation for the page: texts, and dicts for terms and fractions."""
    return [_encode_part(part) for part in parts]


def _encode_part(part: Part) -> str | dict:
    if isinstance(part, Term):
        return vars(part)
    return {"top": encode_parts(part.top), "bottom": encode_parts(part.bottom)} if isinstance(part, Over) else part


def spoken(parts: Sequence[Part]) -> str:
    """Return the equation as one line of text."""
    return " ".join(_spoken(part) for part in parts)


def _spoken(part: Part) -> str:
    if isinstance(part, Over):
        return f"({spoken(part.top)}) / ({spoken(part.bottom)})"
    return part.value if isinstance(part, Term) else part
