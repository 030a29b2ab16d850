"""The lecturer's server: for its own page only; frames are the explorers', counts are the phones'."""

import http.client
import itertools
import json
import random
from collections import Counter

import pytest

from tools.present import split_address
from workbook.chapters import chapter_module
from workbook.chapters.rooms import LEAST
from workbook.draw import as_text
from workbook.lectures import Lecture, Scene
from workbook.present.server import Server
from workbook.site.lectures import shown
from workbook.vote.room import Room
from workbook.vote.server import Phones

from ..vote.opened import PATIENCE, in_a_thread

LECTURE = Lecture("mine", "Zero & one", (Scene(4, vote="02/overcast"), Scene(2, explorer="SmoothingExplorer")))


def served(lecture=LECTURE, vote=True):
    """A lecturer's server with its phones, in a thread; it ends with the context."""

    def make():
        phones = [Phones(Room(per_address=40), "127.0.0.1")] if vote else []
        server = Server(lecture, *phones)
        return server, [server, *phones]

    return in_a_thread(make)


def ask(server, path, method="GET", body=None, cookie=True, **headers):
    line = http.client.HTTPConnection(server.host, timeout=PATIENCE)
    sent = {"Cookie": f"{server.cookie}={server.token}"} if cookie else {}
    try:
        line.request(method, path, body, sent | {name.replace("_", "-"): text for name, text in headers.items()})
        answer = line.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        line.close()


@pytest.fixture(scope="module")
def server():
    with served() as found:
        yield found


PATHS = ["/", "/lectures/mine.js", "/packs/SmoothingExplorer.js", "/questions/02.js", "/_static/lecture.js"]


@pytest.mark.parametrize("path", [*PATHS, "/frames/SmoothingExplorer?place=0,0"])
def test_only_who_has_the_token_is_served(server, path):
    assert ask(server, path, cookie=False)[0] == 403
    assert ask(server, path, cookie=False, Cookie=f"{server.cookie}=é")[0] in (400, 403)
    assert ask(server, path, Host="evil.example")[0] == 403
    assert ask(server, path, Origin="http://evil.example")[0] == 403
    assert ask(server, path)[0] == 200


def test_the_address_gives_a_cookie_and_hides_its_token(server):
    status, headers, _ = ask(server, f"/?token={server.token}", cookie=False)
    assert (status, headers["Location"]) == (302, "/")
    assert "HttpOnly" in headers["Set-Cookie"]
    assert "SameSite=Strict" in headers["Set-Cookie"]
    assert server.token not in repr(server)
    assert "Zero &amp; one" in ask(server, "/")[2]


@pytest.mark.parametrize("path", ["/lectures/02.js", "/packs/../x.js", "/_static/fonts/../../layout.html", "/x"])
def test_other_files_are_not_there(server, path):
    assert ask(server, path)[0] in (403, 404)


def test_a_frame_is_the_explorers(server):
    catalog = shown.catalog("SmoothingExplorer", LECTURE.scenes[1].kind)
    place = catalog.places()[7]
    text = ask(server, f"/frames/SmoothingExplorer?place={','.join(map(str, place))}")[2]
    assert json.loads(text) == json.loads(json.dumps(as_text(catalog.frame(place))))


def told(server, **order):
    status, _, text = ask(server, "/room", "POST", json.dumps(order), Content_Type="application/json")
    assert status == 200
    return json.loads(text)


def test_the_lecturer_puts_counts_closes_and_reveals():
    with served() as server:
        room, first = server.phones.room, dict(question="Which?", turn=0)
        token = room.admit("a")
        assert told(server, act="look", **first) == {"joined": 1, "away": 0, "open": False}
        fields = [["x", "y"], ["50 %", "100 %"]]
        assert told(server, act="put", fields=fields, **first)["votes"] == [0, 0]
        room.vote(token, room.ballot.number, [1, None])
        assert told(server, act="look", **first) == {"votes": [0, 1], "joined": 1, "away": 0, "open": True}
        assert told(server, act="close", **first)["votes"] == [0, 1]
        assert not room.ballot.open
        told(server, act="reveal", right=1, why="Because.", **first)
        assert (room.ballot.right, room.ballot.why) == (1, "Because.")
        assert ask(server, "/room", "POST", "{}")[0] == 400, "a form of another page is none of ours"


@pytest.mark.parametrize("other", [dict(question="Another?", turn=0), dict(question="Which?", turn=1),
                                   dict(question="Another?", turn=-1)])  # fmt: skip
def test_what_is_done_with_another_question_leaves_the_phones_alone(other):
    """She counts hands for a second question while the phones still show the first one."""
    with served() as server:
        room = server.phones.room
        told(server, act="put", question="Which?", turn=0, fields=[["x", "y"]])
        room.vote(room.admit("a"), room.ballot.number, [1])
        for act in ("look", "close", "reveal"):
            heard = told(server, act=act, right=0, why="Of another.", **other)
            assert heard == {"joined": 1, "away": 0, "open": False}, "no votes of the first question"
        assert (room.ballot.open, room.ballot.right, room.ballot.counts) == (True, None, [0, 1])


def test_the_room_goes_on_with_what_it_says_of_itself():
    with served() as server:
        room, asked = server.phones.room, dict(question="Letter?", turn=-1)
        told(server, act="put", fields=[["x", "y"]], **asked)
        room.vote(room.admit("a"), room.ballot.number, [1])
        told(server, act="close", **asked)
        assert told(server, act="put", fields=[["x", "y"]], **asked)["votes"] == [0, 1]
        assert room.ballot.open


def test_without_phones_hands_are_counted():
    with served(vote=False) as server:
        assert told(server, act="put", question="Which?", fields=[["x"]], turn=0) == {}
        assert '"url":""' in ask(server, "/lectures/mine.js")[2]


# --- the room as data -------------------------------------------------------------------------------------------------


def phone(server):
    """vote(choices) of a new browser in the room; it returns the status."""
    line = http.client.HTTPConnection(server.phones.host, timeout=PATIENCE)
    code = server.phones.room.code
    line.request("GET", f"/{code}")
    cookie = line.getresponse().headers["Set-Cookie"].partition(";")[0]
    sent = {"Cookie": cookie, "Origin": f"http://{server.phones.host}", "Content-Type": "application/json"}

    def vote(choices):
        body = json.dumps({"ballot": server.phones.room.ballot.number, "choices": choices})
        line = http.client.HTTPConnection(server.phones.host, timeout=PATIENCE)
        line.request("POST", f"/{code}/vote", body, sent)
        return line.getresponse().status

    return vote


HOSTILE = [[4, 0], [0, 4], [-1, 0], [0], [0, 0, 0], ["0", 0], [True, 0], [None, 0], [0, None], {"0": 0}, "00", None]


def test_thirty_phones_are_counted_exactly_and_hostile_values_lose_nothing():
    figure = chapter_module("03", "room").ROOM
    fields = list(figure.fields.values())
    draw = random.Random(3)
    chosen = [[draw.randrange(2), draw.choice([0, 0, 1, 1, 1, 2, 3])] for _ in range(30)]
    with served() as server:
        told(server, act="put", question=figure.question, fields=fields, turn=-1)
        phones = [phone(server) for _ in chosen]
        for vote, choices, hostile in zip(phones, chosen, itertools.cycle(HOSTILE), strict=False):
            assert vote([1, 3]) == 200, "a first choice, which the second replaces"
            assert vote(choices) == vote(choices) == 200
            assert vote(hostile) == 400, hostile
        found = told(server, act="figure", room="03")
        expected = {cell: n for cell, n in Counter(map(tuple, chosen)).items() if n >= LEAST}
        assert {tuple(cell): n for *cell, n in found["cells"]} == expected
        assert 0 < len(expected) < len(set(map(tuple, chosen))), "some cells are too small to be shown"
        assert (found["voted"], found["joined"]) == (30, 30)
        assert found["frame"] == json.loads(json.dumps(as_text(figure.frame(expected))))
        told(server, act="close", question=figure.question, turn=-1)
        assert phones[0]([0, 0]) == 409, "too late"
        told(server, act="put", question="Another?", fields=[["x"]], turn=0)
        assert told(server, act="figure", room="03")["cells"] == found["cells"]
    saved = json.dumps({"room": "03", "cells": found["cells"]})
    with served(vote=False) as server:
        assert told(server, act="figure", room="03")["cells"] == [], "all was gone with the process"
        replayed = told(server, act="figure", room="03", file=saved)
        assert (replayed["frame"], replayed["cells"]) == (found["frame"], found["cells"])


CELLS = ["[[0, 9, 3]]", "[[0, 1]]", '[[0, 1, "3"]]', "[[0, 1, -3]]", "3"]
FILES = "", "[]", '{"room": "02", "cells": []}', *(f'{{"room": "03", "cells": {each}}}' for each in CELLS)


@pytest.mark.parametrize("file", FILES)
def test_another_file_gets_a_sentence(server, file):
    order = json.dumps({"act": "figure", "room": "03", "file": file})
    status, _, text = ask(server, "/room", "POST", order, Content_Type="application/json")
    assert (status, text[:39]) == (400, "This file does not hold the counts of '")


def test_how_sure_the_room_was_is_counted_at_the_reveal():
    with served() as server:
        room = server.phones.room
        votes = [(1, 5)] * 4 + [(0, 5)] * 3 + [(1, 0)] * 3 + [(0, 1)] * 2 + [(1, None)] * 5
        told(server, act="put", question="Which?", fields=[["x", "y"], list("abcdef")], turn=0)
        for vote in votes:
            room.vote(room.admit(str(len(room))), room.ballot.number, list(vote))
        for _ in range(2):  # a second reveal counts nothing twice
            told(server, act="reveal", right=1, why="So.", question="Which?", turn=0)
        assert told(server, act="figure", room="06")["cells"] == [[0, 1, 3], [5, 0, 3], [5, 1, 4]]


def test_an_address_may_have_a_port():
    assert split_address("127.0.0.1:80") == ("127.0.0.1", 80)
    assert split_address("127.0.0.1") == ("127.0.0.1", 0)
