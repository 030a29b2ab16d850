"""The scenes of a lecture and the file that strings them together: orders/*.toml, or a lecturer's own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from workbook import explorers
from workbook.chapters import chapter_module, chapter_packages
from workbook.chapters.rooms import RoomFigure
from workbook.learning import contents, predict
from workbook.questions.predictions import Prediction, cache_truth

__all__ = ["Lecture", "LectureError", "Scene", "find", "known", "read"]

ORDERS = Path(__file__).parent / "orders"
QUOTES = 'A text begins and ends with a quote on one line: title = "Zeros".'
ROOMS = [number for number, name in chapter_packages().items() if find_spec(f"workbook.chapters.{name}.room")]


class LectureError(ValueError):
    """A lecture that is not to be had: a sentence that says what is wrong, and where."""


@dataclass(frozen=True)
class Scene:
    """One screen: a question for the room, an explorer in a state, or a figure of the room's own data.

    minutes: how long it takes; vote: the key of a prediction with options; explorer: the name of a class, in a preset
    or in a state of its controls; room: the chapter whose figure the room fills. say: a sentence for the room; expect:
    what it will answer. Both have a default.
    """

    minutes: float
    vote: str = ""
    explorer: str = ""
    preset: str = ""
    state: Mapping[str, object] = field(default_factory=dict)
    room: str = ""
    say: str = ""
    expect: str = ""

    def check(self) -> None:
        """Raise a LectureError or a ValueError if the book has no such scene."""
        if isinstance(self.minutes, bool) or not isinstance(self.minutes, int | float) or not 0 < self.minutes <= 90:
            raise LectureError(f"minutes = {self.minutes!r} is not a number above 0, at most 90.")
        if sum(map(bool, (self.vote, self.explorer, self.room))) != 1:
            raise LectureError('a scene has either vote = "..." or explorer = "..." or room = "...".')
        if not self.explorer and (self.preset or self.state):
            raise LectureError("preset and state belong to an explorer.")
        if self.vote and self.vote not in (there := self._list_votes()):
            raise LectureError(f"vote = {self.vote!r} is none of the questions with options: {', '.join(there)}.")
        if self.explorer:
            self.find_state()
        if self.room and self.room not in ROOMS:
            raise LectureError(f"room = {self.room!r}: chapters {', '.join(ROOMS)} have a figure of the room.")

    def _list_votes(self) -> list[str]:
        """List the questions to vote on, of the chapter that `vote` begins with, or of all."""
        chapters = [number for number in chapter_packages() if number == self.vote[:2]] or chapter_packages()
        return [key for number in chapters for key, item in contents(number).items() if getattr(item, "options", ())]

    @cached_property
    def question(self) -> Prediction:
        """The prediction that the room votes on; its truth is computed once."""
        return cache_truth(predict(self.vote))

    @property
    def figure(self) -> RoomFigure:
        """The figure that the room fills."""
        return chapter_module(self.room, "room").ROOM

    @property
    def kind(self) -> type:
        """The explorer's class."""
        names = [name for name in explorers.__all__ if name.endswith("Explorer")]
        if self.explorer not in names:
            raise LectureError(f"explorer = {self.explorer!r} is none of {', '.join(names)}.")
        return getattr(explorers, self.explorer)

    def find_state(self) -> dict:
        """Return the values of all controls."""
        presets = self.kind.presets
        if self.preset and self.preset not in presets:
            raise LectureError(f"preset = {self.preset!r}: {self.explorer} has {', '.join(presets)}.")
        start = self.kind().preset(self.preset) if self.preset else self.kind()
        if unknown := set(self.state) - set(self.kind.declared):
            raise LectureError(f"{unknown.pop()} is no control of {self.explorer}: {', '.join(self.kind.declared)}.")
        found = {name: self.kind.declared[name].check(value) for name, value in self.state.items()}
        if between := [name for name, value in found.items() if value != self.state[name]]:
            raise LectureError(f"{between[0]} lies between two steps; the nearest is {found[between[0]]!r}.")
        return start.state | found


@dataclass(frozen=True)
class Lecture:
    """A title and the scenes, in order. name: what it is called in an address."""

    name: str
    title: str
    scenes: tuple[Scene, ...]

    @property
    def minutes(self) -> float:
        return sum(scene.minutes for scene in self.scenes)


def known() -> list[str]:
    """List the names of the book's own lectures: the chapters, then those of the whole book by their minutes."""
    return sorted((path.stem for path in ORDERS.glob("*.toml")), key=lambda name: (int(name) > 12, name))


def find(name: str) -> Lecture:
    """Return a lecture of the book ("02", "2", "45"), or that of a file (its name ends in .toml)."""
    if name.endswith(".toml"):
        return read(Path(name))
    if name.zfill(2) not in known():
        there = ", ".join(known())
        raise LectureError(f"there is no lecture {name}; there are {there}, or a file of yours: NAME.toml.")
    return read(ORDERS / f"{name.zfill(2)}.toml")


def read(path: Path) -> Lecture:
    """Read a lecture from its file; LectureError says which scene is wrong, and why."""
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise LectureError(f"{path} cannot be read: {problem.strerror}.") from problem
    except ValueError as problem:  # of TOML, or of UTF-8
        raise LectureError(f"{path.name} is not TOML: {problem}. {QUOTES}") from problem
    found = given.get("scene")
    is_list = isinstance(found, list) and found and all(isinstance(scene, dict) for scene in found)
    if set(given) - {"title", "scene"} or not isinstance(given.get("title"), str) or not is_list:
        raise LectureError(f'{path.name} needs a line title = "...", a part [[scene]] a scene, and nothing else.')
    scenes = (_scene(path.name, number, scene) for number, scene in enumerate(found, start=1))
    return Lecture(path.stem, given["title"], tuple(scenes))


def _scene(name: str, number: int, given: dict) -> Scene:
    """Return a checked scene."""
    types = {each.name: str for each in fields(Scene)} | {"minutes": object, "state": dict}
    try:
        for key, value in given.items():
            if key not in types:
                raise LectureError(f"{key} is none of {', '.join(types)}.")
            if not isinstance(value, types[key]):
                raise LectureError(f"{key} = {value!r} is not {'a table' if types[key] is dict else 'a text'}.")
        scene = Scene(**{"minutes": None} | given)
        scene.check()
    except ValueError as problem:
        raise LectureError(f"{name}, scene {number}: {problem}") from problem
    return scene
