"""What a hostile phone can do: it gets a sentence or nothing, and everybody else's vote counts."""

import json
import socket

import pytest

from workbook.vote import server as servers
from workbook.vote.server import BODY, HEAD, WRONG_ROOM

from .opened import PATIENCE, opened, wait_for

COUNTED = "Your vote is counted. Until the vote closes you may change it."


@pytest.fixture
def room():
    with opened() as found:
        yield found


def still_counts(room):
    """An honest phone of another address has its vote counted."""
    token = room.room.admit("another address")
    cookie = f"{room.phones.cookie}={token}"
    number = room.put()
    assert room.vote(cookie, number, 2) == (200, COUNTED)
    return room.room.ballot.counts == [0, 0, 1]


def test_a_page_guards_itself(room):
    status, headers, text = room.ask()
    assert status == 200
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "expires" not in cookie.lower()
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert "Server" not in headers
    assert not [name for name in headers if name.lower().startswith("access-control")]
    assert not [place for place in ("http:", "https:", "//") if place in text.replace("// ", "")], "no other machine"


def test_a_browser_keeps_its_token(room):
    cookie = room.cookie()
    assert room.ask(Cookie=cookie)[1]["Set-Cookie"] is None
    assert room.ask(path=f"/{room.room.code.upper()}", Cookie=cookie)[0] == 200, "as phones like to write it"


FILES = "/phone.js", "/static/phone.js", "/{code}/phone.js", "/../", "/%2e%2e/%2e%2e/etc/passwd"
OTHERS = "/", "/abcdef", "/abcdef/state", "/abcdef/vote", "/<script>alert(1)</script>", "/" + "x" * 3000


@pytest.mark.parametrize("path", [*FILES, *OTHERS])
def test_other_rooms_and_other_files_get_a_sentence(room, path):
    status, _, text = room.ask(path=path.format(code=room.room.code))
    assert status == 404
    assert WRONG_ROOM in text
    assert "alert" not in text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:{port}", ""])
def test_another_name_for_this_machine_is_refused(room, host):
    port = room.phones.host.partition(":")[2]
    sent = f"GET /{room.room.code}/state HTTP/1.1\r\nHost: {host.format(port=port)}\r\n\r\n".encode()
    assert room.raw(sent).split(b" ")[1] in (b"421", b"400")


ELSEWHERE = [dict(Origin=origin) for origin in ("http://evil.example", None, "null")]
AS_FORM = [dict(Content_Type=kind) for kind in ("text/plain", "application/x-www-form-urlencoded")]


@pytest.mark.parametrize("headers", [*ELSEWHERE, *AS_FORM])
def test_another_page_cannot_vote(room, headers):
    cookie, number = room.cookie(), room.put()
    status, text = room.vote(cookie, number, 0, **headers)
    assert status in (400, 403)
    assert text == "This was not sent by the page."
    assert room.room.ballot.counts == [0, 0, 0]


BODIES = b"", b"x", b"[]", b"[" * 250, b'"text"', b"\xff\xfe", b"null", b'{"ballot": NaN}', b"{}"


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_none_of_ours_is_refused(room, body):
    room.put()
    origin = f"http://{room.phones.host}"
    asked = dict(Origin=origin, Content_Type="application/json", Cookie=room.cookie())
    status, _, text = room.ask("POST", f"/{room.room.code}/vote", body, **asked)
    assert status in (400, 409)
    assert text in ("This was not sent by the page.", "This vote is closed. Look at the screen.")
    assert room.room.ballot.counts == [0, 0, 0]


def test_many_cookies_are_no_votes(room):
    number = room.put()
    name = room.phones.cookie
    for k in range(20):
        assert room.vote(f"{name}=forged{k}", number, 0)[0] == 403
    assert room.vote("; ".join(f"{name}=x{k}" for k in range(50)), number, 0)[0] == 403
    assert room.room.ballot.counts == [0, 0, 0]


def test_many_browsers_of_one_address_are_turned_away_and_the_lecturer_is_told(room):
    cookies = [room.cookie() for _ in range(5)]
    assert len(set(cookies)) == 5
    for _ in range(3):
        status, headers, text = room.ask()
        assert status == 429
        assert headers["Set-Cookie"] is None
        assert "5 browsers of your address are in already" in text
    number = room.put()
    assert [room.vote(cookie, number, 1)[0] for cookie in cookies] == [200] * 5
    assert room.room.turned_away == 3
    assert still_counts(room)


def test_a_flood_is_stopped_and_nobody_else_suffers(room, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(room.phones.rate, "clock", lambda: now[0])
    cookie = room.cookie()
    statuses = [room.ask(path=f"/{room.room.code}/state")[0] for _ in range(130)]
    assert statuses == [200] * 119 + [429] * 11
    _, _, text = room.ask(Cookie=cookie)
    assert servers.WORDS[429] in text
    now[0] += 1
    assert still_counts(room)


@pytest.mark.parametrize(
    "head", [b"X: " + b"x" * HEAD, b"Cookie: " + b"a=b; " * 3000, b"\r\n".join([b"X: y"] * 5000), b"Content-Length: -1",
             b"Content-Length: 5\r\nContent-Length: 6", b"Transfer-Encoding: strange", b"\x00\x01\x02"]
)  # fmt: skip
def test_a_head_that_is_huge_or_odd_gets_nothing_or_a_refusal(room, head):
    start = f"POST /{room.room.code}/vote HTTP/1.1\r\nHost: {room.phones.host}\r\n".encode()
    answer = room.raw(start + head + b"\r\n\r\n")
    assert answer == b"" or answer.split(b" ")[1][:1] == b"4"
    assert still_counts(room)


@pytest.mark.parametrize(("where", "more"), [("body", 0), ("body", 4 * BODY), ("head", 0), ("head", 2 * HEAD)])
def test_an_honest_vote_counts_and_the_same_with_too_much_around_it_does_not(room, where, more):
    cookie, number = room.cookie(), room.put()
    body = json.dumps({"ballot": number, "choices": [0]}) + " " * more * (where == "body")
    head = [f"POST /{room.room.code}/vote HTTP/1.1", f"Host: {room.phones.host}", f"Origin: http://{room.phones.host}",
            "Content-Type: application/json", f"Cookie: {cookie}", f"Content-Length: {len(body)}",
            *[f"X-{k}: {'x' * 100}" for k in range(more // 100 * (where == "head"))]]  # fmt: skip
    answer = room.raw("\r\n".join([*head, "", body]).encode())
    assert answer.startswith(b"HTTP/1.1 200 ") == (more == 0)
    assert room.room.ballot.counts == [int(more == 0), 0, 0]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_huge_body_is_not_read(room, chunked):
    size = f"Content-Length: {10**9}" if not chunked else "Transfer-Encoding: chunked"
    start = f"POST /{room.room.code}/vote HTTP/1.1\r\nHost: {room.phones.host}\r\n{size}\r\n\r\n".encode()
    piece = b"x" * 65536
    sent = [start] + [b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece] * 100
    answer = room.raw(*sent)
    assert b" 200 " not in answer[:20]
    assert still_counts(room)


def test_slow_connections_are_closed_and_one_address_holds_few(room):
    code, host = room.room.code, room.phones.host
    heads = [b"", b"GET /", f"POST /{code}/vote HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n".encode()]
    address, _, port = host.partition(":")
    lines = []
    for k in range(60):
        line = socket.create_connection((address, int(port)), timeout=PATIENCE)
        line.sendall(heads[k % 3])
        lines.append(line)
    held = room.phones.server.open_by_address
    wait_for(lambda: held["127.0.0.1"] == room.phones.server.most_per_address == 30)
    gone = 0
    for line in lines:
        try:
            gone += line.recv(1) == b""
        except ConnectionError:
            gone += 1
        line.close()
    assert gone == 60
    wait_for(lambda: not room.phones.server.open_by_address)
    assert still_counts(room)


@pytest.mark.parametrize("method", ["PUT", "OPTIONS", "HEAD", "TRACE", "NONSENSE"])
def test_other_methods_get_nothing_of_use(room, method):
    status, headers, text = room.ask(method)
    assert status in (405, 501)
    assert "Traceback" not in text
    assert headers["Access-Control-Allow-Origin"] is None


# --- what a phone is told ---------------------------------------------------------------------------------------------


def state(room, cookie):
    return json.loads(room.ask(path=f"/{room.room.code}/state", Cookie=cookie)[2])


def test_nothing_on_the_wire_tells_the_counts_or_what_is_right_before_the_reveal(room):
    cookie, number = room.cookie(), room.put()
    room.vote(cookie, number, 1)
    told = {"open": True, "known": True, "number": number, "turn": 1, "context": "",
            "question": "Which?", "fields": [["one", "two", "three"]], "right": None, "why": "",
            "choice": [1]}  # fmt: skip
    assert state(room, cookie) == told
    room.room.close()
    assert state(room, cookie) == told | {"open": False}
    room.room.reveal(2, "Because.")
    assert state(room, cookie) == told | {"open": False, "right": 2, "why": "Because.", "counts": [0, 1, 0]}
    assert state(room, room.cookie())["choice"] is None, "another's vote is nobody else's business"
