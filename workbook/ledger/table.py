"""Show claims as text and as a table for the page; search and sort them."""

import html
import re
import textwrap
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from nbcore.checks import one_of
from workbook.ledger.claim import READINGS, VERDICTS, Claim
from workbook.ledger.numbers import deviations, measured

__all__ = ["SORTS", "LedgerTable", "say_number", "say_ours", "say_stated", "say_verdict", "select_claims"]

TINY = 1e-9  # below, a number of ours is rounding: shown as 0, since machines round differently
COLUMNS = "id, where", "statement", "stated", "ours", "verdict", "shown in"


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


def say_number(claim, number):
    """Write one number of a claim with the digits that its source has."""
    return _say(number, _digits(claim))


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


def say_verdict(claim, spell=str):
    """Write the verdict of a claim, and how its text was read where it left something open."""
    return spell(claim.verdict) + ("" if claim.reading == "exact" else f", reading {claim.reading}")


@dataclass(frozen=True)
class LedgerTable:
    """Some claims; as text a paragraph each, on the page a table; in brief a line each, without quotes and notes."""

    claims: tuple[Claim, ...]
    brief: bool = False

    def __repr__(self):
        if not self.claims:
            return "No claims."
        return "\n".join(map(_line, self.claims)) if self.brief else "\n\n".join(map(_paragraph, self.claims))

    def _repr_html_(self):
        head = "".join(f'<th style="text-align: left">{name}</th>' for name in COLUMNS)
        rows = "".join(_row(claim, self.brief) for claim in self.claims)
        return (
            '<div style="max-height: 440px; overflow: auto" tabindex="0" role="region" aria-label="Claims">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


def _largest_deviation(claim):
    """Return the largest distance of a printed number from ours, in half widths; -1 without numbers to compare."""
    return max((abs(d.units) for d in deviations(claim)), default=-1.0)


SORTS = {
    "place": lambda claim: 0,  # as they stand in the ledger
    "id": lambda claim: claim.id,
    "verdict": lambda claim: list(VERDICTS).index(claim.verdict),
    "distance": lambda claim: -_largest_deviation(claim),
}


def select_claims(claims, reading=None, words="", sort="place"):
    """Return a tuple of the claims of a reading (None: any) that have all the words: see `show_ledger`."""
    one_of("sort", sort, SORTS)
    if reading is not None:
        one_of("reading", reading, READINGS)
    found = (c for c in claims if reading in (None, c.reading))
    patterns = [_pattern(word) for word in _split_words(words)]
    chosen = [c for c in found if all(word.search(_searchable_text(c)) for word in patterns)]
    return tuple(sorted(chosen, key=SORTS[sort]))


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


def _line(claim):
    return textwrap.shorten(f"{claim.id:11} {claim.verdict}: {claim.statement}", 110, placeholder=" …")


def _paragraph(claim):
    verdict = f"{say_verdict(claim, str.upper)} (chapter {claim.page})"
    lines = [
        *textwrap.wrap(f"{claim.id} · {claim.source}, {claim.place}: {verdict}", 104),
        *textwrap.wrap(claim.words, 100),
        *textwrap.wrap(claim.statement, 100),
        *textwrap.wrap(f"stated: {say_stated(claim)}; ours: {say_ours(claim)}", 100),
        *textwrap.wrap(claim.note, 100),
    ]
    return "\n  ".join(lines)


def _row(claim, brief=False):
    numbers = html.escape(say_stated(claim)), html.escape(say_ours(claim)), html.escape(say_verdict(claim))
    if brief:
        statement = html.escape(textwrap.shorten(claim.statement, 90, placeholder=" …"))
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in (claim.id, statement, *numbers, claim.page))}</tr>"
    note = f"<br><small>{html.escape(claim.note)}</small>" if claim.note else ""
    cells = (
        f"<b>{claim.id}</b><br>" + html.escape(f"{claim.source}, {claim.place}"),
        f"<i>{html.escape(claim.words)}</i><br>{html.escape(claim.statement)}{note}",
        *numbers,
        f'<a href="{claim.chapter}.ipynb">{claim.page}</a>',
    )
    styled = (f'<td style="text-align: left; vertical-align: top">{cell}</td>' for cell in cells)
    return f"<tr>{''.join(styled)}</tr>"
