"""Every number in a sentence is computed: in the text of the pages, in their questions and in their presets' captions.

Asked of every numeral with a decimal point, a per cent sign, a power of ten, a fraction ("17 of 281", "3/4"), or three
and more digits, but for the few kinds of NO_RESULTS. One of these must give the number, rounded to the printed digits:

- an output of its own section, from the heading of level two to the next, or a constant in the section's code; of a
  question also what its own code computes or holds (the answer, the known slips, the constants), of a preset's caption
  also its state, finding and equation;
- an expression in the metadata of its cell, {"numbers": {"5.7 %": "wrong[sure].mean()"}}: for a question or a caption
  that of the code cell that shows it. It is evaluated at the end of the section whenever the page is executed
  (sentence_numbers.py: a proportion for a per cent, a pair for "17 of 281"), so a wrong one fails nbval's run;
- a constant in an expression of the same cell: what is given, where the expression computes what follows from it.

An output proves a number only if a wrong digit would be seen: of all numerals that differ in one digit, at most one in
twenty may be proven by the outputs, too. Where a section is too crowded for that, the number needs an expression. In
questions and captions that holds on average over a chapter: the givens of a task are few numbers, and like each other.
"""

import ast
import builtins
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
import numpy as np
import pytest

from tests.notebooks.sentence_numbers import NUMBER, Numeral, numerals, sections
from tests.notebooks.texts import shown_by, typed
from workbook import explorers

FOLDER = Path(__file__).parents[2] / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
LEAST_SEEN, LEAST_SEEN_ASKED = 0.95, 0.5  # of the wrong digits of one number: on a page, in a question or a caption
MEAN_SEEN_ASKED = 0.92  # over all questions and captions of a page
CONSTANT = -(10**6)  # in place of a line

LABEL = rf"\(?(?:{NUMBER}|[a-z])\)?(?:\([a-z]\))?(?!\w)"
SERIES = rf"(?:{NUMBER})(?:(?: to | and | or |, then |, ){NUMBER})*"
NO_RESULTS = {  # the kinds of numerals that nothing computes; of a pattern with a group only the group
    "code": r"```[\s\S]*?```|`[^`\n]*`",
    "a question's key": r"\b\d\d/[a-z][\w-]*",
    "a link's address": r"\]\([^)\s]*\)|https?://\S+|<[^>]*>",
    "a year": r"(?<![\d.,])(?:1[789]|20)\d\d(?![\d.,]*\d)",
    "a reference": r"\b(?:eqs?\.?|equations?|sections?|chapters?|pages?|figures?|tables?|examples?|theorems?|corollary|"
    r"prop\.|proposition|notes?|corpus|rows?|images?|seeds?|steps?|splits?) "
    rf"{LABEL}(?:(?:, | and | to | or |, and |–|-){LABEL})*",
    "an equation's number": r"\(\d+[a-z]?\)",
    "a journal's volume and pages": r"\*[^*\n]+\*,? (\d+[^.\n]*)",
    "how long it takes": r"\*\*Time\*\*.*|\d+ (?:minutes|seconds)",
    "no number at all": r"(?<![\d.])0 ?/ ?0(?![\d.]*\d)",
    "a level of confidence": r"\b95 %(?= (?:confidence )?interval)",
    "a setting to choose": r"(?-i:\b(?:Move|Set|Drag|Press|Choose|Type|Pull|Put|Turn|Begin|Go)\b"
    r"|(?:[Tt]hen|[Nn]ow|and|or|,) (?:move|set|drag|press|choose|type|pull|put|turn|go)\b)(?:[^.:;?!\n]|\.\d)*?\b"
    rf"(?:to|at|from|between|on|with|=|such as)(?: about)? −?({SERIES})",
}


class Claimed(NamedTuple):
    """A numeral of a text: the page and the place, the words around it, and whether something computes it."""

    page: str
    place: str
    words: str
    numeral: Numeral
    expressions: dict[str, str]
    proof: "Proof"

    @property
    def is_asked(self) -> bool:
        """Whether it stands in a question or a caption, and not in the text of the page."""
        return "," in self.place

    def fault(self) -> str:
        """Say what is wrong with the numeral; nothing if it is computed."""
        if re.match(r"0\d", self.numeral.text):
            return "no number begins so"
        if self.numeral.text in self.expressions or self.is_given():
            return ""
        if not self.proof.prove(self.numeral):
            return f"nothing computes it; the nearest number is {self.proof.nearest(self.numeral)}"
        seen, least = self.share_seen(), LEAST_SEEN_ASKED if self.is_asked else LEAST_SEEN
        return "" if seen >= least else f"only {seen:.0%} of its wrong digits would be seen: give an expression"

    def is_given(self) -> bool:
        """Whether an expression of the cell computes with it: an index or a key is no number to compute with."""
        nodes = [node for expression in self.expressions.values() for node in ast.walk(ast.parse(expression))]
        places = {node for found in nodes if isinstance(found, ast.Subscript) for node in ast.walk(found.slice)}
        given = [n.value for n in nodes if isinstance(n, ast.Constant) and n not in places]
        given = [value for value in given if isinstance(value, int | float)]
        return len(self.numeral.numbers) == 1 and any(np.isclose(self.numeral.numbers[0].value, n, 1e-9) for n in given)

    def share_seen(self) -> float:
        """Compute the share of one-digit faults in the numeral that nothing would prove."""
        if self.numeral.text in self.expressions or self.is_given():
            return 1.0
        wrong = [numeral for text in one_digit_off(self.numeral.text) for _, numeral in numerals(text)]
        return 1 - sum(map(self.proof.prove, wrong)) / len(wrong)

    def __str__(self):
        return f"{self.page}, {self.place}: {self.numeral.text!r} in “…{self.words}…”"


class Proof:
    """What can prove the numbers of a text: lines of outputs, numbers computed beside it, constants of the code."""

    def __init__(self, lines=(), computed=(), constants=()):
        rows = [(line, number) for line, text in enumerate(lines) for _, n in numerals(text) for number in n.numbers]
        rows += [(-1 - place, (abs(value), 15)) for place, value in enumerate(computed)]
        self.line = np.array([line for line, _ in rows], dtype=int)
        self.values, self.decimals = np.array([number for _, number in rows], dtype=float).reshape(-1, 2).T
        self.constants = np.abs(np.array(constants, dtype=float))

    def prove(self, numeral: Numeral) -> bool:
        if len(numeral.numbers) == 1:
            value, decimals = numeral.numbers[0]
            if numeral.is_percent and self.find(100 * value, decimals - 2):
                return True
            return bool(self.find(value, decimals))
        lines = [self.find(*number) for number in numeral.numbers]
        quotient = numeral.quotient
        as_printed = (self.decimals >= 2) & (np.abs(self.values - quotient) <= 0.5 * 10.0**-self.decimals + 1e-9)
        return bool(lines[0] & lines[1] or as_printed.any() or np.isclose(self.constants, quotient, 1e-9, 0).any())

    def find(self, value, decimals) -> set[int]:
        """Find the lines with a number that rounds to this one; a constant must be equal to it."""
        rounded = (self.decimals >= decimals) & (np.abs(self.values - value) <= 0.5 * 10.0**-decimals + 1e-9 * value)
        equal = np.isclose(self.constants, value, 1e-9, 0)
        return {*self.line[rounded].tolist(), *([CONSTANT] if equal.any() else [])}

    def nearest(self, numeral: Numeral) -> str:
        """The printed number nearest to a numeral."""
        if not self.values.size:
            return "none: the section prints none"
        value = numeral.numbers[0].value
        return f"{self.values[np.abs(self.values - value).argmin()]:g}"


def one_digit_off(text: str) -> list[str]:
    """All texts in which one digit is another; a power stays one of ten."""
    places = [found.start() for found in re.finditer(r"[0-9](?<!·1)(?<!·10)", text)]
    return [f"{text[:at]}{other}{text[at + 1 :]}" for at in places for other in "0123456789" if other != text[at]]


# --- what there is to prove -----------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text with its kinds of numerals that are no results blanked out, and its formulas as a reader sees them."""
    text = re.sub(r"\\[,;! ]", " ", text).replace("{,}", ",").replace(r"\%", " %")
    text = re.sub(r"\\[dt]?frac\{([\d.,]+)\}\{([\d.,]+)\}", r"\1/\2", text)
    for name in names_of_presets():
        text = text.replace(f"**{name}**", " ")
    for pattern in NO_RESULTS.values():
        text = re.sub(pattern, lambda found: found[0].replace(found[found.re.groups], " "), text, flags=re.IGNORECASE)
    return text


@cache
def names_of_presets() -> set[str]:
    kinds = [getattr(explorers, name) for name in explorers.__all__]
    return {name for kind in kinds for name in [*getattr(kind, "presets", ()), *getattr(kind, "declared", ())]}


def is_question(cell) -> bool:
    """Whether a cell shows a question: its words are no computation."""
    return bool(re.match(r"(predict|exercise)\(|answer = |def ", cell.source))


def printed(cells) -> tuple[list[str], list[float]]:
    """The lines that the cells of a section print, and the constants of their code."""
    cells = [cell for cell in cells if cell.cell_type == "code" and not is_question(cell)]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for cell in cells for o in cell.outputs]
    return "\n".join(texts).splitlines(), [n for cell in cells for n in typed(ast.parse(cell.source), {})[1]]


def claimed(page: str, book) -> Iterator[Claimed]:
    """Find every numeral of a page that must be computed."""
    for places in sections(book):
        lines, constants = printed([book.cells[place] for place in places])
        for place in places:
            cell = book.cells[place]
            expressions = cell.metadata.get("numbers", {})
            texts = [(f"cell {place}", cell.source, Proof(lines, (), constants))] if cell.cell_type == "markdown" else [
                (f"cell {place}, {shown.place}", shown.words, Proof(lines, shown.computed, shown.constants))
                for shown in shown_by(cell.source)
            ]  # fmt: skip
            for where, text, proof in texts:
                read = plain(text)
                for at, numeral in numerals(read):
                    if numeral.is_result:
                        words = " ".join(read[max(0, at - 40) : at + 40].split())
                        yield Claimed(page, where, words, numeral, expressions, proof)


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def page(request):
    return request.param.stem, nbformat.read(request.param, 4)


def test_every_number_in_a_sentence_is_computed(page):
    faults = [f"{numeral}: {fault}" for numeral in claimed(*page) if (fault := numeral.fault())]
    assert not faults, f"{len(faults)} numbers\n" + "\n".join(faults)


def test_most_wrong_digits_in_questions_would_be_seen(page):
    asked = [claim for claim in claimed(*page) if claim.is_asked]
    shares = {str(claim): claim.share_seen() for claim in asked}
    worst = "\n".join(f"{share:.0%} {claim}" for claim, share in sorted(shares.items(), key=lambda pair: pair[1])[:20])
    assert np.mean(list(shares.values()) or [1]) >= MEAN_SEEN_ASKED, f"{np.mean(list(shares.values())):.3f}\n{worst}"


def test_every_expression_belongs_to_a_number_of_its_cell(page):
    name, book = page
    used = {(claim.place.split(",")[0], claim.numeral.text) for claim in claimed(name, book)}
    for place, cell in enumerate(book.cells):
        for text in cell.metadata.get("numbers", {}):
            assert (f"cell {place}", text) in used, f"{name}, cell {place}: no number {text!r} in its text"


def test_an_expression_computes(page):
    """It names something of the page, or of what expressions may use: a number alone would prove itself."""
    name, book = page
    for place, cell in enumerate(book.cells):
        for text, expression in cell.metadata.get("numbers", {}).items():
            names = {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
            known = names - set(dir(builtins)) - {"np", "stats"}
            assert known, f"{name}, cell {place}: {text!r} is computed from nothing"


# --- the tools ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.105", 0.10486), ("1,440", 1440), (".5", 0.46), ("5.7 %", 0.0572), ("17 of 281", (17, 281)), ("3/4", 0.75),
        ("1.15·10⁻⁵", 1.1534e-5), ("17,645,480", 17645480.2), ("8.75", -8.7469), ("2.5", 2.46), ("2 of 3", "2 of 3"),
    ],
)  # fmt: skip
def test_a_numeral_agrees_with_what_rounds_to_it_and_with_no_other_digit(text, value):
    [(_, numeral)] = numerals(f"It is −{text}, or so.")
    assert numeral.text == text
    assert numeral.agrees(value)
    for wrong in one_digit_off(text):
        for _, other in numerals(wrong):
            assert not other.agrees(value)


def test_what_is_a_numeral_and_what_is_none():
    text = "Of 1,440 names 5.7 % are, 17 of 281; x1, W24, 3-4, 2 to 1, 0.886 of 569; 12 and 112."
    found = [numeral for _, numeral in numerals(text)]
    assert [n.text for n in found if n.is_result] == ["1,440", "5.7 %", "17 of 281", "0.886", "569", "112"]


def test_a_setting_is_one_that_the_reader_is_told_to_choose():
    told = "Move **k** to 0.25, then move it from 0.50 to 0.75. Now set alpha to 0.10. The test set can tell, to .0097."
    assert [numeral.text for _, numeral in numerals(plain(told)) if numeral.is_result] == [".0097"]


def test_a_constant_of_an_expression_is_given_and_an_index_is_not():
    three, one, no_number = (
        Claimed("", "", "", numeral, {"6": "values[1] * 3"}, Proof(["1 9"])) for _, numeral in numerals("3 1 09 %")
    )
    assert three.is_given()
    assert not one.is_given()
    assert no_number.fault() == "no number begins so"


def a_result(value, count):
    return nbformat.v4.new_output("execute_result", {"text/plain": str(value)}, execution_count=count)


def a_page(folder, expression):
    cells = [
        nbformat.v4.new_code_cell("right = 0.75", execution_count=1),
        nbformat.v4.new_markdown_cell("It is 75 %.", metadata={"numbers": {"75 %": expression}}),
        nbformat.v4.new_markdown_cell("## Next"),
        nbformat.v4.new_code_cell("right", execution_count=2, outputs=[a_result(0.75, 2)]),
    ]
    folder.mkdir()
    path = folder / "page.ipynb"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)
    return path


def test_a_wrong_expression_fails_where_a_page_is_executed(tmp_path):
    paths = [a_page(tmp_path / expression, expression) for expression in ("right", "right + 0.01")]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "--nbval", *map(str, paths)],
        cwd=FOLDER.parent, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stdout
    assert re.findall(r"^FAILED .*?(right.*?)/page", ran.stdout, re.M) == ["right + 0.01"]
    assert "cell 1" in ran.stdout
