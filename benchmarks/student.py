"""A student of the load test: logs in to JupyterHub, runs a chapter and moves a slider, as a browser does."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import nbformat
import requests
import websocket
from jupyter_server.services.kernels.connection.base import deserialize_binary_message

PATIENCE = 600  # s: what takes longer has hung
SHOW = """
from {module} import {name}
explorer = {name}()
display(explorer)
print(explorer.controls[{slider!r}].model_id, explorer.view.model_id)
"""


class Student:
    """Speaks HTTP and a websocket through the proxy, with cookies of its own."""

    def __init__(self, hub: str, name: str, password: str):
        self.hub, self.name, self.password = hub, name, password
        self.browser = requests.Session()
        self.session = uuid4().hex
        self.page = f"{hub}/user/{name}"

    def log_in(self) -> None:
        """Until the own server answers with JupyterLab's page."""
        self.browser.get(f"{self.hub}/hub/login", timeout=PATIENCE).raise_for_status()
        form = {"username": self.name, "password": self.password, "_xsrf": self.cookie("/hub/")}
        came = self.browser.post(f"{self.hub}/hub/login?next=/hub/spawn", data=form, timeout=PATIENCE)
        came.raise_for_status()
        begun, address = time.perf_counter(), ""
        while f"/user/{self.name}/lab" not in address:  # until then it is the hub's waiting page
            if time.perf_counter() > begun + PATIENCE:
                raise RuntimeError(f"{self.name} came to {address} instead of JupyterLab.")
            time.sleep(0.5)
            address = urlsplit(self.browser.get(f"{self.page}/lab", timeout=PATIENCE).url).path

    def cookie(self, path: str) -> str:
        """The token against forged requests that belongs to a path."""
        return next(each.value for each in self.browser.cookies if each.name == "_xsrf" and each.path == path)

    def open(self, notebook: str) -> None:
        """A kernel for a notebook, and the line to it."""
        asked = {"path": notebook, "name": notebook, "type": "notebook", "kernel": {"name": "python3"}}
        token = {"X-XSRFToken": self.cookie(f"/user/{self.name}/")}
        made = self.browser.post(f"{self.page}/api/sessions", json=asked, headers=token, timeout=PATIENCE)
        made.raise_for_status()
        address = f"{self.page}/api/kernels/{made.json()['kernel']['id']}/channels?session_id={self.session}"
        # Cookies of a path and of those above it, the longest path first, as a browser sends them.
        mine = [each for each in self.browser.cookies if f"/user/{self.name}/".startswith(each.path)]
        cookies = "; ".join(f"{each.name}={each.value}" for each in sorted(mine, key=lambda each: -len(each.path)))
        self.line = websocket.create_connection(
            address.replace("http", "ws", 1), cookie=cookies, origin=self.hub, timeout=PATIENCE
        )

    def run(self, notebook: Path) -> None:
        """Every code cell; a cell that fails ends it."""
        for cell in nbformat.read(notebook, 4).cells:
            if cell.cell_type == "code":
                self.execute(cell.source)

    def execute(self, code: str) -> str:
        """What a cell prints."""
        content = dict(code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=False)
        heard = list(self.answers("execute_request", content))
        for message in heard:
            if message["msg_type"] == "error":
                raise RuntimeError(f"{self.name}: {message['content']['ename']}: {message['content']['evalue']}")
        return "".join(message["content"]["text"] for message in heard if message["msg_type"] == "stream")

    def listen(self, until: Callable[[], bool]) -> None:
        """Answer the server's pings, as a browser does behind the page, until something is so."""
        self.line.settimeout(0.5)
        while not until():
            with suppress(websocket.WebSocketTimeoutException):
                self.line.recv()
        self.line.settimeout(PATIENCE)

    def show(self, explorer: type, slider: str) -> None:
        """An explorer of one's own, whose slider has the focus: frames are sent ahead, as they are to a page."""
        code = SHOW.format(module=explorer.__module__, name=explorer.__name__, slider=slider)
        self.slider, self.view = self.execute(code).split()[-2:]
        list(self.update(self.view, {"focused": slider}))

    def move(self, states: list[dict], steps: int, every: float) -> list[float | None]:
        """Seconds from when each step was due to its new figure; None if none came."""
        way, begun, seconds = cycle(states), time.perf_counter(), []
        for step in range(steps):
            due = begun + step * every
            time.sleep(max(0.0, due - time.perf_counter()))
            seconds.append(self.step(next(way), due))
        return seconds

    def step(self, state: dict, due: float) -> float | None:
        drawn = None
        for message in self.update(self.slider, state):
            about = message["content"].get("data", {})
            if about.get("method") == "update" and "figure" in about["state"] and drawn is None:
                drawn = time.perf_counter() - due
        return drawn

    def update(self, model: str, state: dict) -> Iterator[dict]:
        """A widget's new state, and what the kernel sends because of it."""
        content = {"comm_id": model, "data": {"method": "update", "state": state, "buffer_paths": []}}
        return self.answers("comm_msg", content)

    def answers(self, kind: str, content: dict) -> Iterator[dict]:
        """Everything that the kernel says about one message of ours, until it is idle again."""
        head = {"msg_id": uuid4().hex, "msg_type": kind, "session": self.session, "username": "", "version": "5.3",
                "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}  # fmt: skip
        told = {"header": head, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        self.line.send(json.dumps(told))
        while True:
            heard = self.line.recv()
            message = json.loads(heard) if isinstance(heard, str) else deserialize_binary_message(heard)
            state = message["content"].get("execution_state")
            if state in ("restarting", "dead"):
                raise RuntimeError(f"{self.name}: the kernel died.")
            if message["parent_header"].get("msg_id") == head["msg_id"]:
                yield message
                if state == "idle":
                    return

    def leave(self) -> None:
        """Stop the own server."""
        self.line.close()
        token = {"X-XSRFToken": self.cookie("/hub/")}
        address = f"{self.hub}/hub/api/users/{self.name}/server"
        self.browser.delete(address, headers=token, timeout=PATIENCE).raise_for_status()
