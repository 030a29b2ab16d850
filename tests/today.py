"""Which of many alike a run asks: a part of them each day, in turn; all with --slow."""

import os
from collections.abc import Iterable

import pytest

DAY = "NBCORE_DAY"  # the variable that holds the day's number for all workers of a run


def share_out(names: Iterable[str], parts: int = 3) -> list:
    """Return the names as parameters of a test: every n-th is asked today, the others on other days and with --slow."""
    today = int(os.environ[DAY])
    return [pytest.param(name, marks=() if (place + today) % parts == 0 else pytest.mark.slow)
            for place, name in enumerate(names)]  # fmt: skip
