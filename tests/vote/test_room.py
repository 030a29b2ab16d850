"""A room's rules, without a network."""

from time import monotonic

import pytest

from workbook.vote.rate import Rate
from workbook.vote.room import GONE, LETTERS, Room, VoteError

COUNTED = "Your vote is counted. Until the vote closes you may change it."


def test_every_room_has_a_code_of_its_own_that_can_be_typed():
    codes = {Room().code for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 6 and set(code) <= set(LETTERS) for code in codes)
    assert not set("il1o0") & set(LETTERS)


def test_one_vote_a_browser_and_round_and_the_latest_counts():
    room = Room()
    anna, ben = room.admit("a"), room.admit("b")
    first = room.put("Which?", ["x", "y"])
    assert [room.vote(anna, first.number, [option]) for option in (0, 0, 1)] == [COUNTED] * 3
    assert room.vote(ben, first.number, [1]) == COUNTED
    assert first.counts == [0, 2]
    second = room.put("Which?", ["x", "y"], turn=2)
    room.vote(anna, second.number, [1])
    assert (first.counts, second.counts) == ([0, 2], [0, 1])


@pytest.mark.parametrize("option", [-1, 2, 1.0, True, "0", "<b>x</b>", None, [0], {"option": 1}, 10**30])
def test_only_an_option_of_the_question_counts(option):
    room = Room()
    token, ballot = room.admit("a"), room.put("Which?", ["x", "y"])
    with pytest.raises(VoteError, match="none of the options"):
        room.vote(token, ballot.number, [option])
    assert ballot.counts == [0, 0]
    assert room.vote(token, ballot.number, [0]) == COUNTED, "a slip costs no vote"


@pytest.mark.parametrize("number", [0, 2, 1.0, True, "1", None])
def test_only_the_open_ballot_counts(number):
    room = Room()
    token, ballot = room.admit("a"), room.put("Which?", ["x", "y"])
    with pytest.raises(VoteError, match="closed"):
        room.vote(token, number, [0])
    room.close()
    with pytest.raises(VoteError, match="closed"):
        room.vote(token, ballot.number, [0])
    assert ballot.counts == [0, 0]


@pytest.mark.parametrize("token", [None, "", "x" * 22])
def test_a_token_that_the_room_did_not_give_is_none(token):
    room = Room()
    ballot = room.put("Which?", ["x", "y"])
    with pytest.raises(VoteError, match="cookie"):
        room.vote(token, ballot.number, [0])


def test_a_room_is_bounded():
    room = Room(per_address=2, full=5)
    for address in "aabb":
        room.admit(address)
    with pytest.raises(VoteError, match="2 browsers of your address") as behind_one:
        room.admit("a")
    room.admit("c")
    with pytest.raises(VoteError, match="full") as full:
        room.admit("d")
    assert (behind_one.value.number, full.value.number, room.turned_away) == (429, 503, 2)


def test_who_has_voted_is_forgotten_with_the_question():
    room = Room()
    token, ballot = room.admit("a"), room.put("Which?", ["x", "y"])
    room.vote(token, ballot.number, [0])
    room.reveal(1, "Because.")
    assert (ballot.votes, ballot.open, ballot.right) == ({token: (0,)}, False, 1), "a phone sees what it chose"
    assert room.put("Which?", ["x", "y"]).votes == {}
    assert token not in repr(room)


def test_a_browser_that_stays_away_is_here_no_more_until_it_asks_again(monkeypatch):
    room = Room()
    first, _ = room.admit("a"), room.admit("b")
    assert len(room) == 2
    later = monotonic() + GONE + 1
    monkeypatch.setattr("workbook.vote.room.monotonic", lambda: later)
    assert len(room) == 0
    assert room.knows(first)
    assert len(room) == 1


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second():
    now = [0.0]
    rate = Rate(burst=3, per_second=2, most=2, clock=lambda: now[0])
    assert [rate.allows("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.allows("b"), "one does not cost another"
    now[0] = 1.0
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    now[0] = 1000.0
    assert sum(rate.allows("a") for _ in range(9)) == 3
    for address in range(100):
        rate.allows(str(address))
    assert len(rate) == 2
