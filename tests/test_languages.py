"""The machine speaks German or Turkish, decimal commas and all: no number and no word of the book is another one."""

import csv
import io
import json
import locale
import re
import subprocess
import time
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from nbcore.datasets import load_play_tennis
from nbcore.naive_bayes import CategoricalNB
from workbook import explorers
from workbook.chapters.c12_your_own_table.csv_table import TableError, read_table
from workbook.draw import as_text
from workbook.explorer.formatting import signed, typeset, written
from workbook.export.formats.anki import cards, deck
from workbook.export.formats.moodle import quiz
from workbook.export.pages import page_of
from workbook.export.questions import chapter_questions
from workbook.learning import contents
from workbook.questions.exercises import Exercise
from workbook.questions.predictions import Prediction
from workbook.questions.progress import answers, record
from workbook.questions.schedule import due, standings
from workbook.questions.typed import read_number

ANSWERS = json.loads((Path(__file__).parent / "site" / "answers.json").read_text("utf-8"))
# A language of our own, for machines of the GNU C library that know no other: what its compiler needs, and the commas.
CHARACTERS = "<code_set_name> OURS\n<mb_cur_max> 1\nCHARMAP\n{}END CHARMAP\n"
COMMAS = 'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n'
SHOWN = {
    "NameEvidenceExplorer": dict(name="ISTIKLAL"),
    "BayesRuleExplorer": dict(prevalence=0.25),
    "CopiesExplorer": dict(copies=3, k=1.5),
    "PseudoCountExplorer": {},
}
VALUES = 0.25, 1234.5, 1.15e-5, -2e9


def compile_locale(folder, name, *options):
    """Compile a locale from its sources on this machine and return its path; None if it lacks them."""
    made = folder / name
    command = ["localedef", "--no-archive", "-c", *map(str, options), str(made)]
    try:
        subprocess.run(command, capture_output=True, check=False)  # it warns of every category that we leave out
    except OSError:
        return None
    return name if (made / "LC_NUMERIC").exists() else None


@pytest.fixture(scope="module")
def languages(tmp_path_factory):
    """Yield the names of locales with decimal commas: German, Turkish, and one of our own."""
    folder = tmp_path_factory.mktemp("languages")
    (folder / "characters").write_text(CHARACTERS.format("".join(f"<U{k:04X}> /x{k:02x} K{k}\n" for k in range(128))))
    (folder / "commas").write_text(COMMAS)
    before = locale.setlocale(locale.LC_ALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCPATH", str(folder))
        ours = compile_locale(folder, "ours", "-i", folder / "commas", "-f", folder / "characters")
        for name in ("de_DE", "tr_TR"):
            compile_locale(folder, f"{name}.UTF-8", "-i", name, "-f", "UTF-8")  # else the machine may know it
        yield [name for name in (ours, "de_DE.UTF-8", "tr_TR.UTF-8") if name and has_commas(name)]
        locale.setlocale(locale.LC_ALL, before)


def has_commas(name):
    """Set a locale; tell whether the machine then has a comma for a point."""
    try:
        locale.setlocale(locale.LC_ALL, "C")
        locale.setlocale(locale.LC_ALL if "_" in name else locale.LC_NUMERIC, name)
    except locale.Error:
        return False
    return locale.localeconv()["decimal_point"] == ","


def outcome(act, *options):
    """Return the result of a reading, or the words of its ValueError."""
    try:
        return str(act(*options))
    except ValueError as problem:
        return str(problem)


def table(sep, decimal):
    """Return a CSV file such as a reader may have."""
    rows = [("weight", "SINIF", "size")]
    rows += [(f"{1.5 + k % 7:.2f}", "iyi" if k % 3 else "kötü", 1000 + k) for k in range(40)]
    text = io.StringIO()
    csv.writer(text, delimiter=sep).writerows([str(cell).replace(".", decimal) for cell in row] for row in rows)
    return text.getvalue().encode()


def describe_table(content):
    try:
        found = read_table(content, name="mine.csv", target="SINIF")
    except TableError as problem:
        return str(problem)
    return [str(found), found.frame.to_csv(), found.notes, found.X.dtypes.astype(str).to_dict()]


def verdicts():
    """Yield the messages for right, wrong and odd answers."""
    for item in contents("00").values():
        if isinstance(item, Exercise) and item.evaluate is None:
            tried = [item.expected(), *(slip.answer() for slip in item.mistakes), 0.123]
            typed = [f"{float(value):.6g}" for value in tried]
            yield from (item.check(text.replace(".", point)).message for text in typed for point in ".,")
        elif isinstance(item, Prediction) and item.options:
            yield from (item.judge(option)[0] for option in item.options)


def frame(kind, state):
    """Return what the page draws and says of a state."""
    return as_text(kind().frame(**kind(**state).state))


def collect_texts(progress):
    """Return texts and numbers of all kinds, written and read anew."""
    days = load_play_tennis()
    model = CategoricalNB(alpha=0.5).fit(days.data, days.target)
    made = {
        "typed": [outcome(read_number, text) for text in (*ANSWERS, "0.25", "0,25", "1.234,5", "1,234.5", "25 %")],
        "written": [form(value) for value in VALUES for form in (written, signed, lambda v: typeset(f"{v:g}"))],
        "tables": [describe_table(table(*marks)) for marks in (",.", ";.", ";,", "\t,")],
        "verdicts": list(verdicts()),
        "frames": [frame(getattr(explorers, name), state) for name, state in SHOWN.items()],
        "cards": deck(cards("00")),
        "arrays": [str(np.array([0.25, 1e-7])), repr(model.predict_proba(days.data[:1]))],
    }
    out = io.BytesIO()
    quiz(page_of("00"), chapter_questions("00")[0]).write(out, encoding="utf-8")
    made["moodle"] = out.getvalue().decode()
    record("00/negative", "solved", answer="0.25")
    record("00/prosecutor", "tried", answer="1/3")
    made["kept"] = re.sub(r"\d{4}-\d\d-\d\dT[^\"]+", "NOW", progress.read_text("utf-8"))
    last = answers()[-1]
    assert last.date.startswith(time.strftime("%Y-"))
    made["standing"] = [(one.key, one.missed, (one.day - date.today()).days) for one in standings(answers())]
    made["due"] = [one.key for one in due(answers(), date.today())]
    progress.unlink()
    return made


def test_no_number_and_no_word_is_another_one(languages, tmp_path, monkeypatch):
    progress = tmp_path / "progress.json"
    monkeypatch.setenv("NBCORE_PROGRESS", str(progress))
    assert languages, "no language with a decimal comma: on Debian, apt install locales"
    locale.setlocale(locale.LC_ALL, "C")
    expected = collect_texts(progress)
    for name in languages:
        assert has_commas(name)
        assert locale.str(0.5) == "0,5", "the machine does write its numbers so"
        found = collect_texts(progress)
        assert {part: found[part] for part in found if found[part] != expected[part]} == {}, name
