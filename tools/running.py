"""Finds the JupyterLab that this folder has open already, and opens it once more."""

import json
import urllib.request
import webbrowser
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from tools.settings import places

PATIENCE = 3.0  # s


def find_server(root: Path) -> tuple[str, Path] | None:
    """Find a server of this folder that answers: its address with the token, and the file that opens it."""
    for place in places(root):
        files = []
        with suppress(PermissionError):  # of another user
            files = sorted((place / "runtime").glob("jpserver-*.json"))
        for file in files:
            with suppress(OSError, ValueError, KeyError, TypeError, HTTPException):  # it has ended, or is about to
                server = json.loads(file.read_text("utf-8"))
                if Path(server["root_dir"]).samefile(root) and is_ours(server["url"], server["token"]):
                    return f"{server['url']}?token={server['token']}", file.with_name(f"{file.stem}-open.html")
    return None


def is_ours(address: str, token: str) -> bool:
    """Tell whether our server answers at an address, and no other program that has got its port."""
    request = urllib.request.Request(f"{address}api/status", headers={"Authorization": f"token {token}"})
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=PATIENCE) as answer:
        return "started" in json.load(answer)


def open_page(address: str, page: Path, browser: bool) -> None:
    """Print the address and open it as Jupyter does: by a file, so that no list of processes shows the token."""
    print(f"The book is open already, from this folder: {address}", flush=True)
    if browser and not webbrowser.open(page.as_uri() if page.is_file() else address):
        print("No web browser was found here: open that address in yours.", flush=True)
