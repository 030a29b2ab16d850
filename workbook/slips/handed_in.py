"""Progress files as they are handed in. Nothing in a folder is trusted: what is no progress becomes a sentence."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbook.questions.progress import Answer, answers_in

__all__ = ["MOST_BYTES", "MOST_FILES", "Learner", "Refused", "learners", "read"]

MOST_BYTES = 2_000_000  # a full file has a fifth of it
MOST_FILES = 5_000
SHARED, OF_ALL = 5, 0.9  # of the smaller of two files: so many equal answers, to the second, are of one learner
ZIP = b"PK\x03\x04"
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # of a text that Windows saved anew; else UTF-8


@dataclass(frozen=True)
class Learner:
    """One file. outcomes: key -> what became of it; answers: the oldest first."""

    name: str
    outcomes: dict[str, str]
    answers: tuple[Answer, ...]

    @cached_property
    def by_key(self) -> dict[str, list[Answer]]:
        """Key -> its answers; skipping is none."""
        found: dict[str, list[Answer]] = {}
        for answer in self.answers:
            if answer.outcome != "skipped":
                found.setdefault(answer.key, []).append(answer)
        return found

    def entries(self) -> set[tuple]:
        """What tells the same learner's files."""
        return {(one.date, one.key, one.outcome, str(one.answer), one.confidence) for one in self.answers}


@dataclass(frozen=True)
class Refused:
    """A file that is not counted, and why."""

    name: str
    why: str


def read(folder: Path, keys: Collection[str], leave_out: Iterable[Path] = ()) -> tuple[list[Learner], list[Refused]]:
    """All files of a folder and the folders in it. keys: of the book's questions; leave_out: what is not looked at."""
    found, refused = [], []
    left = {path.absolute() for path in leave_out}
    for count, path in enumerate(path for path in _files(folder) if path.absolute() not in left):
        name = str(path.relative_to(folder))
        if count >= MOST_FILES:
            refused.append(Refused(name, f"and the rest are not read: {MOST_FILES:,} files are the most"))
            break
        one = _learner(path, name, keys)
        (found if isinstance(one, Learner) else refused).append(one)
    kept, copies = learners(found)
    return kept, refused + copies


def learners(found: list[Learner]) -> tuple[list[Learner], list[Refused]]:
    """Each learner once, by the file with the most answers; other files of the same learner are copies."""
    kept: list[Learner] = []
    copies, sizes = [], []
    owner: dict[tuple, int] = {}
    for one in sorted(found, key=lambda one: -len(one.answers)):
        entries = one.entries()
        shared = Counter(owner[entry] for entry in entries if entry in owner)
        if any(_same_learner(times, len(entries), sizes[other]) for other, times in shared.items()):
            copies.append(Refused(one.name, "holds answers that another file holds too; that one is counted"))
            continue
        owner.update((entry, len(kept)) for entry in entries if entry not in owner)
        kept.append(one)
        sizes.append(len(entries))
    return kept, copies


def _same_learner(shared: int, size: int, other: int) -> bool:
    """In a lecture two may answer in the same second; not all of it, unless it is little."""
    return shared == size == other or (shared >= SHARED and shared >= OF_ALL * size)


def _files(folder: Path) -> Iterator[Path]:
    """In order of their names; hidden ones, and what macOS puts into its zip files, are nobody's work."""
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = sorted(name for name in folders if name not in linked and name != "__MACOSX" and name[0] != ".")
        yield from (Path(place, name) for name in sorted([*names, *linked]) if name[0] != ".")


def _learner(path: Path, name: str, keys: Collection[str]) -> Learner | Refused:
    """What one file holds, or why it does not count."""
    try:
        text = _text(path)
        content = json.loads(text)
    except _NoText as problem:
        return Refused(name, str(problem))
    except OSError as problem:
        return Refused(name, f"cannot be read: {problem.strerror}")
    except (ValueError, RecursionError):
        return Refused(name, "is not JSON, the form of a progress file")
    if not isinstance(content, dict):
        return Refused(name, "is JSON, but no progress file")
    outcomes = {key: outcome for key, outcome in content.items() if key in keys and isinstance(outcome, str)}
    answers = tuple(answer for answer in answers_in(content) if answer.key in keys)
    if not outcomes and not answers:
        return Refused(name, "holds no answer to a question of this book")
    return Learner(name, outcomes, answers)


class _NoText(Exception):  # noqa: N818
    """Why a file is not read."""


def _text(path: Path) -> str:
    """What stands in a file, if it is a small file with text."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise _NoText("is a link; links are not followed")
    if not stat.S_ISREG(status.st_mode):
        raise _NoText("is no file")
    with path.open("rb") as file:
        raw = file.read(MOST_BYTES + 1) if status.st_size <= MOST_BYTES else b" " * (MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise _NoText(f"is too large: {status.st_size / 1e6:,.0f} MB, and progress has at most {MOST_BYTES / 1e6:.0f}")
    if raw.startswith(ZIP):
        raise _NoText("is a zip file: unpack it into the folder first")
    try:
        return raw.decode(MARKS.get(raw[:2], "utf-8-sig"))
    except UnicodeDecodeError:
        raise _NoText("is not text") from None
