"""Planted faults are found, clean data draw no finding: counted.

Here 40 seeds a fault: 38 hits of 40 are what a power of .95 gives on average, and fewer fail. Counted once over 100
seeds: 100 hits for every fault but too_unsure (99), silence (98) and marks_as_counts (95).
"""

from collections import Counter

import pytest

from nbcore import diagnose
from nbcore.diagnosis.case import Case
from nbcore.diagnosis.report import FINDINGS
from tests.diagnosis.worlds import CLEAN, FAULTS


@pytest.mark.parametrize(
    ("name", "world"),
    [(name, world) for name, worlds in FAULTS.items() for world in worlds],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_planted_fault_is_found(name, world):
    hits = 0
    for seed in range(40):
        A, a, B, b, model = world(seed)
        hits += FINDINGS[name](Case(model.fit(A, a), B, b)) is not None
    assert hits >= 38


def test_clean_data_draw_no_finding():
    """50 seeds of five worlds, 250 reports of eight findings: .05 of them is 12."""
    alarms, reports = Counter(), 0
    for world in CLEAN.values():
        for seed in range(50):
            A, a, B, b, model = world(seed)
            report = diagnose(model.fit(A, a), B, b)
            alarms.update([finding.name for finding in report.findings])
            reports += bool(report.findings)
    assert reports <= 12
    assert max(alarms.values(), default=0) <= 12
