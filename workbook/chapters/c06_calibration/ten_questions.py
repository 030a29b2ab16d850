"""Chapter 06: ten questions with two options each, and the reader's own reliability diagram."""

from __future__ import annotations

import html
from calendar import FRIDAY, THURSDAY, weekday
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, e, factorial, pi, prod

import ipywidgets as widgets
import numpy as np
from scipy.stats import binom

from nbcore.datasets import load_names
from workbook.explorer import palette, theme
from workbook.explorer.theme import Panel
from workbook.explorer.view import View
from workbook.questions.progress import answers, record, sureness
from workbook.questions.question import LEVELS, PageQuestion, paragraph

__all__ = ["QUESTIONS", "Question", "TenQuestions", "in_all", "likely", "ten_questions"]

OWN = "06/question-"  # how the keys of the ten begin
TEN, BEFORE = "the ten questions", "predictions in this book"
LOOKS = {TEN: (palette.YOURS, "square", -0.008), BEFORE: (palette.BLACK, "circle", 0.008)}
Answers = list[tuple[float, bool]]  # how sure, and whether it was right


@dataclass(frozen=True)
class Question:
    """Two options, each with what it comes to; the larger one is right."""

    text: str
    options: dict[str, Callable[[], float]]

    def values(self) -> dict[str, float]:
        """Return option -> its computed value."""
        return {option: value() for option, value in self.options.items()}

    @property
    def right(self) -> str:
        """The option that is larger."""
        values = self.values()
        return max(values, key=values.__getitem__)

    def explain_answer(self, given: str) -> str:
        """Return the verdict on an answer and the value of each option, as words."""
        verdict = "right" if given == self.right else "no"
        values = ", ".join(f"{option}: {typed(value)}" for option, value in self.values().items())
        return f"“{given}”: {verdict}. {values}."


def typed(value: float) -> str:
    """A count as it is, a measure with four digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def names_of(sex: int) -> np.ndarray:
    """The female (0) or male (1) names of the book."""
    names = load_names(both_lists=False)
    return names.data[names.target == sex]


def ending(sex: int, letter: str) -> int:
    return sum(name.endswith(letter) for name in names_of(sex))


def birthdays(people: int) -> float:
    """The chance that no two of them share a birthday, with 365 days alike."""
    return prod((365 - n) / 365 for n in range(people))


def thirteenths(day: int) -> int:
    """In the 400 years after which the calendar repeats: how often the 13th of a month is this day of the week."""
    return sum(weekday(year, month, 13) == day for year in range(2001, 2401) for month in range(1, 13))


QUESTIONS = [
    Question("Which is larger?", {"2³⁰": lambda: 2**30, "a billion": lambda: 10**9}),
    Question("Which is larger?", {"π to the power e": lambda: pi**e, "e to the power π": lambda: e**pi}),
    Question(
        "Which is likelier?",
        {"a double six in 24 throws of two dice": lambda: 1 - (35 / 36) ** 24,
         "a six in 4 throws of a die": lambda: 1 - (5 / 6) ** 4},
    ),
    Question(
        "23 people in a room. Which is likelier?",
        {"two share a birthday": lambda: 1 - birthdays(23), "no two share one": lambda: birthdays(23)},
    ),
    Question("Which is longer?", {"10! seconds": lambda: factorial(10), "five weeks": lambda: 5 * 7 * 24 * 60 * 60}),
    Question(
        "In this book's lists of names, which are more?",
        {"male names ending in y": lambda: ending(1, "y"), "female names ending in y": lambda: ending(0, "y")},
    ),
    Question(
        "And which are longer on average, in letters?",
        {"the female names": lambda: float(np.mean([len(name) for name in names_of(0)])),
         "the male names": lambda: float(np.mean([len(name) for name in names_of(1)]))},
    ),
    Question(
        "A fair coin, ten tosses. Which is likelier?",
        {"exactly five heads": lambda: comb(10, 5) / 2**10, "any other number": lambda: 1 - comb(10, 5) / 2**10},
    ),
    Question(
        "In 400 years of the calendar, the 13th of a month is more often a",
        {"Thursday": lambda: thirteenths(THURSDAY), "Friday": lambda: thirteenths(FRIDAY)},
    ),
    Question(
        "Which has more digits?",
        {"2 to the power 8,000": lambda: len(str(2**8000)),
         "1,000! = 1 · 2 · 3 · … · 1,000": lambda: len(str(factorial(1000)))},
    ),
]  # fmt: skip


# --- what answers can show ----------------------------------------------------------------------------------------


def in_all(sure: Sequence[float]) -> np.ndarray:
    """The chance of 0, 1, ... right answers if each comes true with the probability that was said."""
    chances = np.ones(1)
    for p in sure:
        chances = np.convolve(chances, [1 - p, p])
    return chances


def likely(chances: np.ndarray) -> tuple[int, int]:
    """The fewest and the most of the middle 95 %: at least so much lies between them."""
    up_to = chances.cumsum() + 1e-12
    return int(np.searchsorted(up_to, 0.025)), int(np.searchsorted(up_to, 0.975))


def count_answers(given: Answers) -> list[tuple[float, int, int]]:
    """Count the answers at each level of sureness: (how sure, how many answers, how many right)."""
    levels = sorted({sure for sure, _ in given})
    return [(level, sum(s == level for s, _ in given), sum(s == level and r for s, r in given)) for level in levels]


def summed(name: str, given: Answers) -> str:
    """One sentence on answers of a kind."""
    sure = [s for s, _ in given]
    right, (few, many) = sum(r for _, r in given), likely(in_all(sure))
    verdict = "That fits." if few <= right <= many else "Too sure." if right < few else "You know more than you say."
    answered = (
        f"{len(given)} answer{'s' * (len(given) > 1)}, {100 * np.mean(sure):.0f} % sure on average, {right} right"
    )
    return f"{name.capitalize()}: {answered}. If you are calibrated, {few} to {many} are, 95 times in 100. {verdict}"


# --- the page -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Given:
    """An answer: which option, how sure, whether it is right."""

    option: str
    sure: float
    right: bool


def given_before() -> dict[str, Given]:
    """Key -> the first answer to each of the ten that is kept, as far as it can still be shown."""
    first: dict[str, Given] = {}
    questions = {f"{OWN}{n}": question for n, question in enumerate(QUESTIONS, start=1)}
    for a in answers():
        known = a.key in questions and a.answer in questions[a.key].options and a.confidence in LEVELS
        if known and a.right is not None:
            first.setdefault(a.key, Given(str(a.answer), float(a.confidence), a.right))
    return first


def diagram(kinds: dict[str, Answers]) -> dict:
    """Left how sure against how often right, with what luck explains; right the same in all, of the ten questions."""
    return theme.figure([[levels_panel(kinds), sum_panel(*next(iter(kinds.items())))]], widths=[1.2, 1])


def levels_panel(kinds: dict[str, Answers]) -> Panel:
    """A point for each level of sureness; its bar holds 95 of 100 shares of somebody who is calibrated."""
    diagonal = dict(type="scatter", mode="lines", x=[0.5, 1], y=[0.5, 1], showlegend=False, hoverinfo="skip")
    traces = [diagonal | dict(line=dict(color=palette.GUIDE, width=1.5, dash="dot"))]
    for name, given in kinds.items():
        (color, symbol, aside), bins = LOOKS[name], count_answers(given)
        level, n, right = map(np.array, zip(*bins, strict=True))
        low, high = (binom.ppf(q, n, level) / n for q in (0.025, 0.975))
        ends = np.column_stack([low, high, np.full(len(n), np.nan)]).ravel()
        bars = dict(type="scatter", mode="lines", x=np.repeat(level + aside, 3), y=ends, showlegend=False)
        traces.append(bars | dict(line=dict(color=palette.faint(color, 0.45), width=5), hoverinfo="skip"))
        words = [f"{name}, {100 * s:.0f} % sure: {r} of {m} right" for s, m, r in bins]
        points = dict(type="scatter", mode="markers", x=level + aside, y=right / n, name=name, text=words)
        marker = dict(size=11, color=color, symbol=symbol, line=dict(color=palette.BLACK, width=1))
        traces.append(points | dict(marker=marker, hovertemplate="%{text}<extra></extra>"))
    x = dict(range=[0.46, 1.04], tickvals=[0.5, 0.6, 0.7, 0.8, 0.9, 1], title="how sure you were")
    return Panel("How often you were right", traces, x, dict(range=[-0.05, 1.05], tickvals=[0, 0.25, 0.5, 0.75, 1]))


def sum_panel(name: str, given: Answers) -> Panel:
    """Return how many would be right by luck if every number were meant, and how many were."""
    chances, right = in_all([sure for sure, _ in given]), sum(r for _, r in given)
    few, many = likely(chances)
    inside = [few <= n <= many for n in range(len(chances))]
    marker = dict(color=[palette.GREY if i else palette.PALE for i in inside])
    words = "%{x} right: in %{y:.3f} of such rounds<extra></extra>"
    bars = dict(type="bar", x=np.arange(len(chances)), y=chances, width=0.8, marker=marker, hovertemplate=words)
    line = dict(type="line", x0=right, x1=right, y0=0, y1=1, yref="domain", line=dict(color=LOOKS[name][0], width=4))
    x = dict(range=[-0.7, len(chances) - 0.3], title="how many right, if calibrated", nticks=8)
    y = dict(range=[0, 1.1 * chances.max()], nticks=5)
    top = dict(x=right, y=1, yref="domain", text=f"you: {right}", yanchor="bottom", xanchor="right", yshift=2)
    return Panel("In all", [bars | dict(showlegend=False)], x, y, [line], [top])


class TenQuestions(PageQuestion):
    """Ten questions with "How sure are you?", kept as predictions are; of each the first answer counts."""

    def to_text(self) -> str:
        """The questions as text."""
        lines = [f"{n:2}. {q.text} ( ) {' ( ) '.join(q.options)}" for n, q in enumerate(QUESTIONS, start=1)]
        return "\n".join(["Ten questions. Choose, and say how sure you are, from 50 % to 100 %.", *lines])

    def rows(self):
        """The widgets of one asking."""
        given, told, reply = given_before(), widgets.HTML(), View()
        fields = {f"{OWN}{n}": (q, answer_field(n, q), sure_field()) for n, q in enumerate(QUESTIONS, start=1)}
        for key, (_, choice, sure) in fields.items():
            if key in given:
                choice.value, sure.value = given[key].option, given[key].sure

        def show():
            missing = keep(fields, given)
            if not given:
                reply.say("Choose an answer to at least one question, and say how sure you are; or skip them all.")
                return
            kinds = {TEN: [(one.sure, one.right) for one in given.values()]}
            if before := sureness(lambda key: not key.startswith(OWN)):
                kinds[BEFORE] = before
            half = f" Without an answer or without how sure you are: {', '.join(missing)}." if missing else ""
            reply.show(diagram(kinds))
            reply.say(" ".join(summed(name, answered) for name, answered in kinds.items()) + half)
            told.value = listed(given)

        def skip():
            reply.say("Skipped. Section 1 does not need them, and they stay here for another day.")

        if given:
            show()
        ask = "Choose, and say how sure you are: 50 % is a guess, 100 % is certain. Look nothing up."
        each = [widgets.HBox([choice, sure], layout={"flex_flow": "row wrap"}) for _, choice, sure in fields.values()]
        pressed = [button("Show my diagram", show), button("Skip", skip)]
        row = widgets.HBox(pressed, layout={"flex_flow": "row wrap"})
        return [paragraph(f"Ten questions. {ask}"), *each, row, reply, told]


def button(words: str, act: Callable[[], None]) -> widgets.Button:
    """A button with what a click does."""
    made = widgets.Button(description=words)
    made.on_click(lambda _: act())
    return made


def sure_field() -> widgets.Dropdown:
    """Return how sure the reader is, 0.5 to 1; None until one is chosen."""
    levels = [("not said", None), *((f"{round(100 * level)} %", level) for level in LEVELS)]
    style = {"description_width": "initial"}
    field = widgets.Dropdown(options=levels, index=0, description="How sure are you?", style=style)
    field.layout.width = "auto"
    return field


def answer_field(number: int, question: Question) -> widgets.Dropdown:
    """A question with its two options; None until one is chosen."""
    options = [("not answered", None), *((option, option) for option in question.options)]
    style = {"description_width": "initial"}
    field = widgets.Dropdown(options=options, index=0, description=f"{number}. {question.text}", style=style)
    field.layout.width, field.layout.flex = "auto", "1 1 420px"
    return field


def keep(fields: dict, given: dict[str, Given]) -> list[str]:
    """Add what is answered for the first time, and record it; which numbers are answered by half."""
    missing = []
    for key, (question, choice, sure) in fields.items():
        if (choice.value is None) != (sure.value is None):
            missing.append(key.removeprefix(OWN))
        elif choice.value is not None and key not in given:
            given[key] = Given(choice.value, sure.value, choice.value == question.right)
            record(key, "made", answer=choice.value, confidence=sure.value, right=given[key].right)
    return missing


def listed(given: dict[str, Given]) -> str:
    """Return the verdict on each answered question as HTML, a line each."""
    asked = ((n, q, given.get(f"{OWN}{n}")) for n, q in enumerate(QUESTIONS, start=1))
    return "<br>".join(html.escape(f"{n}. {q.text} {q.explain_answer(one.option)}") for n, q, one in asked if one)


def ten_questions() -> TenQuestions:
    """Ten questions, and the reader's own reliability diagram: show it as the last line of a cell."""
    return TenQuestions()
