"""A learner's function on trial: it is run on copies, for some seconds at most, and its errors become sentences."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from time import perf_counter

import joblib
import numpy as np

__all__ = ["AnswerError", "Trial", "unanswered"]

SECONDS = 5  # in all, for every case of a task
LONGEST = 200  # characters of a learner's text in a sentence


class AnswerError(Exception):
    """What kept an answer from being compared: a sentence for the learner."""


class OutOfTimeError(BaseException):
    """Not an Exception: a learner's `except Exception` inside an endless loop must not swallow it.

    A bare `except:` does. When it lets go of the error, the watch begins again.
    """

    def __init__(self, again: Callable[[], None]):
        self.again = again

    def __del__(self):
        self.again()


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
        """The parameters that take the arguments; AnswerError if there are not as many."""
        try:
            bound = inspect.signature(self.function).bind(*given)
        except TypeError:
            raise AnswerError(
                f"The task gives your function {counted(len(given), 'argument')}, in the order in which it names them. "
                f"Yours takes {text_of(inspect.signature(self.function))}."
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
            with np.errstate(all="ignore"), stopped_after(self.left):
                return self.function(*arguments)
        except OutOfTimeError:
            raise AnswerError(
                f"Your function was stopped after {SECONDS} seconds. Does one of its loops never end?"
            ) from None
        except (Exception, SystemExit) as problem:
            raise AnswerError(f"Your code raised {told(problem)}") from None
        finally:
            self.left -= perf_counter() - start

    def _nothing(self) -> str:
        if not self.shapes:
            return "No answer yet: your function returns nothing. Put your line in place of the dots."
        return (
            f"Your function returns something for the first {counted(len(self.shapes), 'case')}, then nothing (None). "
            "Does every way through it end in a return?"
        )


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raises OutOfTimeError in the Python code that runs inside, on any system and in any thread.

    A debugger's or a coverage tool's own trace is left alone: then nothing is stopped.
    """
    if sys.gettrace():
        yield
        return
    end, running = perf_counter() + seconds, True

    def look(frame, event, argument):
        if perf_counter() > end:
            raise OutOfTimeError(partial(watch, frame))  # which ends the watch
        return look

    def watch(frame):
        if running:
            frame.f_trace = look
            sys.settrace(look)

    sys.settrace(look)
    try:
        yield
    finally:
        running = False
        sys.settrace(None)


def unanswered(value) -> bool:
    """Nothing, an empty field, or the three dots of the page."""
    return value is None or value is ... or (isinstance(value, str) and not value.strip())


def shape_of(result) -> tuple | None:
    """() for one number, also in an array of its own; None if something in it is no number."""
    try:
        numbers = np.asarray(result, dtype=float)
    except Exception:  # a learner's class may raise anything
        return None
    return () if numbers.size == 1 else numbers.shape


def told(problem: BaseException) -> str:
    """An error in words, with the line of the learner's own code that led to it."""
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename != __file__]
    line = f", in the line: {frames[0].line}" if frames and frames[0].line else ""
    return f"{type(problem).__name__}: {text_of(problem)}{line}"


def text_of(value, longest: int = LONGEST) -> str:
    """What an object says of itself, cut; it may say nothing, or never end."""
    try:
        with stopped_after(1):
            text = str(value)
    except (Exception, OutOfTimeError):
        return "(a text that cannot be read)"
    return text if len(text) <= longest else f"{text[:longest]} …"


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
