"""Numbers as whole numbers, as coarse as their grain allows, and back."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from workbook.site.packs.grain import Grain

__all__ = ["as_numbers", "as_whole", "printed"]

DECIMALS = range(7)  # numbers of so many decimals are kept exactly
MOST = 2**30  # whole numbers stay below this
HALF = 32  # bits that are left away
MANTISSA = 20  # bits that are kept
HUGE = 1e300  # a float64 might round up to infinity beyond
TINY = 1e-290  # float64 has fewer digits below
FINER = 8  # times, than what is said
FORMAT = re.compile(r"^,?(?:\.(\d+))?([defg%]?)$")
NEAR = 1e-6  # to a tie: there the last digit of what is said is looked up exactly


def as_whole(values: np.ndarray, grain: Grain) -> tuple[str, float, np.ndarray]:
    """Finite numbers -> a code, its parameter, whole numbers.

    "step": number = whole / parameter. "bits": the sign and the upper half of a float64's bits (20 of the mantissa)
    without the last `parameter` ones. "exact": all bits of a float64. What is next to nothing becomes 0 elsewhere.
    """
    something = np.where(np.abs(values) < TINY, 0.0, values)
    with np.errstate(over="ignore", invalid="ignore"):
        for code, by in _candidates(something, grain):
            whole = _rounded(something, code, by)
            if whole is not None and _says_the_same(something, whole, code, by, grain.said):
                return code, by, whole
    return "exact", 0, values.view(np.int64)


def as_numbers(code: str, by: float, whole: np.ndarray) -> np.ndarray:
    """Whole numbers -> numbers."""
    if code == "step":
        return whole / by
    if code == "exact":
        return whole.view(np.float64)
    return np.copysign((np.abs(whole) << (HALF + by)).view(np.float64), whole)


def printed(value: float, form: str) -> str:
    """A finite number as a mark says it: the page's `formatted`, without its commas and its kind of minus."""
    match = FORMAT.match(form)
    digits, kind = int(match[1] or 6) if match else 0, match[2] if match else ""
    if kind in ("g", "e"):
        return format(value, f".{max(kind == 'g', digits)}{kind}")
    if not kind:
        return repr(float(value))
    exact = Decimal(float(value)) * (100 if kind == "%" else 1)
    text = str(exact.quantize(Decimal(1).scaleb(0 if kind == "d" else -digits), ROUND_HALF_UP))
    return text if re.search("[1-9]", text) else text.lstrip("-")


def _candidates(values: np.ndarray, grain: Grain):
    """Codes and parameters, from coarse to fine."""
    decimals = [_decimals(form) for form in grain.said]
    exact = None in decimals
    most = 0 if exact else max(decimals, default=0)
    if (nice := _nice(values)) is not None and (exact or decimals or not grain.per_unit or nice <= 16 * grain.per_unit):
        yield "step", nice
    if exact:
        return
    if grain.per_unit and not decimals:
        yield "step", grain.per_unit
    elif grain.per_unit and most < math.inf:
        # Odd: no step lies between two numbers of so many decimals.
        yield "step", 10.0**most * (2 * math.ceil((grain.per_unit / 10.0**most - 1) / 2) + 1)
    shares = [grain.share] if grain.share else []
    if grain.per_unit:
        shares.append(1 / max(2.0, grain.per_unit * np.abs(values).max(initial=0)))
    if most == math.inf:
        shares.append(10.0 ** -max(map(_digits, grain.said)) / FINER)
    if shares and (most == math.inf or not decimals):
        yield "bits", max(0, MANTISSA - max(1, math.ceil(-math.log2(min(shares)))))
    yield "bits", 0


def _digits(form: str) -> int:
    """How many digits a format says."""
    return max(1, int(FORMAT.match(form)[1] or 6))


def _decimals(form: str) -> float | None:
    """How many decimals a format says; inf where it counts digits instead, None where it says all there are."""
    match = FORMAT.match(form)
    if not match or not match[2]:
        return None
    return {"d": 0, "f": int(match[1] or 6), "%": int(match[1] or 6) + 2}.get(match[2], math.inf)


def _nice(values: np.ndarray) -> float | None:
    """10^d, if all values have at most so many decimals."""
    for unit in (10.0**d for d in DECIMALS):
        if all(len(part) == 0 or np.array_equal(np.round(part * unit) / unit, part) for part in (values[:50], values)):
            return unit
    return None


def _rounded(values: np.ndarray, code: str, by: float) -> np.ndarray | None:
    """None where the whole numbers would be too large."""
    if code == "step":
        whole = np.round(values * by)
        return whole.astype(np.int64) if np.abs(whole).max(initial=0) < MOST else None
    if np.abs(values).max(initial=0) > HUGE:
        return None
    bits = np.abs(values).view(np.int64) + (1 << (HALF + by - 1))
    whole = bits >> (HALF + by)
    return np.where(np.signbit(values), -whole, whole)


def _says_the_same(values, whole, code, by, said) -> bool:
    """Whether the marks say the same; a number that says something else moves one step, in place."""
    for form in said:
        off = _told_apart(values, as_numbers(code, by, whole), form)
        for i in off:
            words = printed(values[i], form)
            for near in (whole[i] - 1, whole[i] + 1):
                if printed(float(as_numbers(code, by, np.array([near]))[0]), form) == words:
                    whole[i] = near
                    break
            else:
                return False
    if len(said) > 1:
        now = as_numbers(code, by, whole)
        return all(len(_told_apart(values, now, form)) == 0 for form in said)
    return True


def _told_apart(values: np.ndarray, others: np.ndarray, form: str) -> list[int]:
    """Where two rows of numbers are said in different words."""
    places = _decimals(form)
    at = np.flatnonzero(values != others)
    if places is not None and len(at):
        # Digits are counted by arithmetic, and exactly only near a tie.
        one, two = np.abs(values[at]), np.abs(others[at])
        if places == math.inf:
            unit = 10.0 ** (_digits(form) - 1 - np.floor(np.log10(np.where(one > 0, one, 1.0))))
        else:
            unit = 10.0**places
        one, two = one * unit + 0.5, two * unit + 0.5
        tie = np.abs(two - np.round(two)) < NEAR * np.maximum(1, two)
        tie |= np.abs(one - np.round(one)) < NEAR * np.maximum(1, one)
        turned = (np.sign(values[at]) != np.sign(others[at])) & (one >= 1)
        at = at[tie | turned | (np.floor(one) != np.floor(two))]
    return [i for i in at if printed(values[i], form) != printed(others[i], form)]
