"""Questions as Moodle XML: choices, and numbers with the book's tolerance and its hints."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from workbook.export.asked import Question
from workbook.export.files import by_chapter
from workbook.export.marked import afterwards, asked, digits, origin, paragraph
from workbook.export.pages import Page, Picture

__all__ = ["HOW", "quiz", "write"]

HOW = "In Moodle: Question bank, Import, Moodle XML format; one file at a time."
FILES = "@@PLUGINFILE@@/"  # where Moodle keeps the files of a text


def write(folder: Path, chapters: list[str]) -> Iterator[str]:
    """Write a file a chapter, and say of each what it holds."""

    def one(path, page, found):
        quiz(page, found).write(path, encoding="utf-8", xml_declaration=True)

    yield from by_chapter(one, folder, "xml", chapters)


def quiz(page: Page, questions: Iterable[Question]) -> ElementTree:
    """One chapter's questions, in a category of their own."""
    root = Element("quiz")
    category = SubElement(root, "question", type="category")
    name = f"{page.number} {page.title}".replace("/", "//")
    _text(category, "category", f"top/Naive Bayes Workbook/{name}")
    _html(category, "info", origin(page, ""))
    for question in questions:
        _question(root, question)
    indent(root)
    return ElementTree(root)


def _question(root: Element, question: Question) -> None:
    made = SubElement(root, "question", type="multichoice" if question.options else "numerical")
    _text(made, "name", question.key)
    _html(made, "questiontext", asked(question, FILES), question.picture)
    _html(made, "generalfeedback", afterwards(question, FILES), question.picture_afterwards)
    fields = dict(defaultgrade="1", penalty="0.3333333", hidden="0", idnumber=question.key)
    if question.options:
        fields |= dict(single="true", shuffleanswers="false", answernumbering="none")
    for name, value in fields.items():
        SubElement(made, name).text = value
    for option in question.options:
        _answer(made, option.right, "html", paragraph(option.text), "You saw it coming." if option.right else "")
    for near in question.numbers:
        answer = _answer(made, near.right, "moodle_auto_format", digits(near.value), near.said)
        SubElement(answer, "tolerance").text = digits(near.within)
    if question.numbers:
        _answer(made, False, "moodle_auto_format", "*", question.otherwise)  # any other number
    tags = SubElement(made, "tags")
    for tag in question.tags:
        _text(tags, "tag", tag)


def _answer(made: Element, right: bool, form: str, text: str, said: str) -> Element:
    answer = SubElement(made, "answer", fraction="100" if right else "0", format=form)
    SubElement(answer, "text").text = text
    _html(answer, "feedback", paragraph(said) if said else "")
    return answer


def _text(parent: Element, name: str, text: str) -> Element:
    made = SubElement(parent, name)
    SubElement(made, "text").text = text
    return made


def _html(parent: Element, name: str, page: str, picture: Picture | None = None) -> None:
    """A text in HTML; its picture comes along as base64."""
    made = _text(parent, name, page)
    made.set("format", "html")
    if picture:
        file = SubElement(made, "file", name=picture.name, path="/", encoding="base64")
        file.text = b64encode(picture.data).decode()
