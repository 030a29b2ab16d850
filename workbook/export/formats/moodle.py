"""Questions as Moodle XML: choices, and numbers with the book's tolerance and its hints."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from workbook.export.markup import format_number, origin_html, paragraph_html, question_html, solution_html
from workbook.export.pages import Page, Picture
from workbook.export.questions import Question

__all__ = ["ENDING", "HOW", "quiz", "write_chapter"]

ENDING = "xml"
HOW = "In Moodle: Question bank, Import, Moodle XML format; one file at a time."
FILES = "@@PLUGINFILE@@/"  # where Moodle keeps the files of a text


def write_chapter(path: Path, page: Page, questions: Iterable[Question]) -> None:
    """Write a chapter's file."""
    quiz(page, questions).write(path, encoding="utf-8", xml_declaration=True)


def quiz(page: Page, questions: Iterable[Question]) -> ElementTree:
    """Return a chapter's questions, in a category of their own."""
    root = Element("quiz")
    category = SubElement(root, "question", type="category")
    name = f"{page.number} {page.title}".replace("/", "//")
    _add_text(category, "category", f"top/Naive Bayes Workbook/{name}")
    _add_html(category, "info", origin_html(page, ""))
    for question in questions:
        _add_question(root, question)
    indent(root)
    return ElementTree(root)


def _add_question(root: Element, question: Question) -> None:
    made = SubElement(root, "question", type="multichoice" if question.options else "numerical")
    _add_text(made, "name", question.key)
    _add_html(made, "questiontext", question_html(question, FILES), question.picture)
    _add_html(made, "generalfeedback", solution_html(question, FILES), question.picture_afterwards)
    fields = dict(defaultgrade="1", penalty="0.3333333", hidden="0", idnumber=question.key)
    if question.options:
        fields |= dict(single="true", shuffleanswers="false", answernumbering="none")
    for name, value in fields.items():
        SubElement(made, name).text = value
    for option in question.options:
        feedback = "You saw it coming." if option.right else ""
        _add_answer(made, option.right, "html", paragraph_html(option.text), feedback)
    for band in question.numbers:
        answer = _add_answer(made, band.right, "moodle_auto_format", format_number(band.value), band.feedback)
        SubElement(answer, "tolerance").text = format_number(band.within)
    if question.numbers:
        _add_answer(made, False, "moodle_auto_format", "*", question.otherwise)  # any other number
    tags = SubElement(made, "tags")
    for tag in question.tags:
        _add_text(tags, "tag", tag)


def _add_answer(made: Element, right: bool, form: str, text: str, feedback: str) -> Element:
    answer = SubElement(made, "answer", fraction="100" if right else "0", format=form)
    SubElement(answer, "text").text = text
    _add_html(answer, "feedback", paragraph_html(feedback) if feedback else "")
    return answer


def _add_text(parent: Element, name: str, text: str) -> Element:
    made = SubElement(parent, name)
    SubElement(made, "text").text = text
    return made


def _add_html(parent: Element, name: str, page: str, picture: Picture | None = None) -> None:
    """Add a text in HTML, with its picture as base64."""
    made = _add_text(parent, name, page)
    made.set("format", "html")
    if picture:
        file = SubElement(made, "file", name=picture.name, path="/", encoding="base64")
        file.text = b64encode(picture.data).decode()
