"""Prefetching: while a slider has the focus and the kernel is idle, the page receives the neighbouring frames.

On a slow line the page then draws an arrow key's frame at once, from its own cache; see ahead.js.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextvars import Context
from time import perf_counter
from typing import Any

from IPython import get_ipython

__all__ = ["KEPT", "Ahead", "changes", "near"]

FORWARD, BACK = 8, 2  # frames, in the direction of the last movement and against it
KEPT = 32  # frames in the page's cache: the oldest is dropped first; as in ahead.js
PAUSE = 0.002  # s between two frames, in which the kernel handles messages that have arrived
LONG = 0.05  # s: where a frame takes longer, prefetching stops
Place = list[int | str]  # a state: of each control the index of its value, or its text
Frame = dict[str, Any]  # {"figure", "formula", "sentence"} as the view sends them


class Ahead:
    """Sender of the frames next to the one that the page shows, one at a time, until any message arrives.

    frame: place -> Frame, None if there is work to wait for. send: (content, buffers) -> None.
    counts: how many values each control has, by name; 0 for a text.
    """

    def __init__(self, frame: Callable[[Place], Frame | None], send: Callable, counts: dict[str, int]):
        self.frame, self.send, self.counts = frame, send, counts
        self._focus, self._forward = -1, True
        self._shown: tuple[Place, Frame] | None = None
        self._kept: OrderedDict[Hashable, None] = OrderedDict()  # what the page has, as far as we know
        self._turn = 0

    def focus(self, name: str) -> None:
        """Prefetch along the control that has the focus now ("" if none has), with an empty cache but for its frame."""
        self.forget()
        self._focus = list(self.counts).index(name) if self.counts.get(name) else -1
        if self._shown:
            self._keep(self._shown[0])
        self._start()

    def forget(self) -> None:
        """Stop, and note that the page's cache is empty."""
        self.stop()
        self._kept.clear()

    def shown(self, place: Place, frame: Frame) -> None:
        """Note the frame that the page shows now, and prefetch its neighbours."""
        if self._shown and self._focus >= 0:
            before, now = self._shown[0][self._focus], place[self._focus]
            self._forward = now > before if now != before else self._forward
        self._shown = place, frame
        self._keep(place)
        self._start()

    def stop(self) -> None:
        """Stop prefetching until the next frame or focus."""
        self._turn += 1

    def _start(self) -> None:
        self.stop()
        if self._focus < 0 or self._shown is None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no page is there to wait for: a test, or the thread of a fit
            return
        places = near(self._shown[0], self._focus, list(self.counts.values())[self._focus], self._forward)
        self._later(loop, self._turn, _message(), iter([place for place in places if tuple(place) not in self._kept]))

    def _later(self, loop, *step) -> None:
        # A new context: in that of the message that began all this, it would forever be the newest one.
        loop.call_later(PAUSE, self._step, loop, *step, context=Context())

    def _step(self, loop, turn: int, message: str, places: Iterator[Place]) -> None:
        place = next(places, None)
        if place is None or turn != self._turn or message != _message():
            return
        start = perf_counter()
        try:
            frame = self.frame(place)
        except Exception:  # the error is shown when a reader asks for this state
            frame = None
        if turn != self._turn or perf_counter() - start > LONG:
            return
        if frame is not None:
            self._send(place, frame)
        self._later(loop, turn, message, places)

    def _send(self, place: Place, frame: Frame) -> None:
        base, shown = self._shown
        buffers = []
        deltas = [[path, _extract_buffers(value, buffers)] for path, value in changes(shown, frame)]
        self.send({"ahead": {"at": place, "base": base, "changes": deltas}}, buffers)
        self._keep(place)

    def _keep(self, place: Place) -> None:
        self._kept[tuple(place)] = None
        self._kept.move_to_end(tuple(place))
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def near(place: Place, control: int, count: int, forward: bool) -> Iterator[Place]:
    """Yield the places next to one along a control of `count` values, nearest first: those ahead, then those behind."""
    way = 1 if forward else -1
    steps = [way * k for k in range(1, FORWARD + 1)] + [-way * k for k in range(1, BACK + 1)]
    for index in (place[control] + step for step in steps):
        if 0 <= index < count:
            yield [*place[:control], index, *place[control + 1 :]]


def changes(old: Any, new: Any, path: tuple = ()) -> Iterator[tuple[list, Any]]:
    """Yield the differences of two trees as (path, new value), as low in the tree as possible."""
    if isinstance(new, dict) and isinstance(old, dict) and old.keys() == new.keys() and "bdata" not in new:
        for name, value in new.items():
            yield from changes(old[name], value, (*path, name))
    elif isinstance(new, list) and isinstance(old, list) and len(old) == len(new):
        for k, value in enumerate(new):
            yield from changes(old[k], value, (*path, k))
    elif old != new:
        yield list(path), new


def _extract_buffers(value: Any, buffers: list[bytes]) -> Any:
    """Replace bytes in a value by {"buffer": k} and append them to `buffers`."""
    if isinstance(value, dict):
        return {name: _extract_buffers(item, buffers) for name, item in value.items()}
    if isinstance(value, list):
        return [_extract_buffers(item, buffers) for item in value]
    if not isinstance(value, bytes):
        return value
    buffers.append(value)
    return {"buffer": len(buffers) - 1}


def _message() -> str:
    """Return the id of the newest message that the kernel has begun to answer."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel.get_parent().get("header", {}).get("msg_id", "") if kernel else ""
