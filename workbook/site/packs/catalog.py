"""Describe an explorer for its pack: every value of every control, presets and starts; a state becomes a place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from workbook.draw.arrays import encode_values
from workbook.explorer.controls import Control, Steps, Text
from workbook.explorer.explorer import Explorer

__all__ = ["Catalog", "Place"]

Place = tuple[int, ...]  # of each control the index of its value

KINDS = {Text: "text", Steps: "grid"}


class Catalog:
    """An explorer with all values of its controls. started: id -> state in which a notebook starts it."""

    def __init__(self, kind: type[Explorer], started: dict[str, dict]):
        self.explorer, self.started = kind(), started
        self.states = [self.explorer.state, *started.values()]
        self.presets = [(name, preset.caption, kind().preset(name).state) for name, preset in kind.presets.items()]
        used = [*self.states, *(state for *_, state in self.presets)]
        self.values = {name: self._values(control, [state[name] for state in used])
                       for name, control in kind.declared.items()}  # fmt: skip

    @staticmethod
    def _values(control: Control, used: Sequence) -> list:
        """List the values of a control; for a text, those that can be chosen or are used."""
        if not isinstance(control, Text):
            return control.values
        return list(dict.fromkeys([*used, *map(control.check, control.chosen)]))

    @property
    def bases(self) -> list[Place]:
        """List where it starts, by itself and in notebooks, and its presets."""
        return list(dict.fromkeys(map(self.place, (*self.states, *(state for *_, state in self.presets)))))

    def places(self, most: int | None = None) -> list[Place]:
        """List the places of all states, the bases first; of a draft `most`, those near to a base, but all bases."""
        counts = [len(values) for values in self.values.values()]
        bases, every = self.bases, (place[::-1] for place in product(*map(range, reversed(counts))))
        found = list(dict.fromkeys([*bases, *every]))
        if most is None:
            return found

        def steps(place: Place) -> int:
            return min(sum(abs(a - b) for a, b in zip(place, base, strict=True)) for base in bases)

        return sorted(found, key=steps)[: max(most, len(bases))]

    def place(self, state: dict) -> Place:
        """Return for a state the index of each control's value."""
        return tuple(values.index(state[name]) for name, values in self.values.items())

    def state(self, place: Place) -> dict:
        """Return the state at a place: the inverse of `place`."""
        return {name: values[at] for (name, values), at in zip(self.values.items(), place, strict=True)}

    def frame(self, place: Place) -> dict:
        """Compute what the live page shows at a place; wait for slow work."""
        return self.explorer.frame(**self.state(place))

    def about(self) -> dict:
        """Describe the explorer for the page: texts, controls, presets, starts."""
        kind = type(self.explorer)
        return {
            "title": kind.__name__.removesuffix("Explorer"),
            "controls": [self._describe_control(name, control) for name, control in kind.declared.items()],
            "presets": [{"name": name, "caption": text, "place": self.place(state), "after": kind.presets[name].after}
                        for name, text, state in self.presets],
            "starts": {key: self.place(state) for key, state in self.started.items()},
        }  # fmt: skip

    def _describe_control(self, name: str, control: Control) -> dict:
        values = self.values[name]
        kind = next((word for kind, word in KINDS.items() if isinstance(control, kind)), "slider")
        about = {"name": name, "label": control.label, "kind": kind, "values": encode_values(values)}
        texts = [control.say(value) for value in values]
        return about | {"said": texts, "default": values.index(control.default)}
