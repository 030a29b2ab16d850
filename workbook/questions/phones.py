"""Client of the voting server of `run.py present NN --vote`, for a notebook."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

__all__ = ["Count", "GoneError", "Phones", "Watch", "phones"]

WHERE = "NBCORE_VOTE"
PATIENCE = 3.0  # s
EVERY = 0.5  # s between two counts


class GoneError(Exception):
    """The voting server does not answer."""


@dataclass(frozen=True)
class Count:
    """The votes for each option, whether more may come, and how many browsers were turned away."""

    votes: list[int]
    open: bool
    turned_away: int


class Phones:
    """Client of the voting server. Its address and secret come from the process that started this one."""

    def __init__(self, control: str, secret: str, url: str):
        self.url, self._control, self._secret = url, control, secret

    def __repr__(self):
        return f"Phones({self.url})"

    def put(self, question: str, options: Sequence[str], turn: int) -> int:
        """Put a question to the phones; return the number of its ballot."""
        return self._request("put", question=question, options=list(options), turn=turn)["number"]

    def count(self, number: int) -> Count:
        """Return the votes of a ballot so far."""
        return self._request_count("count", number)

    def close(self, number: int) -> Count:
        """Close a ballot and return its votes."""
        return self._request_count("close", number)

    def qr(self) -> str:
        """Return the address as a QR code, the data URL of an SVG."""
        import segno

        code = segno.make(self.url, micro=False, error="m")
        return code.svg_data_uri(border=4, dark="#000", light="#fff", omitsize=True, title=self.url)

    def _request_count(self, name: str, number: int) -> Count:
        return Count(**self._request(name, number=number))

    def _request(self, name: str, **payload) -> dict:
        head = {"Authorization": f"Bearer {self._secret}", "Content-Type": "application/json"}
        connection = HTTPConnection(self._control, timeout=PATIENCE)
        try:
            connection.request("POST", f"/{name}", json.dumps(payload), head)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise GoneError("The voting server refuses: start python3 run.py present NN --vote anew.")
            return json.loads(text)
        except (OSError, HTTPException, ValueError) as problem:
            raise GoneError("The voting server does not answer. Count hands, or start --vote anew.") from problem
        finally:
            connection.close()


def phones() -> Phones | None:
    """Return the client of this room's voting server, None without `--vote`."""
    where = os.environ.get(WHERE)
    return Phones(**json.loads(where)) if where else None


class Watch:
    """Calls `look` twice a second, in a thread, until it returns False or `stop` is called."""

    def __init__(self, look: Callable[[], bool], every: float = EVERY):
        self._look, self._every, self._end = look, every, Event()
        self._thread = Thread(target=self._run, name="workbook phones", daemon=True)
        self._thread.start()

    def _run(self):
        while not self._end.wait(self._every) and self._look():
            pass

    def stop(self) -> None:
        self._end.set()
