"""What a learner has done, kept in one local file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["Progress", "record", "summary"]

BINDER = (
    "You are on Binder: this machine is thrown away after some minutes without use, and your work with it."
    " Download this notebook (File > Download) to keep your answers."
)


def progress_file() -> Path:
    """Where progress is kept: $NBCORE_PROGRESS, or a file in the user's data folder."""
    named = os.environ.get("NBCORE_PROGRESS")
    return Path(named) if named else user_data_path("naive-bayes-workbook") / "progress.json"


def load() -> dict[str, str]:
    """Key of a prediction or exercise -> outcome; a file that cannot be read counts as none."""
    try:
        done = json.loads(progress_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return done if isinstance(done, dict) else {}


def record(key: str, outcome: str) -> None:
    """Keep an outcome. What was solved or made stays so; a folder that cannot be written to never stops a lesson."""
    done = load()
    if done.get(key) in ("solved", "made", outcome):
        return
    path = progress_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_text(json.dumps(done | {key: outcome}, indent=1, sort_keys=True), encoding="utf-8")
        part.replace(path)  # whole or not at all
    except OSError:
        return


@dataclass(frozen=True)
class Progress:
    """A line per chapter: predictions made, exercises solved."""

    lines: tuple[str, ...]

    def __repr__(self):
        return "\n".join(self.lines)


def summary(items: dict[str, tuple[list[str], list[str]]]) -> Progress:
    """How far the learner is: chapter -> (keys of its predictions, keys of its exercises)."""
    done = load()
    lines = [
        f"Chapter {number}: {sum(done.get(key) == 'made' for key in asked)} of {len(asked)} predictions made, "
        f"{sum(done.get(key) == 'solved' for key in tasks)} of {len(tasks)} exercises solved."
        for number, (asked, tasks) in items.items()
    ]
    return Progress((*lines, *([BINDER] if "BINDER_SERVICE_HOST" in os.environ else [])))
