"""How often one address may ask: so many at once, then so many a second."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Rate"]


class Rate:
    """A bucket for each address that holds `burst` requests and is filled by `a_second`. It knows the newest `most`."""

    def __init__(self, burst: float, a_second: float, most: int = 2000, clock: Callable[[], float] = time.monotonic):
        self.burst, self.a_second, self.most, self.clock = burst, a_second, most, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address -> requests left, when that was so

    def __len__(self):
        return len(self._left)

    def allows(self, address: str) -> bool:
        """Whether this request is within what its address may ask; it counts."""
        now = self.clock()
        left, then = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.a_second)
        allowed = left >= 1
        self._left[address] = left - allowed, now
        if len(self._left) > self.most:
            self._left.popitem(last=False)
        return allowed
