"""Write the counts of a class as one HTML page, which loads nothing from elsewhere and names nobody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from workbook.explorer.formatting import how_many
from workbook.questions.exercises import Exercise
from workbook.slips.counts import ConfidenceCounts, QuestionCounts
from workbook.slips.files import Learner, RefusedFile

__all__ = ["MARK", "page"]

MARK = '<meta name="generator" content="naive-bayes-workbook slips">'
FEW = 5  # a question that fewer tried is not among the hardest
HARDEST = 10
SHEETS = "explorer/tokens.css", "slips/page.css"
TOKENS, OWN = (files("workbook").joinpath(name).read_text("utf-8") for name in SHEETS)
# No script may run in this page: the reader's system alone makes it dark.
DARK = re.search(r'^\[data-theme="dark"\].*?\{\n(.*?)^\}', TOKENS, re.M | re.S)[1]
STYLE = f"{TOKENS}@media screen and (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; {DARK} }} }}\n{OWN}"


def page(learners: Sequence[Learner], refused: Sequence[RefusedFile], questions: Sequence[QuestionCounts],
         confidence: Sequence[ConfidenceCounts], names: bool = False) -> str:  # fmt: skip
    """Return the page. names: list the files, too; without, the page has counts only."""
    tried = [one for one in questions if one.tried]
    left_out = f"{how_many(len(refused), 'file')} did not count." if refused else "Every file counted."
    parts = [
        "<h1>What the class got wrong</h1>",
        f"<p>{how_many(len(learners), 'learner')}, "
        f"{how_many(sum(one.tried for one in tried), 'question')} tried in all. {left_out}</p>",
        *_hardest(tried),
        *_confidence(confidence),
        "<h2>Question by question</h2>",
        "<p>“At once” is the first answer. A recognised mistake counts once for each learner who made it.</p>",
        *(part for chapter in dict.fromkeys(one.item.key[:2] for one in tried) for part in _chapter(chapter, tried)),
        f"<p>Nobody tried {how_many(len(questions) - len(tried), 'other question')}.</p>",
        *(_list_files(learners, refused) if names else ()),
    ]
    return _html(parts)


def _html(parts: Sequence[str]) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        f'<meta charset="utf-8">{MARK}<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>What the class got wrong</title><style>{STYLE}</style>"
    )
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{body}\n</main></body></html>\n'


def _hardest(tried: Sequence[QuestionCounts]) -> list[str]:
    """Return the list of questions that the fewest had right at once."""
    judged = [one for one in tried if one.judged >= FEW and one.right < one.judged]
    hardest = sorted(judged, key=lambda one: one.right / one.judged)[:HARDEST]
    rows = [f'<li><a href="#{one.item.key}">{one.item.key}</a>: {_share(one.right, one.judged)} right at once'
            f"{_first_slip(one)}</li>" for one in hardest]  # fmt: skip
    return ["<h2>Where most went wrong</h2>", f"<ol>{''.join(rows)}</ol>"] if rows else []


def _first_slip(one: QuestionCounts) -> str:
    slip = next(iter(one.slips.items()), None)
    return f"; {slip[1]} × “{escape(slip[0])}”" if slip else ""


def _confidence(counts: Sequence[ConfidenceCounts]) -> list[str]:
    given = [one for one in counts if one.answers]
    rows = [[f"{100 * one.level:.0f} %", str(one.answers), _meter(one.right, one.answers)] for one in given]
    text = "<p>How sure they were of a prediction, and how often they were right. In a calibrated class both agree.</p>"
    return ["<h2>Confidence against truth</h2>", text, _table(["said", "answers", "right"], rows)] if rows else []


def _chapter(chapter: str, tried: Sequence[QuestionCounts]) -> list[str]:
    own = [one for one in tried if one.item.key[:2] == chapter]
    head = ["question", "tried", "right at once", "sure, and right", "recognised mistakes"]
    return [f"<h3>Chapter {chapter}</h3>", _table(head, [_row(one) for one in own])]


def _row(one: QuestionCounts) -> list[str]:
    text = one.item.task if isinstance(one.item, Exercise) else one.item.question
    question = f'<b id="{one.item.key}">{one.item.key}</b><div class="small">{escape(text)}</div>'
    slips = "".join(f"<li>{times} × {escape(hint)}</li>" for hint, times in one.slips.items())
    confidence = f"{100 * one.confidence[0]:.0f} %, {100 * one.confidence[1]:.0f} %" if one.confidence else ""
    right = _meter(one.right, one.judged) if one.judged else "no right or wrong"
    return [question, str(one.tried), right, confidence, f'<ul class="small">{slips}</ul>' if slips else ""]


def _list_files(learners: Sequence[Learner], refused: Sequence[RefusedFile]) -> list[str]:
    rows = [[escape(_printable(one.name)), str(len({answer.key for answer in one.answers}))] for one in learners]
    other = "".join(f"<li>{escape(_printable(one.name))} {escape(one.why)}.</li>" for one in refused)
    return ["<h2>Files</h2>", _table(["file", "questions"], rows), *([f"<ul>{other}</ul>"] if other else [])]


def _printable(name: str) -> str:
    """Return a file's name without control characters and halves of a character."""
    return "".join(character if character.isprintable() else "�" for character in name)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>'


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)"


def _meter(part: int, whole: int) -> str:
    return f'{_share(part, whole)} <meter min="0" max="{whole}" value="{part}" aria-hidden="true"></meter>'
