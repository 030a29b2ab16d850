"""Read the progress files of a class. Nothing in a folder is trusted: each other file is refused with a sentence."""

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

__all__ = ["MOST_BYTES", "MOST_FILES", "Learner", "RefusedFile", "drop_copies", "read_folder"]

MOST_BYTES = 2_000_000  # a full file has a fifth of it
MOST_FILES = 5_000
SHARED, OF_ALL = 5, 0.9  # two files with so many equal answers, and this share of the smaller one, are of one learner
ZIP = b"PK\x03\x04"
ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # by the first bytes; Windows saves such files


@dataclass(frozen=True)
class Learner:
    """The content of one file. outcomes: key -> outcome of the question; answers: the oldest first."""

    name: str
    outcomes: dict[str, str]
    answers: tuple[Answer, ...]

    @cached_property
    def by_key(self) -> dict[str, list[Answer]]:
        """Answers by key, without skipped ones."""
        found: dict[str, list[Answer]] = {}
        for answer in self.answers:
            if answer.outcome != "skipped":
                found.setdefault(answer.key, []).append(answer)
        return found

    def entries(self) -> set[tuple]:
        """Return the answers as tuples to compare two files of one learner by."""
        return {(one.date, one.key, one.outcome, str(one.answer), one.confidence) for one in self.answers}


@dataclass(frozen=True)
class RefusedFile:
    """A file that is not counted, and why."""

    name: str
    why: str


def read_folder(folder: Path, keys: Collection[str], leave_out: Iterable[Path] = ()
                ) -> tuple[list[Learner], list[RefusedFile]]:  # fmt: skip
    """Read all files of a folder and of the folders in it. keys: of the book's questions; leave_out: files to skip."""
    found, refused = [], []
    left = {path.absolute() for path in leave_out}
    for count, path in enumerate(path for path in _walk_files(folder) if path.absolute() not in left):
        name = str(path.relative_to(folder))
        if count >= MOST_FILES:
            refused.append(RefusedFile(name, f"and the rest are not read: {MOST_FILES:,} files are the most"))
            break
        one = _read_file(path, name, keys)
        (found if isinstance(one, Learner) else refused).append(one)
    kept, copies = drop_copies(found)
    return kept, refused + copies


def drop_copies(found: list[Learner]) -> tuple[list[Learner], list[RefusedFile]]:
    """Return each learner once, by the file with the most answers; other files of that learner are copies."""
    kept: list[Learner] = []
    copies, sizes = [], []
    owner: dict[tuple, int] = {}
    for one in sorted(found, key=lambda one: -len(one.answers)):
        entries = one.entries()
        shared = Counter(owner[entry] for entry in entries if entry in owner)
        if any(_is_same_learner(times, len(entries), sizes[other]) for other, times in shared.items()):
            copies.append(RefusedFile(one.name, "holds answers that another file holds too; that one is counted"))
            continue
        owner.update((entry, len(kept)) for entry in entries if entry not in owner)
        kept.append(one)
        sizes.append(len(entries))
    return kept, copies


def _is_same_learner(shared: int, size: int, other: int) -> bool:
    """Return whether two files are of one learner: two learners share an answer to the second at times, but not most.

    So a file's only answer proves nothing.
    """
    return 1 < shared == size == other or (shared >= SHARED and shared >= OF_ALL * size)


def _walk_files(folder: Path) -> Iterator[Path]:
    """Yield files in order of their names, without hidden ones and what macOS adds to its zip files."""
    for place, folders, names in os.walk(folder):
        linked = [name for name in folders if os.path.islink(os.path.join(place, name))]
        folders[:] = sorted(name for name in folders if name not in linked and name != "__MACOSX" and name[0] != ".")
        yield from (Path(place, name) for name in sorted([*names, *linked]) if name[0] != ".")


def _read_file(path: Path, name: str, keys: Collection[str]) -> Learner | RefusedFile:
    """Return the content of one file, or why it does not count."""
    try:
        text = _read_text(path)
        content = json.loads(text)
    except _NoText as problem:
        return RefusedFile(name, str(problem))
    except OSError as problem:
        return RefusedFile(name, f"cannot be read: {problem.strerror}")
    except (ValueError, RecursionError):
        return RefusedFile(name, "is not JSON, the form of a progress file")
    if not isinstance(content, dict):
        return RefusedFile(name, "is JSON, but no progress file")
    outcomes = {key: outcome for key, outcome in content.items() if key in keys and isinstance(outcome, str)}
    answers = tuple(answer for answer in answers_in(content) if answer.key in keys)
    if not outcomes and not answers:
        return RefusedFile(name, "holds no answer to a question of this book")
    return Learner(name, outcomes, answers)


class _NoText(Exception):  # noqa: N818
    """Why a file is not read."""


def _read_text(path: Path) -> str:
    """Return the text of a small file; raise _NoText for anything else."""
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
        return raw.decode(ENCODINGS.get(raw[:2], "utf-8-sig"))
    except UnicodeDecodeError:
        raise _NoText("is not text") from None
