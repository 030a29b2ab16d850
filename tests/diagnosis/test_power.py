"""Planted faults are found, clean data draw no finding: counted.

Here 10 seeds a fault, and all must hit; 40 with --slow, where 38 must: a power of .95 gives that on average. Counted
once over 100 seeds: 100 hits for every fault but too_unsure (99), silence (98) and marks_as_counts (95).
"""

import pytest

from nbcore import diagnose
from nbcore.diagnosis.report import FINDINGS
from tests.diagnosis.worlds import CLEAN, FAULTS, case_of


@pytest.mark.parametrize(
    ("name", "world"),
    [(name, world) for name, worlds in FAULTS.items() for world in worlds],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_planted_fault_is_found(name, world, thorough):
    hits, seeds = 0, 40 if thorough else 10
    for seed in range(seeds):
        hits += FINDINGS[name](case_of(world, seed)) is not None
    assert hits >= 0.95 * seeds


def test_clean_data_draw_no_finding(thorough):
    """10 seeds (50 with --slow) of five worlds, a report of eight findings of each: one in twenty may be wrong."""
    reports, seeds = 0, 50 if thorough else 10
    for world in CLEAN.values():
        for seed in range(seeds):
            A, a, B, b, model = world(seed)
            reports += bool(diagnose(model.fit(A, a), B, b).findings)
    assert reports <= 0.05 * seeds * len(CLEAN)
