"""Read numbers as people type them: 0.25, 25 %, 88*93/108**2."""

from __future__ import annotations

import ast
import math
import operator
import re
from numbers import Real

import numpy as np

from workbook.questions.trial import text_of

__all__ = ["read_number"]

THOUSANDS = re.compile(r"[1-9]\d{0,2}((,\d{3})+(?=\.)|(,\d{3}){2,})(\.\d*)?")  # 1,234.5 and 1,000,000
TWO_WAYS = re.compile(r"[1-9]\d{0,2},\d{3}")  # 1,609: one thousand and more in one country, below two in another
NUMBER = re.compile(r"(?<![\w.,])(?:\d[\d.,]*|\.\d+)(?:e[-+]?\d+)?(?![\w.,])", re.IGNORECASE)
TYPED = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "∞": "inf"})
UNIT = re.compile(r"(?<=[\d)])\s*(times|x|nats?|bits?|people|days|names|rows|words|dots|votes|points|minutes)$")
CALLED = re.compile(r"\b(log|ln|exp|sqrt)\s+(\d[\d.]*)")  # log 6
HOW = "Type it like 0.25, 1/4, 25 % or 88*93/108**2."
SIGNS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
         ast.Pow: operator.pow, ast.UAdd: operator.pos, ast.USub: operator.neg}  # fmt: skip
FUNCTIONS = {"log": math.log, "ln": math.log, "exp": math.exp, "sqrt": math.sqrt}


def read_number(text) -> float:
    """Return the number meant by 0.25, 9.6/89.6, 25 %, 0,25, 1,000,000, 88*93/108**2 or log(2), else ValueError."""
    if isinstance(text, Real | np.number) and not isinstance(text, bool | np.bool):
        value = _in_range(text)
    elif isinstance(text, tuple | list | np.ndarray):
        raise ValueError(f"{str(text)[:40]} holds {np.size(text)} numbers, and one is asked for. {HOW}")
    else:
        value = _calculated(text if isinstance(text, str) else text_of(text))
    if np.isnan(value):
        raise ValueError(f"nan is not a number. {HOW}")
    return value


def _in_range(number) -> float:
    """Return a number as a float; ValueError where it is too large for one."""
    try:
        return float(number)
    except OverflowError:
        raise ValueError(f"That number is too large. {HOW}") from None


def _calculated(text: str) -> float:
    """Compute a typed number or a small calculation."""
    plain = re.sub(r"\s*per ?cent$", "%", text.strip().strip("'\"")).translate(TYPED)
    plain = CALLED.sub(r"\1(\2)", UNIT.sub("", plain))
    percent, plain = plain.endswith("%"), plain.removesuffix("%").rstrip()
    plain = NUMBER.sub(lambda number: _without_comma(number[0]), plain)
    try:
        value = _value(ast.parse(plain.replace("^", "**"), mode="eval").body)
    except ZeroDivisionError:
        raise ValueError(f"{text[:40]!r} divides by 0, so it is not a number I can read. {HOW}") from None
    except (ArithmeticError, KeyError, RecursionError, SyntaxError, TypeError, ValueError, MemoryError):
        raise ValueError(f"{text[:40]!r} is not a number I can read. {HOW}") from None
    return value / 100 if percent else value


def _without_comma(number: str) -> str:
    """Write one typed number as Python does; 1,000 can mean two numbers, and ValueError says which."""
    if TWO_WAYS.fullmatch(number):
        both = f"{number.replace(',', '')} or {number.replace(',', '.')}"
        raise ValueError(f"{number!r} can be read in two ways. Type it without the comma: {both}.")
    if THOUSANDS.fullmatch(number):
        return number.replace(",", "")
    return number.replace(",", ".")  # of several none can be read: 1.2.3 is no number


def _value(node: ast.expr) -> float:
    """Compute a parsed calculation in floats, so that a huge power overflows at once."""
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return float(node.value)
        case ast.Name(id="inf"):
            return math.inf
        case ast.BinOp(left, sign, right):
            return float(SIGNS[type(sign)](_value(left), _value(right)))
        case ast.UnaryOp(sign, operand):
            return SIGNS[type(sign)](_value(operand))
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), [argument], []):
            return FUNCTIONS[name](_value(argument))
    raise ValueError
