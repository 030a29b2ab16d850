"""Questions as a QTI 2.1 package: an item each, a test that asks them in the page's order, and the manifest.

Common Cartridge asks in QTI 1.2, which knows no tolerance and so no hint for a number: this is an IMS content package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring, tostring
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from workbook.export.markup import SHRINKING, format_number, paragraph_html, question_html, solution_html
from workbook.export.pages import Page, Picture
from workbook.export.questions import Question

__all__ = ["ENDING", "HOW", "package_files", "write_chapter"]

ENDING = "zip"
HOW = "Import each package as it is: do not unpack it."
QTI, IMSCP = "http://www.imsglobal.org/xsd/imsqti_v2p1", "http://www.imsglobal.org/xsd/imscp_v1p1"
SCHEMAS = {
    QTI: "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd",
    IMSCP: "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd",
}
PICTURES = "../pictures/"  # the folder, seen from an item
STYLE = f".{SHRINKING} {{ max-width: 100%; height: auto; }}\n"


def write_chapter(path: Path, page: Page, questions: Sequence[Question]) -> None:
    """Write the package as a zip; the same questions make the same bytes."""
    with ZipFile(path, "w") as package:
        for name, data in package_files(page, questions).items():
            package.writestr(ZipInfo(name), data, ZIP_DEFLATED)


def package_files(page: Page, questions: Sequence[Question]) -> dict[str, str | bytes]:
    """Return name in the package -> content; a picture stands there once, however many questions show it."""
    files: dict[str, str | bytes] = {
        "imsmanifest.xml": _manifest(page, questions), "test.xml": _test(page, questions), "style.css": STYLE
    }  # fmt: skip
    for question in questions:
        files[_item_path(question)] = _item(question)
        files |= {f"pictures/{picture.name}": picture.data for picture in _pictures(question)}
    return files


def _element(name: str, *children: Element | str, **attributes: str) -> Element:
    """Return an XML element with these attributes, and with children or a text."""
    element = Element(name, attributes)
    for child in children:
        if isinstance(child, str):
            element.text = child
        else:
            element.append(child)
    return element


def _document(name: str, schema: str, *children: Element, **attributes: str) -> str:
    """Return an XML file whose root is this element."""
    root = _element(name, *children, **attributes)
    root.attrib |= {
        "xmlns": schema,
        "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
        "xsi:schemaLocation": f"{schema} {SCHEMAS[schema]}",
    }
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, "unicode")


def _parse_html(text: str) -> list[Element]:
    """Return the elements of well-formed HTML; text outside of them is dropped."""
    return list(fromstring(f"<div>{text}</div>"))


def _declare_outcome(name: str, kind: str, *default: Element) -> Element:
    return _element("outcomeDeclaration", *default, identifier=name, cardinality="single", baseType=kind)


def _declare_score() -> Element:
    return _declare_outcome("SCORE", "float", _element("defaultValue", _element("value", "0")))


# --- an item ---------------------------------------------------------------------------------------------------------


def _item(question: Question) -> str:
    """Return a question as an assessmentItem."""
    kind, right = "identifier", next((f"option_{n}" for n, option in enumerate(question.options) if option.right), "")
    if question.numbers:
        kind, right = "float", format_number(next(band.value for band in question.numbers if band.right))
    return _document(
        "assessmentItem",
        QTI,
        _element("responseDeclaration", _element("correctResponse", _element("value", right)),
                 identifier="RESPONSE", cardinality="single", baseType=kind),
        _declare_score(),
        _declare_outcome("FEEDBACK", "identifier"),
        _element("stylesheet", href="../style.css", type="text/css"),
        _element("itemBody", *_body(question)),
        _element("responseProcessing", _condition(question)),
        *_feedback(question),
        identifier=_identifier(question), title=question.key, adaptive="false", timeDependent="false",
        **{"xml:lang": "en"},
    )  # fmt: skip


def _body(question: Question) -> list[Element]:
    """Return the task, with its options or a field for a number."""
    if question.numbers:
        field = _element("textEntryInteraction", responseIdentifier="RESPONSE", expectedLength="12")
        return [*_parse_html(question_html(question, PICTURES)), _element("p", "Your number: ", field)]
    *above, prompt = question.text
    options = [_element("simpleChoice", o.text, identifier=f"option_{n}") for n, o in enumerate(question.options)]
    choice = _element("choiceInteraction", _element("prompt", prompt), *options,
                      responseIdentifier="RESPONSE", shuffle="false", maxChoices="1")  # fmt: skip
    return [*_parse_html(question_html(question, PICTURES, above)), choice]


def _condition(question: Question) -> Element:
    """Return the responseCondition: its first branch that fits the answer sets feedback and score."""
    answer = _element("variable", identifier="RESPONSE")
    tests = [(_element("match", answer, _element("correct", identifier="RESPONSE")), "right", True)]
    if question.numbers:
        tests = []
        for n, band in enumerate(question.numbers):
            value = _element("baseValue", format_number(band.value), baseType="float")
            within = format_number(band.within)
            test = _element("equal", answer, value, toleranceMode="absolute", tolerance=f"{within} {within}")
            tests.append((test, _feedback_name(n, band.right), band.right))
    kinds = ["responseIf", *["responseElseIf"] * (len(tests) - 1)]
    branches = [_element(kind, test, *_settings(name, right))
                for kind, (test, name, right) in zip(kinds, tests, strict=True)]  # fmt: skip
    return _element("responseCondition", *branches, _element("responseElse", *_settings("otherwise", False)))


def _settings(feedback: str, right: bool) -> list[Element]:
    """Return the elements by which a branch of responseCondition sets score and feedback."""
    values = [("SCORE", "float", "1")] * right + [("FEEDBACK", "identifier", feedback)]
    return [_element("setOutcomeValue", _element("baseValue", value, baseType=kind), identifier=name)
            for name, kind, value in values]  # fmt: skip


def _feedback_name(n: int, right: bool) -> str:
    return "right" if right else f"slip_{n}"


def _feedback(question: Question) -> Iterator[Element]:
    """Yield the feedback to each answer; an exercise shows its solution for the right one only, a prediction always."""
    words = {"right": "You saw it coming.", "otherwise": question.otherwise}
    words |= {_feedback_name(n, band.right): band.feedback for n, band in enumerate(question.numbers)}
    for name, text in words.items():
        shown = paragraph_html(text) if text else ""
        if name == "right" or question.kind == "prediction":
            shown += solution_html(question, PICTURES)
        yield _element("modalFeedback", *_parse_html(shown), outcomeIdentifier="FEEDBACK", identifier=name,
                       showHide="show")  # fmt: skip


# --- around the items ------------------------------------------------------------------------------------------------


def _test(page: Page, questions: Sequence[Question]) -> str:
    """Return a test with the sections of the page; a hint is there to be used, so attempts are not counted."""
    sections = []
    for number, (section, items) in enumerate(groupby(questions, lambda question: question.section), 1):
        refs = [_element("assessmentItemRef", identifier=_identifier(one), href=_item_path(one)) for one in items]
        sections.append(_element("assessmentSection", *refs, identifier=f"section_{number}",
                                 title=section or page.title, visible="true"))  # fmt: skip
    attempts = _element("itemSessionControl", maxAttempts="0", showFeedback="true")
    total = _element("sum", _element("testVariables", variableIdentifier="SCORE"))
    return _document(
        "assessmentTest",
        QTI,
        _declare_score(),
        _element("testPart", attempts, *sections,
                 identifier="part_1", navigationMode="nonlinear", submissionMode="individual"),
        _element("outcomeProcessing", _element("setOutcomeValue", total, identifier="SCORE")),
        identifier=f"chapter_{page.number}", title=f"{page.number} {page.title}",
    )  # fmt: skip


def _manifest(page: Page, questions: Sequence[Question]) -> str:
    """Return the list of all files, with the tags of each question."""
    about = _metadata(f"{page.number} {page.title}", ["naive Bayes workbook", f"chapter {page.number}"])
    needs = [_element("dependency", identifierref=_identifier(question)) for question in questions]
    test = _element("resource", _element("file", href="test.xml"), *needs,
                    identifier=f"test_{page.number}", type="imsqti_test_xmlv2p1", href="test.xml")  # fmt: skip
    return _document(
        "manifest",
        IMSCP,
        _element("metadata", _element("schema", "QTIv2.1 Package"), _element("schemaversion", "1.0.0"), about),
        _element("organizations"),
        _element("resources", test, *map(_resource, questions)),
        identifier=f"naive_bayes_workbook_{page.number}",
    )


def _resource(question: Question) -> Element:
    """Return the manifest's entry of an item."""
    path = _item_path(question)
    names = path, "style.css", *(f"pictures/{picture.name}" for picture in _pictures(question))
    return _element("resource", _element("metadata", _metadata(question.key, question.tags)),
                    *(_element("file", href=name) for name in names),
                    identifier=_identifier(question), type="imsqti_item_xmlv2p1", href=path)  # fmt: skip


def _metadata(title: str, keywords: Sequence[str]) -> Element:
    """Return a title and keywords as LOM."""
    title, *words = (_element("string", text, language="en") for text in (title, *keywords))
    general = _element("general", _element("title", title), *(_element("keyword", word) for word in words))
    return _element("lom", general, xmlns="http://ltsc.ieee.org/xsd/LOM")


def _pictures(question: Question) -> list[Picture]:
    return [picture for picture in (question.picture, question.picture_afterwards) if picture]


def _identifier(question: Question) -> str:
    """Return an identifier, which begins with a letter."""
    return f"q_{question.key.replace('/', '_')}"


def _item_path(question: Question) -> str:
    return f"items/{question.key.replace('/', '-')}.xml"
