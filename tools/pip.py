"""pip in an environment: its progress is shown, foreign settings are kept from it, its words become one sentence."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from tools import alone
from tools.stop import Stop, Unchanged

COMMON = ["--no-input", "--disable-pip-version-check", "--progress-bar=off", "--no-deps", "--require-hashes",
          "--only-binary=:all:"]
FETCH = ["download", *COMMON]
INSTALL = ["install", *COMMON, "--no-index",  # from what was fetched
           "--no-compile"]  # half of all the work; Python compiles what it imports, when it first does
# What a machine may say to pip: where the packages are, how they are reached, where they are kept.
SETTINGS = {"INDEX_URL", "EXTRA_INDEX_URL", "NO_INDEX", "FIND_LINKS", "TRUSTED_HOST", "PROXY", "CERT", "CLIENT_CERT",
            "KEYRING_PROVIDER", "CACHE_DIR", "NO_CACHE_DIR", "TIMEOUT", "DEFAULT_TIMEOUT", "RETRIES", "CONFIG_FILE"}
NUMBERS = {"TIMEOUT", "DEFAULT_TIMEOUT", "RETRIES"}  # from 1: without a second try pip does not say why it failed
TROUBLE = {  # what pip prints: what to do about it
    "No space left|Errno 28|not enough space": "the disk is full: free 2 GB and run this again.",
    "Long Path": r"a path is too long for Windows: move this folder to a short path, e.g. C:\nb, then retry.",
    "Permission denied|Access is denied|Errno 13": "pip may not write here: use a folder you own, then retry.",
    "DO NOT MATCH THE HASHES": "a download differs from the locked one, so it was refused: retry on another network.",
    "connection|resolve host|name resolution|timed out|ProxyError|SSLError":
        "the package index cannot be reached: connect to the network (or set up pip's proxy) and run this again.",
    r"(?s)(Looking in indexes|is ignored: it is).*No matching distribution":
        "pip's own settings lead it to an index without our packages: mend what `pip config list` and the variable "
        "PIP_INDEX_URL say, then run this again.",
    "No matching distribution": "a package has no ready build for this system: use a 64-bit Python 3.11 to 3.14.",
}


def settings(environ) -> dict[str, str]:
    """The variables less those that would send pip's packages elsewhere, ask it for something else or stop it."""
    def harmless(name: str, value: str) -> bool:
        pips = name[4:].upper() if name.upper().startswith("PIP_") else None
        return pips is None or (pips in SETTINGS and (pips not in NUMBERS or bool(re.fullmatch("[1-9][0-9]*", value))))

    return {name: value for name, value in environ.items() if harmless(name, value)}


def run(python: str, commands: list[list[str]], env: dict[str, str], what: str, total: int, site: Path) -> str:
    """Run pip with that Python, side by side for several commands; its own words are given back and go unseen."""
    env = {name: value for name, value in env.items() if not name.startswith("PYTHON")}
    children = [subprocess.Popen([python, "-I", "-m", "pip", *command], env=env, text=True, errors="replace",
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 pass_fds=alone.HELD) for command in commands]
    said: list[list[str]] = [[] for _ in children]
    readers = [threading.Thread(target=lambda child=child, lines=lines: lines.extend(iter(child.stdout.readline, "")),
                                daemon=True) for child, lines in zip(children, said, strict=True)]

    def running() -> bool:  # until all have ended, or one has failed
        codes = [child.poll() for child in children]
        return None in codes and not any(codes)

    try:
        for reader in readers:
            reader.start()
        show_progress(running, lambda: f"{what}: {progress([line for lines in said for line in lines], total, site)}")
        failed = next((number for number, child in enumerate(children) if child.poll()), None)
    finally:
        for child, reader in zip(children, readers, strict=True):
            child.kill()  # no more than a formality, unless Ctrl-C came or another has failed
            child.wait()
            reader.join()
            child.stdout.close()
    if failed is not None:
        text = "".join(said[failed])
        raise (Stop if "Installing collected" in text else Unchanged)(explain(text, children[failed].returncode))
    return "".join(line for lines in said for line in lines)


def show_progress(running, text) -> None:
    """One line that renews itself on a terminal; elsewhere (a log) a line every ten seconds."""
    start, due, terminal, goes_on = time.monotonic(), 0.0, sys.stdout.isatty(), True
    while goes_on:
        end = time.monotonic() + 0.3
        while (goes_on := running()) and time.monotonic() < end:
            time.sleep(0.02)
        seconds = time.monotonic() - start
        if terminal or not goes_on or seconds >= due:
            due = seconds + 10
            line = f"  {text()}, {seconds:.0f} s"
            print(f"\r{line:70}" if terminal else line, end="" if terminal and goes_on else "\n", flush=True)


def progress(lines: list[str], total: int, site: Path) -> str:
    total -= sum(line.startswith("Ignoring ") for line in lines)  # for other systems and Pythons
    if any(line.startswith("Successfully installed") for line in lines):
        return f"all {total} installed"
    if any(line.startswith("Installing collected") for line in lines):
        return f"{min(len(list(site.glob('*.dist-info'))), total)} of {total} installed"
    if lines and "Retrying" in lines[-1]:
        return "waiting for the network"
    begun = sum(line.startswith(("Collecting ", "Processing ", "Requirement ")) for line in lines)
    return f"{min(begun, total)} of {total}"


def explain(text: str, code: int) -> str:
    """One sentence for what pip printed."""
    if os.environ.get("PIP_NO_INDEX") and "No matching distribution" in text:
        return "the set-up is not finished: PIP_NO_INDEX forbids pip to fetch packages: unset it and run this again."
    for pattern, advice in TROUBLE.items():
        if re.search(pattern, text, re.IGNORECASE):
            return f"the set-up is not finished: {advice}"
    print(*text.splitlines()[-15:], sep="\n", file=sys.stderr)
    return f"pip ended with code {code}, its last words stand above: run this again, and report it if it stays."
