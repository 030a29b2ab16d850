"""A question for a lecture room, in the notebook: hands, phones, bars, the answer; nothing is kept."""

import json
import re

import pytest

from workbook import lecture
from workbook.explorer.view import View
from workbook.learning import predict
from workbook.questions import phones as lecturers
from workbook.questions import room
from workbook.questions.phones import Count, GoneError, Phones, Watch
from workbook.questions.progress import load
from workbook.questions.question import QuestionView
from workbook.questions.room import ARMED, DISCUSS, LETTERS, Room, RoomSession

from ..vote.opened import opened, wait_for

ROOM = Room("99/room", "Is 1 < 2 & <b>3</b>?", ["no", "yes", "<i>both</i>"], lambda: ("yes", "Computed: yes. It is."))
ITEM = predict("02/unseen-word")


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("NBCORE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv(lecturers.WHERE, raising=False)


def put(room=ROOM, phones=None):
    return RoomSession(room, View(), phones)


def hands(session, turn, *counts):
    for field, count in zip(session.hands[turn], counts, strict=True):
        field.value = count


def reveal(session):
    """Press twice: the first press only says that a second one shows the answer."""
    session.reveal()
    session.reveal()


def bars(session):
    return [drawn.value.count("nb-bar-row") for drawn in session.drawn]


# --- by hands ---------------------------------------------------------------------------------------------------------


def test_vote_discuss_vote_again_reveal():
    session = put()
    hands(session, 0, 12, 5, 3)
    assert bars(session) == [0, 0, 0], "hidden until asked for"
    assert {field.layout.display for field in session.hands[1]} == {"none"}
    session.toggle()
    assert session.reply.sentence == "First vote: A 12 (60 %), B 5 (25 %), C 3 (15 %)."
    assert bars(session) == [1, 1, 1]
    for part in ('aria-label="First vote: 12 of 20 (60 %)"', "nb-vote-1", "width: 60.0%", ">1st: 12 (60 %)<"):
        assert part in session.drawn[0].value
    hands(session, 0, 12, 5, 13)
    assert "12 of 30 (40 %)" in session.drawn[0].value, "it follows"
    session.again()
    assert session.reply.sentence == DISCUSS
    assert bars(session) == [0, 0, 0], "so that nobody follows the crowd"
    assert {field.layout.display for field in session.hands[1]} == {""}
    assert [{field.disabled for field in fields} for fields in session.hands] == [{True}, {False}]
    assert not any("right" in line.value for line in session.lines)
    assert [action.disabled for action in session.actions.children] == [False, True, False], "one discussion"
    hands(session, 1, 2, 17, 1)
    reveal(session)
    assert session.reply.sentence == "Computed: yes. It is. Right: 5 of 30 (17 %), then 17 of 20 (85 %)."
    assert bars(session) == [2, 2, 2]
    for mark in ("✓ right:", "nb-right"):
        assert [mark in line.value for line in session.lines] == [False, True, False]
    assert ">2nd: 17 (85 %)<" in session.drawn[1].value
    assert [action.disabled for action in session.actions.children] == [False, True, True]


@pytest.mark.parametrize(("something_else", "said"), [
    (RoomSession.toggle, "First vote: A 1 (50 %), B 1 (50 %), C 0 (0 %)."),
    (RoomSession.again, DISCUSS),
    (lambda session: hands(session, 0, 2, 1, 0), ""),
])  # fmt: skip
def test_a_room_sees_the_answer_after_a_second_press_only(something_else, said):
    session = put()
    hands(session, 0, 1, 1, 0)
    button = session.actions.children[2]
    session.reveal()
    assert (button.description, session.reply.sentence) == ("Reveal: press again", ARMED)
    something_else(session)
    assert (button.description, session.reply.sentence) == ("Reveal", said)
    session.reveal()
    assert not any("right" in line.value for line in session.lines), "something else was done between the presses"
    session.reveal()
    assert session.reply.sentence.startswith("Computed: yes.")
    assert button.description == "Reveal"


def test_without_a_vote_the_answer_comes_alone():
    session = put()
    session.toggle()
    assert session.reply.sentence == "No vote is counted yet."
    assert not any(action.disabled for action in session.actions.children)
    reveal(session)
    assert session.reply.sentence == "Computed: yes. It is."
    assert bars(session) == [0, 0, 0]
    assert [action.disabled for action in session.actions.children] == [False, True, True], "it is said"


def test_one_vote_is_enough_for_bars():
    session = put()
    hands(session, 0, 0, 1, 2)
    reveal(session)
    assert bars(session) == [1, 1, 1]
    assert "display: none" in session.drawn[0].value
    assert session.look() is False, "no phone is asked"


def test_each_field_says_which_option_and_vote_it_counts():
    fields = put().hands
    assert [[field.description for field in turn] for turn in fields] == [
        [f"{letter}, {nth} vote" for letter in "ABC"] for nth in ("1st", "2nd")
    ]
    assert {field.value for turn in fields for field in turn} == {0}
    fields[0][0].value = -5
    assert fields[0][0].value == 0


def test_tags_in_a_question_are_shown_and_not_read():
    session = put()
    assert "1 &lt; 2 &amp; &lt;b&gt;3" in session.rows[0].children[0].children[0].value
    assert "&lt;i&gt;both" in session.lines[2].value


def test_a_prediction_goes_to_the_room_with_its_own_words_and_nothing_is_kept():
    room = ITEM.room()
    assert room.to_text().startswith("The room votes.\ndef fit_probabilities(")
    assert room.to_text().endswith("  C Osaka")
    assert len(ITEM.options) <= len(LETTERS)
    right, words = room.answer()
    assert right == ITEM.right_option()
    assert words == ITEM.judge(None)[0].removeprefix("Skipped. ")
    session = put(room)
    hands(session, 0, 1, 2, 3)
    reveal(session)
    assert load() == {}
    shown = room._repr_mimebundle_()
    assert shown["text/plain"] == room.to_text()


@pytest.mark.parametrize(("key", "wanted"), [("00/two-tests", "a drawing"), ("10/share", "a number")])
def test_a_room_needs_options(key, wanted):
    with pytest.raises(ValueError, match=f"A room votes on options; {key} asks for {wanted}."):
        predict(key).room()


def test_in_a_lecture_a_prediction_can_be_put_to_the_room():
    shown = QuestionView(ITEM)
    try:
        *own, button, place, reply = shown.box.children
        assert "nb-to-room" in button._dom_classes, "the style shows it in a lecture only"
        assert "nb-context" in own[0]._dom_classes, "this, too"
        lecture()
        button.children[0].click()
        assert {row.layout.display for row in [*own, button]} == {"none"}
        assert "nb-to-room" not in button._dom_classes
        (room,) = place.children
        assert "nb-room" in room._dom_classes
        assert "def word_probability(" in room.children[0].value
        button = room.children[1].children[-1].children[-1]
        button.click()
        assert reply.sentence == ARMED
        button.click()
        assert reply.sentence == ITEM.room().answer()[1]
    finally:
        lecture(False)
        shown.close()
    assert load() == {}


# --- by phones --------------------------------------------------------------------------------------------------------


@pytest.fixture
def served():
    with opened() as found:
        yield found


def test_phones_and_hands_are_counted_together(served):
    session = put(phones=served.lecturer)
    cookies = [served.cookie() for _ in range(3)]
    assert served.room.ballot is None, "nothing is put to the phones before the lecturer says so"
    assert session.arrived.value.count("<b>0</b> votes by phone</div>") == 1
    session.put()
    assert session.start.children[0].disabled
    number = session.number
    for cookie, option in zip(cookies, (0, 1, 1), strict=True):
        served.vote(cookie, number, option)
    wait_for(lambda: "<b>3</b> votes by phone" in session.arrived.value)
    assert bars(session) == [0, 0, 0], "how many, not what"
    hands(session, 0, 0, 1, 0)
    session.toggle()
    assert session.reply.sentence == "First vote: A 1 (25 %), B 3 (75 %), C 0 (0 %)."
    assert session.start.children[0].disabled
    session.again()
    assert served.vote(cookies[0], number, 1)[0] == 409, "the first vote is over"
    assert "<b>0</b> votes by phone</div>" in session.arrived.value
    session.put()
    assert served.room.ballot.turn == 2
    for cookie in cookies:
        served.vote(cookie, session.number, 1)
    reveal(session)
    assert session.reply.sentence.endswith("Right: 3 of 4 (75 %), then 3 of 3 (100 %).")
    assert not served.room.ballot.open
    assert session.start.children[0].disabled


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


def test_bars_are_of_the_votes_so_far_and_follow(monkeypatch):
    monkeypatch.setattr(room, "Watch", OneMore)
    session = put(phones=OneMore())
    session.put()
    session.toggle()
    assert session.reply.sentence.startswith("First vote: A 1 (100 %)"), "it has looked"
    assert session.look() is True
    assert "2 of 2" in session.drawn[0].value
    session.again()
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
    first, second = put(phones=served.lecturer), put(phones=served.lecturer)
    first.put()
    served.vote(served.cookie(), first.number, 2)
    second.put()
    wait_for(lambda: first.number is None)
    assert first.by_phone[0] == [0, 0, 1]
    assert second.number == served.room.ballot.number
    assert served.room.ballot.open
    reveal(first)
    assert served.room.ballot.open, "it closes its own vote only"
    reveal(second)


def test_who_was_turned_away_is_said(served):
    session = put(phones=served.lecturer)
    for _ in range(7):
        served.ask()
    session.put()
    wait_for(lambda: "2 turned away: see --one-address" in session.arrived.value)
    reveal(session)


def test_a_question_that_left_the_page_is_closed(served):
    session = put(phones=served.lecturer)
    session.put()
    session.reply.close()
    wait_for(lambda: not served.room.ballot.open)


def test_the_address_is_on_the_projector_as_text_and_as_a_code(served):
    code, address, *_ = put(phones=served.lecturer).rows[0].children[1].children
    assert served.phones.host in address.value
    assert f"<wbr>/{served.room.code}" in address.value
    assert code.value.startswith("<svg")
    assert served.phones.url in code.value
    side, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', code.value).groups())
    assert (side - 2 * 4) % 4 == (height - 2 * 4) % 4 == 1, "21, 25, 29, ... modules, and four of quiet on either side"
    assert "width=" not in code.value.partition(">")[0], "the style says how large it is"
    other = Phones("127.0.0.1:9", "x", f"{served.phones.url}x")
    assert code.value.partition("<path")[2] != other.qr().partition("<path")[2]


def test_a_server_that_is_gone_or_refuses_is_a_sentence(served):
    other = Phones(served.control.host, "a wrong secret", served.phones.url)
    with pytest.raises(GoneError, match="refuses"):
        other.put("Which?", ["a"], 1)
    gone = put(phones=Phones("127.0.0.1:9", "x", "http://127.0.0.1:9/abcdef"))
    gone.put()
    assert gone.reply.sentence.startswith("The voting server does not answer. Count hands")
    assert not gone.start.children[0].disabled, "one may try again"
    hands(gone, 0, 1, 0, 0)
    gone.toggle()
    assert gone.reply.sentence.startswith("First vote: A 1 (100 %)")


def test_phones_are_there_if_the_process_was_told_so(served, monkeypatch):
    assert lecturers.phones() is None
    monkeypatch.setenv(lecturers.WHERE, served.control.where)
    assert lecturers.phones().url == served.phones.url
    assert json.loads(served.control.where)["secret"] not in repr(lecturers.phones())
    assert len(ROOM.rows(View())[0].children) == 2
