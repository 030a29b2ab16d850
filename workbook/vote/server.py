"""The server of a vote, for phones in the room's network."""

from __future__ import annotations

import html
import json
import logging
import re
import socket
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.web import Application, Finish, HTTPError, RequestHandler

from workbook.vote.rate import Rate
from workbook.vote.room import Room, VoteError

__all__ = ["Phones", "SentenceHandler", "listen", "log_nothing"]

HERE = Path(__file__).parent
TIMEOUT = 5.0  # s to send the head of a request, and again its body
TIMEOUTS = dict(no_keep_alive=True, idle_connection_timeout=TIMEOUT, body_timeout=TIMEOUT)
HEAD, BODY = 8192, 256  # bytes: a phone sends no more
BACKLOG = 512  # connections that wait to be accepted
MOST_OPEN = 800  # connections at a time: fewer than a process may have files
PER_SECOND, BURST = 8, 24  # requests that an address may send for each of its browsers, which ask every two seconds
WRONG_ROOM = "There is no such room here. Type the address as it stands on the screen, with the six letters at its end."
WORDS = {
    HTTPStatus.NOT_FOUND: WRONG_ROOM,
    HTTPStatus.TOO_MANY_REQUESTS: "That was too often. Wait a moment, then load the page again.",
    HTTPStatus.MISDIRECTED_REQUEST: "Type the address as it stands on the screen.",
}


def build_pages() -> tuple[str, str, str]:
    """Return HTML with style and script for voting, HTML for one sentence, and the security policy of both."""
    names = "../explorer/tokens.css", "phone.css", "phone.js"
    tokens, style, script = ((HERE / name).read_text(encoding="utf-8") for name in names)
    style = tokens + style
    bare = (HERE / "phone.html").read_text(encoding="utf-8").replace("/*style*/", style)
    sentence = re.sub("<main>.*</script>", "<main><p>/*sentence*/</p></main>", bare, flags=re.DOTALL)
    style_hash, script_hash = (b64encode(sha256(each.encode()).digest()).decode() for each in (style, script))
    policy = (
        f"default-src 'none'; style-src 'sha256-{style_hash}'; script-src 'sha256-{script_hash}'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return bare.replace("/*script*/", script), sentence, policy


PAGE, SENTENCE, POLICY = build_pages()


class LimitedServer(HTTPServer):
    """A server that closes a connection beyond `most_per_address` of one address, or MOST_OPEN of all."""

    most_per_address = MOST_OPEN

    def initialize(self, *args, **kwargs):
        self.open_by_address: Counter[str] = Counter()
        super().initialize(*args, **kwargs)

    def handle_stream(self, stream, address):
        if self.open_by_address.total() >= MOST_OPEN or self.open_by_address[address[0]] >= self.most_per_address:
            stream.close()
            return
        self.open_by_address[address[0]] += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn):
        address = server_conn.context.address[0]
        self.open_by_address[address] -= 1
        self.open_by_address += Counter()  # forgets addresses with none
        super().on_close(server_conn)


def listen(server: HTTPServer, address: str, port: int) -> str:
    """Open a server at this address of the machine; return address and port, as a Host header has them."""
    listener = socket.create_server((address, port), backlog=BACKLOG)
    listener.setblocking(False)
    server.add_sockets([listener])
    return f"{address}:{listener.getsockname()[1]}"


class SentenceHandler(RequestHandler):
    """A handler that answers every fault with one sentence, which repeats nothing that was sent."""

    as_page = False

    def set_default_headers(self):
        self.clear_header("Server")
        for name, value in {
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }.items():
            self.set_header(name, value)

    def compute_etag(self):
        """Return None: nothing here is cached."""

    def say(self, sentence: str, number: int = 200) -> None:
        self.set_status(number)
        if self.as_page:
            self.finish(SENTENCE.replace("/*sentence*/", html.escape(sentence)))
            return
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(sentence)

    def write_error(self, status_code, **kwargs):
        problem = kwargs.get("exc_info", (None, None, None))[1]
        sentence = WORDS.get(status_code, HTTPStatus(status_code).phrase)
        self.say(str(problem) if isinstance(problem, VoteError) else sentence, status_code)

    def refuse(self, number: int, sentence: str):
        self.say(sentence, number)
        raise Finish

    def read_json(self) -> dict:
        """Return the JSON object that was sent; refuse anything else."""
        try:
            found = json.loads(self.request.body)
        except (ValueError, RecursionError):
            found = None
        if self.request.headers.get("Content-Type") != "application/json" or not isinstance(found, dict):
            self.refuse(400, "This was not sent by the page.")
        return found


class PhoneHandler(SentenceHandler):
    """A request of a phone: for the page, for the question put to the room, or to count a vote."""

    def initialize(self, phones: Phones):
        self.phones, self.room = phones, phones.room

    def prepare(self):
        if not self.phones.rate.allows(self.request.remote_ip):
            raise HTTPError(429)
        if self.request.headers.get("Host") != self.phones.host:
            raise HTTPError(421)
        code = self.path_args[0] if self.path_args else ""
        if code.lower() != self.room.code:
            raise HTTPError(404)

    def token(self) -> str | None:
        return self.get_cookie(self.phones.cookie)


class Page(PhoneHandler):
    """The page, also for an address that is none: its answer is a sentence then."""

    as_page = True

    def get(self, _code):
        try:
            if not self.room.knows(self.token()):
                token = self.room.admit(self.request.remote_ip)
                self.set_cookie(self.phones.cookie, token, httponly=True, samesite="Lax", path="/")
        except VoteError as problem:
            self.refuse(problem.number, str(problem))
        self.finish(PAGE)


class State(PhoneHandler):
    def get(self, _code):
        ballot, token = self.room.ballot, self.token()
        found: dict = {"open": bool(ballot and ballot.open), "known": self.room.knows(token)}
        if ballot:
            names = ("number", "turn", "context", "question", "fields", "right", "why")
            found |= {name: getattr(ballot, name) for name in names} | {"choice": ballot.votes.get(token or "")}
        if ballot and ballot.right is not None:
            found["counts"] = ballot.counts
        self.finish(found)


class Vote(PhoneHandler):
    def post(self, _code):
        if self.request.headers.get("Origin") != f"http://{self.phones.host}":
            self.refuse(403, "This was not sent by the page.")
        vote = self.read_json()
        try:
            self.say(self.room.vote(self.token(), vote.get("ballot"), vote.get("choices")))
        except VoteError as problem:
            self.refuse(problem.number, str(problem))


class Phones:
    """The server that phones reach. address: one of this machine's; port: 0 for a free one."""

    def __init__(self, room: Room, address: str, port: int = 0):
        self.room, self.cookie = room, f"vote-{room.code}"
        self.rate = Rate(BURST * room.per_address, PER_SECOND * room.per_address)
        routes = [(rf"/([^/]{{1,20}}){end}", handler) for end, handler in
                  (("/?", Page), ("/state", State), ("/vote", Vote))]  # fmt: skip
        given = {"phones": self}
        app = Application([(route, handler, given) for route, handler in routes],
                          log_function=log_nothing, default_handler_class=Page, default_handler_args=given
                          )  # fmt: skip
        self.server = LimitedServer(app, max_header_size=HEAD, max_body_size=BODY, max_buffer_size=4 * HEAD, **TIMEOUTS)
        self.server.most_per_address = min(MOST_OPEN, 10 + 4 * room.per_address)
        self.host = listen(self.server, address, port)
        self.url = f"http://{self.host}/{room.code}"
        logging.getLogger("tornado.general").setLevel(logging.ERROR)  # a hostile phone fills no terminal

    def close(self) -> None:
        self.server.stop()


def log_nothing(_handler) -> None:
    """Write no log of requests: who asked for what stays unknown."""
