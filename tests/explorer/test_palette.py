"""Colours by their numbers."""

from workbook.explorer.palette import BLUE, CLASS_COLORS, CLASS_DASHES, CLASS_MARKERS, CLASS_PATTERNS, faint


def test_a_faint_colour_is_the_same_colour_let_through():
    assert faint(BLUE, 0.3) == "rgba(0,114,178,0.3)"
    assert faint("#FF8001", 1) == "rgba(255,128,1,1)"


def test_no_two_classes_look_alike_in_any_way():
    for looks in (CLASS_COLORS, CLASS_MARKERS, CLASS_DASHES, CLASS_PATTERNS):
        assert len(set(looks)) == len(looks) == 6
