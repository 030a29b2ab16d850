"""A learner's function on trial: stopped when it never ends, told when it spoils its arguments, never swallowed."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from workbook.questions.exercises import Exercise
from workbook.questions.trial import LONGEST, AnswerError, Trial, call_within, error_text, shape_of, text_of, unanswered


def forever(x):
    while True:
        try:
            x = x + 1
        except Exception:
            pass


def recursive_loop(x):
    return sum(1 for _ in iter(int, 1))


def bare(x):
    while True:
        try:
            x = x + 1
            x = x - 1
        except:  # noqa: E722, as beginners write it
            pass


@pytest.mark.parametrize("function", [forever, recursive_loop, bare])
def test_a_loop_without_end_is_stopped(function):
    trial, threads = Trial(function, seconds=0.2), threading.active_count()
    start = time.perf_counter()
    with pytest.raises(AnswerError, match=r"stopped after 5 seconds\. Does one of its loops never end\?"):
        trial(1)
    assert time.perf_counter() - start < 5
    assert threading.active_count() == threads, "what was stopped has ended"


def test_it_is_stopped_in_any_thread():
    with ThreadPoolExecutor(1) as pool, pytest.raises(AnswerError, match="stopped"):
        pool.submit(Trial(forever, seconds=0.2), 1).result(300)


def test_what_no_error_reaches_is_left_behind(monkeypatch):
    monkeypatch.setattr("workbook.questions.trial.LET_GO", 0.2)
    with pytest.raises(AnswerError, match="stopped"):
        Trial(threading.Event().wait, seconds=0.1)(10)


def test_a_loop_runs_at_its_own_pace():
    def loop(x):
        start = time.process_time()
        for _ in range(300_000):
            x += 1
        return time.process_time() - start

    assert min(Trial(loop, 5)(0) for _ in range(5)) < 2 * min(loop(0) for _ in range(5))


def test_an_interrupted_cell_leaves_nothing_running(monkeypatch):
    def interrupted(thread, seconds=None):
        monkeypatch.undo()
        raise KeyboardInterrupt

    threads = threading.active_count()
    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Trial(forever, seconds=60)(1)
    assert threading.active_count() == threads


def test_the_seconds_are_those_of_all_cases():
    def slow(x):
        end = time.perf_counter() + 0.15
        while time.perf_counter() < end:
            pass
        return x

    trial = Trial(slow, seconds=0.25)
    assert trial(1) == 1
    with pytest.raises(AnswerError, match="stopped"):
        trial(2)


def test_a_debugger_keeps_its_trace():
    def debugger(frame, event, argument):
        return None

    sys.settrace(debugger)
    try:
        assert call_within(0, sys.gettrace) is debugger
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(None)


def in_place(x):
    x *= 2
    return x.sum()


CASE = np.array([1.0, 2.0])
DOUBLE = Exercise("99/double", "", lambda x: 2 * x.sum(), (), "Doubled.", "", evaluate=lambda f: [f(CASE), f(CASE)])


def test_an_argument_that_is_changed_is_told_and_does_no_harm():
    for _ in range(2):
        said = DOUBLE.check(in_place)
        assert said.correct
        assert said.message == (
            "Right. Doubled. One thing: your function changes x in place. Whoever calls it loses the numbers."
        )
    assert CASE.tolist() == [1, 2]
    assert DOUBLE.check(lambda x: 2 * x.sum()).message == "Right. Doubled."
    assert "changes values in place" in DOUBLE.check(lambda *values: in_place(*values)).message


def test_errors_name_the_learners_own_line():
    def divides(x):
        half = len(x) / 2
        return half / 0

    with pytest.raises(AnswerError, match=r"^Your code raised ZeroDivisionError.*, in the line: return half / 0"):
        Trial(divides, 5)(CASE + 1)


class Silent(Exception):  # noqa: N818
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


class Loud(Exception):  # noqa: N818
    def __str__(self):
        return "x" * 100_000


class Endless(Exception):  # noqa: N818
    def __str__(self):
        while True:
            pass


def raises(kind):
    def function(x):
        raise kind

    return function


class Odd:
    """A result that cannot even be looked at."""

    def __array__(self, *_, **__):
        raise Silent

    __float__ = __repr__ = __array__


@pytest.mark.parametrize(("answer", "words"), [
    (raises(Silent), "Your code raised Silent: (a text that cannot be read), in the line: raise kind"),
    (raises(Endless), "Your code raised Endless: (a text that cannot be read), in the line: raise kind"),
    (raises(Loud), f"Your code raised Loud: {'x' * 200} …, in the line: raise kind"),
    (raises(SystemExit("bye")), "Your code raised SystemExit: bye, in the line: raise kind"),
    (Silent(), "'(a text that cannot be read)' is no function."),
    (lambda x, y, z=Silent(): x, "Yours takes (a text that cannot be read)."),  # noqa: B008
    (lambda x: Odd(), "Your function returns something that is not a number; it should return one number."),
])  # fmt: skip
def test_whatever_happens_becomes_a_sentence(answer, words):
    said = DOUBLE.check(answer)
    assert not said.correct
    assert words in said.message


@pytest.mark.parametrize(("result", "shape"), [(3, ()), (np.float64(0.5), ()), ([3], ()), (np.ones((1, 1)), ()),
                                              ([1, 2], (2,)), (np.eye(2), (2, 2)), ([], (0,)), ("two", None),
                                              ([[1], [1, 2]], None)])  # fmt: skip
def test_one_number_has_no_shape_whatever_it_stands_in(result, shape):
    assert shape_of(result) == shape


def test_one_number_is_a_number_of_pythons():
    for result in (3, [3], np.array([3]), np.float64(3)):
        found = Trial(lambda x, result=result: result, 5)(1)
        assert (found, np.ndim(found)) == (3, 0)
    assert Trial(lambda x: [x, x], 5)(1) == [1, 1]


def test_nothing_an_empty_field_and_three_dots_are_no_answer():
    assert [unanswered(value) for value in (None, ..., "", " \t")] == [True] * 4
    assert not any(map(unanswered, ("x", 0, False, 0.0, [])))


def test_a_text_is_cut_where_it_is_too_long():
    assert text_of("x" * LONGEST) == "x" * LONGEST
    assert text_of("x" * (LONGEST + 1)) == "x" * LONGEST + " …"


def test_of_several_lines_the_learners_own_comes_first():
    def inner(x):
        return x / 0

    with pytest.raises(AnswerError, match=r"division by zero, in the line: Trial\(lambda x: inner\(x\), 5\)\(1\)$"):
        Trial(lambda x: inner(x), 5)(1)
    assert error_text(ValueError("no line")) == "ValueError: no line"


def test_an_interruption_is_not_an_answer():
    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trial(interrupted, 5)(1)


def test_builtins_and_ufuncs_are_functions_too():
    assert Trial(np.exp, 5)(0.0) == 1
    assert Trial(max, 5)([1, 2]) == 2
    assert Trial(np.sum, 5)([1, 2]) == 3
