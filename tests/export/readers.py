"""Readers of what was written, from the formats' own descriptions: they know nothing of workbook.export.

A reader gives what a platform would: `answered(value)` -> the share of full marks and the words said to it. What it
does not know it refuses. The rules below say which attributes an element has (with a star: must have), and its children
in their order. Those of QTI stand in for the official XSDs, which may not be handed on; test_qti.py reads these weekly.
Those of Moodle are what question/format/xml/format.php reads of our kinds of questions: it passes over anything else. A
Moodle 4.2 took all 177 questions of an earlier edition from such files, and graded them right.
"""

import csv
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from xml.etree import ElementTree

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
BLOCK, INLINE = "(p|pre)", "(small|a|img)"
IDENTIFIER = re.compile(r"[A-Za-z_][\w.-]*")
FLOAT = re.compile(r"[+-]?\d+(\.\d+(e[+-]?\d+)?)?")  # stricter than xs:double: TAO's qti-sdk reads no 2e-06

RULES = {
    "assessmentItem": (
        "identifier* title* adaptive* timeDependent* lang",
        "(responseDeclaration )*(outcomeDeclaration )*(stylesheet )*itemBody responseProcessing (modalFeedback )*",
    ),
    "responseDeclaration": ("identifier* cardinality* baseType", "(correctResponse )?"),
    "outcomeDeclaration": ("identifier* cardinality* baseType", "(defaultValue )?"),
    **dict.fromkeys(["correctResponse", "defaultValue"], ("", "(value )+")),
    **dict.fromkeys(["value", "pre"], ("", "")),
    "stylesheet": ("href* type*", ""), "itemBody": ("", f"({BLOCK} |choiceInteraction )*"),
    "choiceInteraction": ("responseIdentifier* shuffle maxChoices", "(prompt )?(simpleChoice )+"),
    **dict.fromkeys(["prompt", "small"], ("", f"({INLINE} )*")),
    "simpleChoice": ("identifier*", f"({BLOCK} |{INLINE} )*"),
    "textEntryInteraction": ("responseIdentifier* expectedLength", ""),
    "p": ("", f"({INLINE} |textEntryInteraction )*"), "a": ("href*", ""), "img": ("src* alt* width height class", ""),
    "responseProcessing": ("", "(responseCondition )*"),
    "responseCondition": ("", "responseIf (responseElseIf )*(responseElse )?"),
    **dict.fromkeys(["responseIf", "responseElseIf"], ("", "(equal|match) (setOutcomeValue )*")),
    **dict.fromkeys(["responseElse", "outcomeProcessing"], ("", "(setOutcomeValue )*")),
    "equal": ("toleranceMode* tolerance", "variable baseValue "), "match": ("", "variable correct "),
    **dict.fromkeys(["variable", "correct"], ("identifier*", "")),
    "baseValue": ("baseType*", ""), "setOutcomeValue": ("identifier*", "(baseValue|sum) "),
    "modalFeedback": ("outcomeIdentifier* identifier* showHide*", f"({BLOCK} )*"),
    "assessmentTest": ("identifier* title*", "(outcomeDeclaration )*(testPart )+(outcomeProcessing )?"),
    "testPart": ("identifier* navigationMode* submissionMode*", "(itemSessionControl )?(assessmentSection )+"),
    "itemSessionControl": ("maxAttempts showFeedback", ""),
    "assessmentSection": ("identifier* title* visible*", "(assessmentItemRef )*"),
    "assessmentItemRef": ("identifier* href*", ""),
    "sum": ("", "testVariables "), "testVariables": ("variableIdentifier*", ""),
}  # fmt: skip
PLAIN = "text defaultgrade penalty hidden idnumber single shuffleanswers answernumbering tolerance".split()
MOODLE = {
    "quiz": ("", "(question )+"),
    "question": ("type*", "category info |name questiontext generalfeedback defaultgrade penalty hidden idnumber "
                 "(single shuffleanswers answernumbering )?(answer )+tags "),
    **dict.fromkeys(["category", "name", "tag"], ("", "text ")), "tags": ("", "(tag )+"),
    **dict.fromkeys(["info", "questiontext", "generalfeedback", "feedback"], ("format*", "text (file )?")),
    "answer": ("fraction* format*", "text feedback (tolerance )?"), "file": ("name* path* encoding*", ""),
    **dict.fromkeys(PLAIN, ("", "")),
}  # fmt: skip
NUMBER = r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?"  # what Moodle's numerical question takes, units apart
VALUES = {  # what the importer knows of a value: another ends the import, or becomes a default without a word
    "question/@type": "category|multichoice|numerical", ".//answer/@fraction": "0|100",
    ".//*[@format]/@format": "html|moodle_auto_format|plain_text|markdown", ".//file/@encoding": "base64",
    ".//penalty": NUMBER, ".//defaultgrade": NUMBER, ".//tolerance": NUMBER, ".//hidden": "0|1",
    ".//single": "true|false", ".//shuffleanswers": "true|false", ".//answernumbering": "none|abc|ABCD|123|iii|IIII",
    ".//name/text": ".{1,255}", ".//idnumber": ".{1,100}",
    ".//tag/text": ".{1,50}", "question[@type='numerical']/answer/text": rf"{NUMBER}|\*",
    "question/category/text": r"top(/([^/]|//)+)+",
}
TEXT = {"value", "prompt", "simpleChoice", "p", "pre", "small", "a", "baseValue", "file", *PLAIN}  # hold words


def local(name):
    return name.rpartition("}")[2]


def faults(root, rules=RULES, namespace=f"{{{QTI}}}"):
    """What is against the rules, as sentences."""
    for element in root.iter():
        name = local(element.tag)
        if element.tag != f"{namespace}{name}" or name not in rules:
            yield f"{element.tag} is unknown"
            continue
        said, children = rules[name]
        known = {word.rstrip("*") for word in said.split()}
        must = {word[:-1] for word in said.split() if word.endswith("*")}
        given = {local(key) for key in element.attrib} - {"schemaLocation"}
        if not must <= given <= known:
            yield f"{name} has {sorted(given)}"
        if not re.fullmatch(children, "".join(f"{local(child.tag)} " for child in element)):
            yield f"{name} holds {[local(child.tag) for child in element]}"
        words = "".join([element.text or "", *(child.tail or "" for child in element)]).strip()
        if words and name not in TEXT:
            yield f"{name} holds words: {words[:30]}"
        floats = element.get("tolerance", "").split()
        if element.get("baseType") == "float":
            floats += [one.text or "" for one in element.iter() if local(one.tag) in ("value", "baseValue")]
        yield from (f"{word} is no float" for word in floats if not FLOAT.fullmatch(word))
        identifier = element.get("identifier")
        if identifier is not None and not IDENTIFIER.fullmatch(identifier):
            yield f"{identifier} is no identifier"


def moodle_faults(root):
    """What Moodle's importer would not take, as sentences."""
    yield from faults(root, MOODLE, "")
    for path, known in VALUES.items():
        path, _, attribute = path.partition("/@")
        for one in root.findall(path):
            value = one.get(attribute) if attribute else one.text
            if not re.fullmatch(known, value or ""):
                yield f"{path} {attribute}: {value}"
    keys = [one.text for one in root.iter("idnumber")]
    yield from (f"{key} is there twice" for key in keys if keys.count(key) > 1)


ANKI = {"separator": "(?i:comma|semicolon|tab|space|pipe|colon)", "html": "true|false", "notetype": ".+",
        "deck column": "[1-9]", "tags column": "[1-9]", "guid column": "[1-9]"}  # fmt: skip


def anki(text):
    """(headers, rows) as Anki's manual has it, Importing, Text files: key:value behind # at the top, then fields."""
    lines = text.splitlines()
    headers = dict(line[1:].split(":", 1) for line in lines if line[0] == "#")
    assert all(re.fullmatch(ANKI[key], value) for key, value in headers.items()), headers
    assert headers["separator"] == "tab"
    rows = list(csv.reader(lines[len(headers) :], delimiter="\t", strict=True))
    (width,) = {len(row) for row in rows}  # what a longer row has more is lost
    assert all(int(value) <= width for key, value in headers.items() if key.endswith("column"))
    return headers, rows


def run_with(package, folder, code, *arguments):
    """What a program prints that has a package from the network, in a folder of its own."""
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", folder, package], check=True)
    command = [sys.executable, "-c", code, *map(str, arguments)]
    env = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True).stdout


def plain(page):
    """The words of a piece of HTML."""
    words = []
    reader = HTMLParser()
    reader.handle_data = words.append
    reader.handle_endtag = lambda tag: words.append(" ")
    reader.feed(page)
    return " ".join("".join(words).split())


@dataclass
class Read:
    """One question as a platform has it. body and shown: HTML; options: value to hand in -> its words."""

    key: str
    body: str
    shown: str
    options: dict
    tags: list
    files: dict
    answered: object


# --- Moodle ----------------------------------------------------------------------------------------------------------


def moodle(root):
    """(category, [Read])."""
    assert list(moodle_faults(root)) == []
    first, *others = root
    assert first.get("type") == "category"
    return first.findtext("category/text"), [_moodle(question) for question in others]


def _moodle(question):
    kind, answers = question.get("type"), question.findall("answer")
    assert max(float(answer.get("fraction")) for answer in answers) == 100
    files = {file.get("name"): file.text for file in question.iter("file")}
    if kind == "multichoice":
        assert question.findtext("single") == "true"
        options = {str(n): plain(answer.findtext("text")) for n, answer in enumerate(answers)}
    else:
        options = {}

    def answered(value):
        for n, answer in enumerate(answers):
            text = answer.findtext("text")
            if str(n) == value if kind == "multichoice" else text == "*" or _within(answer, float(text), value):
                return float(answer.get("fraction")) / 100, plain(answer.findtext("feedback/text"))
        raise AssertionError("Moodle would say nothing")

    return Read(
        question.findtext("idnumber"), question.findtext("questiontext/text"),
        question.findtext("generalfeedback/text"), options,
        [tag.findtext("text") for tag in question.iterfind("tags/tag")], files, answered,
    )  # fmt: skip


def _within(answer, number, value):
    """As Moodle compares: nominal tolerance, and a little more for the floats."""
    return abs(value - number) <= float(answer.findtext("tolerance")) + 1e-14 * max(1, abs(number))


# --- QTI -------------------------------------------------------------------------------------------------------------


def qti(root, key):
    """An assessmentItem; key: what the manifest calls it."""

    def found(path):
        return root.findall("/".join(f"{{{QTI}}}{step}" if step else "" for step in path.split("/")))

    (declared,) = found("responseDeclaration")
    (right,) = found("responseDeclaration/correctResponse/value")
    outcomes = {one.get("identifier") for one in found("outcomeDeclaration")}
    said = {one.get("identifier"): one for one in found("modalFeedback")}
    choices = [one for one in root.iter(f"{{{QTI}}}simpleChoice")]
    number = declared.get("baseType") == "float"

    def holds(test, value):
        inside = [local(part.tag) for part in test]
        if local(test.tag) == "match":
            return inside == ["variable", "correct"] and value == right.text
        low, high = map(float, test.get("tolerance").split())
        assert test.get("toleranceMode") == "absolute"
        return float(test[1].text) - low <= value <= float(test[1].text) + high

    def answered(value):
        state = {"SCORE": "0", "FEEDBACK": None}
        (condition,) = found("responseProcessing/responseCondition")
        for branch in condition:
            tests = [part for part in branch if local(part.tag) != "setOutcomeValue"]
            if all(holds(test, value) for test in tests):
                for change in branch[len(tests) :]:
                    assert change.get("identifier") in outcomes
                    state[change.get("identifier")] = change[0].text
                break
        shown = said[state["FEEDBACK"]]
        return float(state["SCORE"]), _words(shown)

    (body,) = found("itemBody")
    options = {choice.get("identifier"): _words(choice) for choice in choices}
    assert number != bool(options)
    pages = [ElementTree.tostring(part, "unicode") for part in (body, *said.values())]
    return Read(key, pages[0], "".join(pages[1:]), options, [], {}, answered)


def _words(element):
    return plain(ElementTree.tostring(element, "unicode"))
