"""A student of the load test: runs a chapter on JupyterHub and moves a slider, as a browser does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
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
    """Speaks HTTP and a websocket through the proxy, with a token that the hub knows."""

    def __init__(self, hub: str, name: str, token: str):
        self.name, self.session = name, uuid4().hex
        self.authorization = {"Authorization": f"token {token}"}
        self.user, self.page = f"{hub}/hub/api/users/{name}", f"{hub}/user/{name}"

    def request(self, method: str, address: str, content: dict | None = None) -> requests.Response:
        """Send a request; an answer that is an error ends the load test."""
        answer = requests.request(method, address, json=content, headers=self.authorization, timeout=PATIENCE)
        answer.raise_for_status()
        return answer

    def start(self) -> None:
        """Start the student's server and wait until it answers with JupyterLab's page."""
        self.request("POST", self.user)
        self.request("POST", f"{self.user}/server")
        self.request("GET", f"{self.user}/server/progress")  # the answer ends when the server is ready
        self.request("GET", f"{self.page}/lab")

    def open(self, notebook: str) -> None:
        """Connect to a notebook's kernel; start one if it has none."""
        content = {"path": notebook, "name": notebook, "type": "notebook", "kernel": {"name": "python3"}}
        kernel = self.request("POST", f"{self.page}/api/sessions", content).json()["kernel"]["id"]
        address = f"{self.page}/api/kernels/{kernel}/channels?session_id={self.session}".replace("http", "ws", 1)
        self.line = websocket.create_connection(address, header=self.authorization, timeout=PATIENCE)

    def run(self, notebook: Path) -> None:
        """Execute every code cell; a cell that fails ends the load test."""
        for cell in nbformat.read(notebook, 4).cells:
            if cell.cell_type == "code":
                self.execute(cell.source)

    def execute(self, code: str) -> str:
        """Execute a cell and return what it prints."""
        content = dict(code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=False)
        messages = list(self.send("execute_request", content))
        for message in messages:
            if message["msg_type"] == "error":
                raise RuntimeError(f"{self.name}: {message['content']['ename']}: {message['content']['evalue']}")
        return "".join(message["content"]["text"] for message in messages if message["msg_type"] == "stream")

    def show(self, explorer: type, slider: str) -> None:
        """Show an explorer and give its slider the focus: frames are then sent ahead, as they are to a page."""
        code = SHOW.format(module=explorer.__module__, name=explorer.__name__, slider=slider)
        self.slider, self.view = self.execute(code).split()[-2:]
        list(self.update(self.view, {"focused": slider}))

    def move(self, states: list[dict], steps: int, every: float) -> list[float | None]:
        """Move the slider; return for each step the seconds from when it was due to its figure, None if none came."""
        states_in_turn, start, seconds = cycle(states), time.perf_counter(), []
        for step in range(steps):
            due, drawn = start + step * every, None
            time.sleep(max(0.0, due - time.perf_counter()))
            for message in self.update(self.slider, next(states_in_turn)):
                data = message["content"].get("data", {})
                if drawn is None and data.get("method") == "update" and "figure" in data["state"]:
                    drawn = time.perf_counter() - due
            seconds.append(drawn)
        return seconds

    def update(self, model: str, state: dict) -> Iterator[dict]:
        """Set a widget's state; yield what the kernel sends because of it."""
        content = {"comm_id": model, "data": {"method": "update", "state": state, "buffer_paths": []}}
        return self.send("comm_msg", content)

    def send(self, kind: str, content: dict) -> Iterator[dict]:
        """Send a message; yield everything that the kernel says about it, until it is idle again."""
        header = {"msg_id": uuid4().hex, "msg_type": kind, "session": self.session, "username": "", "version": "5.3",
                  "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}  # fmt: skip
        self.line.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content,
                                   "channel": "shell"}))  # fmt: skip
        while True:
            received = self.line.recv()
            message = json.loads(received) if isinstance(received, str) else deserialize_binary_message(received)
            state = message["content"].get("execution_state")
            if state in ("restarting", "dead"):
                raise RuntimeError(f"{self.name}: the kernel died.")
            if message["parent_header"].get("msg_id") == header["msg_id"]:
                yield message
                if state == "idle":
                    return

    def leave(self) -> None:
        """Stop the student's server."""
        self.line.close()
        self.request("DELETE", f"{self.user}/server")
