"""Numbers as people type them."""

from __future__ import annotations

import re
from fractions import Fraction
from numbers import Real

import numpy as np

__all__ = ["read_number", "say", "superscript", "typeset"]

THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}((,\d{3})+(?=\.)|(,\d{3}){2,})(\.\d*)?")  # 1,234.5 and 1,000,000
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TWO_WAYS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")  # 1,609: one thousand and more in one country, below two in another


def read_number(text) -> float:
    """0.25, 1/4, 25 %, 2.5e-1, 0,25, 1,000,000, -inf: the number meant; ValueError says what can be read."""
    if isinstance(text, Real | np.number) and not isinstance(text, bool):
        return float(text)
    plain = str(text).strip().replace("−", "-").replace("∞", "inf")
    percent, plain = plain.endswith("%"), plain.removesuffix("%").rstrip()
    if TWO_WAYS.fullmatch(plain):
        both = f"{plain.replace(',', '')} or {plain.replace(',', '.')}"
        raise ValueError(f"{plain!r} can be read in two ways. Type it without the comma: {both}.")
    if THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    elif plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = float(Fraction(plain.replace(" ", ""))) if "/" in plain else float(plain)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(f"{str(text)[:40]!r} is not a number I can read. Type it like 0.25, 1/4 or 25 %.") from None
    if np.isnan(value):
        raise ValueError("nan is not a number. Type it like 0.25, 1/4 or 25 %.")
    return value / 100 if percent else value


def say(value: float, digits: int = 3) -> str:
    """A number for a sentence: three significant digits."""
    return f"{value:.{digits}g}"


def superscript(number: int) -> str:
    """A whole number as an exponent in a line of text."""
    return str(number).translate(SUPERSCRIPTS)


def typeset(number: str) -> str:
    """A formatted number as people write it: -1.2e-05 is −1.2·10⁻⁵, and 0 has no sign."""
    digits, _, power = number.partition("e")
    plain = digits.replace("-", "−") if float(number) else digits.removeprefix("-")
    return f"{plain}·10{superscript(int(power))}" if power else plain
