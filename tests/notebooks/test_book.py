"""The notebooks as one book: the map and the notation hold for all of them."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
TEXTS = {
    path.name: "\n\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")
    for path in PATHS
}
START, MAP, NOTATION = "00_start_here.ipynb", "A_how_pages_work.ipynb", "A_notation.ipynb"
NUMBERED = [name for name in TEXTS if name[0].isdigit()]
CORE = [name for name in NUMBERED if name[2] == "_"]
CHAPTERS = [name for name in NUMBERED if name != START]
EVERYWHERE, HERE = (NOTATION, "On every page"), (NOTATION, "On one page or two")
# Signs of mathematics that need no entry: relations, operators, functions, layout.
COMMON = set(
    "log exp expit frac tfrac dfrac sum prod int left right big Big bigl bigr Bigl Bigr qquad quad mid cdot cdots dots "
    "ldots propto le ge ne neq neg lt gt in to infty sqrt begin end pmatrix cases approx times max min cosh mapsto "
    "lvert rvert Longrightarrow bar hat pm".split()
)


def symbols(text):
    """Letters and Greek letters in the formulas of a page, words and names of functions aside."""
    found = set()
    for displayed, inline in re.findall(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", text, re.S):
        formula = re.sub(r"\\(?:text|operatorname|mathrm|begin|end)\{[^}]*\}", " ", displayed or inline)
        found |= {command or letter for command, letter in re.findall(r"\\([a-zA-Z]+)|([a-zA-Z])", formula)}
    return found - COMMON


def rows(name, heading):
    """The rows of the table under a heading of a page, without its head."""
    part = re.search(rf"^#+ {heading}\n(.+?)(?=^#|\Z)", TEXTS[name], re.M | re.S)[1]
    lines = [line.strip().strip("|").split(" | ") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines[2:]]


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_map_says_of_each_page_what_the_page_says(name):
    number = name.partition("_")[0]
    ((_, _, minutes, builds_on),) = [row for row in rows(MAP, "The map") if f"]({name})" in row[1]]
    stated = re.search(r"\*\*Time\*\*: about (\d+) minutes to read, (\d+) for the exercises\.", TEXTS[name])
    assert minutes == " + ".join(stated.groups())
    head = re.search(r"\*\*Builds on\*\*: (.+?)(?:\*\*Leads to|\n\n)", TEXTS[name], re.S)[1]
    assert builds_on.split(", ") == sorted(set(re.findall(r"\b(?:0\d|1[0-2])\b", head)))
    assert all(earlier < number for earlier in builds_on.split(", "))


def test_the_map_is_in_order_and_whole():
    assert [row[0] for row in rows(MAP, "The map")] == [name.partition("_")[0] for name in CHAPTERS]


@pytest.mark.parametrize("name", NUMBERED)
def test_every_symbol_of_a_page_stands_in_the_notation(name):
    number = name.partition("_")[0]
    everywhere = {s for symbol, *_ in rows(*EVERYWHERE) for s in symbols(symbol)}
    here = {s for symbol, _, where in rows(*HERE) if number in re.findall(r"\d\db?", where) for s in symbols(symbol)}
    assert symbols(TEXTS[name]) <= everywhere | here


def test_one_symbol_has_one_meaning():
    lettering = Counter(symbol for symbol, *_ in rows(*EVERYWHERE))
    assert max(lettering.values()) == 1
    local = [(symbol, number) for symbol, _, where in rows(*HERE) for number in re.findall(r"\d\db?", where)]
    assert len(set(local)) == len(local)
    assert not {symbol for symbol, _ in local} & set(lettering)


def test_what_the_notation_lists_is_used():
    for symbol, _, where in rows(*HERE):
        for number in re.findall(r"\d\db?", where):
            (name,) = [name for name in NUMBERED if name.startswith(f"{number}_")]
            assert symbols(symbol) <= symbols(TEXTS[name]), (symbol, name)
    used = {s for name in CHAPTERS for s in symbols(TEXTS[name])}
    assert {s for symbol, *_ in rows(*EVERYWHERE) for s in symbols(symbol)} <= used


def test_the_notation_promises_no_more_than_it_holds():
    meanings = Counter(symbol for symbol, *_ in rows(*HERE))
    ((symbol, count),) = re.findall(r"(\$\w\$) has (\w+)", TEXTS[NOTATION])
    words = "none one two three four five six seven eight".split()
    assert meanings[symbol] == max(meanings.values()) == words.index(count)
    listed = [symbol for symbol, *_ in rows(*HERE)]
    assert len(set(listed)) == sum(a != b for a, b in pairwise([None, *listed])), "a letter's rows stand together"


@pytest.mark.parametrize("name", NUMBERED)
def test_every_page_has_the_way_to_the_notation(name):
    assert f"]({NOTATION})" in TEXTS[name]


@pytest.mark.parametrize("name", list(TEXTS))
def test_logarithms_are_written_alike(name):
    assert r"\ln" not in TEXTS[name]


@pytest.mark.parametrize("name", list(TEXTS))
def test_a_chapter_it_names_is_a_chapter_there_is(name):
    numbers = set(re.findall(r"[Cc]hapters? (0\d|1[0-2])", TEXTS[name]))
    assert numbers <= {other[:2] for other in NUMBERED}


@pytest.mark.parametrize("name", CORE[:-1])
def test_a_page_names_the_next_one(name):
    following = f"{int(name[:2]) + 1:02}"
    takeaway = TEXTS[name][TEXTS[name].index("## Takeaway") :]
    assert re.search(rf"Next: \[?chapter {following}", takeaway), "after the takeaway"
