"""What the first page says of the machine it runs on."""

import re
import sys
from importlib.metadata import PackageNotFoundError

import pytest

from workbook import setup_check
from workbook.setup_check import NEEDED, check_setup


def without(name):
    def version(asked):
        if asked == name:
            raise PackageNotFoundError(asked)
        return "1.2"

    return version


def test_where_all_is_here_nothing_is_missing():
    found = check_setup()
    assert found.missing == ()
    python, *packages = found.lines
    assert re.fullmatch(r"Python 3\.\d+\.\d+\S*", python)
    assert [line.split()[0] for line in packages] == list(NEEDED)
    assert all(re.fullmatch(r"\S+ \d+\.\d+\S*", line) for line in packages)
    assert repr(found).splitlines()[:-1] == list(found.lines)
    assert repr(found).splitlines()[-1].startswith("Everything is here.")


def test_a_package_that_is_not_here_is_named_with_what_to_do(monkeypatch):
    monkeypatch.setattr(setup_check, "version", without("plotly"))
    found = check_setup()
    assert found.missing == ("plotly",)
    assert "plotly is missing" in found.lines
    assert "numpy 1.2" in found.lines
    assert "Missing: plotly. Start the book with `python3 run.py lab`" in repr(found)


@pytest.mark.parametrize(("number", "old"), [((2, 12, 0), True), ((3, 10, 9), True), ((3, 11, 0), False),
                                             ((3, 14, 1), False)])  # fmt: skip
def test_a_python_that_is_too_old_is_named(monkeypatch, number, old):
    monkeypatch.setattr(sys, "version_info", number)
    found = check_setup()
    assert found.missing == (("Python 3.11 or newer",) if old else ())
    assert found.lines[0].endswith(" is too old") == old
