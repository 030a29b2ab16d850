"""Explorer: a pure function with sliders. Subclasses declare controls and define compute, draw and describe."""

from __future__ import annotations

import html
import os
import textwrap
import time
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from functools import cached_property, partial
from threading import RLock
from typing import TYPE_CHECKING, ClassVar

import ipywidgets as widgets
import numpy as np

from workbook.draw import drawable
from workbook.explorer.ahead import Ahead, Frame, Place
from workbook.explorer.cells import close_tree, show_in_cell, unregister
from workbook.explorer.controls import Control
from workbook.explorer.fitting import Work, Worker
from workbook.explorer.formula import Part, encode_parts
from workbook.explorer.view import View

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["Explorer", "Preset"]

GRACE = 0.05  # s: a fit that takes no longer shows no "fitting" state
EVERY = 0.1  # s between two signs of progress


class Preset(Mapping):
    """A state worth showing, with a caption for lecturers; it behaves as the dict of its state.

    state: a dict, or a function that returns one (called when the preset is first used, never on import).
    after: the key of the prediction that this state answers; on its page the preset waits for it.
    """

    def __init__(self, caption: str, state: dict | Callable[[], dict], after: str = ""):
        self.caption, self._source, self.after = caption, state, after

    @cached_property
    def _state(self):
        return self._source() if callable(self._source) else self._source

    def __getitem__(self, name):
        return self._state[name]

    def __iter__(self):
        return iter(self._state)

    def __len__(self):
        return len(self._state)

    def __repr__(self):
        return f"Preset({self.caption!r}, {self._source!r})"


class Explorer(ABC):
    """A pure function with sliders: state -> `compute` -> result -> `draw` (figure) and `describe` (sentence).

    Subclasses declare `Control`s as class attributes and `presets` as a dict name -> `Preset`; a preset sets what it
    names and leaves every other control at its default. `explorer.n` is the present value of the control n. Displayed,
    an explorer is live in JupyterLab, a picture with alt text in HTML without a kernel, and its sentence as
    plain text.
    """

    presets: ClassVar[dict[str, Preset]] = {}
    declared: ClassVar[dict[str, Control]] = {}

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        own = {name: control for name, control in vars(cls).items() if isinstance(control, Control)}
        if taken := [name for name in own if name.startswith("_") or name in dir(Explorer)]:
            raise ValueError(f"{cls.__name__}: {taken[0]!r} is no name for a control, every explorer has it already.")
        cls.declared = cls.declared | own

    def __init__(self, **state):
        self._state = {name: control.default for name, control in self.declared.items()}
        self._state |= self._checked(state)
        self._caption, self._quiet = "", False
        self._start = self.state, self._caption
        self._lock, self._worker, self._reported = RLock(), Worker(), 0.0

    @abstractmethod
    def compute(self, **state):
        """Return arrays and numbers for a state. Pure: no widgets, no clock, no hidden randomness."""

    @abstractmethod
    def draw(self, result) -> dict:
        """Return the figure of a result as `theme.figure` does: {"data", "layout"} in plotly's terms. Pure."""

    @abstractmethod
    def describe(self, result) -> str:
        """Return the finding of a result in one plain sentence with its numbers. Pure."""

    def explain(self, result) -> Sequence[Part]:
        """Return the equation of the section with the numbers of a result, each in the look of its mark. Pure."""
        return ()

    def pending(self, **state) -> Work | None:
        """Return the slow work (see `fitting.Slow.work`) that `compute` needs in this state; None if there is none.

        On the page it runs in a thread, with a visible "fitting" state over the last good figure.
        """
        return None

    @property
    def state(self) -> dict:
        """The present value of every control."""
        return dict(self._state)

    def set(self, **state) -> Explorer:
        """Move controls and redraw once. ValueError names the control, the value and what is allowed."""
        self._change(self._checked(state))
        return self

    def reset(self) -> Explorer:
        """Set every control back to the state in which the explorer was made or first displayed."""
        state, caption = self._start
        self._change(state, caption)
        return self

    def preset(self, name: str) -> Explorer:
        """Set the controls that a preset names, and all others to their defaults."""
        if name not in self.presets:
            raise ValueError(f"preset = {name!r} is not one of {', '.join(map(repr, self.presets))}.")
        chosen = self.presets[name]
        defaults = {name: control.default for name, control in self.declared.items()}
        self._change(defaults | self._checked(chosen), caption=chosen.caption)
        return self

    @property
    def figure(self) -> Figure:
        """The present state as a plotly figure, checked by plotly: to keep, change or save."""
        return _plotly_figure(self.draw(self.compute(**self._state)))

    def frames(self, control: str) -> Iterator[Figure]:
        """Yield the plotly figures along one control; `layout.meta` holds the value and the sentence."""
        if control not in self.declared:
            raise ValueError(f"control = {control!r} is not one of {', '.join(map(repr, self.declared))}.")
        for value in self.declared[control].values:
            result = self.compute(**self._state | {control: value})
            figure = self.draw(result)
            shown = {"control": control, "value": value, "sentence": self.describe(result)}
            layout = figure["layout"]
            yield _plotly_figure(figure | {"layout": layout | {"meta": layout.get("meta", {}) | shown}})

    def frame(self, **state) -> Frame:
        """Return figure, equation and sentence of a state as the page receives them; waits for slow work."""
        figure, sentence, parts = self._render(state)
        return {"figure": drawable(figure), "formula": parts, "sentence": sentence}

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._state.items())})"

    # --- the page -------------------------------------------------------------------------------------------------

    @cached_property
    def controls(self) -> dict[str, widgets.Widget]:
        """The widget of every control, by name."""
        controls = {name: control.widget(self._state[name]) for name, control in self.declared.items()}
        for name, widget in controls.items():
            widget.observe(lambda change, name=name: self._set_from_widget(name, change["new"]), "value")
        return controls

    @cached_property
    def view(self) -> View:
        """The figure and its sentence on the page."""
        options = {name: control.page_options(self.controls[name]) for name, control in self.declared.items()}
        view = View(controls=options)
        view.observe(lambda change: self._set_from_grip(change["new"]), "moved")
        view.observe(lambda change: self._ahead.focus(change["new"]), "focused")
        return view

    @cached_property
    def _values(self) -> dict[str, list]:
        return {name: control.values for name, control in self.declared.items()}

    @cached_property
    def _ahead(self) -> Ahead:
        counts = {name: len(values) for name, values in self._values.items()}
        return Ahead(self._frame_at, self.view.send, counts)

    def _place(self, state: dict) -> Place:
        return [values.index(state[name]) if values else state[name] for name, values in self._values.items()]

    def _frame_at(self, place: Place) -> Frame | None:
        """Return the frame of a place as the view sends it; None if it needs slow work."""
        state = {n: values[at] if values else at for (n, values), at in zip(self._values.items(), place, strict=True)}
        return self.frame(**state) if self.pending(**state) is None else None

    @cached_property
    def panel(self) -> widgets.VBox:
        """Presets in a row, the controls under them, the figure and its sentence."""
        self._start = self.state, self._caption
        rows = [_box(self._buttons(), "nb-presets"), _box(self.controls.values(), "nb-controls"), self.view]
        panel = _box(rows, "nb-explorer", widgets.VBox)
        self._draw()
        return panel

    def close(self) -> None:
        """Close the explorer's widgets; displayed again, it starts from its state."""
        with self._lock:
            self._worker.stop()
            if "panel" not in vars(self):
                return
            self._ahead.stop()
            close_tree(self.panel)
            unregister(self)
            for name in ("panel", "controls", "view", "_ahead"):
                vars(self).pop(name, None)

    def settle(self, seconds: float = 60) -> Explorer:
        """Wait until the figure shows the present state; TimeoutError after some seconds."""
        if not self._worker.wait(seconds):
            raise TimeoutError(f"{self!r} is still fitting after {seconds:g} s.")
        return self

    def _buttons(self):
        for name, preset in self.presets.items():
            button = widgets.Button(description=name, tooltip=preset.caption)
            button.on_click(lambda _, name=name: self.preset(name))
            yield button
        button = widgets.Button(description="Reset", icon="undo", tooltip="Every control back to where it started")
        button.on_click(lambda _: self.reset())
        yield button

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return a live widget, a picture with alt text for pages without a kernel, and the sentence as plain text."""
        data, metadata = dict(self.panel._repr_mimebundle_()), {}
        self.settle()
        show_in_cell(self)
        sentence = self.view.sentence or self.view.error
        picture = _picture(self._figure) if os.environ.get("NBCORE_PICTURES") == "1" and self._figure else None
        image = "<small>Run this cell to see the figure.</small>"
        if picture:
            data["image/png"] = b64encode(picture).decode()
            metadata["image/png"] = {"alt": sentence}
            # nbconvert's default page drops the alt text of an image/png; HTML keeps it.
            image = f'<img alt="{html.escape(sentence)}" src="data:image/png;base64,{data["image/png"]}">'
        data["text/html"] = f"<figure>{image}<figcaption>{html.escape(sentence)}</figcaption></figure>"
        data["text/plain"] = textwrap.fill(sentence, 110)
        if type(self).pending is not Explorer.pending:
            self._worker.warm(partial(self._preset_work, preset) for preset in self.presets.values())
        return data, metadata

    def _preset_work(self, preset: Preset) -> Work | None:
        defaults = {name: control.default for name, control in self.declared.items()}
        return self.pending(**defaults | self._checked(preset))

    # --- from a change to a frame ---------------------------------------------------------------------------------

    def _checked(self, state: Mapping) -> dict:
        unknown = set(state) - set(self.declared)
        if unknown:
            raise ValueError(f"{type(self).__name__} has no control {unknown.pop()!r}; it has {list(self.declared)}.")
        return {name: self.declared[name].check(value) for name, value in state.items()}

    def _set_from_widget(self, name: str, value) -> None:
        """Set a control that a learner moved, or show why its value is not allowed."""
        if self._quiet:
            return
        try:
            checked = self.declared[name].check(value)
            if isinstance(value, float) and value != checked == self._state[name]:
                return  # nobody moved: the page's slider sends 0.8 back as 0.8000000000000003
            self._change({name: checked})
        except ValueError as problem:
            with self._lock:  # a thread may be sending what it has fitted
                self.view.error = str(problem)

    def _set_from_grip(self, moved: dict) -> None:
        """Set the controls of a grip that a learner dragged."""
        try:
            self._change(self._checked(moved["values"]))
        except ValueError as problem:
            with self._lock:
                self.view.error = str(problem)

    def _change(self, state: dict, caption: str = "") -> None:
        with self._lock:
            self._state |= state
            self._caption = caption
            if "panel" not in vars(self):
                return
            self._quiet = True
            try:
                for name in state:
                    self.controls[name].value = state[name]
            finally:
                self._quiet = False
            self._redraw()

    _figure: dict | None = None

    def _redraw(self) -> None:
        """Draw the present state now, or after its slow work if that takes longer than GRACE."""
        with self._lock:
            state = dict(self._state)
            try:
                work = self.pending(**state)
            except Exception as problem:
                self._worker.drop()
                return self._fail(problem)
            if work is None:
                self._worker.drop()
                return self._draw()
            future = self._worker.ask(work, self._report)
            if wait([future], GRACE).done:
                return self._show(future)
            with self.view.hold_sync():
                self.view.fitting, self.view.share = "fitting …", 0.0
                self.view.caption, self.view.error = self._caption, self._field_error()
            future.add_done_callback(partial(self._draw_fitted, state))

    def _report(self, share: float) -> None:
        """Send the worker's progress to the page, at most every EVERY seconds and only while no frame is being sent."""
        now = time.monotonic()
        if now - self._reported >= EVERY and self._lock.acquire(blocking=False):
            try:
                self._reported = now
                if "view" in vars(self) and self.view.fitting:
                    self.view.share = share
            finally:
                self._lock.release()

    def _draw_fitted(self, state: dict, future: Future) -> None:
        """Draw a state whose slow work is done, if the page still waits for it."""
        with self._lock:
            if "panel" in vars(self) and self.view.fitting and state == self._state:
                self._show(future)

    def _show(self, future: Future) -> None:
        """Draw the result of slow work, or show its error."""
        problem = future.exception()
        self._draw() if problem is None else self._fail(problem)

    def _fail(self, problem: BaseException) -> None:
        """Show an error on the page."""
        with self.view.hold_sync():
            self.view.fitting, self.view.error = "", str(problem) or type(problem).__name__

    def _draw(self) -> None:
        """Compute, draw and describe the state and send one message; on an error keep the last good figure."""
        place = self._place(self._state)
        try:
            figure, sentence, parts = self._render(self._state)
            with self.view.hold_sync():
                self.view.sentence = sentence  # first: if it is no text, nothing is changed
                self.view.at = place
                self.view.show(figure)
                self.view.formula, self.view.fitting = parts, ""
                self.view.caption, self.view.error = self._caption, self._field_error()
        except Exception as problem:
            return self._fail(problem)
        self._figure = figure
        self._ahead.shown(place, {"figure": self.view.figure, "formula": parts, "sentence": sentence})

    @np.errstate(under="ignore")  # as numpy does, whatever a reader asked of it: what is that small is 0
    def _render(self, state: dict) -> tuple[dict, str, list]:
        """Compute the figure, the sentence and the equation of a state."""
        result = self.compute(**state)
        return self.draw(result), self.describe(result), encode_parts(self.explain(result))

    def _field_error(self) -> str:
        """Return the error of the first field whose text was not accepted; an empty text if all were."""
        for name, widget in self.controls.items():
            try:
                self.declared[name].check(widget.value)
            except ValueError as problem:
                return str(problem)
        return ""


def _box(children, name: str, kind=widgets.Box):
    box = kind(list(children))
    box.add_class(name)
    return box


def _plotly_figure(figure: dict) -> Figure:
    """Build the figure that plotly checks; its import takes longer than a page's first frame."""
    from plotly.graph_objects import Figure

    return Figure(figure)


def _picture(figure: dict) -> bytes:
    from workbook.explorer.pictures import png

    return png(figure)
