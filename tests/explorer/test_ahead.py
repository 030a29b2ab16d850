"""Frames sent ahead: with what the page has they make up the frame of their place, and nothing is in their way."""

import asyncio
import copy
import statistics
from concurrent.futures import ThreadPoolExecutor

import pytest

from workbook import explorers
from workbook.explorer import ahead
from workbook.explorer.ahead import KEPT, LONG, PAUSE, Ahead, changes, near
from workbook.explorer.controls import IntSlider, Text
from workbook.explorer.explorer import Explorer
from workbook.explorer.theme import Panel, figure

EXPLORERS = [getattr(explorers, name) for name in explorers.__all__ if name.endswith("Explorer")]


def frame(place):
    return {"figure": {"x": place[0], "same": [1, 2, {"bdata": b"12", "dtype": "i1"}]}, "formula": [], "sentence": "s"}


class Page:
    """Keeps what it is sent as ahead.js does, and puts the frames together."""

    def __init__(self, counts):
        self.frames, self.messages = {}, []
        self.ahead = Ahead(frame, self.hear, counts)

    def hear(self, content, buffers):
        self.messages.append(content["ahead"])
        self.frames[tuple(content["ahead"]["at"])] = patched(self.frames, content["ahead"], buffers)

    def show(self, place):
        self.frames[tuple(place)] = frame(place)
        self.ahead.shown(place, frame(place))


def filled(value, buffers):
    if isinstance(value, dict):
        return buffers[value["buffer"]] if "buffer" in value else {k: filled(v, buffers) for k, v in value.items()}
    return [filled(item, buffers) for item in value] if isinstance(value, list) else value


def patched(frames, message, buffers):
    found = copy.deepcopy(frames[tuple(message["base"])])
    for path, value in message["changes"]:
        at = found
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = filled(value, buffers)
    return found


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """On a busy machine any frame may take long."""
    monkeypatch.setattr(ahead, "LONG", 1000 * LONG)


def run(page, *steps, turns=75):
    """Steps on a running event loop, with many of its turns between them."""

    async def play():
        for step in steps:
            step()
            for _ in range(turns):
                await asyncio.sleep(PAUSE)

    on_a_loop(play())


def on_a_loop(play):
    """In a thread of its own: in that of the tests the browser's driver may have a loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, play).result()


def test_the_next_ones_in_the_direction_of_the_last_movement_come_first():
    page = Page({"a": 30, "b": 3})
    page.show([10, 1])
    run(page, lambda: page.ahead.focus("a"))
    assert [message["at"][0] for message in page.messages] == [11, 12, 13, 14, 15, 16, 17, 18, 9, 8]
    page.messages.clear()
    run(page, lambda: page.show([9, 1]))
    assert [message["at"] for message in page.messages] == [[k, 1] for k in (7, 6, 5, 4, 3, 2, 1)], "8 to 11 are there"
    assert all(found == frame(list(place)) for place, found in page.frames.items())


def test_at_an_end_there_is_nothing_beyond():
    assert list(near([0], 0, 3, True)) == [[1], [2]]
    assert list(near([2], 0, 3, True)) == [[1], [0]]
    assert list(near([4, 1, 2], 1, 3, True)) == [[4, 2, 2], [4, 0, 2]], "the other controls stay"


def test_only_what_changed_travels():
    page = Page({"a": 3})
    page.show([0])
    run(page, lambda: page.ahead.focus("a"))
    assert [message["changes"] for message in page.messages] == [[[["figure", "x"], 1]], [[["figure", "x"], 2]]]
    assert list(changes({"a": [1]}, {"a": [1, 2]})) == [(["a"], [1, 2])]
    assert list(changes({"a": 1}, {"b": 1})) == [([], {"b": 1})]


@pytest.mark.parametrize("name", ["", "a text", "unknown"])
def test_without_a_focused_slider_nothing_is_sent(name):
    page = Page({"a text": 0, "a": 30})
    run(page, lambda: page.show(["", 10]), lambda: page.ahead.focus(name), turns=25)
    assert not page.messages


def test_before_a_figure_is_shown_nothing_is_sent():
    page = Page({"a": 30})
    run(page, lambda: page.ahead.focus("a"), turns=25)
    assert not page.messages


def test_with_a_new_focus_the_page_begins_anew():
    """It keeps nothing but the frame that it shows."""
    page = Page({"a": 3})
    page.show([0])
    run(page, *[lambda: page.ahead.focus("a")] * 2, turns=25)
    assert [message["at"] for message in page.messages] == [[1], [2]] * 2


def test_without_a_running_event_loop_nothing_is_sent():
    page = Page({"a": 30})
    page.show([10])
    page.ahead.focus("a")
    assert not page.messages


def test_it_stops_at_any_newer_message(monkeypatch):
    page, newest = Page({"a": 30}), ["1"]
    monkeypatch.setattr(ahead, "_message", lambda: newest[0])
    monkeypatch.setattr(page.ahead, "send", lambda *sent: (page.hear(*sent), newest.append(newest.pop() + "1")))
    page.show([10])
    run(page, lambda: page.ahead.focus("a"))
    assert len(page.messages) == 1


@pytest.mark.parametrize("stop", ["forget", "stop"])
def test_it_stops_when_it_is_told(stop):
    page = Page({"a": 30})
    page.show([10])
    run(page, lambda: (page.ahead.focus("a"), getattr(page.ahead, stop)()))
    assert not page.messages


def test_a_new_frame_takes_the_place_of_the_one_before():
    page = Page({"a": 100})
    page.show([10])
    run(page, lambda: (page.ahead.focus("a"), page.show([50])))
    assert {message["base"][0] for message in page.messages} == {50}
    assert sorted(message["at"][0] for message in page.messages) == [48, 49, *range(51, 59)]


def test_what_takes_long_or_fails_is_left_to_those_who_ask(monkeypatch):
    page = Page({"a": 30})
    page.show([10])
    clock = iter(range(100))
    monkeypatch.setattr(page.ahead, "frame", lambda place: frame(place) if place[0] != 12 else 1 / 0)
    run(page, lambda: page.ahead.focus("a"))
    assert 12 not in {message["at"][0] for message in page.messages}
    assert len(page.messages) == 9
    page.messages.clear()
    monkeypatch.setattr(ahead, "perf_counter", lambda: next(clock) * 2 * ahead.LONG)
    run(page, lambda: page.show([20]))
    assert not page.messages


def test_the_oldest_goes_first():
    page = Page({"a": 1000})
    for k in range(KEPT + 2):
        page.show([k])
    page.show([3])  # shown again, it is the newest
    page.show([KEPT + 2])
    assert list(page.ahead._kept) == [(k,) for k in (*range(4, KEPT + 2), 3, KEPT + 2)]


class Slow(Explorer):
    """Fits for odd n."""

    n = IntSlider(2, 0, 9)

    def pending(self, n):
        return (lambda progress: None) if n % 2 else None

    def compute(self, n):
        return n

    def draw(self, result):
        return figure([Panel("t", [dict(type="scatter", x=[result], y=[1])])])

    def describe(self, result):
        return f"It is {result}."


def test_what_takes_a_fit_is_left_out(monkeypatch):
    explorer, sent = Slow(), []
    assert explorer.panel
    monkeypatch.setattr(explorer.view, "send", lambda content, buffers: sent.append(content["ahead"]))
    explorer._ahead.send = explorer.view.send
    on_a_loop(later(lambda: setattr(explorer.view, "focused", "n")))
    assert [message["at"] for message in sent] == [[4], [6], [8], [0]]
    explorer.close()


def test_what_is_closed_sends_nothing_ahead():
    explorer, sent = Slow(), []
    assert explorer.panel
    explorer._ahead.send = lambda *message: sent.append(message)
    on_a_loop(later(lambda: (setattr(explorer.view, "focused", "n"), explorer.close())))
    assert sent == []


async def later(step):
    step()
    for _ in range(75):
        await asyncio.sleep(PAUSE)


@pytest.mark.parametrize("kind", EXPLORERS)
def test_deltas_make_up_the_frames_of_every_explorer(kind):
    explorer = kind()
    values = explorer._values
    name = next(n for n, c in explorer.declared.items() if not isinstance(c, Text))
    place = explorer._place(explorer.state)
    places = list(near(place, list(values).index(name), len(values[name]), True))
    base, sizes = explorer._frame_at(place), []
    for other in places if base else ():
        wanted = explorer._frame_at(other)
        if wanted is None:
            continue
        buffers = []
        told = [[path, ahead._extract_buffers(value, buffers)] for path, value in changes(base, wanted)]
        assert patched({tuple(place): base}, {"base": place, "changes": told}, buffers) == wanted
        sizes.append(len(str(told)) + sum(map(len, buffers)))
    print(kind.__name__, f"{statistics.median(sizes or [0]) / 1e3:.1f} kB, {max(sizes, default=0) / 1e3:.1f} kB")
    assert max(sizes, default=0) <= 70_000
