"""Write the numbers and the verdict of a claim; search claims by words."""

import re
from functools import lru_cache

import numpy as np

from workbook.ledger.numbers import measured

__all__ = ["say_ours", "say_stated", "say_verdict", "select_claims"]

TINY = 1e-9  # below, a number of ours is rounding: shown as 0, since machines round differently


def _digits(claim):
    """Return the significant digits to show: three, and more where the source prints more."""
    if claim.stated is None or not claim.rounding:
        return 3
    largest = np.max(np.abs(claim.stated))
    return int(np.clip(np.ceil(np.log10(largest / (2 * claim.rounding))) + 1, 3, 7)) if largest > TINY else 3


def _say(number, digits):
    if abs(number) < TINY and digits == 3:
        return "0"
    whole = float(number).is_integer() or abs(number) >= 10**digits
    return f"{number:.0f}" if whole else f"{number:.{digits}g}"


def _say_all(numbers, digits):
    return ", ".join(_say(number, digits) for number in np.atleast_1d(numbers))


def say_stated(claim):
    """Write the numbers that the source states."""
    return "no number" if claim.stated is None else _say_all(claim.stated, _digits(claim))


def say_ours(claim):
    """Write our number with its interval; of a tuple every number has its own."""
    m, digits = measured(claim), _digits(claim)
    if m is None:
        return "none"
    if m.is_exact:
        return _say_all(m.value, digits)
    rows = zip(*map(np.atleast_1d, (m.value, m.low, m.high)), strict=True)
    return "; ".join("{} ({} to {})".format(*(_say(number, digits) for number in row)) for row in rows)


def say_verdict(claim):
    """Write the verdict of a claim, and how its text was read where it left something open."""
    return claim.verdict + ("" if claim.reading == "exact" else f", reading {claim.reading}")


def select_claims(claims, words):
    """Return the claims that have all the words in their id, source, place, quote, statement, note or printed numbers.

    A word may be the beginning of one; a number is a whole one, and one after "table", "figure", "section" or "eq"
    belongs to it.
    """
    patterns = [_pattern(word) for word in _split_words(words)]
    return tuple(claim for claim in claims if all(word.search(_searchable_text(claim)) for word in patterns))


def _normalise(text):
    """Return a text in lower case, with numbers as the papers print them (.964, 1590) and without brackets."""
    text = re.sub(r"[()“”,;:]+(?=\s|$)|(?<!\S)[(“]+", " ", text.lower().replace("–", "-"))
    text = re.sub(r"(?<=\d),(?=\d\d\d)", "", text)
    return " ".join(re.sub(r"(?<![\d.])0(?=\.\d)", "", text).replace("eq. ", "eq ").split())


def _split_words(words):
    """Split a search into words; "table 1" is one."""
    return re.findall(r"(?:table|figure|section|eq) \(?[\d.]+\S*|\S+", _normalise(words))


@lru_cache(maxsize=256)
def _pattern(word):
    """Return the pattern that finds a word by its beginning, a number as a whole."""
    return re.compile(r"(?<![a-z0-9.])" + re.escape(word) + (r"(?![0-9]|\.[0-9])" if word[-1].isdigit() else ""))


def _printed_numbers(claim):
    """Yield the source's numbers as it prints them, shares in percent as well."""
    for number in () if claim.stated is None else np.atleast_1d(claim.stated):
        places = max(0, round(-np.log10(2 * claim.rounding))) if claim.rounding > TINY else 0
        yield f"{number:.{places}f}"
        if 0 < number < 1 and places > 1:
            yield f"{100 * number:.{places - 2}f}"


@lru_cache(maxsize=1024)
def _searchable_text(claim):
    """Return all text of a claim but its verdict, which has a filter of its own."""
    quote = "" if claim.quote.startswith("[") else claim.quote
    texts = claim.id, claim.source, claim.place, quote, claim.statement, claim.note, say_stated(claim)
    return _normalise(" | ".join((*texts, *_printed_numbers(claim))))
