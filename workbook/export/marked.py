"""A question's texts as XHTML: the same for every program that shows them."""

from __future__ import annotations

import html
import re

from workbook.export.asked import Question
from workbook.export.pages import Page, Picture

__all__ = ["afterwards", "asked", "formulas", "origin", "paragraph"]

FORMULA = re.compile(r"\$([^$]+)\$")


def paragraph(text: str) -> str:
    """Text as it is: what looks like a tag is shown."""
    return f"<p>{html.escape(text)}</p>"


def asked(question: Question, folder: str) -> str:
    """What is asked, with its picture and where it comes from; folder: where pictures are, with a slash behind."""
    shown = [paragraph(text) for text in question.text]
    shown += [_picture(question.picture, folder), origin(question.page, question.section)]
    return "".join(shown)


def afterwards(question: Question, folder: str) -> str:
    """What everyone is told in the end."""
    code = f"<p>One way to compute it, in Python:</p><pre>{html.escape(question.code)}</pre>" if question.code else ""
    told = paragraph(question.afterwards) if question.afterwards else ""
    return told + code + _picture(question.picture_afterwards, folder)


def origin(page: Page, section: str) -> str:
    """The page of the book that it stands on."""
    chapter = html.escape(f"chapter {page.number}, {page.title}")
    where = f', section “{html.escape(section)}”. What the text refers to stands above it there.' if section else "."
    return f'<p><small>From <a href="{page.address}">{chapter}</a>{where}</small></p>'


def formulas(text: str) -> str:
    """Escaped text whose formulas stand between \\( and \\), where Anki and Moodle look for them."""
    return FORMULA.sub(r"\\(\1\\)", html.escape(text))


def _picture(picture: Picture | None, folder: str) -> str:
    if picture is None:
        return ""
    width, height = picture.size
    alt = html.escape(picture.alt)
    return f'<p><img src="{folder}{picture.name}" alt="{alt}" width="{width}" height="{height}"/></p>'
