"""A question's texts as XHTML, and its numbers: the same for every program that shows them."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from workbook.export.asked import Question
from workbook.export.pages import Page, Picture

__all__ = ["FITTING", "afterwards", "asked", "digits", "formulas", "origin", "paragraph"]

FITTING = "img-fluid"  # Moodle's own word for a picture that shrinks with its column
FORMULA = re.compile(r"\$([^$]+)\$")


def digits(number: float) -> str:
    """Write a number without the noise of its last bits: what is right is shown to students.

    In front of an exponent there is a point, 2.0e-06, as TAO's reader of QTI takes 2e-06 for the name of a variable.
    """
    mantissa, e, exponent = f"{number:.12g}".partition("e")
    return mantissa + (".0" if e and "." not in mantissa else "") + e + exponent


def paragraph(text: str) -> str:
    """Text as it is: what looks like a tag is shown, several lines stay lines, as of code."""
    tag = "pre" if "\n" in text else "p"
    return f"<{tag}>{html.escape(text)}</{tag}>"


def asked(question: Question, folder: str, text: Sequence[str] | None = None) -> str:
    """What is asked, under its picture as on the page, and where it comes from.

    folder: where pictures are, with a slash behind. text: the paragraphs, where not all of them.
    """
    shown = [paragraph(part) for part in (question.text if text is None else text)]
    return _picture(question.picture, folder) + "".join(shown) + origin(question.page, question.section)


def afterwards(question: Question, folder: str) -> str:
    """What everyone is told in the end."""
    code = f"<p>One way to compute it, in Python:</p><pre>{html.escape(question.solution)}</pre>"
    told = paragraph(question.afterwards) if question.afterwards else ""
    return told + code * bool(question.solution) + _picture(question.picture_afterwards, folder)


def origin(page: Page, section: str) -> str:
    """The page of the book that it stands on."""
    chapter = html.escape(f"chapter {page.number}, {page.title}")
    where = f', section “{html.escape(section)}”. What the text refers to stands above it there.' if section else "."
    link = f'<a href="{page.address}">{chapter}</a>' if page.address else chapter
    return f"<p><small>From {link}{where}</small></p>"


def formulas(text: str) -> str:
    """Escaped text whose formulas stand between \\( and \\), where Anki and Moodle look for them."""
    return FORMULA.sub(r"\\(\1\\)", html.escape(text))


def _picture(picture: Picture | None, folder: str) -> str:
    if picture is None:
        return ""
    width, height = picture.size
    shown = f'src="{folder}{picture.name}" alt="{html.escape(picture.alt)}" width="{width}" height="{height}"'
    return f'<p><img class="{FITTING}" {shown}/></p>'
