"""Limit how often one address may ask: a burst at once, then a number of requests per second."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Rate"]


class Rate:
    """A bucket of requests for each of the latest `most` addresses: it holds `burst`, and gains `per_second`."""

    def __init__(self, burst: float, per_second: float, most: int = 2000, clock: Callable[[], float] = time.monotonic):
        self.burst, self.per_second, self.most, self.clock = burst, per_second, most, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address -> requests left, when that was so

    def __len__(self):
        return len(self._left)

    def allows(self, address: str) -> bool:
        """Count a request, and return whether its address may still ask."""
        now = self.clock()
        left, then = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.per_second)
        allowed = left >= 1
        self._left[address] = left - allowed, now
        if len(self._left) > self.most:
            self._left.popitem(last=False)
        return allowed
