"""The fitting state: slow work in a thread, the newest state wins, nothing queues, errors are told, nothing is left."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import ClassVar

import pytest

from workbook.explorer import explorer as base
from workbook.explorer.controls import IntSlider
from workbook.explorer.explorer import Explorer, Preset
from workbook.explorer.fitting import DiskCached, Slow, Superseded, Worker, ignore_progress

PATIENCE = 300  # s: what takes so long on the busiest machine has hung


class Oven:
    """A slow function whose steps the test lets pass, and what it began and finished."""

    def __init__(self, steps=3):
        self.steps, self.gate, self.begun, self.finished = steps, threading.Semaphore(0), [], []

    def __call__(self, n, progress=ignore_progress):
        self.begun.append(n)
        for step in range(self.steps):
            assert self.gate.acquire(timeout=PATIENCE), "the test forgot to open the gate"
            progress((step + 1) / self.steps)
        if n == 13:
            raise ValueError("thirteen cannot be baked.")
        self.finished.append(n)
        return 10 * n

    def open(self, steps=1000):
        self.gate.release(steps)


class Bread(Explorer):
    """n loaves."""

    n = IntSlider(1, 1, 20, label="Loaves")
    presets: ClassVar = {"four": Preset("Four loaves.", dict(n=4)), "six": Preset("Six loaves.", dict(n=6))}

    def __init__(self, **state):
        self.oven = Oven()
        self.baked = Slow(self.oven)
        super().__init__(**state)

    def pending(self, n):
        return self.baked.work(n)

    def compute(self, n):
        return self.baked(n)

    def draw(self, result):
        return dict(data=[dict(type="scatter", y=[result])], layout={})

    def describe(self, result):
        return f"{result} rolls from {result // 10} loaves."


def until(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


@pytest.fixture
def bread():
    """Shown, with one loaf; from here on the oven waits for the test."""
    explorer = Bread()
    explorer.oven.open(3)
    _ = explorer.panel
    assert explorer.view.sentence == "10 rolls from 1 loaves."
    yield explorer
    explorer._worker.stop()
    explorer.oven.open()
    assert explorer._worker.join(PATIENCE)


def test_the_first_figure_is_that_of_the_finished_state_and_leaves_no_thread(bread):
    assert bread.view.fitting == ""
    assert bread._worker.join(0)
    assert "workbook fitting" not in {thread.name for thread in threading.enumerate()}


def test_while_it_fits_the_last_good_figure_stays_and_then_follows(bread):
    good = bread.view.figure
    bread.controls["n"].value = 2
    assert (bread.view.fitting, bread.view.share) == ("fitting …", 0)
    assert bread.view.figure is good
    assert bread.view.sentence == "10 rolls from 1 loaves."
    bread.oven.open(3)
    bread.settle()
    assert bread.view.fitting == ""
    assert bread.view.sentence == "20 rolls from 2 loaves."
    assert bread.view.figure is not good


def test_progress_is_told_now_and_then_if_nothing_else_is_going_on(bread, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    bread.view.fitting = "fitting …"
    for later, share, told in ((0, 0.25, 0.25), (0.5, 0.5, 0.25), (2, 0.75, 0.75)):
        clock[0] = 100 + later * base.EVERY
        bread._report(share)
        assert bread.view.share == told
    clock[0] += 2 * base.EVERY
    thread = threading.Thread(target=bread._report, args=[1.0])
    with bread._lock:
        thread.start()
        until(lambda: not thread.is_alive(), seconds=30)
    assert bread.view.share == 0.75


def test_only_the_newest_state_is_fitted_next(bread):
    drawn = []
    bread.view.observe(lambda change: drawn.append(change["new"]), "sentence")
    for n in range(2, 13):
        bread.controls["n"].value = n
    assert bread.view.fitting
    bread.oven.open()
    bread.settle()
    assert drawn == ["120 rolls from 12 loaves."], "no stale figure comes in between"
    assert bread.oven.finished == [1, 12], "what was asked for in between is given up, not done"
    assert len(bread.oven.begun) <= 2 + 10


def test_going_back_to_what_is_kept_is_instant_and_ends_the_wait(bread):
    bread.set(n=2)
    assert bread.view.fitting
    bread.set(n=1)
    assert bread.view.fitting == ""
    assert bread.view.sentence == "10 rolls from 1 loaves."
    bread.oven.open()
    bread.settle()
    assert bread.view.sentence == "10 rolls from 1 loaves.", "the old fit does not come back"
    assert bread.oven.finished == [1]


def test_an_error_in_the_thread_stands_on_the_page(bread):
    good = bread.view.figure
    bread.set(n=13)
    bread.oven.open()
    bread.settle()
    assert bread.view.error == "thirteen cannot be baked."
    assert bread.view.fitting == ""
    assert bread.view.figure is good
    bread.set(n=3)
    bread.settle()
    assert bread.view.error == ""
    assert bread.view.sentence == "30 rolls from 3 loaves."


def test_a_short_fit_shows_no_fitting_state(bread, monkeypatch):
    monkeypatch.setattr(base, "GRACE", 20.0)
    seen = []
    bread.view.observe(lambda change: seen.append(change["new"]), "fitting")
    bread.oven.open()
    bread.set(n=5)
    assert bread.view.sentence == "50 rolls from 5 loaves."
    assert seen == []


def test_a_closed_explorer_stops_its_fit_and_draws_no_more(bread):
    bread.set(n=2)
    view = bread.view
    bread.close()
    bread.oven.open()
    assert bread._worker.join(PATIENCE)
    assert view.comm is None
    assert view.sentence == "10 rolls from 1 loaves."
    assert bread.oven.finished == [1]


def test_after_it_is_shown_the_presets_are_fitted_in_advance():
    explorer = Bread()
    explorer.oven.open()
    explorer._repr_mimebundle_()
    assert explorer._worker.join(PATIENCE)
    assert explorer.oven.finished == [1, 4, 6]
    explorer.preset("six")
    assert explorer.view.sentence == "60 rolls from 6 loaves."
    assert explorer._worker.join(0), "nothing had to be fitted"


def test_a_request_goes_before_warming_up():
    explorer = Bread()
    explorer.oven.open(3)
    explorer._repr_mimebundle_()
    until(lambda: explorer.oven.begun == [1, 4])
    explorer.set(n=9)
    explorer.oven.open()
    explorer.settle()
    assert explorer.view.sentence == "90 rolls from 9 loaves."
    assert explorer._worker.join(PATIENCE)
    assert explorer.oven.finished == [1, 9, 4, 6]


def test_shown_while_it_fits_it_waits_for_the_finished_state(bread):
    bread.set(n=2)
    bread.oven.open()
    data, _ = bread._repr_mimebundle_()
    assert data["text/plain"] == "20 rolls from 2 loaves."


def test_settle_says_if_it_takes_too_long(bread):
    bread.set(n=2)
    with pytest.raises(TimeoutError, match=r"Bread\(n=2\) is still fitting after 0\.01 s"):
        bread.settle(0.01)


def test_slow_results_are_kept_up_to_a_number():
    calls = []

    def double(x, progress):
        calls.append(x)
        return 2 * x

    slow = Slow(double, keep=2)
    assert [slow(x) for x in (1, 2, 1, 3, 1, 2)] == [2, 4, 2, 6, 2, 4]
    assert calls == [1, 2, 3, 2], "the one longest unused is given up"
    assert slow.work(2) is None
    assert slow.work(3)(ignore_progress) == 6
    assert repr(slow) == "Slow(double, 2 kept)"


def test_workers_of_one_run_share_what_they_fitted(monkeypatch, tmp_path):
    calls = []

    def double(x, progress):
        calls.append(x)
        if x == 13:
            raise ValueError("thirteen cannot be doubled.")
        return 2 * x

    monkeypatch.setenv("NBCORE_FITS", str(tmp_path))
    assert [Slow(double)(2), Slow(double)(2), calls] == [4, 4, [2, 2]], "a test's own function is nobody else's"
    double.__module__ = "workbook.chapters.some"
    assert [Slow(double)(x) for x in (2, 3, 2, 3)] == [4, 6, 4, 6]
    assert calls == [2, 2, 2, 3]
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(ValueError, match="thirteen"):
        Slow(double)(13)
    assert len(list(tmp_path.iterdir())) == 2
    monkeypatch.setenv("NBCORE_FITS", str(tmp_path / "gone"))
    assert Slow(double)(5) == 10, "the run has ended, and a kernel is still at work"
    monkeypatch.delenv("NBCORE_FITS")
    assert [Slow(double)(2), calls.count(2)] == [4, 4], "without a folder everybody computes"
    monkeypatch.setenv("NBCORE_FITS", str(tmp_path))
    times = DiskCached(lambda x, by=2: x * by)
    times.name = "workbook.chapters.some.times"
    assert [times(3), times(3, by=5), times(by=7, x=3)] == [6, 15, 21]


# --- what goes wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [7, None], ids=["no text", "nothing"])
def test_a_frame_that_fails_in_the_thread_is_told_and_the_next_one_comes(bread, monkeypatch, wrong):
    good = bread.view.figure
    monkeypatch.setattr(bread, "describe", lambda result: wrong if result == 20 else f"{result} rolls.")
    bread.set(n=2)
    bread.oven.open()
    bread.settle(PATIENCE)
    assert "sentence" in bread.view.error
    assert bread.view.fitting == ""
    assert bread.view.figure is good
    assert bread.view.sentence == "10 rolls from 1 loaves.", "a figure and its sentence change together"
    bread.set(n=3)
    bread.settle(PATIENCE)
    assert (bread.view.error, bread.view.sentence) == ("", "30 rolls.")


def test_a_page_that_is_gone_does_not_end_the_worker(bread, monkeypatch, caplog):
    """Whatever sending raises, e.g. a closed channel to the page."""
    shown, frames = bread._show, []

    def gone(future):
        frames.append(future)
        raise RuntimeError("the page is gone")

    monkeypatch.setattr(bread, "_show", gone)
    bread.set(n=2)
    bread.oven.open()
    bread.settle(PATIENCE)
    assert len(frames) == 1
    assert "the page is gone" in caplog.text
    monkeypatch.setattr(bread, "_show", shown)
    bread.set(n=3)
    bread.settle(PATIENCE)
    assert bread.view.sentence == "30 rolls from 3 loaves."


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt, MemoryError])
def test_work_that_ends_in_any_way_does_not_end_the_worker(end):
    worker = Worker()

    def work(progress):
        raise end("over")

    assert isinstance(worker.ask(work, ignore_progress).exception(PATIENCE), end)
    assert worker.wait(PATIENCE)
    assert worker.ask(lambda progress: 7, ignore_progress).result(PATIENCE) == 7
    assert worker.join(PATIENCE)


def test_a_quick_fit_that_fails_is_tried_once(bread, monkeypatch):
    monkeypatch.setattr(base, "GRACE", 20.0)
    bread.oven.open()
    bread.set(n=13)
    assert bread.view.error == "thirteen cannot be baked."
    assert bread.oven.begun == [1, 13]


def test_nothing_is_written_while_the_thread_is_sending(bread):
    """Both write to one message: what the thread holds back must not leave with what the learner did."""
    written = []
    bread.view.observe(lambda change: written.append(change["name"]))
    learner = threading.Thread(target=bread._set_from_widget, args=("n", 99))
    with bread._lock:
        learner.start()
        learner.join(0.2)
        assert written == []
    learner.join(PATIENCE)
    assert written


# --- one piece of work, several who ask ---------------------------------------------------------------------------


def test_who_asks_for_the_same_at_the_same_time_waits_for_the_one_result():
    oven = Oven()
    baked, shares = Slow(oven), []
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(baked, 4)
        until(lambda: oven.begun)
        others = [threads.submit(baked, 4, progress=shares.append) for _ in range(2)]
        until(lambda: shares)
        assert set(shares) == {0}, "nothing is done yet"
        oven.open(1)
        until(lambda: 1 / 3 in shares)
        oven.open()
        assert [future.result(PATIENCE) for future in (first, *others)] == [40, 40, 40]
    assert oven.begun == [4]


def test_who_waits_gets_the_error_and_who_asks_later_tries_again():
    oven = Oven()
    baked = Slow(oven)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(baked, 13)
        until(lambda: oven.begun)
        second = threads.submit(baked, 13)
        time.sleep(0.05)
        oven.open()
        for future in (first, second):
            assert str(future.exception(PATIENCE)) == "thirteen cannot be baked."
        assert oven.begun == [13]
        assert baked.work(13) is not None
        assert threads.submit(baked, 13).exception(PATIENCE)
    assert oven.begun == [13, 13]


@pytest.mark.parametrize("leaver", [0, 1])
def test_who_waits_takes_over_what_another_gives_up_and_may_give_up_alone(leaver):
    oven = Oven()
    baked, give_up = Slow(oven), threading.Event()

    def impatient(share):
        if give_up.is_set():
            raise Superseded

    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(baked, 4, **(dict(progress=impatient) if leaver == 0 else {}))]
        until(lambda: oven.begun)
        both.append(threads.submit(baked, 4, **(dict(progress=impatient) if leaver == 1 else {})))
        give_up.set()
        if leaver == 0:
            oven.open()
        assert isinstance(both[leaver].exception(PATIENCE), Superseded)
        oven.open()
        assert both[1 - leaver].result(PATIENCE) == 40
    assert oven.begun == [4] * (2 - leaver)



def test_a_fit_in_its_thread_does_not_keep_python_alive():
    code = """
import time
from workbook.explorer.fitting import Worker, ignore_progress
Worker().ask(lambda progress: time.sleep(600), ignore_progress)
"""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", code], check=True, timeout=500)
    assert time.monotonic() - begun < 500
