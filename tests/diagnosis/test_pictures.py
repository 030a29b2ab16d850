"""The report's two pictures, measured: where a point stands, how long a bar is, what is blue and what vermillion."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from nbcore.diagnosis.finding import Finding
from nbcore.diagnosis.page import report_html
from nbcore.diagnosis.pictures import AGAINST, FOR, contribution_bars, reliability_diagram

BINS = [
    dict(posterior=0.55, right=0.5, low=0.45, high=0.65),
    dict(posterior=0.75, right=0.95, low=0.7, high=0.8),  # above its bar
    dict(posterior=0.95, right=0.25, low=0.9, high=1.0),  # below it
    dict(posterior=0.85, right=0.8, low=0.8, high=0.9),  # at its lower end
    dict(posterior=0.65, right=0.7, low=0.6, high=0.7),  # at its upper end
]


def parsed(svg):
    return ElementTree.fromstring(svg)


def numbers(text):
    return list(map(float, re.findall(r"-?[\d.]+", text)))


def within(root):
    """Everything is drawn inside the picture, letters of 12 px, 6 wide, included."""
    _, _, wide, high = numbers(root.get("viewBox"))
    assert (float(root.get("width")), float(root.get("height"))) == (wide, high)
    for text in root.iter("text"):
        x, length = float(text.get("x")), 6 * len(text.text)
        left = {"start": x, "middle": x - length / 2, "end": x - length}[text.get("text-anchor")]
        assert left >= 0
        assert left + length <= wide
        assert 10 <= float(text.get("y")) <= high
    return wide, high


def square(root):
    """Left, bottom, right, top of the frame: its first path."""
    left, bottom, right, top, back = numbers(root.find("path").get("d"))
    assert back == left
    return left, bottom, right, top


def shares(root, x, y):
    left, bottom, right, top = square(root)
    return (float(x) - left) / (right - left), (bottom - float(y)) / (bottom - top)


def test_a_point_stands_at_its_posterior_and_its_share():
    root = parsed(reliability_diagram(BINS))
    wide, high = within(root)
    left, bottom, right, top = square(root)
    assert 0 < left < right < wide
    assert 0 < top < bottom < high
    assert right - left == bottom - top, "one unit is as long on either axis"
    for circle, b in zip(root.iter("circle"), [BINS[0], BINS[3], BINS[4]], strict=True):
        at = shares(root, circle.get("cx"), circle.get("cy"))
        assert at == pytest.approx((b["posterior"], b["right"]), abs=1e-3)
        assert circle.get("fill") == FOR
    for rect, b in zip(root.iter("rect"), BINS[1:3], strict=True):
        x, y, wide, high = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
        assert shares(root, x + wide / 2, y + high / 2) == pytest.approx((b["posterior"], b["right"]), abs=1e-3)
        assert rect.get("fill") == AGAINST


def test_a_bar_reaches_from_its_low_to_its_high_end_and_the_diagonal_from_corner_to_corner():
    root = parsed(reliability_diagram(BINS))
    _, diagonal, *bars = root.iter("path")
    x0, y0, x1, y1 = numbers(diagonal.get("d"))
    assert (shares(root, x0, y0), shares(root, x1, y1)) == ((0, 0), (1, 1))
    for bar, b in zip(bars, BINS, strict=True):
        x, low, high = numbers(bar.get("d"))
        assert shares(root, x, low) == pytest.approx((b["posterior"], b["low"]), abs=1e-3)
        assert shares(root, x, high) == pytest.approx((b["posterior"], b["high"]), abs=1e-3)


def test_who_cannot_see_it_is_told():
    told = parsed(reliability_diagram(BINS)).get("aria-label")
    assert told.startswith("Reliability with consistency bars: 2 of 5 bins lie outside theirs.")
    assert "0.75 said, 0.95 right, bar 0.70 to 0.80" in told


ROW = dict(
    row=7, label="cat", decision="dog", prior=-1.0, others=0.5,
    features=[dict(name="a", nats=8.0), dict(name="x" * 28, nats=-4.0), dict(name="y" * 27, nats=0.0)],
)  # fmt: skip


def test_bars_are_as_long_as_what_was_said_and_point_to_whom_it_helped():
    root = parsed(contribution_bars(ROW))
    within(root)
    middle, *_ = numbers(root.find("path").get("d"))
    rects = list(root.iter("rect"))
    wide = [float(rect.get("width")) for rect in rects]
    assert [w / max(wide) for w in wide] == pytest.approx([1 / 8, 1, 1 / 2, 0.5 / max(wide), 0.5 / 8], abs=0.01)
    assert [rect.get("fill") for rect in rects] == [FOR, AGAINST, FOR, FOR, AGAINST]
    for rect in rects:
        left, length = float(rect.get("x")), float(rect.get("width"))
        if rect.get("fill") == AGAINST:
            assert left == middle
        elif length > 0.5:
            assert left + length == pytest.approx(middle, abs=0.2)


def test_a_bar_has_its_name_and_its_number_beside_it():
    root = parsed(contribution_bars(ROW))
    rects, texts = list(root.iter("rect")), list(root.iter("text"))
    names, told = texts[::2], texts[1::2]
    assert [text.text for text in names] == ["prior", "a", "x" * 26 + "…", "y" * 27, "all others"]
    assert [text.text for text in told] == ["-1", "+8", "-4", "+0", "+0.5"]
    for rect, name, number in zip(rects, names, told, strict=True):
        top, left, wide = (float(rect.get(key)) for key in ("y", "x", "width"))
        assert float(name.get("y")) == float(number.get("y"))
        assert top < float(name.get("y")) <= top + float(rect.get("height"))
        beyond = left + wide < float(number.get("x")) if rect.get("fill") == AGAINST else float(number.get("x")) < left
        assert beyond, "the number stands beyond the bar's end"
    tops = [float(rect.get("y")) for rect in rects]
    assert (np.diff(tops) > float(rects[0].get("height"))).all(), "bars do not overlap"


def test_features_that_say_nothing_have_bars_of_no_length_and_no_others_no_bar():
    row = ROW | dict(prior=0.0, others=0.0, features=[dict(name="a", nats=0.0)])
    root = parsed(contribution_bars(row))
    assert [rect.get("width") for rect in root.iter("rect")] == ["0.5", "0.5"]
    assert root.get("aria-label") == "Row 7, nats for dog against cat: prior +0; a +0."


def test_names_are_text():
    svg = contribution_bars(ROW | dict(label='<b>"', features=[dict(name="<i>", nats=1.0)]))
    assert "<i>" not in svg
    assert "&lt;b&gt;&quot;" in svg
    assert "<i>" in [text.text for text in parsed(svg).iter("text")]


def test_a_finding_shows_its_first_two_rows_and_its_own_diagram():
    rows = [ROW | dict(row=n, posterior=0.9991) for n in (7, 8, 9)]
    details = dict(rows=rows, bins=BINS)
    found = Finding("sure", "a < b", 2.5, (1.0, 4.25), "share & more", "06_calibration", details=details)
    html = report_html("All.", [found], BINS)
    assert html.count("<svg") == 3, "two rows, and one diagram for the whole report"
    assert "Row 7: decided dog with 0.9991, is cat. Nats for the decision (right) and for the label (left):" in html
    assert "Row 8: decided" in html
    assert "Row 9" not in html
    assert "<li><p><b>sure</b>: no remedy gains for sure. a &lt; b</p>" in html
    assert "<p>share &amp; more: 2.5 (95 %: 1 to 4.25). Page 06_calibration.</p>" in html
    assert "Costs overlap" not in html
    plain = Finding("calm", "", 0.0, (0.0, 0.0), "", "")
    assert report_html("All.", [plain, plain], BINS).count("<svg") == 1
    assert "Costs overlap" in report_html("All.", [plain, plain], BINS)


def test_a_report_without_findings_shows_one_diagram():
    html = report_html("All & well.", [], BINS)
    assert html.startswith("<section><p>All &amp; well.</p><p>Nothing found.</p><svg")
    assert "Costs overlap" not in html
