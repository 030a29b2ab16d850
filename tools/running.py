"""Finds the JupyterLab that this folder has open already, and opens it once more."""

import json
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from tools.settings import places

PATIENCE = 3.0  # s


def find(root: Path) -> tuple[str, Path] | None:
    """(its address with its token, the page that leads there) of a server of this folder that answers; else None."""
    for file in notes(root):
        try:
            server = json.loads(file.read_text("utf-8"))
            if Path(server["root_dir"]).samefile(root) and answers(server["url"], server["token"]):
                return f"{server['url']}?token={server['token']}", file.with_name(f"{file.stem}-open.html")
        except (OSError, ValueError, KeyError, TypeError, HTTPException):
            continue  # it has ended without a word, or is about to
    return None


def notes(root: Path) -> Iterator[Path]:
    """What servers leave beside the book while they run."""
    for place in places(root):
        with suppress(PermissionError):  # of another user
            yield from sorted((place / "runtime").glob("jpserver-*.json"))


def answers(address: str, token: str) -> bool:
    """Whether it is our server that answers there, and no other program that has got its port."""
    asked = urllib.request.Request(f"{address}api/status", headers={"Authorization": f"token {token}"})
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(asked, timeout=PATIENCE) as answer:
        return "started" in json.load(answer)


def show(address: str, page: Path, browser: bool) -> None:
    """Say where it is, and open it as Jupyter does: by a file, so that no list of processes shows the token."""
    print(f"The book is open already, from this folder: {address}", flush=True)
    if browser and not webbrowser.open(page.as_uri() if page.is_file() else address):
        print("No web browser was found here: open that address in yours.", flush=True)
