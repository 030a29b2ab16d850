"""The fitting state: slow work in a thread, the newest state wins, nothing queues, errors are told, nothing is left."""

import threading
import time
from typing import ClassVar

import plotly.graph_objects as go
import pytest

from workbook.page import explorer as base
from workbook.page.controls import IntSlider
from workbook.page.explorer import Explorer, Preset
from workbook.page.fitting import Slow, Superseded, Worker, nobody


class Oven:
    """A slow function whose steps the test lets pass, and what it began and finished."""

    def __init__(self, steps=3):
        self.steps, self.gate, self.begun, self.finished = steps, threading.Semaphore(0), [], []

    def __call__(self, n, progress=nobody):
        self.begun.append(n)
        for step in range(self.steps):
            assert self.gate.acquire(timeout=20), "the test forgot to open the gate"
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
        return go.Figure(data=[dict(type="scatter", y=[result])])

    def describe(self, result):
        return f"{result} rolls from {result // 10} loaves."


def until(condition, seconds=20):
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
    assert explorer._worker.join(20)


def test_the_first_figure_is_that_of_the_finished_state_and_leaves_no_thread(bread):
    assert bread.view.fitting == ""
    assert bread._worker.join(0)
    assert "nbcore fitting" not in {thread.name for thread in threading.enumerate()}


def test_while_it_fits_the_last_good_figure_stays_and_then_follows(bread):
    good = bread.view.figure
    bread.controls["n"].value = 2
    assert bread.view.fitting == "fitting …"
    assert bread.view.figure is good
    assert bread.view.sentence == "10 rolls from 1 loaves."
    bread.oven.open(3)
    bread.settle()
    assert bread.view.fitting == ""
    assert bread.view.sentence == "20 rolls from 2 loaves."
    assert bread.view.figure is not good


def test_progress_is_told(bread, monkeypatch):
    monkeypatch.setattr(base, "EVERY", 0.0)
    bread.set(n=2)
    for done in (1, 2):
        bread.oven.open(1)
        until(lambda done=done: bread.view.share == pytest.approx(done / 3))


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
    assert bread._worker.join(20)
    assert view.comm is None
    assert view.sentence == "10 rolls from 1 loaves."
    assert bread.oven.finished == [1]


def test_after_it_is_shown_the_presets_are_fitted_in_advance():
    explorer = Bread()
    explorer.oven.open()
    explorer._repr_mimebundle_()
    assert explorer._worker.join(20)
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
    assert explorer._worker.join(20)
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
    assert slow.work(3)(nobody) == 6
    assert repr(slow) == "Slow(double, 2 kept)"


def test_work_that_nobody_waits_for_stops_at_its_next_sign_of_progress():
    worker, begun, go_on, ended = Worker(), threading.Event(), threading.Event(), []

    def work(progress):
        begun.set()
        assert go_on.wait(20)
        try:
            progress(0.5)
        except Superseded:
            ended.append("stopped")
            raise
        ended.append("went on")

    worker.ask(work, nobody, ended.append)
    assert begun.wait(20)
    worker.drop()
    go_on.set()
    assert worker.join(20)
    assert ended == ["stopped"]
