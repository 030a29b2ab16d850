"""Write the texts of a question as XHTML, and its numbers, for every format."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from workbook.export.pages import Page, Picture
from workbook.export.questions import Question

__all__ = [
    "SHRINKING", "convert_formulas", "format_number", "origin_html", "paragraph_html", "question_html", "solution_html",
]  # fmt: skip

SHRINKING = "img-fluid"  # Moodle's class of a picture that shrinks with its column
FORMULA = re.compile(r"\$([^$]+)\$")


def format_number(number: float) -> str:
    """Write a number without the noise of its last bits, as students see it.

    In front of an exponent there is a point, 2.0e-06, as TAO's reader of QTI takes 2e-06 for the name of a variable.
    """
    mantissa, e, exponent = f"{number:.12g}".partition("e")
    return mantissa + (".0" if e and "." not in mantissa else "") + e + exponent


def paragraph_html(text: str) -> str:
    """Return a text as a paragraph, escaped; of several lines, such as code, as preformatted text."""
    tag = "pre" if "\n" in text else "p"
    return f"<{tag}>{html.escape(text)}</{tag}>"


def question_html(question: Question, folder: str, text: Sequence[str] | None = None) -> str:
    """Return the task of a question under its picture, and the page that it comes from.

    folder: of the pictures, with a slash at its end; text: the paragraphs to show, by default all.
    """
    paragraphs = map(paragraph_html, question.text if text is None else text)
    return _picture_html(question.picture, folder) + "".join(paragraphs) + origin_html(question.page, question.section)


def solution_html(question: Question, folder: str) -> str:
    """Return the feedback to everybody: the explanation, the solution in Python, the picture."""
    code = f"<p>One way to compute it, in Python:</p><pre>{html.escape(question.solution)}</pre>"
    explanation = paragraph_html(question.afterwards) if question.afterwards else ""
    return explanation + code * bool(question.solution) + _picture_html(question.picture_afterwards, folder)


def origin_html(page: Page, section: str) -> str:
    """Return the page and section of the book that a question comes from, with a link once the site is published."""
    chapter = html.escape(f"chapter {page.number}, {page.title}")
    where = f', section “{html.escape(section)}”. What the text refers to stands above it there.' if section else "."
    link = f'<a href="{page.address}">{chapter}</a>' if page.address else chapter
    return f"<p><small>From {link}{where}</small></p>"


def convert_formulas(text: str) -> str:
    """Escape a text, and put its formulas between \\( and \\), where Anki and Moodle look for them."""
    return FORMULA.sub(r"\\(\1\\)", html.escape(text))


def _picture_html(picture: Picture | None, folder: str) -> str:
    if picture is None:
        return ""
    width, height = picture.size
    attributes = f'src="{folder}{picture.name}" alt="{html.escape(picture.alt)}" width="{width}" height="{height}"'
    return f'<p><img class="{SHRINKING}" {attributes}/></p>'
