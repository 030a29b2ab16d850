"""The lecturer's server, on this machine only: the page of a lecture, frames computed when asked for, and the votes."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import segno
from tornado.httpserver import HTTPServer
from tornado.web import Application, StaticFileHandler

from workbook.chapters import chapter_module
from workbook.chapters.rooms import LEAST, Counts
from workbook.draw import as_text
from workbook.lectures.scenes import Lecture
from workbook.questions.question import LEVELS
from workbook.site.lectures import shown
from workbook.site.player.questions import records, write_call
from workbook.vote.room import Room
from workbook.vote.server import Phones, SentenceHandler, listen, log_nothing

__all__ = ["Server"]

STATIC = Path(shown.__file__).parents[1] / "pages"
POLICY = "default-src 'self' 'unsafe-inline' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
FOREIGN = "This is for the page that python3 run.py present has opened."


class Lecturer(SentenceHandler):
    """A request of the lecturer's page, with the token of its address or the cookie that this gave."""

    def initialize(self, server: Server):
        self.server = server

    def prepare(self):
        self.set_header("Content-Security-Policy", POLICY)
        given = self.get_query_argument("token", None) or self.get_cookie(self.server.cookie, "")
        own = self.request.headers.get("Origin", self.server.origin) == self.server.origin
        is_right = secrets.compare_digest(given.encode(), self.server.token.encode())
        if not (own and is_right and self.request.headers.get("Host") == self.server.host):
            self.refuse(403, FOREIGN)

    async def send(self, kind: str, make: Callable[[], str]) -> None:
        """Answer with what `make` computes, aside: phones are answered meanwhile."""
        text = await asyncio.get_running_loop().run_in_executor(self.server.aside, make)
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.finish(text)


class Page(Lecturer):
    """The page itself, whose token becomes a cookie."""

    def get(self):
        if self.get_query_argument("token", None):
            self.set_cookie(self.server.cookie, self.server.token, httponly=True, samesite="Strict", path="/")
            return self.redirect("/" + ("?paper=" + paper if (paper := self.get_query_argument("paper", "")) else ""))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(shown.page(self.server.lecture.title, self.server.lecture.name))


class Made(Lecturer):
    """A file that is made when it is asked for: a lecture, questions, an explorer, script and style."""

    async def get(self, name):
        if name not in self.server.files:
            self.refuse(404, f"There is no {name}.")
        await self.send("text/css" if name.endswith(".css") else "text/javascript", self.server.files[name])


class Frame(Lecturer):
    """A frame of an explorer at a place."""

    async def get(self, name):
        place = tuple(map(int, self.get_query_argument("place").split(",")))
        await self.send("application/json", lambda: self.server.frame(name, place))


class Votes(Lecturer):
    """A request that puts, closes or reveals a vote, or draws the room's figure; its answer has the counts."""

    def post(self):
        order = self.read_json()
        try:
            self.finish(self.server.figure(order) if order.get("act") == "figure" else self.server.act(order))
        except ValueError as problem:
            self.refuse(400, str(problem))


class Server:
    """The lecturer's server. room: that of the phones, None without."""

    def __init__(self, lecture: Lecture, phones: Phones | None = None, port: int = 0):
        self.lecture, self.phones, self.token = lecture, phones, secrets.token_urlsafe(24)
        self.aside = ThreadPoolExecutor(1)  # explorers are not shared between threads
        self.files = self._list_files()
        self.counts: dict[str, Counts] = {}  # of each figure of the room: gone with the process
        given = {"server": self}
        fonts = {"path": str(STATIC / "theme" / "static")}
        routes = [(r"/", Page, given), (r"/frames/(\w+)", Frame, given), (r"/room", Votes, given),
                  (r"/_static/(fonts\.css|fonts/[\w.-]+)", StaticFileHandler, fonts),
                  (r"/_static/(favicon\.svg)", StaticFileHandler, {"path": str(STATIC / "static")}),
                  (r"/((?:_static|lectures|packs|questions)/[\w.-]+)", Made, given)]  # fmt: skip
        self.server = HTTPServer(Application(routes, log_function=log_nothing))
        self.host = listen(self.server, "127.0.0.1", port)
        self.origin, self.cookie = f"http://{self.host}", f"lecture-{self.host.rpartition(':')[2]}"
        self.url = f"{self.origin}/?token={self.token}"

    def _list_files(self) -> dict[str, Callable[[], str]]:
        """Map the name of each file to what makes it."""
        votes = {scene.vote.partition("/")[0] for scene in self.lecture.scenes if scene.vote}
        kinds = self.kinds = {scene.explorer: scene.kind for scene in self.lecture.scenes if scene.explorer}
        keys = {scene.vote for scene in self.lecture.scenes}
        files = {f"questions/{chapter}.js": lambda chapter=chapter: write_call("questions", records(chapter, keys))
                 for chapter in votes}  # fmt: skip
        files |= {f"packs/{one}.js": lambda one=one: write_call("live", one, shown.catalog(one, kinds[one]).about())
                  for one in kinds}  # fmt: skip
        url = self.phones.url if self.phones else ""
        qr = segno.make(url or "-", micro=False, error="m").svg_data_uri(dark="#000", light="#fff", omitsize=True)
        return files | {
            f"lectures/{self.lecture.name}.js": lambda: shown.record(self.lecture, server={"url": url, "qr": qr}),
            "_static/lecture.js": shown.script,
            "_static/lecture.css": shown.sheet,
        }

    def frame(self, name: str, place: tuple[int, ...]) -> str:
        """Compute the frame of an explorer at a place."""
        return json.dumps(as_text(shown.catalog(name, self.kinds[name]).frame(place)), ensure_ascii=False)

    def act(self, order: dict) -> dict:
        """Do what the lecturer asks with a question, if it is the one on the phones, and return its counts."""
        if not self.phones:
            return {}
        room, asked = self.phones.room, (order["question"], order["turn"] + 1)
        is_own = bool(room.ballot) and asked == (room.ballot.question, room.ballot.turn)
        if order["act"] == "put" and is_own and asked[1] == 0:
            room.ballot.open = True  # the room goes on with what it says of itself
        elif order["act"] == "put":
            room.put(asked[0], *order["fields"], turn=asked[1], context=order.get("context", ""))
        elif is_own and order["act"] == "close":
            room.close()
        elif is_own and order["act"] == "reveal":
            room.reveal(order["right"], order["why"])
        counts = {"votes": room.ballot.counts} if is_own or order["act"] == "put" else {}
        return counts | {"open": bool(counts) and room.ballot.open, "joined": len(room), "away": room.turned_away}

    def figure(self, order: dict) -> dict:
        """Return the figure of a room, its counts without small cells, and how many phones have answered.

        order: its chapter as `room`; `file`: the text of a saved file, whose counts take the place of the phones'.
        """
        figure = chapter_module(order["room"], "room").ROOM
        sizes = [*map(len, figure.fields.values())] or [len(LEVELS), 2]
        room, voted = (self.phones.room if self.phones else Room()), 0
        if "file" in order:
            self.counts[order["room"]] = figure.read(order["file"], order["room"], sizes)
        elif not figure.fields:
            self.counts[order["room"]] = room.sure or self.counts.get(order["room"], {})
        elif room.ballot and (room.ballot.turn, room.ballot.question) == (0, figure.question):
            self.counts[order["room"]] = Counter(room.ballot.votes.values()) or self.counts.get(order["room"], {})
            voted = len(room.ballot.votes)
        counts = {cell: n for cell, n in self.counts.get(order["room"], {}).items() if n >= LEAST}
        cells = [[*cell, n] for cell, n in sorted(counts.items())]
        return {"frame": as_text(figure.frame(counts)), "cells": cells, "voted": voted, "joined": max(voted, len(room))}

    def close(self) -> None:
        """End this server, not that of the phones."""
        self.server.stop()
        self.aside.shutdown(wait=False, cancel_futures=True)
