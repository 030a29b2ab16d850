"""The times on the pages, by one rule: what the first cell says is what the page's words, code and questions take."""

import re
from pathlib import Path

import nbformat
import pytest

from tests.ceilings import count_words
from workbook.learning import contents

PATHS = sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))
# The rule, once. Minutes to read: a hundred words, ten lines of code, an explorer, a prediction. For the exercises: one
# that asks for a number, one that asks for a function. Each sum is rounded to five minutes.
PER_WORD, PER_LINE, PER_EXPLORER, PER_PREDICTION = 1 / 100, 1 / 10, 4, 1.5
PER_NUMBER, PER_FUNCTION = 5, 10


def to_five(minutes):
    """The nearest five minutes, and never none."""
    return max(5, 5 * int(minutes / 5 + 0.5))


def reading(cells):
    """Minutes to read a page, its sources and what is folded aside, and to play with its explorers."""
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    text = re.sub(r"<details.*?</details>", "", text, flags=re.S)
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    lines = [line for source in code for line in source.splitlines() if line.strip()]
    explorers = sum(bool(re.search(r"^\w+Explorer\(.*\)$", source.strip(), re.M)) for source in code)
    predictions = sum(source.startswith("predict(") for source in code)
    return (
        PER_WORD * count_words(text.split("\n## Sources\n")[0])
        + PER_LINE * len(lines)
        + PER_EXPLORER * explorers
        + PER_PREDICTION * predictions
    )


def exercises(items):
    """Minutes for these exercises."""
    return sum(PER_FUNCTION if item.evaluate else PER_NUMBER for item in items)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_page_says_how_long_it_takes(path):
    cells = nbformat.read(path, 4).cells
    items = contents(path.name[:2])
    asked = [items[key] for cell in cells for key in re.findall(r'^exercise\("(.+?)"\)$', cell.source, re.M)]
    read, solve = to_five(reading(cells)), to_five(exercises(asked))
    right = f"**Time**: about {read} minutes to read, {solve} for the exercises."
    (stated,) = [line for cell in cells for line in cell.source.splitlines() if line.startswith("**Time**")]
    assert stated.startswith(right), f"write: {right} (in the map of chapter 00: {read} + {solve})"
