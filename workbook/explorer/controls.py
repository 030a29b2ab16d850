"""Controls of an explorer: each has a default, its legal values and an ipywidget."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cached_property
from math import isclose
from numbers import Integral, Real

import ipywidgets as widgets
import numpy as np

from workbook.draw.arrays import encode_values
from workbook.explorer.formatting import typeset

__all__ = ["Control", "FloatSlider", "IntSlider", "Steps", "Text"]

STYLE = {"description_width": "initial"}


class Control(ABC):
    """One argument of an explorer's `compute`: a default value, the legal values, a label, a widget."""

    def __init__(self, default, *, label: str = ""):
        self.default, self.label, self.name = default, label, ""

    def __set_name__(self, owner, name):
        self.name = name
        self.label = self.label or name

    def __get__(self, explorer, owner=None):
        """Return the control on the class, its present value on an explorer."""
        return self if explorer is None else explorer.state[self.name]

    def __set__(self, explorer, value):
        explorer.set(**{self.name: value})

    def __repr__(self):
        return f"{type(self).__name__}({self.name}={self.default!r})"

    @abstractmethod
    def check(self, value):
        """Return the legal value nearest to `value`; ValueError names the control, the value and what is allowed."""

    @abstractmethod
    def widget(self, value) -> widgets.Widget:
        """Return a labelled, keyboard-operable ipywidget with this value."""

    @property
    def values(self) -> list:
        """All values in order; empty for free text."""
        return []

    def say(self, value) -> str:
        """Return the text of a value beside its slider."""
        return str(value)

    def page_options(self, widget: widgets.Widget) -> dict:
        """Return what the page needs to move this control's widget from within the figure."""
        texts = [self.say(value) for value in self.values]
        return {"model": widget.model_id, "label": self.label, "values": encode_values(self.values), "said": texts}

    def error(self, value, allowed: str) -> ValueError:
        """Return the error for a value that is not allowed."""
        return ValueError(f"{self.name} = {value!r} is not allowed: {self.label} must be {allowed}.")


class _Slider(Control):
    """A number from `low` to `high`, in steps that divide the way between them; others move to the nearest step.

    Subclasses say of which kind.
    """

    kind: type
    words: str
    builder: type[widgets.Widget]

    def __init__(self, default, low, high, *, step, **options):
        super().__init__(default, **options)
        self.low, self.high, self.step = low, high, step
        self.steps = round((high - low) / step) if step > 0 else 0
        if not isclose(self.steps * step, high - low, rel_tol=1e-9) or not self.steps:
            raise ValueError(f"step = {step!r} is not allowed: whole steps must lead from {low!r} to {high!r}.")

    def check(self, value):
        if not isinstance(value, self.kind) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise self.error(value, f"{self.words} in [{self.low}, {self.high}]")
        return self.values[round((value - self.low) / self.step)]

    @cached_property
    def values(self):
        return [type(self.low)(v) for v in np.linspace(self.low, self.high, self.steps + 1).round(10)]

    def widget(self, value):
        bounds = dict(min=self.low, max=self.high, step=self.step)
        return self.builder(value, **bounds, description=self.label, style=STYLE)


class IntSlider(_Slider):
    """A whole number from `low` to `high`."""

    kind, words, builder = Integral, "a whole number", widgets.IntSlider

    def __init__(self, default, low, high, *, step=1, **options):
        super().__init__(default, low, high, step=step, **options)


class FloatSlider(_Slider):
    """A number from `low` to `high`."""

    kind, words, builder = Real, "a number", widgets.FloatSlider

    def __init__(self, default, low, high, *, step=0.01, **options):
        super().__init__(default, float(low), float(high), step=step, **options)

    @property
    def _format(self) -> str:
        decimals = -Decimal(str(self.step)).as_tuple().exponent  # 0.904 must not read 0.90
        return f".{max(2, decimals)}f"

    def say(self, value):
        return typeset(format(value, self._format))

    def widget(self, value):
        slider = super().widget(value)
        slider.readout_format = self._format
        return slider


class Steps(Control):
    """A slider over given numbers >= 0, ascending; any number in their range moves to the nearest of them, by ratio.

    say: how a step reads beside the slider.
    """

    def __init__(self, default, steps: Sequence[float], *, say: Callable = "{:.3g}".format, **options):
        super().__init__(default, **options)
        self.steps, self.say = list(steps), say

    @property
    def values(self):
        return list(self.steps)

    def check(self, value):
        low, high = self.steps[0], self.steps[-1]
        if not isinstance(value, Real) or isinstance(value, bool) or not low <= value <= high:
            raise self.error(value, f"a number in [{self.say(low)}, {self.say(high)}]")
        if value in self.steps:
            return self.steps[self.steps.index(value)]
        return min((step for step in self.steps if step > 0), key=lambda step: abs(np.log(step / value)))

    def widget(self, value):
        options = [(self.say(step), step) for step in self.steps]
        slider = widgets.SelectionSlider(options=options, value=value, description=self.label, style=STYLE)
        return slider.add_class("nb-grid")


class Text(Control):
    """Text that the learner types, up to `longest` characters and without the `forbidden` ones.

    chosen: texts that a reader without a kernel may choose from, with the default and those of the presets.
    """

    def __init__(self, default, *, longest=60, forbidden="", chosen=(), **options):
        super().__init__(default, **options)
        self.longest, self.forbidden, self.chosen = longest, forbidden, tuple(chosen)

    def check(self, value):
        if not isinstance(value, str) or len(value) > self.longest:
            found = f"{value[:12]}… ({len(value)} characters)" if isinstance(value, str) else value
            raise self.error(found, f"text of at most {self.longest} characters")
        if set(value) & set(self.forbidden):
            raise self.error(value, f"text without {' '.join(self.forbidden)}")
        return value

    def widget(self, value):
        return widgets.Combobox(value=value, options=self.chosen, description=self.label, style=STYLE)
