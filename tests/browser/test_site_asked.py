"""Predictions and exercises of the site say what the notebook says, and keep what the notebook keeps."""

import json
import re
from base64 import b64decode

import numpy as np
import pytest

from workbook.draw import as_text
from workbook.learning import contents, progress
from workbook.questions.predictions import Prediction
from workbook.questions.progress import answers, load, record
from workbook.site.player.questions import record_of
from workbook.site.player.script import parts
from workbook.slips import __main__ as slips

from ..site import toy
from .served import WIDE
from .test_site_player import reading, settled

pytestmark = pytest.mark.browser
KEYS = ["00/positive", "00/two-tests", "02/thousand", "03/two-values", "00/negative", "06/brier", "01/from-logs"]
CHEAP = ["00", "01", "03", "05", "07", "11"]  # chapters whose truths take little time
MORE = "; 1 more, of code, in the notebook."
ODD = ["half", "1/0", "1,000", "nan", "0", "-1", "1e9", "50 %"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    written = tmp_path_factory.mktemp("asked")
    toy.write(written, [], KEYS)
    return written


@pytest.fixture
def start(folder):
    return folder.as_uri()


@pytest.fixture(scope="module")
def bench(browser, tmp_path_factory):
    """Every function of the script, for what it returns."""
    opened = browser.new_page(viewport=WIDE)
    opened.set_content("<!doctype html><p></p>")
    opened.add_script_tag(content="\n".join(text for name, text in parts().items() if name != "start.js"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def cheap():
    items = [item for chapter in CHEAP for item in contents(chapter).values()]
    return [(item, record_of(item)) for item in items]


def asked(page, key):
    found = page.locator(f"[data-question='{key}'] .nb-asked")
    found.wait_for()
    return found


def say(page, box, name):
    box.get_by_role("button", name=name, exact=True).press("Enter")
    settled(page)
    return box.locator("> .nb-view .nb-sentence").text_content()


# --- the same words ------------------------------------------------------------------------------------------------


def tried(item):
    """Answers to an exercise: right ones, nearly right ones, slips, and odd ones."""
    right, *slips = (float(item.value_of(answer)[0]) for answer in (item.expected, *(m.answer for m in item.mistakes)))
    near = [f"{right * factor:.{digits}g}" for factor in (1, 1.003, 1.02, 100) for digits in (1, 2, 3, 12)]
    return [*dict.fromkeys([*near, *(f"{slip:.{digits}g}" for slip in slips for digits in (3, 12)), *ODD])]


def test_every_answer_gets_the_notebooks_words(bench, cheap, monkeypatch):
    noted = []
    monkeypatch.setattr(
        "workbook.questions.exercises.record", lambda _, outcome, **more: noted.append((outcome, more.get("mistake")))
    )
    table = [(item, told, typed) for item, told in cheap if told["kind"] == "number" for typed in tried(item)]
    ours = bench.evaluate(
        "table => table.map(([told, typed]) => judgeAnswer(unpacked(told), typed))",
        [[told["hidden"], typed] for _, told, typed in table],
    )
    assert len(table) >= 300
    different, outcomes = [], set()
    for (item, _, typed), got in zip(table, ours, strict=True):
        noted.clear()
        wanted = item.check(typed).message
        told = [(got["outcome"], got.get("mistake"))] if "outcome" in got else []
        if (got["words"], told) != (wanted, noted):
            different.append((item.key, typed, wanted, noted, got))
        outcomes |= {(outcome, bool(mistake)) for outcome, mistake in told} or {None}
    assert different == []
    assert outcomes == {("solved", False), ("tried", True), ("tried", False), None}


def test_every_prediction_gets_the_notebooks_words(bench, cheap):
    count = 0
    for item, told in cheap:
        if not isinstance(item, Prediction):
            continue
        guesses = [None, *item.options]
        if item.drawn:
            rng = np.random.default_rng(3)
            shape = len(told["sketch"]["labels"])
            guesses = [None, *((rng.integers(1, 101, shape) / 100).tolist() for _ in range(9))]
        elif not item.options:
            truth = item.truth()
            guesses = [
                None,
                *(f"{truth * (1 + item.within * share)!r}" for share in (-1.1, -0.9, 0, 0.9, 1.1)),
                "1/3",
                "12.5 %",
            ]
        for guess in guesses:
            words, right = item.judge(guess)
            got = bench.evaluate(
                "([kind, told, guess, labels]) => judgeGuess(kind, unpacked(told), guess, labels)",
                [told["kind"], told["hidden"], guess, told.get("sketch", {}).get("labels")],
            )
            assert (got["words"], got["right"]) == (words, right), (item.key, guess)
            count += 1
    assert count >= 200


# A frame with every array as a list, nan as null.
PLAIN = """(frame) => {
    const list = (array) => Array.from(array, (one) => (Number.isNaN(one) ? null : one));
    const plain = (value) => ArrayBuffer.isView(value) ? list(value) : Array.isArray(value) ? value.map(plain)
        : value && typeof value === "object"
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)])) : value;
    return { ...frame, figure: plain(readable(frame.figure)) };
}"""


@pytest.mark.parametrize("key", ["00/two-tests", "02/thousand", "03/large-k", "06/place", "11/twelve"])
@pytest.mark.parametrize("revealed", [False, True])
def test_a_drawing_is_the_notebooks(bench, key, revealed):
    item = contents(key[:2])[key]
    told, sketch = record_of(item), item.drawn.sketch()
    rng = np.random.default_rng(7)
    count = len(told["sketch"]["labels"])
    places = [[0] * count, [50] * count, [100] * count, *rng.integers(0, 101, (6, count)).tolist()]
    ours_of = "([told, key, places]) => places.map(sketchPack(told.sketch, () => unpacked(told.hidden), key).frame)"
    whole = [[int(revealed), *place] for place in places]
    ours = bench.evaluate(f"given => ({ours_of})(given).map({PLAIN})", [told, key, whole])
    theirs = bench.evaluate(f"frames => frames.map({PLAIN})", [as_text(sketch._frame_at(place)) for place in whole])
    for place, got, wanted in zip(whole, ours, theirs, strict=True):
        assert got["sentence"] == wanted["sentence"]
        assert got["figure"]["layout"] == wanted["figure"]["layout"], place
        assert got["figure"]["data"] == wanted["figure"]["data"], place


# --- on the page ---------------------------------------------------------------------------------------------------


def kept(page):
    return json.loads(page.evaluate("() => localStorage.getItem('naive-bayes-workbook/progress')") or "{}")


def test_no_answer_stands_in_plain_sight(folder):
    """Base64 hides it from a glance at the source, no more."""
    for item in (contents(key[:2])[key] for key in KEYS):
        source = (folder / "questions" / f"{item.key[:2]}.js").read_text("utf-8")
        if isinstance(item, Prediction):
            secret = item.reason(item.truth())
        else:
            secret = item.solution.splitlines()[-1] if item.evaluate else item.well_done
        told = json.loads(source.removeprefix("NB.questions(").removesuffix(");"))
        assert secret not in json.dumps(told, ensure_ascii=False)
        assert any(secret in text for text in strings(json.loads(b64decode(told[item.key]["hidden"]))))


def strings(value):
    """Every text in a tree."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


# --- progress ------------------------------------------------------------------------------------------------------


def lines(page):
    return page.locator("[data-progress] .nb-lines > div").all_text_contents()


@pytest.mark.slow
def test_thirty_exports_are_a_class_of_thirty(browser, start, tmp_path, capsys):
    choice, number = contents("00")["00/positive"], contents("00")["00/negative"]
    typed, options = [number.expected, *(one.answer for one in number.mistakes[:2])], [*choice.options] * 30
    for n in range(30):
        with reading(browser, start) as page:
            asked(page, choice.key).get_by_label(options[n], exact=True).check()
            say(page, asked(page, choice.key), "Reveal")
            asked(page, number.key).get_by_label("Answer").fill(repr(float(typed[n % 3]())))
            say(page, asked(page, number.key), "Check")
            with page.expect_download() as downloading:
                page.get_by_role("button", name="Export").click()
            downloading.value.save_as(tmp_path / f"progress ({n}).json")
    assert slips.main([str(tmp_path)]) == 0
    assert "30 learners. Written: " in capsys.readouterr().out
    shown = (tmp_path / "slips.html").read_text("utf-8")
    right = options[:30].count(choice.right_option())
    assert dict(re.findall(r'<b id="([^"]+)">.*?<td>30</td><td>(\d+) of 30 ', shown)) == {
        choice.key: str(right), number.key: "10"}  # fmt: skip
    assert re.findall(r"<li>(\d+) × ", shown) == ["10", "10"]


def test_progress_is_counted_exported_and_read_by_a_notebook(browser, start, tmp_path, monkeypatch):
    with reading(browser, start) as page:
        box = asked(page, "00/positive")
        assert f"Chapter 01: 0 of 0 predictions made, 0 of 0 exercises solved{MORE}" in lines(page)
        assert "Chapter 00: 0 of 2 predictions made, 0 of 1 exercises solved." in lines(page)
        box.get_by_label(contents("00")["00/positive"].right_option(), exact=True).check()
        say(page, box, "Reveal")
        number = asked(page, "00/negative")
        number.get_by_label("Answer").fill("ⅷ")
        say(page, number, "Check")
        number.get_by_label("Answer").fill(repr(float(contents("00")["00/negative"].expected())))
        say(page, number, "Check")
        assert "Chapter 00: 1 of 2 predictions made, 1 of 1 exercises solved." in lines(page)
        with page.expect_download() as downloading:
            page.get_by_role("button", name="Export").click()
        file = tmp_path / "exported.json"
        downloading.value.save_as(file)
        page.reload()
        asked(page, "00/positive")
        page.locator(".nb-lines > div").first.wait_for()
        assert "Chapter 00: 1 of 2 predictions made, 1 of 1 exercises solved." in lines(page), "it is there again"
        said = asked(page, "00/positive").locator(".nb-small").text_content()
        assert said.endswith(f": made, your answer was “{contents('00')['00/positive'].right_option()}”.")
        assert asked(page, "00/negative").locator(".nb-small").text_content().split(", ")[0].endswith(": solved")
        assert asked(page, "03/two-values").locator(".nb-small").count() == 0
    monkeypatch.setenv("NBCORE_PROGRESS", str(file))
    asks = sum(isinstance(item, Prediction) for item in contents("00").values())
    tasks = len(contents("00")) - asks
    assert repr(progress("00")) == f"Chapter 00: 1 of {asks} predictions made, 1 of {tasks} exercises solved."
    assert load() == {"00/positive": "made", "00/negative": "solved"}
    assert [(a.key, a.outcome, a.right) for a in answers()] == [
        ("00/positive", "made", True),
        ("00/negative", "solved", True),
    ]
    record("00/prosecutor", "solved", answer="0.5")
    assert len(answers()) == 3, "the notebook goes on writing in the same file"
    with reading(browser, start) as page:
        asked(page, "00/positive")
        page.get_by_label("A progress file").set_input_files(file)
        page.locator("[data-progress] .nb-note", has_text="Your answers from the file are here").wait_for()
        assert kept(page) == json.loads(file.read_text("utf-8"))
        page.get_by_label("A progress file").set_input_files(
            {"name": "x.json", "mimeType": "application/json", "buffer": b"[1, 2"}
        )
        page.locator("[data-progress] .nb-note", has_text="This file holds no progress").wait_for()
        assert kept(page) == json.loads(file.read_text("utf-8"))
        theirs = json.dumps({"01/from-logs": "solved"}).encode()
        page.get_by_label("A progress file").set_input_files(
            {"name": "theirs.json", "mimeType": "application/json", "buffer": theirs}
        )
        page.locator(".nb-lines > div", has_text="0 of 0 predictions made, 1 of 1 exercises solved.").wait_for()


def entry(key, outcome, minute, zone="+00:00"):
    date = f"2026-01-01T12:{minute:02d}:00{zone}"
    return dict(date=date, key=key, outcome=outcome, answer=str(minute), confidence=None, right=None, mistake=None)


def test_two_records_become_one(bench):
    mine = {
        "a/1": "skipped",
        "a/2": "made",
        "a/4": "tried",
        "answers": [entry("a/1", "skipped", 1), entry("a/2", "made", 5)],
    }
    theirs = {"a/1": "made", "a/2": "skipped", "a/3": "solved", "other": {"x": 1},
              "answers": [entry("a/1", "made", 3), entry("a/2", "made", 5), "nonsense", {"date": 1}]}  # fmt: skip
    for first, second in ((mine, theirs), (theirs, mine)):
        found = bench.evaluate("([mine, theirs]) => mergeProgress(mine, theirs)", [first, second])
        assert [found[key] for key in ("a/1", "a/2", "a/3", "a/4")] == ["made", "made", "solved", "tried"]
        assert found["other"] == {"x": 1}
        assert [a["answer"] for a in found["answers"]] == ["1", "3", "5"]
    again = bench.evaluate("([a, b]) => mergeProgress(mergeProgress(a, b), b)", [mine, theirs])
    assert again == bench.evaluate("([a, b]) => mergeProgress(a, b)", [mine, theirs])


def test_answers_are_bounded_as_in_the_notebook(bench):
    from workbook.questions.progress import Answer, _bounded

    rng = np.random.default_rng(1)
    given = [entry(f"a/{rng.integers(30)}", "tried", k % 60) | {"answer": k} for k in range(2000)]
    ours = bench.evaluate("given => dropOldAnswers(given)", given)
    assert [a["answer"] for a in ours] == [a.answer for a in _bounded(Answer(**one) for one in given)]


NO_STORE = """Object.defineProperty(globalThis, "localStorage", {
    get() { throw new DOMException("no", "SecurityError"); },
})"""


def test_a_browser_that_keeps_nothing_still_answers(browser, folder):
    context = browser.new_context(viewport=WIDE)
    context.add_init_script(NO_STORE)
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{folder.as_uri()}/page.html")
    box = asked(page, "00/positive")
    assert say(page, box, "Skip") == contents("00")["00/positive"].judge(None)[0]
    box.get_by_role("radio").first.check()
    say(page, box, "Reveal")
    assert "Chapter 00: 1 of 2 predictions made, 0 of 1 exercises solved." in lines(page)
    assert wrong == []
    context.close()
