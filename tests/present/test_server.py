"""The lecturer's server: for its own page only; frames are the explorers', counts are the phones'."""

import asyncio
import http.client
import json
import threading
from contextlib import contextmanager

import pytest

from workbook.draw import as_text
from workbook.lectures import Lecture, Scene
from workbook.present.__main__ import split_address
from workbook.present.server import Server
from workbook.site.lectures import shown
from workbook.vote.room import Room
from workbook.vote.server import Phones

LECTURE = Lecture("mine", "Zero & one", (Scene(4, vote="02/overcast"), Scene(2, explorer="SmoothingExplorer")))
PATIENCE = 300


@contextmanager
def served(lecture=LECTURE, vote=True):
    """A lecturer's server with its phones, in a thread; it ends with the context."""
    ready, ended, holder = threading.Event(), [], []

    async def serve():
        ended.append(asyncio.Event())
        phones = Phones(Room(per_address=40), "127.0.0.1") if vote else None
        holder.append((Server(lecture, phones), asyncio.get_running_loop()))
        ready.set()
        await ended[0].wait()
        holder[0][0].close()
        if phones:
            phones.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(PATIENCE)
    server, loop = holder[0]
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(ended[0].set)
        thread.join()


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
        room = server.phones.room
        token = room.admit("a")
        assert told(server, act="look") == {"joined": 1, "away": 0}
        assert told(server, act="put", question="Which?", options=["x", "y"], turn=0)["votes"] == [0, 0]
        room.vote(token, room.ballot.number, 1)
        assert told(server, act="look") == {"votes": [0, 1], "joined": 1, "away": 0}
        assert told(server, act="close")["votes"] == [0, 1]
        assert not room.ballot.open
        told(server, act="reveal", right=1, why="Because.")
        assert (room.ballot.right, room.ballot.why) == (1, "Because.")
        assert ask(server, "/room", "POST", "{}")[0] == 400, "a form of another page is none of ours"


def test_without_phones_hands_are_counted():
    with served(vote=False) as server:
        assert told(server, act="put", question="Which?", options=["x"], turn=0) == {}
        assert '"room": null' in ask(server, "/lectures/mine.js")[2]


def test_an_address_may_have_a_port():
    assert split_address("127.0.0.1:80") == ("127.0.0.1", 80)
    assert split_address("127.0.0.1") == ("127.0.0.1", 0)
