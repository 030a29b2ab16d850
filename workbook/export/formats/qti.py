"""Questions as a QTI 2.1 package: an item each, a test that asks them in the page's order, and the manifest.

Common Cartridge asks in QTI 1.2, which knows no tolerance and so no hint for a number: this is an IMS content package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from workbook.export.asked import Near, Question
from workbook.export.files import by_chapter
from workbook.export.marked import FITTING, afterwards, asked, digits, paragraph
from workbook.export.pages import Page

__all__ = ["HOW", "files", "item", "pack", "write"]

HOW = "Import each package as it is: do not unpack it."
QTI, IMSCP, LOM = (
    "http://www.imsglobal.org/xsd/imsqti_v2p1",
    "http://www.imsglobal.org/xsd/imscp_v1p1",
    "http://ltsc.ieee.org/xsd/LOM",
)
XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation'
QTI_HEAD = f'xmlns="{QTI}" {XSI}="{QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"'
FIRST = '<?xml version="1.0" encoding="UTF-8"?>\n'
PICTURES = "../pictures/"  # as an item sees it
STYLE = f".{FITTING} {{ max-width: 100%; height: auto; }}\n"
TRIED_AGAIN = '<itemSessionControl maxAttempts="0" showFeedback="true"/>'  # a hint is there to be used
SCORE = """<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float">
<defaultValue><value>0</value></defaultValue>
</outcomeDeclaration>"""


def write(folder: Path, chapters: list[str]) -> Iterator[str]:
    """Write a package a chapter, and say of each what it holds."""
    yield from by_chapter(pack, folder, "zip", chapters)


def pack(path: Path, page: Page, questions: Sequence[Question]) -> None:
    """The package as a zip; the same questions make the same file."""
    with ZipFile(path, "w") as package:
        for name, data in files(page, questions).items():
            package.writestr(ZipInfo(name), data, ZIP_DEFLATED)


def files(page: Page, questions: Sequence[Question]) -> dict[str, str | bytes]:
    """Name in the package -> what stands there; a picture stands there once, however many questions show it."""
    made: dict[str, str | bytes] = {
        "imsmanifest.xml": _manifest(page, questions), "test.xml": _test(page, questions), "style.css": STYLE
    }  # fmt: skip
    for question in questions:
        made[_file(question)] = item(question)
        made |= {f"pictures/{picture.name}": picture.data for picture in _pictures(question)}
    return made


# --- an item ---------------------------------------------------------------------------------------------------------


def item(question: Question) -> str:
    """One question as an assessmentItem."""
    body, processing = (_choice if question.options else _number)(question)
    return f"""{FIRST}<assessmentItem {QTI_HEAD} xml:lang="en"
 identifier="{_id(question)}" title="{question.key}" adaptive="false" timeDependent="false">
{_response(question)}
{SCORE}
<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>
<stylesheet href="../style.css" type="text/css"/>
<itemBody>
{body}
</itemBody>
<responseProcessing>
{processing}
</responseProcessing>
{_feedback(question)}
</assessmentItem>
"""


def _response(question: Question) -> str:
    """What is right."""
    if question.options:
        kind = "identifier"
        (right,) = (f"option_{n}" for n, option in enumerate(question.options) if option.right)
    else:
        kind, right = "float", digits(next(near.value for near in question.numbers if near.right))
    return f"""<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="{kind}">
<correctResponse><value>{right}</value></correctResponse>
</responseDeclaration>"""


def _choice(question: Question) -> tuple[str, str]:
    """What is asked, with the options; and what is done with an answer."""
    options = "\n".join(
        f'<simpleChoice identifier="option_{n}">{escape(option.text)}</simpleChoice>'
        for n, option in enumerate(question.options)
    )
    *above, last = question.text
    shown = f"""{asked(question, PICTURES, above)}
<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">
<prompt>{escape(last)}</prompt>
{options}
</choiceInteraction>"""
    right = '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>'
    return shown, _branches([(right, "right", True)])


def _number(question: Question) -> tuple[str, str]:
    """What is asked, with a field; and what is done with a number: the first that fits."""
    field = '<p>Your number: <textEntryInteraction responseIdentifier="RESPONSE" expectedLength="12"/></p>'
    tried = [(_close(near), _name(n, near), near.right) for n, near in enumerate(question.numbers)]
    return asked(question, PICTURES) + field, _branches(tried)


def _close(near: Near) -> str:
    """Whether the answer is one of these numbers."""
    value = f'<baseValue baseType="float">{digits(near.value)}</baseValue>'
    how = f'toleranceMode="absolute" tolerance="{digits(near.within)} {digits(near.within)}"'
    return f'<equal {how}><variable identifier="RESPONSE"/>{value}</equal>'


def _branches(conditions: Sequence[tuple[str, str, bool]]) -> str:
    """If, else if, else: each with the name of its feedback, and a score where it is right."""
    kinds = ["responseIf", *["responseElseIf"] * (len(conditions) - 1)]
    tried = zip(kinds, conditions, strict=True)
    made = [f"<{kind}>{test}{_outcome(name, right)}</{kind}>" for kind, (test, name, right) in tried]
    made.append(f"<responseElse>{_outcome('otherwise', False)}</responseElse>")
    return "\n".join(["<responseCondition>", *made, "</responseCondition>"])


def _outcome(name: str, right: bool) -> str:
    score = _set("SCORE", "float", "1") if right else ""
    return score + _set("FEEDBACK", "identifier", name)


def _set(variable: str, kind: str, value: str) -> str:
    return (
        f'<setOutcomeValue identifier="{variable}"><baseValue baseType="{kind}">{value}</baseValue></setOutcomeValue>'
    )


def _name(n: int, near: Near) -> str:
    return "right" if near.right else f"slip_{n}"


def _feedback(question: Question) -> str:
    """What is said to whom. A prediction is over after one answer; an exercise keeps its solution for the right one."""
    told = afterwards(question, PICTURES)
    always = told if question.kind == "prediction" else ""
    said = {"right": "You saw it coming.", "otherwise": question.otherwise}
    said |= {_name(n, near): near.said for n, near in enumerate(question.numbers)}
    return "\n".join(
        f'<modalFeedback outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">'
        f"{paragraph(words) if words else ''}{told if name == 'right' else always}</modalFeedback>"
        for name, words in said.items()
    )


# --- around the items ------------------------------------------------------------------------------------------------


def _test(page: Page, questions: Sequence[Question]) -> str:
    """A test with the sections of the page."""
    sections = []
    for number, (section, items) in enumerate(groupby(questions, lambda question: question.section), 1):
        listed = "\n".join(f'<assessmentItemRef identifier="{_id(q)}" href="{_file(q)}"/>' for q in items)
        title = f'identifier="section_{number}" title="{escape(section)}" visible="true"'
        sections.append(f"<assessmentSection {title}>\n{listed}\n</assessmentSection>")
    return f"""{FIRST}<assessmentTest {QTI_HEAD}
 identifier="chapter_{page.number}" title="{escape(_title(page))}">
{SCORE}
<testPart identifier="part_1" navigationMode="nonlinear" submissionMode="individual">
{TRIED_AGAIN}
{chr(10).join(sections)}
</testPart>
<outcomeProcessing>
<setOutcomeValue identifier="SCORE"><sum><testVariables variableIdentifier="SCORE"/></sum></setOutcomeValue>
</outcomeProcessing>
</assessmentTest>
"""


def _manifest(page: Page, questions: Sequence[Question]) -> str:
    """What is in the package, with the tags of each question."""
    needs = "\n".join(f'<dependency identifierref="{_id(question)}"/>' for question in questions)
    kept = "\n".join(_resource(question) for question in questions)
    return f"""{FIRST}<manifest xmlns="{IMSCP}" {XSI}="{IMSCP} http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd"
 identifier="naive_bayes_workbook_{page.number}">
<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion>
{_lom(_title(page), ["naive Bayes workbook", f"chapter {page.number}"])}</metadata>
<organizations/>
<resources>
<resource identifier="test_{page.number}" type="imsqti_test_xmlv2p1" href="test.xml">
<file href="test.xml"/>
{needs}
</resource>
{kept}
</resources>
</manifest>
"""


def _resource(question: Question) -> str:
    shown = "".join(f'\n<file href="pictures/{picture.name}"/>' for picture in _pictures(question))
    return f"""<resource identifier="{_id(question)}" type="imsqti_item_xmlv2p1" href="{_file(question)}">
<metadata>{_lom(question.key, question.tags)}</metadata>
<file href="{_file(question)}"/>
<file href="style.css"/>{shown}
</resource>"""


def _lom(title: str, words: Sequence[str]) -> str:
    """A title and keywords, as the manifest's metadata."""
    keywords = "".join(f'<keyword><string language="en">{escape(word)}</string></keyword>' for word in words)
    general = f'<title><string language="en">{escape(title)}</string></title>{keywords}'
    return f'<lom xmlns="{LOM}"><general>{general}</general></lom>'


def _title(page: Page) -> str:
    return f"{page.number} {page.title}"


def _pictures(question: Question) -> list:
    return [picture for picture in (question.picture, question.picture_afterwards) if picture]


def _id(question: Question) -> str:
    """An identifier begins with a letter."""
    return f"q_{question.key.replace('/', '_')}"


def _file(question: Question) -> str:
    return f"items/{question.key.replace('/', '-')}.xml"
