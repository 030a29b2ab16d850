"""The counts of a class as one HTML page: it opens anywhere, asks for nothing from elsewhere, and names nobody."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workbook.questions.exercises import Exercise
from workbook.slips.counted import Counted, Sure
from workbook.slips.handed_in import Learner, Refused

__all__ = ["MARK", "many", "page"]

MARK = '<meta name="generator" content="naive-bayes-workbook slips">'
FEW = 5  # a question that fewer tried is not among the hardest
HARDEST = 10
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 Arial, "Liberation Sans", Helvetica, sans-serif; max-width: 980px; margin: auto; }
main { padding: 8px 16px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 4px 8px; border-bottom: 1px solid #8886; }
meter { width: 6em; }
ul { margin: 0; padding-left: 1.2em; }
.wide { overflow-x: auto; }
.small { font-size: 14px; }
"""


def page(learners: Sequence[Learner], refused: Sequence[Refused], questions: Sequence[Counted], sure: Sequence[Sure],
         names: bool = False) -> str:  # fmt: skip
    """names: with those of the files; without, the page has counts only."""
    tried = [one for one in questions if one.tried]
    parts = [
        "<h1>What the class got wrong</h1>",
        f"<p>{many(len(learners), 'learner')}, {many(sum(one.tried for one in tried), 'question')} tried in all. "
        f"{_left(refused)}</p>",
        *_hardest(tried),
        *_sure(sure),
        "<h2>Question by question</h2>",
        "<p>“At once” is the first answer. A recognised mistake counts once for each learner who made it.</p>",
        *(part for chapter in dict.fromkeys(one.item.key[:2] for one in tried) for part in _chapter(chapter, tried)),
        f"<p>Nobody tried {many(len(questions) - len(tried), 'other question')}.</p>",
        *(_files(learners, refused) if names else ()),
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


def _hardest(tried: Sequence[Counted]) -> list[str]:
    """The questions that the fewest had right at once."""
    judged = [one for one in tried if one.judged >= FEW and one.right < one.judged]
    hardest = sorted(judged, key=lambda one: one.right / one.judged)[:HARDEST]
    rows = [f'<li><a href="#{one.item.key}">{one.item.key}</a>: {_share(one.right, one.judged)} right at once'
            f"{_first_slip(one)}</li>" for one in hardest]  # fmt: skip
    return ["<h2>Where most went wrong</h2>", f"<ol>{''.join(rows)}</ol>"] if rows else []


def _first_slip(one: Counted) -> str:
    slip = next(iter(one.slips.items()), None)
    return f"; {slip[1]} × “{escape(slip[0])}”" if slip else ""


def _sure(sure: Sequence[Sure]) -> list[str]:
    rows = [[f"{100 * one.level:.0f} %", str(one.said), _metered(one.right, one.said)] for one in sure if one.said]
    said = "<p>How sure they were of a prediction, and how often they were right. In a calibrated class both agree.</p>"
    return ["<h2>Confidence against truth</h2>", said, _table(["said", "answers", "right"], rows)] if rows else []


def _chapter(chapter: str, tried: Sequence[Counted]) -> list[str]:
    own = [one for one in tried if one.item.key[:2] == chapter]
    head = ["question", "tried", "right at once", "sure, and right", "recognised mistakes"]
    return [f"<h3>Chapter {chapter}</h3>", _table(head, [_row(one) for one in own])]


def _row(one: Counted) -> list[str]:
    text = one.item.task if isinstance(one.item, Exercise) else one.item.question
    asked = f'<b id="{one.item.key}">{one.item.key}</b><div class="small">{escape(text)}</div>'
    slips = "".join(f"<li>{times} × {escape(hint)}</li>" for hint, times in one.slips.items())
    said = f"{100 * one.sure[0]:.0f} %, {100 * one.sure[1]:.0f} %" if one.sure else ""
    right = _metered(one.right, one.judged) if one.judged else "no right or wrong"
    return [asked, str(one.tried), right, said, f'<ul class="small">{slips}</ul>' if slips else ""]


def _files(learners: Sequence[Learner], refused: Sequence[Refused]) -> list[str]:
    rows = [[escape(_seen(one.name)), str(len({answer.key for answer in one.answers}))] for one in learners]
    other = "".join(f"<li>{escape(_seen(one.name))} {escape(one.why)}.</li>" for one in refused)
    return ["<h2>Files</h2>", _table(["file", "questions"], rows), *([f"<ul>{other}</ul>"] if other else [])]


def _seen(name: str) -> str:
    """A file's name that can be shown: no control characters, no half of a character."""
    return "".join(character if character.isprintable() else "�" for character in name)


def _left(refused: Sequence[Refused]) -> str:
    return f"{many(len(refused), 'file')} did not count." if refused else "Every file counted."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>'


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)"


def _metered(part: int, whole: int) -> str:
    said = _share(part, whole)
    return f'{said} <meter min="0" max="{whole}" value="{part}" aria-hidden="true"></meter>'


def many(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"
