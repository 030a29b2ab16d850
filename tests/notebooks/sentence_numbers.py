"""Find the numbers in sentences, read them, and compare them with what is computed.

A cell's metadata may say how numbers of its text are computed: {"numbers": {"5.7 %": "wrong[sure].mean()"}}. The
expressions are evaluated at the end of the cell's section whenever the page is executed, with the names of the page and
those of `names_for_expressions`. tests/notebooks/test_numbers.py says which numbers need one.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from nbformat import NotebookNode, v4

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
NUMERAL = re.compile(
    rf"(?<![\w.,])(?:(?P<mantissa>{NUMBER})·10(?P<power>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    rf"|(?P<part>{NUMBER})(?: ?/ ?|(?<!\.\d)(?<!\.\d\d)(?<!\.\d\d\d) (?:out )?of (?:the |all |its |these )?)"
    rf"(?P<whole>{NUMBER})(?! ?%)"
    rf"|(?P<plain>{NUMBER})(?P<percent> ?%)?)(?!\w|\.\d|,\d)"
)
DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class Number(NamedTuple):
    """A number as it is printed: its value without a sign, and the place of its last digit (3 for 0.105)."""

    value: float
    decimals: int

    def rounds(self, value: float) -> bool:
        """Return whether a computed value, rounded to the printed digits, is this number (ties go both ways)."""
        return abs(abs(value) - self.value) <= 0.5 * 10.0**-self.decimals + 1e-9 * self.value


class Numeral(NamedTuple):
    """A numeral of a text: as printed, and the numbers in it, two for a fraction such as "17 of 281"."""

    text: str
    numbers: tuple[Number, ...]

    @property
    def is_percent(self) -> bool:
        return self.text.endswith("%")

    @property
    def is_result(self) -> bool:
        """Tell whether it must be computed: a point, a per cent sign, a fraction, a power of ten, or three digits."""
        return bool(re.search(r"[%./·]|of", self.text)) or sum(map(str.isdigit, self.text)) > 2

    @property
    def quotient(self) -> float:
        """The value of a fraction, nan where it divides by 0."""
        part, whole = (number.value for number in self.numbers)
        return part / whole if whole else math.nan

    def agrees(self, value) -> bool:
        """Tell whether a computed value is this numeral: a number, a proportion for a per cent, a pair or a quotient
        for a fraction; a text must be equal to the letter."""
        if isinstance(value, str):
            return value == self.text
        values = value if isinstance(value, tuple) else (value,)
        if len(values) == len(self.numbers):
            return all(number.rounds(float(value)) for number, value in zip(self.numbers, values, strict=True))
        return len(values) == 1 and abs(abs(float(value)) - self.quotient) < 1e-9


def read_number(digits: str, power: int = 0) -> Number:
    """Read the digits of one number, times a power of ten."""
    value = float(digits.replace(",", "")) * 10.0**power
    return Number(value, len(digits.partition(".")[2]) - power)


def numerals(text: str) -> Iterator[tuple[int, Numeral]]:
    """Find every numeral of a text; yield where it begins, and the numeral."""
    for found in NUMERAL.finditer(text):
        if found["mantissa"]:
            numbers = (read_number(found["mantissa"], int(found["power"].translate(DIGITS))),)
        elif found["part"]:
            numbers = read_number(found["part"]), read_number(found["whole"])
        else:
            numbers = (read_number(found["plain"], -2 if found["percent"] else 0),)
        yield found.start(), Numeral(found[0], numbers)


def names_for_expressions() -> dict:
    """Return what expressions can use besides the names of their page."""
    import numpy as np
    import scipy  # which loads scipy.stats where it is asked for: a second

    import nbcore
    from workbook import experiments
    from workbook.book import find
    from workbook.chapters import chapter_module
    from workbook.learning import contents

    def truth(key: str) -> float:
        """Compute the answer of a prediction or an exercise."""
        item = contents(key.partition("/")[0])[key]
        return item.truth() if hasattr(item, "truth") else item.expected()

    modules = dict(np=np, scipy=scipy, nbcore=nbcore, experiments=experiments)
    return modules | dict(truth=truth, claim=find, module=chapter_module)


def check_numerals(expressions: dict[str, str], names: dict, where: str) -> None:
    """Evaluate the expressions; raise a ValueError that names each numeral that is not what its expression gives."""
    faults, scope = [], names_for_expressions() | names
    for text, expression in expressions.items():
        found = [numeral for _, numeral in numerals(text)]
        if len(found) != 1 or found[0].text != text:
            faults.append(f"{text!r} is not one numeral")
            continue
        value = eval(expression, scope)
        if not found[0].agrees(value):
            faults.append(f"{text!r} is printed, and {expression} is {value!r}")
    if faults:
        raise ValueError(f"{where}: " + "; ".join(faults))


def sections(book: NotebookNode) -> list[list[int]]:
    """Group the places of a notebook's cells by its headings of level two; what comes before the first is a group."""
    parts: list[list[int]] = [[]]
    for place, cell in enumerate(book.cells):
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            parts.append([])
        parts[-1].append(place)
    return parts


def check_cells(book: NotebookNode) -> dict[int, NotebookNode]:
    """Make a code cell for each section with expressions; the key is the place of the section's last cell."""
    found = {}
    for places in sections(book):
        lines = [
            f"_check({dict(expressions)!r}, globals(), 'cell {place}, {book.cells[place].id}')"
            for place in places
            if (expressions := book.cells[place].metadata.get("numbers"))
        ]
        if lines:
            source = ["from tests.notebooks.sentence_numbers import check_numerals as _check", *lines, "del _check"]
            found[places[-1]] = v4.new_code_cell("\n".join(source))
    return found
