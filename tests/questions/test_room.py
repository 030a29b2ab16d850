"""A question for a lecture room, in the notebook: phones and the answer; nothing is kept."""

import json
import re
from urllib.parse import unquote

import pytest

from workbook.learning import predict
from workbook.questions import phones as lecturers
from workbook.questions import room
from workbook.questions.phones import Count, GoneError, Phones, Watch
from workbook.questions.progress import load
from workbook.questions.room import LETTERS, Room, RoomSession

from ..vote.opened import opened, wait_for
from .asked import Page

ROOM = Room("99/room", "Is 1 < 2 & <b>3</b>?", ["no", "yes", "<i>both</i>"], lambda: ("yes", "Computed: yes. It is."))
ITEM = predict("02/unseen-word")


@pytest.fixture(autouse=True)
def no_phones(monkeypatch):
    monkeypatch.delenv(lecturers.WHERE, raising=False)


def put(room=ROOM, phones=None):
    """A session, and its page: with phones the counts are the kernel's, the hands are the page's."""
    page = Page(room)
    session = RoomSession(room, page.view, phones)
    return session, page


def votes(page):
    return page.view.phones["votes"]


def test_a_prediction_goes_to_the_room_with_its_own_words_and_nothing_is_kept():
    room = ITEM.room()
    assert room.to_text().startswith("The room votes.\ndef fit_probabilities(")
    assert room.to_text().endswith("  C Osaka")
    assert len(ITEM.options) <= len(LETTERS)
    right, words = room.answer()
    assert right == ITEM.right_option()
    assert words == ITEM.judge(None)[0].removeprefix("Skipped. ")
    page = Page(room)
    for act in ("look", "end"):
        page(act, turn=0)
    assert page.view.reply == {}, "what the lecturer does in between tells nothing"
    page("answer", turn=0)
    assert page.view.reply == {"answer": right, "why": words}
    assert load() == {}
    assert room._repr_mimebundle_()["text/plain"] == room.to_text()


@pytest.mark.parametrize(("key", "wanted"), [("00/two-tests", "a drawing"), ("03/two-values", "a number")])
def test_a_room_needs_options(key, wanted):
    with pytest.raises(ValueError, match=f"A room votes on options; {key} asks for {wanted}."):
        predict(key).room()


def test_a_prediction_can_be_put_to_the_room_in_its_place():
    page = Page(ITEM)
    assert page.view.record["room"]
    page("room")
    assert page.view.record == ITEM.room().page_record()
    assert page.view.phones == {}
    page("answer", turn=0)
    assert page.view.reply["answer"] == ITEM.right_option()
    assert load() == {}


# --- by phones --------------------------------------------------------------------------------------------------------


@pytest.fixture
def served():
    with opened() as found:
        yield found


def test_phones_vote_twice_and_each_vote_is_closed(served):
    session, page = put(phones=served.lecturer)
    cookies = [served.cookie() for _ in range(3)]
    assert served.room.ballot is None, "nothing is put to the phones before the lecturer says so"
    assert votes(page) == [[0, 0, 0], [0, 0, 0]]
    for _ in range(2):  # the second press comes too late
        page("put", turn=0)
    assert page.view.phones["put"] == [0]
    number = session.number
    for cookie, option in zip(cookies, (0, 1, 1), strict=True):
        served.vote(cookie, number, option)
    wait_for(lambda: votes(page)[0] == [1, 2, 0])
    page("end", turn=0)
    assert served.vote(cookies[0], number, 1)[0] == 409, "the first vote is over"
    page("put", turn=1)
    assert served.room.ballot.turn == 2
    for cookie in cookies:
        served.vote(cookie, session.number, 1)
    page("answer", turn=1)
    assert votes(page) == [[1, 2, 0], [0, 3, 0]]
    assert not served.room.ballot.open
    assert page.view.reply == {"answer": "yes", "why": "Computed: yes. It is."}


class OneMore:
    """Phones of which one more has voted at each look."""

    url, votes, stopped = "http://a/b", 0, 0

    def __init__(self, look=None, every=None):
        """As a watch it looks at nothing."""

    def qr(self):
        return ""

    def put(self, *_):
        return 1

    def count(self, number):
        self.votes += 1
        return Count([self.votes, 0, 0], True, 0)

    close = count

    def stop(self):
        self.stopped += 1


def test_a_look_counts_at_once_and_the_end_stops_the_watch(monkeypatch):
    monkeypatch.setattr(room, "Watch", OneMore)
    session, page = put(phones=OneMore())
    page("put", turn=0)
    page("look", turn=0)
    assert votes(page)[0] == [1, 0, 0]
    assert session.look() is True
    assert votes(page)[0] == [2, 0, 0]
    page("end", turn=0)
    assert session._watch.stopped == 1


def test_a_watch_looks_until_it_need_not_or_is_stopped():
    looks = iter([True, True, False])
    ended, stopped = Watch(lambda: next(looks), every=0.001), Watch(lambda: True, every=0.001)
    ended._thread.join(300)
    assert next(looks, "all were taken") == "all were taken"
    stopped.stop()
    stopped._thread.join(300)
    assert not stopped._thread.is_alive()
    assert stopped._thread.daemon, "no page waits for it"


def test_another_question_ends_this_one_and_its_votes_stay(served):
    (first, page), (second, other) = (put(phones=served.lecturer) for _ in range(2))
    page("put", turn=0)
    served.vote(served.cookie(), first.number, 2)
    other("put", turn=0)
    wait_for(lambda: first.number is None)
    assert votes(page)[0] == [0, 0, 1]
    assert second.number == served.room.ballot.number
    page("answer", turn=0)
    assert served.room.ballot.open, "it closes its own vote only"
    other("answer", turn=0)


def test_who_was_turned_away_is_said(served):
    _, page = put(phones=served.lecturer)
    for _ in range(7):
        served.ask()
    page("put", turn=0)
    wait_for(lambda: page.view.phones["away"] == 2)
    page("end", turn=0)


def test_a_question_that_left_the_page_is_closed(served):
    _, page = put(phones=served.lecturer)
    page("put", turn=0)
    page.view.close()
    wait_for(lambda: not served.room.ballot.open)


def test_the_address_is_on_the_projector_as_text_and_as_a_code(served):
    _, page = put(phones=served.lecturer)
    assert page.view.phones["url"] == served.phones.url
    code = unquote(page.view.phones["qr"].removeprefix("data:image/svg+xml;charset=utf-8,"))
    side, height = map(int, re.search(r"viewBox=['\"]0 0 (\d+) (\d+)", code).groups())
    assert (side - 2 * 4) % 4 == (height - 2 * 4) % 4 == 1, "21, 25, 29, ... modules, and four of quiet on either side"
    assert "width=" not in code.partition(">")[0], "the style says how large it is"
    other = Phones("127.0.0.1:9", "x", f"{served.phones.url}x")
    assert page.view.phones["qr"].partition("%3Cpath")[2] != other.qr().partition("%3Cpath")[2]


def test_a_server_that_is_gone_or_refuses_is_a_sentence(served):
    other = Phones(served.control.host, "a wrong secret", served.phones.url)
    with pytest.raises(GoneError, match="refuses"):
        other.put("Which?", ["a"], 1)
    _, gone = put(phones=Phones("127.0.0.1:9", "x", "http://127.0.0.1:9/abcdef"))
    assert gone("put", turn=0).startswith("The voting server does not answer. Count hands")
    assert gone.view.phones["put"] == [], "one may try again"


def test_phones_are_there_if_the_process_was_told_so(served, monkeypatch):
    assert lecturers.phones() is None
    monkeypatch.setenv(lecturers.WHERE, served.control.where)
    assert lecturers.phones().url == served.phones.url
    assert json.loads(served.control.where)["secret"] not in repr(lecturers.phones())
    assert Page(ROOM).view.phones["url"] == served.phones.url
