"""Explorers rebuilt for the third edition: one idea, a title, few controls, a whole grid on the site, a short file."""

import ast
import inspect
import random
from datetime import date
from math import prod
from pathlib import Path

import pytest

from workbook import explorers
from workbook.explorer.controls import Steps, Text
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.packs import pack_explorer
from workbook.site.packs.starts import explorer_classes, starts

from ..site.reader import Frames
from .shown import compute_result

REBUILT = sorted(explorer_classes())
PART = 60_000  # bytes of a part of a grid
NAMES = 1100  # states of an explorer with a list of texts to choose from; its grid still is one part of 60 kB


@pytest.fixture(params=REBUILT)
def kind(request):
    return getattr(explorers, request.param)


def test_its_site_holds_every_combination(kind):
    """Of controls whose every step stands on the site: 0 refused, 0 jumps."""
    controls = kind.declared.values()
    assert len(controls) <= 3
    assert all(isinstance(control, Steps | Text) for control in controls)
    states = prod(len(values_of(control)) for control in controls)
    if any(isinstance(control, Text) for control in controls):
        packed = pack_explorer(kind.__name__)
        assert packed["states"] == states < NAMES
        assert len(packed["data"]) < PART
    else:
        assert states <= 500


def values_of(control):
    """The values of a control that the site has."""
    return control.chosen if isinstance(control, Text) else control.values


def test_a_hand_that_moves_at_random_finds_every_frame_on_the_site(thorough):
    """Three explorers drawn by the date in every run, all of them weekly."""
    chance = random.Random(date.today().toordinal())
    for name in REBUILT if thorough else chance.sample(REBUILT, 3):
        packed, catalog = pack_explorer(name), Catalog(explorer_classes()[name], starts()[name])
        frames, counts = Frames(packed["data"]), list(map(len, catalog.values.values()))
        assert packed["states"] == len(frames.places) == prod(counts), name
        for _ in range(10):
            place = tuple(map(chance.randrange, counts))
            assert frames[place]["sentence"] == catalog.frame(place)["sentence"], (name, place)


def test_every_control_changes_the_figure_as_it_starts_and_the_title_is_short(kind):
    explorer, seen = kind(), set()
    for name, control in kind.declared.items():
        values = values_of(control)[:50]
        drawn = [explorer.draw(compute_result(explorer, **{name: value})) for value in values]
        assert len({str(figure) for figure in drawn}) == len(values), name
        seen |= {figure["layout"]["meta"]["head"]["finding"] for figure in drawn}
    assert len(seen) > 2
    assert max(map(len, seen)) <= 75


def test_its_file_is_read_at_a_glance(kind):
    text = Path(inspect.getsourcefile(kind)).read_text("utf-8")
    assert len(text.splitlines()) <= 150
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno - node.lineno < 20, node.name
        merges = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.BitOr)
        assert not merges or ast.unparse(node).endswith("| None"), f"line {node.lineno} merges dicts: marks.py does it"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert "<extra>" not in node.value and not node.value.startswith("#"), node.value  # noqa: PT018
