"""Texts as templates and whole numbers: a thousand sentences that differ in their numbers are one template."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

__all__ = ["as_templates", "as_texts"]

NUMBER = re.compile(r"(?<![\w#.{])[0-9]+(?:\.[0-9]+)?(?![\w}]|\.[0-9])")
SLOT = re.compile(r"\{([0-9]+)\.([0-9]+)\}")  # {digits at least.decimals}
LONGEST = 9  # digits


def as_templates(texts: Sequence[str]) -> tuple[list[str], np.ndarray, list[np.ndarray]]:
    """Texts -> templates, the template of each text (n,), and of each template the numbers of its texts (m, slots)."""
    known: dict[str, int] = {}
    which, numbers = [], []
    for text in texts:
        found: list[int] = []
        template = NUMBER.sub(lambda match, found=found: _slot(match[0], found), text)
        if SLOT.search(text) or text.startswith("\0"):  # what looks like a template stands for itself
            template, found = "\0" + text, []
        number = known.setdefault(template, len(known))
        if number == len(numbers):
            numbers.append([])
        numbers[number].append(found)
        which.append(number)
    return list(known), np.array(which, dtype=int), [np.array(rows, dtype=int) for rows in numbers]


def as_texts(templates: Sequence[str], which: np.ndarray, numbers: Sequence[np.ndarray]) -> list[str]:
    """The texts again."""
    rows = [iter(table) for table in numbers]
    return [_filled(templates[number], next(rows[number])) for number in which]


def _slot(text: str, found: list[int]) -> str:
    """The slot for a number, whose digits are appended to `found`; the text itself if it is too long for one."""
    whole, _, decimals = text.partition(".")
    digits = whole + decimals
    if len(digits) > LONGEST:
        return text
    found.append(int(digits))
    least = len(digits) if digits[0] == "0" else 1
    return f"{{{least}.{len(decimals)}}}"


def _filled(template: str, row) -> str:
    if template.startswith("\0"):
        return template[1:]
    digits = iter(row)

    def number(match):
        text, decimals = str(next(digits)).zfill(int(match[1])), int(match[2])
        return f"{text[:-decimals]}.{text[-decimals:]}" if decimals else text

    return SLOT.sub(number, template)
