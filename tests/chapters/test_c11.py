"""Chapter 11."""

import numpy as np
import pytest
from scipy.stats import norm

from workbook.chapters.c11_reproduction_ledger.ledger import ALL_SOURCES, EXACT, FARTHEST, INTERVAL, scale
from workbook.explorers import LedgerExplorer
from workbook.ledger.book import ledger, measured
from workbook.ledger.claim import VERDICTS

# --- Chapter 11's explorer shows the ledger's numbers, counted by another route.

def result(**state):
    explorer = LedgerExplorer(**state)
    return explorer, explorer.compute(**explorer.state)


def stated(exact, source=None, verdict=None):
    """The claims of one kind that state a number."""
    chosen = [c for c in ledger(source, verdict) if c.stated is not None and c.ours is not None]
    return [c for c in chosen if measured(c).is_exact == exact]


@pytest.mark.parametrize("kind", [INTERVAL, EXACT])
def test_every_claim_with_a_number_has_a_line(kind):
    _, r = result(numbers=kind)
    assert {line.claim.name for line in r.lines} == {c.name for c in stated(kind == EXACT)}
    assert len(r.units) == sum(np.size(c.stated) for c in stated(kind == EXACT))


def test_outside_is_counted_as_agreement_is():
    for kind in (INTERVAL, EXACT):
        _, r = result(numbers=kind)
        inside = [line for line in r.lines if all(abs(d.units) <= 1 + 1e-9 for d in line.numbers)]
        assert {line.claim.name for line in inside} == {
            c.name for c in stated(kind == EXACT) if measured(c).agrees(c.stated, c.rounding)
        }
        assert r.outside == sum(abs(d.units) > 1 + 1e-9 for line in r.lines for d in line.numbers)


def test_a_wider_interval_lets_fewer_out():
    outside = [result(level=level)[1].outside for level in (50, 80, 95, 99)]
    assert all(np.diff(outside) < 0)
    assert scale(95) == pytest.approx(1)
    assert scale(50) * 1.959964 == pytest.approx(norm.ppf(0.75), rel=1e-6)


def test_the_farthest_comes_first_and_the_rank_stops_at_the_last():
    _, r = result(rank=1)
    sizes = [max(abs(d.units) for d in line.numbers) for line in r.lines]
    assert sizes == sorted(sizes, reverse=True)
    few, r = result(source="Williams (2024)", verdict="differs", rank=20)
    assert r.rank == len(r.lines) == 1
    assert "Stated 0.82, ours 0.7637 (0.7138 to 0.8136): differs." in few.describe(r)


def test_the_figure_shows_both_numbers():
    explorer, r = result(source="Williams (2024)", verdict="differs")
    figure = explorer.draw(r)
    by_name = {trace.name: trace for trace in figure.data if trace.name}
    (claim,) = stated(False, "Williams (2024)", "differs")
    m = measured(claim)
    assert list(by_name["differs"].x) == [pytest.approx((claim.stated - 0.0005 - m.value) / (m.high - m.value))]
    assert [len(by_name[v].x) for v in VERDICTS if v in by_name and v != "differs"] == [0, 0]
    assert list(by_name["ours, 95 %"].x[:2]) == [m.low, m.high]
    assert [t.x[0] for t in figure.data if t.xaxis == "x2" and t.mode == "markers"] == [m.value, claim.stated]
    band = next(shape for shape in figure.layout.shapes if shape.type == "rect")
    assert (band.x0, band.x1) == (-1, 1)


def test_what_lies_far_off_is_drawn_at_the_edge():
    explorer, r = result(numbers=EXACT)
    assert abs(r.units).max() == np.inf
    drawn = np.concatenate([t.x for t in explorer.draw(r).data if t.xaxis == "x"])
    assert abs(drawn).max() == FARTHEST
    assert len(drawn) == len(r.units)


def test_where_there_is_nothing_it_says_so():
    explorer, r = result(source="Laplacian correction", verdict="reproduced", numbers=INTERVAL)
    assert not r.lines
    assert explorer.draw(r).data
    assert "none of 0 numbers lies outside the 95 % interval" in explorer.describe(r)


def test_luck_is_a_share_of_the_numbers():
    explorer, r = result(level=90, source=ALL_SOURCES)
    assert f"(luck alone: about {0.1 * len(r.units):.1f})" in explorer.describe(r)
    assert "luck" not in explorer.describe(result(numbers=EXACT)[1])
