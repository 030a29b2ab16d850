"""Slow work in the background: one thread that serves the newest request, and a cache of results."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial, update_wrapper
from pathlib import Path
from threading import Condition, Lock, Thread

import joblib

__all__ = ["DiskCached", "Slow", "Work", "Worker"]

POLL = 0.1  # s between two checks of work that another thread does
Progress = Callable[[float], None]
Work = Callable[[Progress], object]


class Superseded(Exception):  # noqa: N818
    """Signal to stop, raised in slow work by its progress function once nobody waits for the result."""


def ignore_progress(share: float) -> None:
    """Ignore the progress of work that nobody watches."""


class Job(Future):
    """A cached or future result, and the share of it that is done."""

    share = 0.0


class DiskCached:
    """A function of the book with its results cached in the folder NBCORE_FITS, if there is one; also a decorator.

    For a run of the tests, whose workers and kernels fit the same models. The folder serves one version of the code
    only: entries do not record theirs.
    """

    def __init__(self, function: Callable):
        self.function = function
        self.name = f"{function.__module__}.{getattr(function, '__qualname__', '')}"
        update_wrapper(self, function)

    def __call__(self, *args, **settings):
        folder = os.environ.get("NBCORE_FITS")
        if not folder or not self.name.startswith("workbook."):
            return self.function(*args, **settings)
        path = Path(folder, joblib.hash((self.name, args, settings | {"progress": None})))
        if path.exists():
            return pickle.loads(path.read_bytes())
        result = self.function(*args, **settings)
        with suppress(OSError):  # the run may have ended; on Windows nothing takes the place of what another one reads
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as new:
                new.write(pickle.dumps(result))
            os.replace(new.name, path)  # whole at once: others may look for it now
        return result


class Slow:
    """A pure function that takes longer than a frame, with a cache of its last results.

    function: (*args, progress) -> result; it calls `progress(share done)` now and then and does not catch what that
    raises. A caller whose arguments another thread computes waits for that result or error.
    """

    def __init__(self, function: Callable, keep: int = 256):
        self.function, self.keep = DiskCached(function), keep
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._lock = Lock()

    def __repr__(self):
        return f"Slow({self.function.name.rpartition('.')[2]}, {sum(job.done() for job in self._jobs.values())} kept)"

    def __call__(self, *args, progress: Progress = ignore_progress):
        """Return the result: cached, of another thread, or computed now."""
        while True:
            with self._lock:
                job, own = self._jobs.get(args), Job()
                self._jobs[args] = job or own
                self._jobs.move_to_end(args)
            if job is None:
                return self._compute(own, args, progress)
            while wait([job], POLL).not_done:
                progress(job.share)
            if not isinstance(job.exception(), Superseded):
                return job.result()  # else the other thread gave up, and it is our turn

    def work(self, *args) -> Work | None:
        """Return a function of `progress` that computes the result for these arguments; None if it is cached."""
        with self._lock:
            if args in self._jobs and self._jobs[args].done():
                return None
        return lambda progress: self(*args, progress=progress)

    def _compute(self, job: Job, args: tuple, progress: Progress):
        def report(share):
            job.share = share
            progress(share)

        try:
            result = self.function(*args, progress=report)
        except BaseException as problem:
            with self._lock:
                del self._jobs[args]  # who asks later tries again
            job.set_exception(problem)
            raise
        with self._lock:
            job.set_result(result)
            for old in [args for args, job in self._jobs.items() if job.done()][: -self.keep]:
                del self._jobs[old]
        return result


class Worker:
    """A background thread that exists while there is work and serves the newest request only.

    Work for an older request, or to `warm` up, stops at its next progress call. The thread is a daemon and no
    `ThreadPoolExecutor`: Python waits at its exit for the threads of those, however long a fit takes.
    """

    def __init__(self):
        self._changed = Condition()
        self._newest: tuple[Work, Progress, Future] | None = None  # until it is done
        self._spare: list[Callable[[], Work | None]] = []
        self._thread: Thread | None = None

    def ask(self, work: Work, report: Progress) -> Future:
        """Request work in place of any older request, and `report` its progress, in the thread.

        Returns the future of its result or error; it stays pending if another request, `drop` or `stop` comes first.
        Its callbacks run in the thread, and `wait` waits for them.
        """
        future: Future = Future()
        with self._changed:
            self._newest = work, report, future
            self._start()
        return future

    def warm(self, works: Iterable[Callable[[], Work | None]]) -> None:
        """Queue work for idle times. works: functions that return what is left to do."""
        with self._changed:
            self._spare += works
            self._start()

    def drop(self) -> None:
        """Cancel the request; warming up goes on."""
        with self._changed:
            self._newest = None
            self._changed.notify_all()

    def stop(self) -> None:
        """Cancel the request and warming up."""
        with self._changed:
            self._spare.clear()
            self.drop()

    def wait(self, seconds: float) -> bool:
        """Wait until every request is done or cancelled, warming up aside; return False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: self._newest is None, seconds)

    def join(self, seconds: float) -> bool:
        """Wait for the worker thread to finish; return False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thread is None, seconds)

    def _start(self):
        if self._thread is None and (self._newest or self._spare):
            self._thread = Thread(target=self._run, name="workbook fitting", daemon=True)
            self._thread.start()

    def _run(self):
        while task := self._next():
            task()

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            if self._newest:
                return partial(self._serve, self._newest)
            if self._spare:
                return partial(self._warm_up, self._spare[0])
            self._thread = None
            self._changed.notify_all()

    def _serve(self, request):
        work, report, future = request

        def check(share):
            if self._newest is not request:
                raise Superseded
            report(share)

        try:
            end = partial(future.set_result, work(check))
        except BaseException as problem:  # whatever it was, the thread lives on, and who asked is told
            end = partial(future.set_exception, problem)
        if self._newest is request:
            end()
        with self._changed:
            if self._newest is request:
                self.drop()

    def _warm_up(self, spare):
        def check(share):
            if self._newest or spare not in self._spare:
                raise Superseded

        try:
            if work := spare():
                work(check)
        except Superseded:
            return  # it stays first in line
        except Exception:  # nobody asked yet: who asks will be told
            pass
        with self._changed:
            if spare in self._spare:
                self._spare.remove(spare)
