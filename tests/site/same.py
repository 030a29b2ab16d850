"""Whether a frame that was packed is the kernel's, judged by what a reader sees and reads."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain

import numpy as np

WIDTH, HIGH = 1280, 640  # px of the widest and the highest panel
EYE = 1 / 8 * 0.51  # px: half a step, and rounding
SHADE = 0.51  # of the 255 steps of a heatmap
ALIKE = 1e-6  # relative, of numbers without a place in the picture
TINY = 1e-290  # a float64 with fewer digits than others
TEMPLATE = re.compile(r"%\{(\w+)(?:\[(\d+)\])?(?::([^}]*))?\}")


def numbers(value):
    """What the page reads as an array; None if it is none."""
    if isinstance(value, dict) and "bdata" in value:
        found = np.frombuffer(value["bdata"], f"<{value['dtype']}").astype(float)
        return found.reshape(tuple(map(int, value["shape"].split(",")))) if "shape" in value else found
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list) and value and all(type(item) in (int, float) for item in value):
        return np.array(value, dtype=float)
    return np.array(float(value)) if type(value) in (int, float) else None


def far(kernel, ours, path=()):
    """Every pair of numbers of two trees as (path, array, array); what is no number must be equal, and is checked."""
    if type(kernel) is type(ours) in (int, float, str, bool) and kernel == ours:
        return
    one, two = numbers(kernel), numbers(ours)
    if one is not None or two is not None:
        assert one is not None, path
        assert two is not None, path
        assert one.shape == two.shape, path
        assert np.array_equal(np.isfinite(one), np.isfinite(two)), path
        yield path, one, two
    elif isinstance(kernel, dict):
        assert isinstance(ours, dict), path
        assert list(kernel) == list(ours), path
        yield from chain.from_iterable(far(kernel[name], ours[name], (*path, name)) for name in kernel)
    elif isinstance(kernel, list):
        assert isinstance(ours, list), path
        assert len(kernel) == len(ours), path
        yield from chain.from_iterable(far(a, b, (*path, i)) for i, (a, b) in enumerate(zip(kernel, ours, strict=True)))
    else:
        assert kernel == ours, path
        assert type(kernel) is type(ours), path


def assert_same(kernel: dict, ours: dict) -> None:
    """The same sentence and equation, marks in the same places, of the same shades, with the same words."""
    assert kernel["sentence"] == ours["sentence"]
    assert kernel["formula"] == ours["formula"]
    layout = kernel["figure"]["layout"]
    for path, one, two in far(kernel["figure"], ours["figure"]):
        if np.array_equal(one, two, equal_nan=True):
            continue
        bound = bounds(path, kernel["figure"], layout, one)
        with np.errstate(invalid="ignore"):
            worst = np.nanmax(np.where(one == two, 0.0, np.abs(one - two)) / bound, initial=0)
        assert worst <= 1, (path, worst)
    for one, two in zip(kernel["figure"]["data"], ours["figure"]["data"], strict=True):
        assert_words(one, two)


def bounds(path, figure, layout, one):
    """By how much numbers may be off."""
    size = np.maximum(np.abs(one), 1e-300)
    place = places(path, figure, layout)
    found = ALIKE * size
    for axis in place:
        low, high = layout[axis]["range"]
        domain = layout[axis].get("domain", (0, 1))
        pixels = (WIDTH if axis[0] == "x" else HIGH) * (domain[1] - domain[0])
        unit = abs(high - low) / pixels * EYE
        log = layout[axis].get("type") == "log"
        found = np.maximum(found, 1.01 * unit * (size * math.log(10) if log else 1))
    if path[0] == "data" and path[2] == "z" and figure["data"][path[1]].get("zmax") is not None:
        trace = figure["data"][path[1]]
        found = np.maximum(found, (trace["zmax"] - trace["zmin"]) / 255 * SHADE)
    if path[0] == "data" and path[2:4] in (("marker", "size"), ("marker", "opacity")):
        found = np.maximum(found, EYE if path[3] == "size" else 1 / 255)
    if path[:2] in (("layout", "shapes"), ("layout", "annotations")) and not place:
        found = np.maximum(found, EYE / WIDTH)
    if place and (said(path, figure)):
        found = found * 2  # a number may move one step further, so that it reads the same
    return found


def said(path, figure):
    return path[0] == "data" and "%{" in str(figure["data"][path[1]].get("hovertemplate", ""))


def places(path, figure, layout):
    """The axes in whose units numbers stand."""
    names = [step for step in path if isinstance(step, str)]
    if path[0] == "data":
        trace = figure["data"][path[1]]
        lying = trace.get("orientation") == "h"
        letters = {"base": "yx"[lying], "width": "xy"[lying]}.get(names[1], names[-1])
        inside = names[1] in ("x", "y", "base", "width", "lines")
        return [f"{letters}axis{trace.get(f'{letters}axis', letters)[1:]}"] if inside and letters in ("x", "y") else []
    if names[1:2] in (["shapes"], ["annotations"]) and names[-1][0] in "xy" and len(names[-1]) <= 2:
        ref = layout[path[1]][path[2]].get(f"{names[-1][0]}ref", "")
        return [] if "domain" in ref or ref == "paper" else [f"{names[-1][0]}axis{ref[1:]}"]
    if names[1:3] == ["meta", "handles"]:
        handle = layout["meta"]["handles"][path[3]]
        letters = names[-1] if names[-1] in ("x", "y") else handle["axis"] if names[-1] == "places" else ""
        found = [f"{letter}axis{handle['panel']}" for letter in letters]
        return found if len({layout[axis].get("type") for axis in found}) < 2 else []
    return []


def word(value, form):
    """A number as the page writes it, by exact arithmetic."""
    if isinstance(value, str) or not math.isfinite(value):
        return str(value)
    match = re.match(r"^,?(?:\.(\d+))?([defg%]?)$", form or "")
    digits, kind = int(match[1] or 6), match[2]
    exact = Decimal(value) * (100 if kind == "%" else 1)
    if kind == "g":
        return f"{value:.{digits}g}"
    if kind == "e":
        return f"{value:.{digits}e}"
    if kind == "":
        return f"{value:.12g}"
    rounded = exact.quantize(Decimal(1).scaleb(0 if kind == "d" else -digits), ROUND_HALF_UP)
    return str(abs(rounded) if not rounded else rounded)


def assert_words(one, two):
    """The marks of two traces say the same."""
    templates = one.get("hovertemplate") or ""
    if one.get("hoverinfo") == "skip":
        return
    for template in {templates} if isinstance(templates, str) else set(templates):
        for name, _, form in TEMPLATE.findall(template or ""):
            a, b = numbers(one.get(name)), numbers(two.get(name))
            if a is None or np.array_equal(a, b):
                continue
            pairs = zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
            assert all(x == y or abs(x) < TINY or word(x, form) == word(y, form) for x, y in pairs), (name, form)
