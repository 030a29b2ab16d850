"""A voting server of the tests: on loopback, in a thread."""

import asyncio
import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager

from workbook.vote.room import Room
from workbook.vote.server import Phones

PATIENCE = 300  # s: what takes so long on the busiest machine has hung


class Opened:
    """Room and servers, with what a phone and a lecturer ask of them."""

    def __init__(self, room):
        self.room = room
        self.phones = Phones(room, "127.0.0.1")

    def raw(self, *pieces, wait=PATIENCE):
        """What the server answers to these bytes, sent one after the other; empty if it says nothing."""
        host, _, port = self.phones.host.partition(":")
        with socket.create_connection((host, int(port)), timeout=wait) as line:
            found = b""
            try:
                for piece in pieces:
                    line.sendall(piece)
                while more := line.recv(65536):
                    found += more
            except (ConnectionError, BrokenPipeError):
                pass
            return found

    def ask(self, method="GET", path=None, body=None, host=None, **headers):
        """(status, headers, text) of an answer; headers with underscores for dashes."""
        path = f"/{self.room.code}" if path is None else path
        line = http.client.HTTPConnection(host or self.phones.host, timeout=PATIENCE)
        try:
            line.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            line.close()

    def cookie(self):
        """Come in as a new browser."""
        return self.ask()[1]["Set-Cookie"].partition(";")[0]

    def vote(self, cookie, ballot, option, **headers):
        """(status, sentence) of a vote as the page sends it, with other headers if wanted."""
        sent = {"Content_Type": "application/json", "Origin": f"http://{self.phones.host}", "Cookie": cookie} | headers
        body = json.dumps({"ballot": ballot, "choices": [option]})
        status, _, text = self.ask("POST", f"/{self.room.code}/vote", body, **{k: v for k, v in sent.items() if v})
        return status, text

    def put(self, options=("one", "two", "three")):
        return self.room.put("Which?", options).number


@contextmanager
def in_a_thread(make):
    """make() -> (what is yielded, servers) in the event loop of a thread; the servers end with the context."""
    ready, ended, holder = threading.Event(), [], []

    async def serve():
        ended.append(asyncio.Event())
        found, servers = make()
        holder.append((found, asyncio.get_running_loop()))
        ready.set()
        await ended[0].wait()
        for each in servers:
            each.close()
            await each.server.close_all_connections()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(PATIENCE)
    found, loop = holder[0]
    try:
        yield found
    finally:
        loop.call_soon_threadsafe(ended[0].set)
        thread.join()


def opened(**limits):
    """The server of phones; it ends with the context."""

    def make():
        found = Opened(Room(**limits))
        return found, [found.phones]

    return in_a_thread(make)


def wait_for(condition):
    """Until it holds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)
