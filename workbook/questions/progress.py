"""What a learner has done, recorded in one local file.

The file is a JSON object: key of a question -> what became of it, as it has been since the first version, and under one
more name the list of answers. A version that does not know the list passes it on as it stands. Before a file with
something that cannot be read is written anew, it is copied; one that may not be read at all is left alone.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import count
from math import isfinite
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["Answer", "Progress", "answers", "answers_in", "record", "summary"]

BINDER = (
    "You are on Binder: this machine is thrown away after some minutes without use, and your work with it."
    " Download this notebook (File > Download) to keep your answers."
)
ANSWERS = "answers"  # no key of a question: those have a slash
PER_KEY = 6  # answers kept of one question: the first, and the latest
IN_ALL = 1000
PATIENCE = 5.0  # seconds after which a lock that nobody renewed was left behind
WINDOWS = os.name == "nt"
TRIES = 50  # to replace the file: on Windows whoever reads it stands in the way
LONGEST = 100  # characters of an answer or a hint
MOST = 20  # numbers of an answer that is a list


@dataclass(frozen=True)
class Answer:
    """One reveal or check. answer: None if skipped, or if it was a function. confidence: 0.5 to 1, if it was said.

    right: None where there is no right or wrong. mistake: which typical slip of an exercise was recognised.
    variant: which other numbers an exercise had, None for the book's own.
    """

    date: str
    key: str
    outcome: str
    answer: object = None
    confidence: float | None = None
    right: bool | None = None
    mistake: object = None
    variant: int | None = None


def progress_file() -> Path:
    """Return the progress file: $NBCORE_PROGRESS, or one in the user's data folder; a symbolic link is resolved."""
    named = os.environ.get("NBCORE_PROGRESS") or user_data_path("naive-bayes-workbook") / "progress.json"
    return Path(os.path.realpath(named))


def load() -> dict[str, str]:
    """Read the outcomes, key of a prediction or exercise -> outcome; a file that cannot be read counts as empty."""
    return {key: outcome for key, outcome in _content().items() if isinstance(outcome, str)}


def answers() -> list[Answer]:
    """Read the answers, the oldest first."""
    return list(_answers_of(_content()))


def answers_in(content: dict) -> list[Answer]:
    """Return the answers in the content of a progress file that somebody handed in."""
    return list(_answers_of(content))


def record(key: str, outcome: str, *, answer=None, confidence=None, right=None, mistake=None, variant=None) -> None:
    """Keep an outcome and the answer it was. What was solved or made stays so.

    A folder that cannot be written to never stops a lesson, and two kernels that write at once lose nothing.
    """
    if right is None and outcome in ("solved", "tried"):
        right = outcome == "solved"
    date = datetime.now().astimezone().isoformat(timespec="seconds")
    new = Answer(date, key, outcome, _plain(answer), confidence, right, _plain(mistake), variant)
    path = progress_file()
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.with_name(f"{path.name}.lock")):
            done, whole = _parsed(path)
            if not whole:
                shutil.copyfile(path, next(aside for aside in _backups(path) if not aside.exists()))
            kept = [asdict(one) for one in _bounded([*_answers_of(done), new])]
            final = done.get(key) in ("solved", "made")
            changed = done | ({} if final else {key: outcome}) | {ANSWERS: kept}
            part.write_text(json.dumps(changed, indent=1, sort_keys=True), encoding="utf-8")
            _replace(part, path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _content() -> dict:
    """Read the file's content; one that cannot be read counts as empty."""
    try:
        return _parsed(progress_file())[0]
    except OSError:
        return {}


def _parsed(path: Path) -> tuple[dict, bool]:
    """Read a file in any Unicode encoding; return its content and whether that is all of it."""
    try:
        content = path.read_bytes()
        done = json.loads(content) if content else {}
    except FileNotFoundError:
        return {}, True
    except (ValueError, RecursionError):
        return {}, False
    if not isinstance(done, dict):
        return {}, False
    entries = done.get(ANSWERS, [])
    return done, isinstance(entries, list) and len(entries) == len(list(_answers_of(done)))


def _backups(path: Path) -> Iterator[Path]:
    """Yield the paths for copies of unreadable files: progress.json.bad1, progress.json.bad2, ..."""
    return (path.with_name(f"{path.name}.bad{number}") for number in count(1))


def _answers_of(content: dict) -> Iterator[Answer]:
    """Yield the answers in a file's content; entries of a wrong kind are left out."""
    entries = content.get(ANSWERS)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in ("date", "key", "outcome")):
            sure, right, variant = (entry.get(name) for name in ("confidence", "right", "variant"))
            yield Answer(
                entry["date"],
                entry["key"],
                entry["outcome"],
                entry.get("answer"),
                sure if isinstance(sure, (int, float)) and not isinstance(sure, bool) else None,
                right if isinstance(right, bool) else None,
                entry.get("mistake"),
                variant if isinstance(variant, int) and not isinstance(variant, bool) else None,
            )


def _bounded(given_answers: Iterable[Answer]) -> list[Answer]:
    """Return the first answer and the latest ones to each question, and of all these the latest."""
    by_key: dict[str, list[tuple[int, Answer]]] = {}
    for place, answer in enumerate(given_answers):
        of_key = by_key.setdefault(answer.key, [])
        of_key.append((place, answer))
        if len(of_key) > PER_KEY:
            del of_key[1]
    kept = sorted((pair for of_key in by_key.values() for pair in of_key), key=lambda pair: pair[0])
    return [answer for _, answer in kept[-IN_ALL:]]


def _plain(value):
    """Return an answer as the file can hold it: a number, a short text, a list of these, or None for anything else."""
    value = value.tolist() if hasattr(value, "tolist") else value  # numpy's
    if isinstance(value, (list, tuple)):
        return [None if isinstance(one, (list, tuple)) else _plain(one) for one in value[:MOST]]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, str):
        return value[:LONGEST]
    small = isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**LONGEST)
    return value if small else None


def _replace(part: Path, path: Path) -> None:
    """Put the new file in the old one's place: whole or not at all."""
    for left in reversed(range(TRIES)):
        try:
            part.replace(path)
            return
        except PermissionError:
            if not left or not WINDOWS:
                raise
            time.sleep(0.02)


@contextmanager
def _locked(lock: Path) -> Iterator[None]:
    """Lock the file for one writer. The lock is a folder, since making one succeeds once; a stale one is removed."""
    seen, since = None, time.monotonic()
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            holder = _lock_identity(lock)
            if holder != seen:
                seen, since = holder, time.monotonic()
            elif time.monotonic() > since + PATIENCE:
                with suppress(FileNotFoundError):
                    lock.rmdir()
            time.sleep(0.01)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.rmdir()


def _lock_identity(lock: Path) -> tuple[int, int] | None:
    """Return the identity of a lock: every writer makes its own."""
    with suppress(OSError):
        made = lock.stat()
        return made.st_ino, made.st_mtime_ns
    return None


@dataclass(frozen=True)
class Progress:
    """A line per chapter: predictions made, exercises solved."""

    lines: tuple[str, ...]

    def __repr__(self):
        return "\n".join(self.lines)


def summary(items: dict[str, tuple[list[str], list[str]]]) -> Progress:
    """Count what is done. items: chapter -> (keys of its predictions, keys of its exercises)."""
    done = load()
    lines = [
        f"Chapter {number}: {sum(done.get(key) == 'made' for key in asked)} of {len(asked)} predictions made, "
        f"{sum(done.get(key) == 'solved' for key in tasks)} of {len(tasks)} exercises solved."
        for number, (asked, tasks) in items.items()
    ]
    aside = next(_backups(progress_file()))
    warnings = [f"Earlier answers could not be read; they are kept in {aside}."] if aside.exists() else []
    return Progress((*lines, *warnings, *([BINDER] if "BINDER_SERVICE_HOST" in os.environ else [])))
