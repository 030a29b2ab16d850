"""Two servers: one that phones in the room's network reach, and the notebook's, on this machine only."""

from __future__ import annotations

import html
import json
import logging
import re
import secrets
import socket
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.web import Application, Finish, HTTPError, RequestHandler

from workbook.vote.rate import Rate
from workbook.vote.room import Refused, Room

__all__ = ["Control", "Phones"]

HERE = Path(__file__).parent
SLOW = 5.0  # s to send the head of a request, and again its body
BRIEF = dict(no_keep_alive=True, idle_connection_timeout=SLOW, body_timeout=SLOW)
HEAD, BODY = 8192, 256  # bytes: a phone sends no more
TOLD = 65536  # bytes: the lecturer's question may be longer
WAITING = 512  # connections that wait to be taken
OPEN = 800  # connections at a time: fewer than a process may have files
A_SECOND, BURST = 8, 24  # requests of each browser that may come from an address: it asks once in two seconds
WRONG_ROOM = "There is no such room here. Type the address as it stands on the screen, with the six letters at its end."
WORDS = {
    HTTPStatus.NOT_FOUND: WRONG_ROOM,
    HTTPStatus.TOO_MANY_REQUESTS: "That was too often. Wait a moment, then load the page again.",
    HTTPStatus.MISDIRECTED_REQUEST: "Type the address as it stands on the screen.",
}


def page() -> tuple[str, str, str]:
    """The phones' page with style and script in it, one for a sentence, and the policy that allows these two only."""
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("phone.css", "phone.js"))
    bare = (HERE / "phone.html").read_text(encoding="utf-8").replace("/*style*/", style)
    sentence = re.sub("<main>.*</script>", "<main><p>/*sentence*/</p></main>", bare, flags=re.DOTALL)
    style_hash, script_hash = (b64encode(sha256(each.encode()).digest()).decode() for each in (style, script))
    policy = (
        f"default-src 'none'; style-src 'sha256-{style_hash}'; script-src 'sha256-{script_hash}'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return bare.replace("/*script*/", script), sentence, policy


PAGE, SENTENCE, POLICY = page()


class Guarded(HTTPServer):
    """Closes at once what one address, or all, have open beyond `each` and OPEN."""

    each = OPEN

    def initialize(self, *args, **kwargs):
        self.held: Counter[str] = Counter()
        super().initialize(*args, **kwargs)

    def handle_stream(self, stream, address):
        if self.held.total() >= OPEN or self.held[address[0]] >= self.each:
            stream.close()
            return
        self.held[address[0]] += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn):
        address = server_conn.context.address[0]
        self.held[address] -= 1
        self.held += Counter()  # forgets those that hold none
        super().on_close(server_conn)


def listen(server: HTTPServer, address: str, port: int) -> str:
    """Open it at this address of the machine; address and port, as a Host header has them."""
    line = socket.create_server((address, port), backlog=WAITING)
    line.setblocking(False)
    server.add_sockets([line])
    return f"{address}:{line.getsockname()[1]}"


class Plain(RequestHandler):
    """Whatever goes wrong is one sentence, in which nothing stands that was sent."""

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
        """None: nothing here is kept."""

    def say(self, sentence: str, number: int = 200) -> None:
        self.set_status(number)
        if self.as_page:
            self.finish(SENTENCE.replace("/*sentence*/", html.escape(sentence)))
            return
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(sentence)

    def write_error(self, status_code, **kwargs):
        problem = kwargs.get("exc_info", (None, None, None))[1]
        known = str(problem) if isinstance(problem, Refused) else WORDS.get(status_code, HTTPStatus(status_code).phrase)
        self.say(known, status_code)

    def refuse(self, number: int, sentence: str):
        self.say(sentence, number)
        raise Finish

    def told(self) -> dict:
        """The JSON object that was sent."""
        try:
            found = json.loads(self.request.body)
        except (ValueError, RecursionError):
            found = None
        if self.request.headers.get("Content-Type") != "application/json" or not isinstance(found, dict):
            self.refuse(400, "This was not sent by the page.")
        return found


class Phone(Plain):
    """What a phone may ask: for the page, for what is put to the room, and to count a vote."""

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


class Lost(Phone):
    """Any other address."""

    as_page = True


class Page(Phone):
    as_page = True

    def get(self, _code):
        try:
            if not self.room.knows(self.token()):
                token = self.room.admit(self.request.remote_ip)
                self.set_cookie(self.phones.cookie, token, httponly=True, samesite="Lax", path="/")
        except Refused as problem:
            self.refuse(problem.number, str(problem))
        self.finish(PAGE)


class State(Phone):
    def get(self, _code):
        ballot = self.room.ballot
        if ballot is None or not ballot.open:
            self.finish({"open": False, "known": self.room.knows(self.token())})
            return
        names = ("number", "turn", "question", "options")
        voted = self.token() in ballot.voted
        told = {name: getattr(ballot, name) for name in names} | {"voted": voted}
        self.finish({"open": True, "known": self.room.knows(self.token())} | told)


class Vote(Phone):
    def post(self, _code):
        if self.request.headers.get("Origin") != f"http://{self.phones.host}":
            self.refuse(403, "This was not sent by the page.")
        told = self.told()
        try:
            self.say(self.room.vote(self.token(), told.get("ballot"), told.get("option")))
        except Refused as problem:
            self.refuse(problem.number, str(problem))


class Phones:
    """The server that phones reach, at `address` of this machine.

    address: one of this machine's; port: 0 for a free one.
    """

    def __init__(self, room: Room, address: str, port: int = 0):
        self.room, self.cookie = room, f"vote-{room.code}"
        self.rate = Rate(BURST * room.per_address, A_SECOND * room.per_address)
        routes = [(rf"/([^/]{{1,20}}){end}", handler) for end, handler in
                  (("/?", Page), ("/state", State), ("/vote", Vote))]  # fmt: skip
        given = {"phones": self}
        app = Application([(route, handler, given) for route, handler in routes],
                          default_handler_class=Lost, default_handler_args=given, log_function=silent)  # fmt: skip
        self.server = Guarded(app, max_header_size=HEAD, max_body_size=BODY, max_buffer_size=4 * HEAD, **BRIEF)
        self.server.each = min(OPEN, 10 + 4 * room.per_address)
        self.host = listen(self.server, address, port)
        self.url = f"http://{self.host}/{room.code}"
        logging.getLogger("tornado.general").setLevel(logging.ERROR)  # a hostile phone fills no terminal

    def __repr__(self):
        return f"Phones({self.url})"

    def close(self) -> None:
        self.server.stop()


def silent(_handler) -> None:
    """Who asked for what is written nowhere."""


class Order(Plain):
    """What the lecturer's notebook may ask, with the secret that only this machine's user has."""

    def initialize(self, control: Control):
        self.control = control

    def post(self, name):
        given = self.request.headers.get("Authorization", "")
        if self.request.headers.get("Host") != self.control.host or "Origin" in self.request.headers:
            self.refuse(403, "This is for the notebook only.")
        if not secrets.compare_digest(given.encode(), f"Bearer {self.control.secret}".encode()):
            self.refuse(403, "This is for the notebook only.")
        self.finish(self.control.orders[name](self.told()))


class Control:
    """The server for the lecturer's notebook, on 127.0.0.1; `where` is what the notebook must know."""

    def __init__(self, room: Room, url: str):
        self.room, self.url, self.secret = room, url, secrets.token_urlsafe(32)
        self.orders: dict[str, Callable[[dict], dict]] = {"put": self.put, "count": self.count, "close": self.end}
        app = Application([(f"/({'|'.join(self.orders)})", Order, {"control": self})], log_function=silent)
        self.server = HTTPServer(app, max_header_size=HEAD, max_body_size=TOLD, **BRIEF)
        self.host = listen(self.server, "127.0.0.1", 0)
        self.where = json.dumps({"control": self.host, "secret": self.secret, "url": url})

    def __repr__(self):
        return f"Control({self.host})"

    def put(self, told: dict) -> dict:
        return {"number": self.room.put(told["question"], told["options"], told["turn"]).number}

    def count(self, told: dict) -> dict:
        """What was counted on a ballot."""
        ballot = self.room.counted(told["number"])
        if ballot is None:
            raise HTTPError(404)
        return {"votes": ballot.counts, "open": ballot.open, "turned_away": self.room.turned_away}

    def end(self, told: dict) -> dict:
        """The same, and it is closed."""
        if self.room.ballot is self.room.counted(told["number"]):
            self.room.close()
        return self.count(told)

    def close(self) -> None:
        self.server.stop()
