"""Predictions, exercises, numbers and progress: the frame, on questions small enough to see through."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbook.explorer.formatting import signed, written
from workbook.questions.exercises import (
    COMPLEMENT,
    IN_PERCENT,
    NEARLY,
    RECIPROCAL,
    Exercise,
    Feedback,
    Mistake,
    Solution,
)
from workbook.questions.predictions import Prediction
from workbook.questions.progress import answers, load
from workbook.questions.typed import read_number

from .asked import Page

CHOICE = Prediction(
    key="99/choice",
    question="How often does the sun rise in a week?",
    truth=lambda: 7,
    reason=lambda truth: f"It rises every day, and a week has {truth} of them.",
    options={"never": lambda truth: truth == 0, "seven times": lambda truth: truth == 7},
)
NUMBER = Prediction(
    key="99/number", question="What share of 14 are 5?", truth=lambda: 5 / 14, reason=lambda truth: "Five of fourteen."
)
EIGHTH = Exercise(
    key="99/eighth",
    task="Is 1 < 2 & <b>3</b>? Give an eighth.",
    expected=lambda: 1 / 8,
    mistakes=(Mistake(lambda: 1 / 6, "That is a sixth."), Mistake(lambda: 8, "Turn it round.")),
    well_done="An eighth it is.",
    solution="answer = 1 / 8",
)
DOUBLE = Exercise(
    key="99/double",
    task="Write a function that doubles.",
    expected=lambda x: 2 * x,
    mistakes=(Mistake(lambda x: x * x, "That is the square."),),
    well_done="Doubled.",
    solution="def answer(x):\n    return x + x",
    evaluate=lambda function: [function(x) for x in (1, 3, 5)],
)


def test_what_a_reader_asks_of_numpy_makes_no_question_fail():
    """After np.seterr(all="raise") in a cell exp(-800) would be an error, where numpy says 0."""
    tiny = Prediction(key="99/tiny", question="", truth=lambda: float(np.exp(-800.0)), reason=lambda truth: "")
    small = replace(CHOICE, options={"none": lambda truth: truth * np.exp(-800.0) == 0})
    with np.errstate(all="raise"):
        assert "Computed: 0." in tiny.reveal("0")
        assert Page(small)("reveal", guess="none", sure=None).startswith("You saw it coming.")
        assert Exercise("99/tiny", "", lambda: np.exp(-800.0), (), "Good.", "").check(0).correct


@pytest.mark.parametrize("number", [10**400, -(10**400)], ids=["large", "negative"])
def test_a_number_larger_than_any_float_is_a_sentence(number):
    with pytest.raises(ValueError, match=r"^That number is too large\. Type it like"):
        NUMBER.reveal(number)
    assert EIGHTH.check(number).message.startswith("That number is too large.")


class Odd:
    """An object of the reader's that can be neither compared nor printed."""

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __repr__(self):
        raise RuntimeError("no text")

    __hash__ = None


def test_an_object_that_cannot_be_looked_at_is_an_answer_like_any_other():
    assert CHOICE.reveal(Odd()).startswith("You said “(a text that cannot be read)”. Computed: ")
    said = "'(a text that cannot be read)' is not a number I can read."
    with pytest.raises(ValueError, match=re.escape(said)):
        NUMBER.reveal(Odd())
    assert EIGHTH.check(Odd()).message.startswith(said)


def test_a_choice_is_revealed_or_skipped():
    page = Page(CHOICE)
    assert page.view.record["options"] == ["never", "seven times"]
    assert page("reveal", guess="never", sure=None) == (
        "You said “never”. Computed: seven times. It rises every day, and a week has 7 of them."
    )
    marks = dict(answer="seven times", guess="never", state="off", count=1)
    assert page.view.reply | marks == page.view.reply
    assert page("reveal", guess="seven times", sure=None).startswith("You saw it coming. Computed: seven times.")
    assert page("skip", guess="never", sure=0.8).startswith("Skipped.")
    assert page.view.reply["guess"] == "", "what was skipped is not marked as wrong"
    assert page.view.reply["count"] == 3
    assert load() == {"99/choice": "made"}, "what was made stays made"


@pytest.mark.parametrize(
    ("typed", "start", "state"),
    [("5/14", "You said 0.357: close enough.", "right"), ("0.5", "You said 0.5: not quite", "off")],
)
def test_a_number_is_compared(typed, start, state):
    page = Page(NUMBER)
    assert page("reveal", guess=typed, sure=None).startswith(start)
    assert page.view.reply["state"] == state


def test_a_tenth_off_is_close_enough():
    ten = Prediction(key="99/ten", question="1 + 9?", truth=lambda: 10, reason=lambda truth: "")
    assert [ten.judge(guess)[1] for guess in (11, 9, 11.01, 8.99)] == [True, True, False, False]
    assert ten.to_text() == "Predict first.\n1 + 9?\n  Your number: ____"


def test_an_exercise_as_text_says_how_to_check_the_books_numbers():
    assert EIGHTH.to_text().endswith('Check it with check("99/eighth", ...); solution("99/eighth") shows one.')
    assert "check(" not in replace(EIGHTH, variant=1).to_text()


@pytest.mark.parametrize(
    ("typed", "said"), [("<script>alert(1)</script>", "is not a number I can read"), ("7,203", "7203 or 7.203.")]
)
def test_what_cannot_be_read_is_said(typed, said):
    for item, act in ((NUMBER, "reveal"), (EIGHTH, "check")):
        page = Page(item)
        assert said in page(act, guess=typed, sure=None)
        assert page.view.reply["state"] == ""
    assert load() == {}, "it was no try"


def test_an_exercise_on_the_page():
    page = Page(EIGHTH)
    for typed, words, state in (
        ("1/6", "Not yet. That is a sixth.", "slip"),
        ("1/3", f"Not yet. {EIGHTH.help}", "tried"),
        ("0,125", "Right. An eighth it is.", "right"),
    ):
        assert page("check", guess=typed) == words
        assert page.view.reply["state"] == state
    assert "solution" not in page.view.reply
    page("solution")
    assert page.view.reply["solution"] == "answer = 1 / 8  # 0.125"
    assert repr(Solution(EIGHTH.solution)) == EIGHTH.solution


def test_a_page_that_starts_late_is_told_what_it_missed():
    page, sent = Page(DOUBLE), []
    page("hint")
    page.view.send_state = lambda *_: sent.append(page.view.reply["hints"])
    page.view._handle_custom_msg({"missed": True}, [])
    assert sent == [[DOUBLE.help]]
    page("hint")
    assert (page.view.reply["hints"], page.view.reply["last"]) == ([DOUBLE.help, "That is the square."], True)


# --- check --------------------------------------------------------------------------------------------------------


def number_task(truth, *mistakes, **options):
    return Exercise("99/x", "", lambda: truth, tuple(mistakes), "Good.", f"answer = {truth}", **options)


@pytest.mark.parametrize(("truth", "right", "nearly", "wrong"), [
    (0.5, (0.5, 0.501, 0.499), (0.503, 0.496), (0.51, 0.49)),
    (1 / 7, (0.143, 0.1429, 0.1425), (0.14, 0.142, 0.144), (0.15, 0.13)),
    (0.125, ("1/8", 0.125), (0.13, 0.12), (0.14, 0.11)),  # a tie is rounded up at school, to even by Python
    (990 / 99e3 * 0.00223, (2.23e-5,), (2.2e-5,), (2e-5, 2.4e-5)),
    (0.9955, (0.996, 0.995, 0.9955), (), (0.99, 1.0, 0.998)),  # twice as far from 1, or half
    (895 / 897, (0.998, 0.99777), (), (0.99, 1.0)),
    (0.95, (0.95, 0.951), (0.952,), (0.96, 0.94)),
    (0.75, (0.75, 0.7505), (0.752,), (0.76, 0.74)),
    (-1200, (-1200, "-1,2e3", -1205), (-1190, -1240), (-1300,)),
])  # fmt: skip
def test_three_significant_digits_are_right_and_two_are_nearly(truth, right, nearly, wrong):
    item = number_task(truth)
    assert [item.check(x).correct for x in right] == [True] * len(right)
    for x in nearly:
        assert item.check(x) == Feedback(False, NEARLY)
    for x in wrong:
        assert item.check(x) == Feedback(False, f"Not yet. {item.help}")


def test_an_answer_in_percent_is_told_from_a_typical_mistake():
    assert number_task(0.25).check(25).message == IN_PERCENT
    assert number_task(0.25, Mistake(25, "In percent.")).check(25).message == "Not yet. In percent."
    assert number_task(1.5).check(150).message.startswith("Not yet. Not one of the usual slips.")


@pytest.mark.parametrize(
    ("right", "answer", "said"), [(0.25, 0.75, COMPLEMENT), (0.25, 4, RECIPROCAL), (81.0, 1 / 81, RECIPROCAL)]
)
def test_the_opposite_and_the_ratio_upside_down_are_recognised_after_the_slips(right, answer, said):
    assert number_task(right).check(answer).message == said
    assert number_task(right, Mistake(answer, "A slip.")).check(answer).message == "Not yet. A slip."


def test_who_gives_two_digits_is_not_sent_into_a_typical_mistake():
    """Asked for three decimals of 0.00223, a learner typed 0.002: the share of all who are ill and negative."""
    item = number_task(0.002 / 0.89696, Mistake(lambda: 0.002, "That is the share of all people."))
    assert item.check(0.0022).message == NEARLY
    assert "significant" in NEARLY
    assert "decimals" not in NEARLY
    assert item.check(0.002).message == "Not yet. That is the share of all people."
    assert item.check(0.00223).correct


def test_nearly_is_off_where_neighbours_on_a_grid_are_as_close():
    assert number_task(5.01).check(5.0).correct
    assert number_task(5.25).check(5.2).message == NEARLY
    assert number_task(5.25, nearly=False).check(5.2).message.startswith("Not yet.")


@pytest.mark.parametrize(("answer", "message"), [
    (lambda x: x + x, "Right. Doubled."),
    (lambda x: x * x, "Not yet. That is the square."),
    (lambda x: x / 0, "Your code raised ZeroDivisionError: division by zero, in the line: (lambda x: x / 0"),
    (lambda x: 3 * x, f"Not yet. {DOUBLE.help}"),
    (lambda x: None, "No answer yet: your function returns nothing."),
    (lambda x: ..., "No answer yet: your function returns nothing."),
    (..., "No answer yet. Put yours in place of the three dots"),
    (3, "'3' is no function. Give its name, without quotes and without brackets."),
    ("double", "'double' is no function."),
    (lambda: 3, "The task gives your function 1 argument, in the order in which it names them. Yours takes ()."),
    (lambda x: np.array([x + x]), "Right."),
    (lambda x: [x, x], "Not yet. Your function returns 2 numbers; it should return one number."),
    (lambda x: np.eye(2), "Not yet. Your function returns an array of shape (2, 2); it should return one number."),
    (lambda x: "two", "Not yet. Your function returns something that is not a number; it should"),
    (lambda x: 2 * x if x < 3 else None, "Your function returns something for the first 1 case, then nothing"),
    (lambda x: np.float64(x) / 0, "Not yet. Your function returns inf in one of the cases. It comes from a div"),
    (lambda x: np.inf if x == 3 else x, "Not yet. Your function returns inf in one of the cases. It comes from"),
    (lambda x: np.float64(0) / 0 * x, "Not yet. Your function returns nan in one of the cases. It comes from 0/0"),
])  # fmt: skip
def test_a_function_is_judged_by_what_it_returns(answer, message):
    said = DOUBLE.check(answer)
    assert said.message.startswith(message)
    assert said.correct == message.startswith("Right")


def test_nan_and_infinity_match_the_mistakes_that_give_them():
    item = number_task(2.0, Mistake(lambda: np.inf, "Without bounds?"))
    assert item.check("inf").message == "Not yet. Without bounds?"
    logs = Exercise("99/log", "", lambda x: abs(x), (Mistake(lambda x: np.log(x), "No logarithm."),), "Good.", "",
                    evaluate=lambda function: [function(x) for x in (-1.0, 0.0, 2.0)])  # fmt: skip
    assert logs.check(lambda x: np.log(np.array(x))).message == "Not yet. No logarithm."
    assert logs.check(lambda x: -np.log(np.array(x))).message.startswith("Not yet. Your function returns nan")
    endless = Exercise("99/endless", "", lambda x: 1 / np.float64(x), (), "Good.", "", evaluate=lambda f: [f(0), f(2)])
    assert endless.check(lambda x: -1 / np.float64(x)).message == f"Not yet. {endless.help}", "one is asked for"


def test_what_a_function_should_return_is_said_in_the_tasks_words():
    item = Exercise("99/sum", "", np.sum, (Mistake(np.prod, "That is the product."),), "Good.", "",
                    evaluate=lambda f: [float(f(np.ones(3)))],
                    returns="one number, the sum over the nodes")  # fmt: skip
    assert item.check(lambda x: x).message == (
        "Not yet. Your function returns 3 numbers; it should return one number, the sum over the nodes."
    )


def test_an_error_of_ours_is_not_blamed_on_the_learner():
    item = Exercise("99/bad", "", lambda x: x, (), "Good.", "", evaluate=lambda f: [f(1), float("three")])
    with pytest.raises(ValueError, match="three"):
        item.check(lambda x: x)


def test_what_was_answered_is_kept_with_the_slip_that_was_recognised():
    EIGHTH.check("1/6")
    EIGHTH.check(7)
    EIGHTH.check("0,125")
    DOUBLE.check(lambda x: x * x)
    EIGHTH.check("half")
    kept = [(a.key, a.outcome, a.answer, a.right, a.mistake) for a in answers()]
    assert kept == [
        ("99/eighth", "tried", "1/6", False, "That is a sixth."),
        ("99/eighth", "tried", 7, False, None),
        ("99/eighth", "solved", "0,125", True, None),
        ("99/double", "tried", None, False, "That is the square."),
    ]


# --- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "value"), [
    *((eighth, 0.125) for eighth in ("1/8", " 0.125 ", "0,125", "12.5 %", "12,5 %", "12.5%", "1 / 8")),
    *((number, 0.125) for number in (Fraction(1, 8), np.float64(0.125), 0.125)),
    *(("-1e-3", -0.001), ("−2", -2), (3, 3), ("inf", np.inf), ("-∞", -np.inf)),
    *(("1,000,000", 1e6), ("-7,203.0", -7203), ("12,345,678.5", 12345678.5), ("1,5", 1.5), ("1234,567", 1234.567)),
])  # fmt: skip
def test_numbers_as_people_type_them(text, value):
    assert read_number(text) == value


@pytest.mark.parametrize(("text", "value"), [
    ("9.6/89.6", 9.6 / 89.6),
    ("0.096/0.896", 0.096 / 0.896), ("9,6/89,6", 9.6 / 89.6), ("1.5789/12", 1.5789 / 12),
    ("88*93*103/108**3", Fraction(88 * 93 * 103, 108**3)), ("'88*93*103/108**3'", Fraction(88 * 93 * 103, 108**3)),
    ("88 · 93 × 103 / 108^3", Fraction(88 * 93 * 103, 108**3)), ("(1 - 0.3/4)^4", (1 - 0.3 / 4) ** 4),
    ("log(2)", np.log(2)), ("log 6 / log 2", np.log(6) / np.log(2)), ("3 times", 3), ("1.4 nats", 1.4),
    ("5 per cent", 0.05), ("ln(2)", np.log(2)), ("np.log(9)/math.sqrt(4)", np.log(3)), ("-log(0.2)", -np.log(0.2)),
    ("12 %", 0.12), ("1/8 %", 0.00125), ("1,000,000 / 4", 250_000),
])  # fmt: skip
def test_small_calculations_are_read(text, value):
    assert read_number(text) == pytest.approx(float(value), rel=1e-14)


@pytest.mark.parametrize(
    "text",
    ["", "half", "1/0", "1/2/", "nan", "0.1.2", True, None, [0.1, 2], (1, 0), "9" * 400 + "/1", "50%%", "50 % %",
     "1,00,000", "0,125,000", "1,000,00", "9**9**9**9", "(-1)**0.5", "log(0)", "exit()", "().__class__", "[1]",
     "1 if 1 else 2", "x", "log(2, 3)", "1j", "2 1/2", "1.2,3", "1,2,3", "5.,", "(" * 500, "__import__('os')"],
)  # fmt: skip
def test_what_is_not_a_number(text):
    with pytest.raises(ValueError, match=r"0\.25, 1/4, 25 % or 88\*93/108\*\*2"):
        read_number(text)


def test_a_comma_between_digits_makes_a_pair_in_python():
    """`answer = 1,000` is (1, 0)."""
    with pytest.raises(ValueError, match=r"\(1, 0\) holds 2 numbers, and one is asked for"):
        read_number((1, 000))


@pytest.mark.parametrize(("text", "ways"), [("1,000", "1000 or 1.000"), ("-7,203", "7203 or 7.203"),
                                            (" 1,609 %", "1609 or 1.609"),
                                            ("2 * 1,000", "1000 or 1.000")])  # fmt: skip
def test_a_comma_before_three_digits_has_two_readings(text, ways):
    """The book prints 7,203 names; elsewhere 1,609 is ln 5."""
    with pytest.raises(ValueError, match=rf"can be read in two ways. Type it without the comma: {ways}\."):
        read_number(text)


# --- progress -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.5, "0.5"), (1.154e-5, "1.15·10⁻⁵"), (-0.00002, "−2·10⁻⁵"), (5643.2, "5,640"), (-109_432, "−109,000"),
     (182.4, "182"), (999.9, "1,000"), (999_999, "1·10⁶"), (1.234e9, "1.23·10⁹"), (0, "0"), (np.inf, "∞")],
)  # fmt: skip
def test_three_digits_are_written_without_an_e(value, said):
    assert written(value) == said


@pytest.mark.parametrize(
    ("value", "said"), [(0.5, "+0.50"), (-12.345, "−12.35"), (np.inf, "+∞"), (-np.inf, "−∞"), (-0.001, "0.00")]
)
def test_log_odds_are_written_with_their_sign(value, said):
    assert signed(value) == said
    assert signed(np.float64(value)) == said
