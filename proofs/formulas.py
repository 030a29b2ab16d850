"""Read a displayed formula of a page and evaluate its TeX in exact fractions."""

import json
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
SPACE = re.compile(r"\\left|\\right|\\[bB]ig|\\[,;]|\s+")
TOKEN = re.compile(r"\\text\{[^}]*\}|\\[a-z]+|\d+|\S")
FUNCTIONS = {"P", "u", "\\ell"}  # what stands before its argument in brackets
CLOSING = {"(": ")", "[": "]", "{": "}"}
Index = Mapping[str, int]
Term = Callable[[Index], Fraction]


def read_formula(page: str, cell: str, number: int, part: int) -> str:
    """Return the TeX of one side of a displayed formula: "a = b <= c" has the parts a, b, c."""
    cells = json.loads((NOTEBOOKS / f"{page}.ipynb").read_text("utf-8"))["cells"]
    (source,) = ("".join(found["source"]) for found in cells if found["id"] == cell)
    shown = re.findall(r"\$\$(.+?)\$\$", source, re.S)[number]
    return re.split(r"=|\\le(?![a-z])|>|,?\s*\\q?quad", shown)[part]


def evaluate(tex: str, values: Mapping[str, Any], ranges: Mapping[str, int], **index: int) -> Fraction:
    """Evaluate TeX: every symbol is a number, or a function of the indices; sums and products run over the ranges."""
    return Parser(tex, values, ranges).read_whole()(index)


def raise_exactly(base: Fraction, exponent: Fraction) -> Fraction:
    """Return base^exponent; ValueError unless that is a fraction."""
    roots = [round(number ** (1 / exponent.denominator)) for number in base.as_integer_ratio()]
    if [root**exponent.denominator for root in roots] != list(base.as_integer_ratio()):
        raise ValueError(f"{base}^({exponent}) is no fraction")
    return Fraction(*roots) ** exponent.numerator


class Parser:
    """Recursive descent through the tokens; every method returns a function of the indices."""

    def __init__(self, tex: str, values: Mapping[str, Any], ranges: Mapping[str, int]) -> None:
        self.tokens = [*TOKEN.findall(SPACE.sub(" ", tex).replace("\\mid", "|")), ""]
        self.values, self.ranges = values, ranges

    def take(self, expected: str | None = None) -> str:
        token = self.tokens.pop(0)
        if expected not in (None, token):
            raise ValueError(f"{expected} is missing before {token}{''.join(self.tokens)}")
        return token

    def read_whole(self) -> Term:
        term = self.read_sum()
        self.take("")
        return term

    def read_sum(self) -> Term:
        terms = [self.read_product()]
        while self.tokens[0] in ("+", "-"):
            sign, term = self.take(), self.read_product()
            terms.append(term if sign == "+" else lambda at, term=term: -term(at))
        return lambda at: sum((term(at) for term in terms), Fraction(0))

    def read_product(self) -> Term:
        factors = [self.read_power()]
        while self.tokens[0] not in ("", "+", "-", ")", "]", "}"):
            if self.tokens[0] == "/":
                self.take()
                divisor = self.read_power()
                factors.append(lambda at, divisor=divisor: 1 / divisor(at))
            else:
                factors.append(self.read_power())
        return lambda at: reduce(operator.mul, (factor(at) for factor in factors))

    def read_power(self) -> Term:
        base = self.read_factor()
        if self.tokens[0] != "^":
            return base
        self.take("^")
        exponent = self.read_factor()
        return lambda at: raise_exactly(base(at), exponent(at))

    def read_factor(self) -> Term:
        token = self.take()
        if token in CLOSING:
            term = self.read_sum()
            self.take(CLOSING[token])
            return term
        if token == "\\frac":
            above, below = self.read_factor(), self.read_factor()
            return lambda at: above(at) / below(at)
        if token in ("\\sum", "\\prod"):
            self.take("_")
            letter, _, left_out = self.read_raw().partition("\\ne")
            body, join = self.read_product(), operator.add if token == "\\sum" else operator.mul
            return lambda at: reduce(join, (body({**at, letter: i}) for i in range(self.ranges[letter])
                                            if not left_out or i != at[left_out]))
        if token.isdigit():
            return lambda at: Fraction(token)
        name = token
        if self.tokens[0] == "_":
            name += self.take() + self.read_raw()
        elif token in FUNCTIONS and self.tokens[0] == "(":
            name += f"({self.read_raw()})"
        value = self.values[name]
        return (lambda at: Fraction(value(at))) if callable(value) else (lambda at: Fraction(value))

    def read_raw(self) -> str:
        """Return one token, or what stands between brackets, without braces."""
        token = self.take()
        if token not in CLOSING:
            return token
        raw = ""
        while self.tokens[0] != CLOSING[token]:
            raw += self.read_raw() if self.tokens[0] == "{" else self.take()
        self.take()
        return raw
