"""A learner's function on trial: it is run on copies, for some seconds at most, and its errors become sentences."""

from __future__ import annotations

import ctypes
import inspect
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from copy import deepcopy
from threading import Thread
from time import perf_counter

import joblib
import numpy as np

from workbook.explorer.formatting import how_many

__all__ = ["AnswerError", "Trial", "unanswered"]

SECONDS = 5  # in all, for every case of a task
LET_GO = 2  # seconds for a function that is stopped to end
LONGEST = 200  # characters of a learner's text in a sentence


class AnswerError(Exception):
    """Raised where an answer cannot be compared; its text is a sentence for the learner."""


class OutOfTimeError(BaseException):
    """Not an Exception: a learner's `except Exception` inside an endless loop must not swallow it."""


class Trial:
    """Calls a learner's function in its place, and notes what came of it.

    shapes: of every result, () for a number, None if it holds something else. changed: names of arguments that the
    function changed in place. Raises AnswerError where there is nothing to compare.
    """

    def __init__(self, function: Callable, seconds: float):
        if not callable(function):
            raise AnswerError(
                f"{text_of(function, 40)!r} is no function. Give its name, without quotes and without brackets."
            )
        self.function, self.left = function, seconds
        self.shapes: list[tuple | None] = []
        self.changed: dict[str, None] = {}  # in the order found

    def __call__(self, *given):
        names = self._names(given)
        arguments = deepcopy(given)  # another try must find the cases as they are
        before = [joblib.hash(each) for each in arguments]
        result = self._run(arguments)
        self.changed |= {n: None for n, b, a in zip(names, before, arguments, strict=True) if b != joblib.hash(a)}
        if unanswered(result):
            raise AnswerError(self._nothing())
        self.shapes.append(shape_of(result))
        return np.asarray(result).item() if self.shapes[-1] == () else result

    def _names(self, given: tuple) -> list[str]:
        """Return the names of the parameters that take the arguments; AnswerError if there are not as many."""
        try:
            bound = inspect.signature(self.function).bind(*given)
        except TypeError:
            raise AnswerError(
                f"The task gives your function {how_many(len(given), 'argument')}, in the order in which it names "
                f"them. Yours takes {text_of(inspect.signature(self.function))}."
            ) from None
        except ValueError:  # a builtin without a signature
            return [f"argument {k}" for k in range(1, len(given) + 1)]
        names = []
        for name, value in bound.arguments.items():
            several = bound.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
            names += [name] * len(value) if several else [name]
        return names

    def _run(self, arguments: tuple):
        start = perf_counter()
        try:
            with np.errstate(all="ignore"):
                return call_within(self.left, self.function, *arguments)
        except OutOfTimeError:
            raise AnswerError(
                f"Your function was stopped after {SECONDS} seconds. Does one of its loops never end?"
            ) from None
        except (Exception, SystemExit) as problem:
            raise AnswerError(f"Your code raised {error_text(problem)}") from None
        finally:
            self.left -= perf_counter() - start

    def _nothing(self) -> str:
        if not self.shapes:
            return "No answer yet: your function returns nothing. Put your line in place of the dots."
        return (
            f"Your function returns something for the first {how_many(len(self.shapes), 'case')}, then nothing (None). "
            "Does every way through it end in a return?"
        )


def call_within(seconds: float, function: Callable, *arguments):
    """Call a function and return its result; raise its error, or OutOfTimeError if it takes longer.

    It runs in a thread of its own. When the time is over, OutOfTimeError is raised there until even a bare `except:`
    has let go of it; a long call outside Python, which no error reaches, is left behind after LET_GO seconds. With
    infinite seconds, and under a debugger, the function is called here and has as long as it wants.
    """
    if seconds == np.inf or sys.gettrace():
        return function(*arguments)
    outcomes = []

    def run():
        with suppress(OutOfTimeError):
            try:
                outcomes.append((function(*arguments), None))
            except BaseException as error:
                outcomes.append((None, error))

    thread = Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:  # also when the learner interrupts the cell
        stop(thread)
    result, error = outcomes[0] if outcomes else (None, OutOfTimeError())
    if error:
        raise error
    return result


def stop(thread: Thread) -> None:
    """Raise OutOfTimeError in a thread every tenth of a second until it ends, for LET_GO seconds at most."""
    end = perf_counter() + LET_GO
    while thread.is_alive() and perf_counter() < end:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTimeError))
        thread.join(0.1)


def unanswered(value) -> bool:
    """Return whether an answer is missing: None, an empty field, or the three dots of the page."""
    return value is None or value is ... or (isinstance(value, str) and not value.strip())


def shape_of(result) -> tuple | None:
    """Return the shape of a result: () for one number, also in an array; None if something in it is no number."""
    try:
        numbers = np.asarray(result, dtype=float)
    except Exception:  # a learner's class may raise anything
        return None
    return () if numbers.size == 1 else numbers.shape


def error_text(problem: BaseException) -> str:
    """Describe an error, with the line of the learner's own code that led to it."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename != __file__]
    line = f", in the line: {frames[0].line}" if frames and frames[0].line else ""
    return f"{type(problem).__name__}: {text_of(problem)}{line}"


def text_of(value, longest: int = LONGEST) -> str:
    """Return the text of an object, shortened; a `__str__` that fails or never ends does no harm."""
    try:
        text = call_within(1, str, value)
    except (Exception, OutOfTimeError):
        return "(a text that cannot be read)"
    return text if len(text) <= longest else f"{text[:longest]} …"
