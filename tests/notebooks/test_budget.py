"""A page is a sitting: its words, output, figures, questions and minutes have a budget; its first screen moves."""

import re
from pathlib import Path

import nbformat
import pytest

from tests.ceilings import count_page, count_words
from workbook.learning import contents
from workbook.questions.exercises import Exercise

PAGES = {path.stem.partition("_")[0]: path
         for path in sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))}  # fmt: skip
BUDGET = {
    "minutes": (5, 50), "words of text": (1, 1600), "words of output": (0, 700), "explorers": (2, 3),
    "predictions": (4, 6), "exercises": (3, 5), "words before the first explorer": (1, 60),
    "questions in the title": (1, 1),
}  # fmt: skip
PHONE = 47  # characters of printed output on 390 px


def measure(cells) -> dict[str, int]:
    """Count what BUDGET limits."""
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    drawn = [at for at, cell in enumerate(cells)
             if cell.cell_type == "code" and re.search(r"^\w+Explorer\(.*\)", cell.source, re.M)]  # fmt: skip
    minutes = re.search(r"^\*\*Time\*\*: about (\d+) minutes to read, (\d+) for", text, re.M)
    return {
        "minutes": sum(map(int, minutes.groups())),
        "words of text": len(re.findall(r"\w+", text)),  # each of a formula, and of what is folded
        "words of output": count_page(cells)[1],
        "explorers": len(drawn),
        "predictions": sum(source.startswith("predict(") for source in code),
        "exercises": sum(source.startswith("exercise(") for source in code),
        "words before the first explorer": sum(count_words(cell.source) for cell in cells[: drawn[0]]),
        "questions in the title": len(re.findall(r"^\*[^*]+\?\*$", cells[0].source, re.M)),
    }


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_a_sitting(page):
    found = measure(nbformat.read(PAGES[page], 4).cells)
    print(page, found)
    over = {name: found[name] for name, (low, high) in BUDGET.items() if not low <= found[name] <= high}
    assert not over


@pytest.mark.parametrize("page", PAGES)
def test_printed_columns_stay_under_each_other_on_a_phone(page):
    """Longer lines wrap there."""
    printed = "".join(output.text for cell in nbformat.read(PAGES[page], 4).cells for output in cell.get("outputs", [])
                      if output.output_type == "stream")  # fmt: skip
    wide = [line for line in printed.splitlines() if re.search(r"\S {2,}\S", line) and len(line.rstrip()) > PHONE]
    assert not wide


@pytest.mark.parametrize("page", PAGES)
def test_each_exercise_has_a_help_of_its_own(page):
    keys = re.findall(r'"exercise\(\\"(.+?)\\"\)', PAGES[page].read_text("utf-8"))
    helps = {contents(key[:2])[key].help for key in keys}
    assert len(helps - {Exercise.help}) == len(keys) >= BUDGET["exercises"][0]


def test_six_pages_are_deeper_ones():
    assert sum(page.endswith("b") for page in PAGES) <= 6
