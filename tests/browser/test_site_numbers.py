"""Numbers and verdicts on the site are those of the notebooks: one table of answers, run through both."""

import json
from pathlib import Path

import numpy as np
import pytest

from workbook import site
from workbook.chapters import chapter_packages
from workbook.explorer.formatting import say
from workbook.learning import contents, variants
from workbook.questions.compare import alike, same
from workbook.questions.exercises import Exercise
from workbook.questions.typed import read_number

pytestmark = pytest.mark.browser
SITE = Path(site.__file__).parent
LONG = [
    "(" * 500, "(" * 199 + "1" + ")" * 199, "(" * 201 + "1" + ")" * 201, "9" * 400 + "/1", "9" * 308, "9" * 310,
    "-" * 90 + "1", "0." + "3" * 200, "1" + "+1" * 100, "x" * 100, "'" * 60, "1 " * 30, "1,234 " * 10,
]  # fmt: skip
TABLE = [*json.loads((Path(__file__).parents[1] / "site" / "answers.json").read_text("utf-8")), *LONG]
NEAR = [0.1, 0.125, 0.0125, 0.995, 0.9995, 1.0, 1.005, 1.015, 2.5, 9.95, 9.995, 10.0, 10.05, 99.5, 123.456, 999.5, 1e3,
        1e-5, 2.675e-7, 4.5e10, -1 / 3, -12.5, 0.0, np.inf, 0.5, 0.615, 0.62, 1 / 3, 5e-324, 1.7e308]  # fmt: skip
FACTORS = [1, 1 + 1e-9, 1.0009, 1.001, 1.004, 1.0049, 1.005, 1.0051, 1.01, 1.02, 1.05, 0.999, 0.995, 0.9951, 0.99, 0.96,
           -1, 0, 10, 0.01]  # fmt: skip
TOLERANCES = [5e-3, 2e-3, 3e-2, 3.6e-2]
DIGITS = "%.3g", "%#.3g"


@pytest.fixture(scope="module")
def page(browser):
    opened = browser.new_page()
    opened.set_content("<p></p>")
    names = "numbers.js", "digits.js", "compare.js"
    opened.add_script_tag(content="\n".join((SITE / "player" / name).read_text(encoding="utf-8") for name in names))
    yield opened
    opened.close()


def read(text):
    """As the notebook reads it: a number, or what it says."""
    try:
        return read_number(text)
    except ValueError as problem:
        return str(problem)


def number(value):
    """A number as a page can hold it."""
    return value if np.isfinite(value) else str(value)


def test_the_table_is_long_and_knows_every_outcome():
    read_ = [read(text) for text in TABLE]
    assert len(TABLE) >= 300
    words = [one for one in read_ if isinstance(one, str)]
    assert 80 <= len(read_) - len(words)
    for kind in ("is not a number I can read", "divides by 0", "two ways", "nan is not a number"):
        assert sum(kind in one for one in words) >= 3


def test_every_answer_is_read_alike(page):
    ours = page.evaluate(
        """table => table.map((text) => {
        try { const value = readNumber(text); return Number.isFinite(value) ? value : unbounded(value); }
        catch (problem) { if (!(problem instanceof Unread)) throw problem; return { words: problem.message }; }
    })""",
        TABLE,
    )
    different = []
    for text, got in zip(TABLE, ours, strict=True):
        wanted = read(text)
        if isinstance(got, dict) or isinstance(wanted, str):
            alike_ = isinstance(got, dict) and got["words"] == wanted
        else:
            got, wanted = float(got), float(wanted)
            alike_ = got == wanted or abs(got - wanted) <= 1e-14 * abs(wanted)
        if not alike_:
            different.append((text, wanted, got))
    assert different == [], different


def pairs():
    return [(b * factor, b) for b in NEAR for factor in FACTORS if not np.isnan(b * factor)]


def test_the_same_answers_count_as_the_same(page):
    cases = [(number(a), number(b), t) for a, b in pairs() for t in TOLERANCES]
    ours = page.evaluate(
        "cases => cases.map(([a, b, t]) => sameAnswer(Number(String(a).replace('inf', 'Infinity')), "
        "Number(String(b).replace('inf', 'Infinity')), t))",
        cases,
    )
    wanted = [same(np.array(a), np.array(b), t) for a, b in pairs() for t in TOLERANCES]
    assert 0.1 < np.mean(wanted) < 0.9
    assert [case for case, x, y in zip(cases, ours, wanted, strict=True) if x != y] == []


def test_the_site_takes_the_three_digits_that_it_asks_for(page):
    """Of every task with a number, the book's and all other numbers that can be drawn."""
    items = [item for chapter in chapter_packages() for item in contents(chapter).values()
             if isinstance(item, Exercise)]  # fmt: skip
    tasks = [one for item in items if not item.evaluate for one in (item, *variants(item, 1000))]
    cases = [(form % float(one.expected()), float(one.expected()), one.tolerance) for one in tasks for form in DIGITS]
    assert len(cases) > 2000
    ours = page.evaluate("cases => cases.map(([typed, b, t]) => sameAnswer(readNumber(typed), b, t))", cases)
    assert [case for case, right in zip(cases, ours, strict=True) if not right] == []


def test_the_same_answers_are_nearly_right(page):
    cases = [(a, b) for a, b in pairs() if np.isfinite([a, b]).all()]
    ours = page.evaluate("cases => cases.map(([a, b]) => alike(a, b))", cases)
    wanted = [bool(alike(a, b)) for a, b in cases]
    assert 0.1 < np.mean(wanted) < 0.9
    assert [case for case, x, y in zip(cases, ours, wanted, strict=True) if x != y] == []


def test_numbers_are_said_alike(page):
    """Also where a digit is exactly halfway: 0.125 is 0.12 and 0.375 is 0.38."""
    thousandths, sixteenths = (k / 1000 for k in range(-1500, 1500, 7)), (k / 16 for k in range(200))
    fine, powers = (k / 2**20 for k in range(0, 9999, 99)), (2.0**k for k in range(-60, 70, 3))
    halves, decades = (x + 0.5 for x in range(990, 1010)), (12345 * 10.0**k for k in range(-9, 9))
    values = [*NEAR, *thousandths, *sixteenths, *fine, *powers, *halves, *decades]
    values = [value for value in values if np.isfinite(value)]
    threes, twos = page.evaluate("values => [values.map(threeDigits), values.map((value) => fixed(value, 2))]", values)
    assert threes == [say(value) for value in values]
    small = [k for k, value in enumerate(values) if abs(value) < 1e20]
    assert [twos[k] for k in small] == [f"{values[k]:.2f}" for k in small]
