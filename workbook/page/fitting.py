"""Slow work beside the page: one thread, the newest request only, and results that are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from threading import Condition, Event, Lock, Thread

Progress = Callable[[float], None]
Work = Callable[[Progress], object]


class Superseded(Exception):  # noqa: N818
    """No error but a sign to stop: raised in slow work by its progress, once nobody waits for it any more."""


def nobody(share: float) -> None:
    """The progress of work that nobody watches."""


class Slow:
    """A pure function that takes longer than a frame; what it returned last is kept.

    function: (*args, progress) -> result; it calls `progress(share done)` now and then, and lets what that raises pass.
    """

    def __init__(self, function: Callable, keep: int = 256):
        self.function, self.keep = function, keep
        self._kept: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def __repr__(self):
        return f"Slow({self.function.__name__}, {len(self._kept)} kept)"

    def __call__(self, *args, progress: Progress = nobody):
        """The result, from what is kept or computed now."""
        with self._lock:
            if args in self._kept:
                self._kept.move_to_end(args)
                return self._kept[args]
        result = self.function(*args, progress=progress)
        with self._lock:
            self._kept[args] = result
            while len(self._kept) > self.keep:
                self._kept.popitem(last=False)
        return result

    def work(self, *args) -> Work | None:
        """What is left to do for these arguments: a function of a progress, or None if the result is kept."""
        with self._lock:
            if args in self._kept:
                return None
        return lambda progress: self(*args, progress=progress)


class Worker:
    """A thread that is there only while there is work. A new request takes the place of the one before it.

    What runs for an older request, or to `warm` up, stops at its next sign of progress.
    """

    def __init__(self):
        self._changed = Condition()
        self._next: tuple | None = None
        self._spare: list[Callable[[], Work | None]] = []
        self._thread: Thread | None = None
        self._turn = 0  # counts requests: work of an earlier turn is superseded
        self._idle = True

    def ask(self, work: Work, report: Progress, done: Callable[[Exception | None], None]) -> Event:
        """Do this next, and nothing older; `report` its progress, and say `done(problem)`, both in the thread.

        Returns an event that is set as soon as the work has ended, before `done` is called.
        """
        ended = Event()
        with self._changed:
            self._turn += 1
            self._next, self._idle = (work, report, done, ended), False
            self._start()
        return ended

    def warm(self, works: Iterable[Callable[[], Work | None]]) -> None:
        """When nothing else waits, do these: functions that return what is left to do."""
        with self._changed:
            self._spare += works
            self._start()

    def drop(self) -> None:
        """Nothing is wanted any more, except warming up."""
        with self._changed:
            self._turn += 1
            self._next = None

    def stop(self) -> None:
        """Nothing is wanted any more."""
        with self._changed:
            self._spare.clear()
        self.drop()

    def wait(self, seconds: float) -> bool:
        """Until every request is done or dropped, warming up aside; False if that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: self._idle, seconds)

    def join(self, seconds: float) -> bool:
        """Until the thread is gone; False if that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, seconds)

    def _start(self):
        if self._thread is None and (self._next or self._spare):
            self._thread = Thread(target=self._run, name="nbcore fitting", daemon=True)
            self._thread.start()

    def _run(self):
        while True:
            with self._changed:
                request, self._next, turn = self._next, None, self._turn
                self._idle = request is None
                spare = None if request or not self._spare else self._spare[0]
                if request is None and spare is None:
                    self._thread = None
                    self._changed.notify_all()
                    return
                self._changed.notify_all()
            if request is None:
                self._warm_up(spare, turn)
            else:
                self._serve(*request, turn)

    def _serve(self, work, report, done, ended, turn):
        problem = None
        try:
            work(partial(self._sign, turn, report))
        except Superseded:
            return
        except Exception as raised:  # it belongs on the page: `done` says it there
            problem = raised
        ended.set()
        with self._changed:
            wanted = turn == self._turn
        if wanted:
            done(problem)

    def _warm_up(self, spare, turn):
        try:
            if work := spare():
                work(partial(self._sign, turn, nobody))
        except Superseded:
            return  # it stays first in line
        except Exception:  # nobody asked yet: who asks will be told
            pass
        with self._changed:
            if spare in self._spare:
                self._spare.remove(spare)

    def _sign(self, turn, report, share):
        with self._changed:
            if turn != self._turn:
                raise Superseded
        report(share)
