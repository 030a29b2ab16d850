"""What stands above a question never gives its answer away: goals, headings, text, code and outputs, as saved.

A number gives away an answer if it is printed to three significant digits or more and rounds to it, or is its fraction.
A sentence gives away a choice if it holds the words by which the right option differs from the wrong ones, and enough
of the question's words to be about the same thing.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import nbformat
import pytest

from workbook.learning import contents
from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction

PAGES = sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb"))
NUMBER = re.compile(r"(?<![\w.,/])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(e[+-]?\d+)?(?:\s?(\\?%))?"
                    r"(?!\w|/\d)")  # fmt: skip
# Words that carry nothing by themselves.
STOP = set(
    "a about an and are as at be been both but by can could did do does for from had has have how if in into is it its "
    "just may might of on only or out so than that the their them then there these they this those to up was we were "
    "what when where which who why will with would you your".split()
)
# A number is compared as a number; as a word it stands in too many sentences.
COUNTS = set("zero one two three four five six seven eight nine ten half third quarter".split())
# Comparisons: they need more of the question around them before they tell anything.
WEAK = set("few fewer larger least less little more most not same smaller".split())
ABOUT = 3  # so many of the question's words make a sentence one about the same thing; in a goal or a heading, one less

# (question, where, what): why it tells nothing. What is no longer found must go from here.
COINCIDENCES: dict[tuple[str, str, str], str] = {}


@dataclass(frozen=True)
class Above:
    """A piece of the page: the cell, with its kind (goal, text, code, output), and the text."""

    where: str
    text: str


# --- the rule ----------------------------------------------------------------------------------------------------


def digits(printed):
    """Significant digits of a printed number."""
    return len(printed.replace(",", "").replace(".", "").lstrip("0"))


def telling(value):
    """Worth looking for: not a half, not a whole number below 10."""
    rounded = float(f"{abs(value):.3g}")
    return rounded != 0.5 and (rounded >= 10 or rounded != int(rounded))


def numbers_like(value, text, short=True):
    """The numbers in a text that print a value to three significant digits or more; if short, also 0.4, 10 or 1/4."""
    found = []
    if not telling(value):
        return found
    for match in NUMBER.finditer(text):
        number = float(match[1].replace(",", "") + (match[2] or "")) / (100 if match[3] else 1)
        close = digits(match[1]) >= 3 and f"{number:.3g}" == f"{abs(value):.3g}"
        if close or (short and abs(number - abs(value)) <= 1e-9 * abs(value)):
            found.append(match[0].strip())
    fraction = Fraction(value).limit_denominator(2000)
    if (short or fraction.denominator > 10) and fraction.denominator > 2 and abs(fraction - value) <= 1e-9 * abs(value):
        top, bottom = abs(fraction.numerator), fraction.denominator
        ways = [rf"(?<![\d/.]){top}\s?/\s?{bottom}(?![\d/])", rf"frac\{{{top}\}}\{{{bottom}\}}"]
        found += [match[0] for way in ways for match in re.finditer(way, text)]
    return found


def stem(word):
    for ending in ("ies", "ing", "ed", "es", "s", "ly", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending) + "y" * (ending == "ies")
    return word


def stems(text):
    words = re.findall(r"[a-z]+|\d+(?:[.,]\d+)*", text.lower())
    return {stem(word) for word in words if word not in STOP}


def sentences(text):
    plain = re.sub(r"\$\$.*?\$\$|[*`_]", " ", text, flags=re.S)
    return [part.strip() for part in re.split(r"(?<=[.!?:;])\s+|\n+|\|", plain) if part.strip()]


def written(option):
    """Decimals and percentages, as an option writes them."""
    return set(re.findall(r"(?<![\w.])(?:\d*\.\d+|\d+(?= %))(?: %)?", option))


class Answer:
    """What to look for above a question. subject: the page's title; its words and the book's tell nothing."""

    def __init__(self, item, subject=""):
        self.key, self.own, self.asked, self.written = item.key, set(), set(), set()
        self.chosen = isinstance(item, Prediction) and bool(item.options)
        if isinstance(item, Exercise):
            self.numbers = [] if item.evaluate else [float(item.expected())]
        else:
            self.numbers = list(item.drawn.computed()) if item.drawn else [float(item.truth())]
        if self.chosen:
            right = item.right_option()
            wrong = [option for option in item.options if option != right]
            own = stems(right) - set().union(*map(stems, wrong)) or stems(right)
            self.own = {word for word in own if not word[0].isdigit()} - set(map(stem, COUNTS))
            self.asked = stems(item.question) - self.own - stems(f"naive Bayes {subject}")
            self.written = written(right) - set().union(*map(written, wrong))

    def said_by(self, piece):
        """The sentences that hold the right option's own words and speak of what is asked."""
        need = ABOUT - piece.where.endswith((":goal", ":heading")) + (self.own <= set(map(stem, WEAK)))
        told = [(sentence, stems(sentence)) for sentence in sentences(piece.text)] if self.own else []
        return [s for s, words in told if self.own <= words and len(words & self.asked) >= min(need, len(self.asked))]

    def found_in(self, pieces):
        """(question, where, what) of all that gives the answer away."""
        found = []
        for piece in pieces:
            short = not (self.chosen or piece.where.endswith(":code"))
            what = [number for value in self.numbers for number in numbers_like(value, piece.text, short)]
            what += [n for n in self.written if re.search(rf"(?<![\w.]){re.escape(n)}(?!\d)", piece.text)]
            found += [(self.key, piece.where, thing) for thing in dict.fromkeys(what + self.said_by(piece))]
        return found


# --- the pages ---------------------------------------------------------------------------------------------------


def pieces_of(cell):
    """What a cell that asks nothing shows: its text line by line, or its code and what came out."""
    if cell.cell_type == "markdown":
        for line in cell.source.splitlines():
            kind = "heading" if line.startswith("#") else "goal" if cell.id in ("title", "goals") else "text"
            yield Above(f"{cell.id}:{kind}", line)
        return
    yield Above(f"{cell.id}:code", cell.source)
    for output in cell.outputs:
        yield Above(f"{cell.id}:output", output.get("text") or output.get("data", {}).get("text/plain", ""))


@cache
def given_away(path):
    """What stands above a question of a page and tells its answer, when the reader has revealed all answers before."""
    book = nbformat.read(path, 4)
    items, above, found, title = contents(path.name[:2]), [], [], book.cells[0].source.splitlines()[0]
    for cell in book.cells:
        asks = re.match(r'(?:predict|exercise)\("(.+?)"\)', cell.source) if cell.cell_type == "code" else None
        if not asks:
            above += pieces_of(cell)
            continue
        item = items[asks[1]]
        found += Answer(item, title).found_in(above)
        if isinstance(item, Prediction):
            told = {"question": item.question, "reason": item.reason(item.truth())}
        else:
            told = {"task": item.task, "well done": item.well_done}
        above += [Above(f"{item.key}:{kind}", text) for kind, text in told.items()]
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_nothing_above_a_question_gives_its_answer_away(path):
    found = [thing for thing in given_away(path) if thing not in COINCIDENCES]
    assert not found, "\n" + "\n".join(map(str, found))


def test_every_coincidence_is_still_there():
    gone = set(COINCIDENCES) - {thing for path in PAGES for thing in given_away(path)}
    assert not gone, "no longer found: take them out of the table"
    assert all(len(reason) > 30 for reason in COINCIDENCES.values())


# --- the rule, on examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        (0.191067, "Chinese Tokyo Japan   0.374   0.388   0.191", ["0.191"]),
        (0.191067, "about 19.1 % of them, 0.19107 to be exact", ["19.1 %", "0.19107"]),
        (0.191067, "0.19, 0.1915, 0.0191, x0.191, 1.191", []),
        (4 / 7, "it is 4/7, or $\\tfrac{4}{7}$; not 4/70", ["4/7", "frac{4}{7}"]),
        (0.75, "P(A | x) = 0.75000", ["0.75000"]),
        (-1234, "1,234 of them, 1,235", ["1,234"]),
        (0.5, "0.500", []),
        (7, "7 days", []),
        (1.2e-7, "1.2e-07", ["1.2e-07"]),
    ],
)
def test_a_number_gives_away_what_it_rounds_to(value, text, found):
    assert numbers_like(value, text) == found


SUN = Prediction(
    "99/sun",
    question="How often does the sun rise over a town in the north?",
    options={"hardly ever, if at all": lambda truth: truth < 1, "every single morning": lambda truth: truth >= 1},
    truth=lambda: 7,
    reason=lambda truth: "",
)


@pytest.mark.parametrize(
    ("where", "text", "given"),
    [
        ("title:goal", "- why the sun rises every single morning,", True),
        ("sun:heading", "## 2. Every single morning the town sees the sun", True),
        ("sun:text", "It is known. Every single morning the sun rises over the town.", True),
        ("sun:text", "Every single morning has its coffee. The sun rises over the town.", False),
        ("title:goal", "- how often the sun rises over a town,", False),
    ],
)
def test_a_sentence_gives_away_an_option_by_its_own_words(where, text, given):
    assert bool(Answer(SUN).found_in([Above(where, text)])) == given


# The first edition's exercise: its answer was the last number of the table above it.
ABSENT = Exercise("99/absent", "Chinese, Tokyo and Japan are there. P(China)?", lambda: 0.1911, (), "", "")


@pytest.mark.parametrize(
    ("item", "where", "text"),
    [
        (ABSENT, "compare:output", "Chinese Tokyo Japan                0.374      0.388      0.191"),
        (contents("10")["10/errors"], "title:goal",
         "- why naive Bayes gets fewer of twenty rows wrong than logistic regression,"),
    ],
)  # fmt: skip
def test_what_once_gave_an_answer_away_is_found(item, where, text):
    assert Answer(item).found_in([Above(where, text)])
