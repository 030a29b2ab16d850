"""Planted faults are found, clean data draw no finding: the rates that docs/library.md states."""

import pytest

from tests.diagnosis.rates import SEEDS, count_false_alarms, count_hits, table, written
from tests.diagnosis.worlds import CLEAN, FAULTS


@pytest.mark.parametrize(
    ("name", "world"),
    [(name, world) for name, worlds in FAULTS.items() for world in worlds],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_planted_fault_is_found(name, world):
    assert count_hits(name, world, 4) == 4


@pytest.mark.parametrize("world", CLEAN.values(), ids=CLEAN)
def test_clean_data_draw_no_finding(world):
    assert count_false_alarms(world, 4) == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:k ended")
def test_the_rates_on_the_page_are_those_of_the_script():
    assert f"seeds of {SEEDS}" in written()
    assert written() == table()
