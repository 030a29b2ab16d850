"""The bench's crowd of phones, a small one: every vote is counted, for its option."""

from collections import Counter

from benchmarks.vote import Load, load


def test_no_vote_of_a_crowd_is_lost():
    found = load(phones=60, seconds=2.0)
    assert found.sent.total() == len(found.seconds) == 60
    assert found.counted == [found.sent[k] for k in range(4)]
    assert found.lost() == 0
    assert found.requests >= 3 * 60, "the page, the state, the vote"
    assert found.cpu < found.took


def test_a_lost_vote_and_one_for_another_option_would_be_seen():
    assert Load(Counter({0: 2, 1: 1}), [1, 1, 0, 0], [], 0, 1).lost() == 1
    assert Load(Counter({0: 2, 1: 1}), [1, 2, 0, 0], [], 0, 1).lost() == 2
