"""The site's review: due when the notebook says so, with other numbers, by keyboard, and kept for the notebook."""

import json
import random
from dataclasses import asdict
from datetime import date, timedelta

import pytest

from workbook.learning import contents, variants
from workbook.questions.progress import Answer, answers_in
from workbook.questions.review import opening
from workbook.questions.schedule import due, standings
from workbook.site.player import variants as site_variants
from workbook.site.player.questions import listed
from workbook.site.player.script import parts

from ..site import toy
from .served import NARROW, WIDE
from .test_site_player import reading, settled

pytestmark = pytest.mark.browser
KEYS = ["00/positive", "00/odds", "00/prosecutor", "01/from-logs"]
STORE = "naive-bayes-workbook/progress"
BODY = '<div class="nb-live" data-review=""><p>plain</p></div>'


def days_ago(days):
    return f"{date.today() - timedelta(days)}T12:00:00+00:00"


def answer(key, days, right, **more):
    return asdict(Answer(days_ago(days), key, "solved" if right else "tried", 1, right=right)) | more


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review")
    toy.write(folder, [], KEYS, BODY)
    (folder / "again").mkdir()
    found = {key: records for key, records in site_variants.records("00").items() if key in KEYS}
    (folder / "again" / "00.js").write_text(f"NB.again({json.dumps(found)});", "utf-8")
    return folder.as_uri()


def seeded(page, *entries):
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [STORE, json.dumps({"answers": list(entries)})])
    page.reload()
    page.locator(".nb-review").wait_for()
    return page.locator(".nb-review")


def kept(page):
    return answers_in(json.loads(page.evaluate("name => localStorage.getItem(name)", STORE)))


def test_it_is_due_when_the_notebook_says_so(browser):
    rng = random.Random(7)
    bench = browser.new_page(viewport=WIDE)
    bench.set_content("<!doctype html><p></p>")
    bench.add_script_tag(content="\n".join(text for name, text in parts().items() if name != "start.js"))
    outcomes = [("solved", True), ("solved", True), ("tried", False), ("made", None), ("skipped", None)]
    for _ in range(80):
        given, day = [], date(2026, 2, 20)
        for _ in range(rng.randint(0, 14)):
            day += timedelta(rng.choice([0, 0, 1, 2, 5, 7, 21]))
            outcome, right = rng.choice(outcomes)
            odd = rng.random() < 0.05
            when = rng.choice(["some day", "9999-12-31T10:00:00+00:00"]) if odd else f"{day}T23:30:00-05:00"
            mistake = rng.choice([None, "a hint"]) if right is False else None
            variant = rng.choice([None, None, 1, 2, -3, 5000])
            given.append(Answer(when, rng.choice(["02/a", "02/b", "02/c"]), outcome, 1, None, right, mistake, variant))
        today = day + timedelta(rng.choice([0, 1, 3, 30]))
        known, waiting = standings(given), due(given, today)
        told = [[asdict(one) | {"day": one.day and str(one.day)} for one in each] for each in (known, waiting)]
        got = bench.evaluate(
            "([answers, day]) => { const [known, waiting] = [standingsOf(answers), dueOf(answers, day)];"
            " return [known, waiting, openingOf(waiting, known, day)]; }",
            [[asdict(one) for one in given], str(today)],
        )
        words = opening(waiting, known, today).replace("Run the cell", "Load the page")
        assert got == [*told, words]
    bench.close()


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_missed_and_due_questions_come_with_other_numbers_by_keyboard(browser, start, viewport):
    slip = contents("00")["00/odds"].mistakes[0]
    before = [answer("00/odds", 9, False, mistake=slip.hint[:100]), answer("00/prosecutor", 3, True),
              answer("00/positive", 2, None, outcome="made"), answer("01/from-logs", 5, False),
              answer("77/gone", 5, False)]  # fmt: skip
    with reading(browser, start, viewport=viewport) as page:
        review = seeded(page, *before)
        asked = review.locator("[role=group]")
        assert review.get_by_role("status").first.text_content().startswith("Review. 3 questions are due.")
        labels = [asked.nth(n).get_attribute("aria-label") for n in range(3)]
        assert labels == ["00/odds", "00/prosecutor", "00/positive"]
        assert asked.count() == 3, "a task in code is solved in the notebook"
        first, box = variants(contents("00")["00/odds"], 1)[0], asked.nth(0)
        assert first.task in box.text_content()
        assert "your answer was" not in review.text_content()
        field = box.get_by_label("Answer")
        field.focus()
        page.keyboard.type(f"{first.mistakes[0].answer():.12g}")
        page.keyboard.press("Enter")
        settled(page)
        said = box.locator(".nb-sentence")
        assert said.text_content() == f"Not yet. {first.mistakes[0].hint}"
        field.fill(f"{first.expected():.4g}")
        page.keyboard.press("Enter")
        settled(page)
        assert said.text_content() == f"Right. {first.well_done}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        *_, missed, solved = kept(page)
        assert (missed.key, missed.right, missed.variant, missed.mistake) == ("00/odds", False, 1, slip.hint[:100])
        assert (solved.right, solved.variant) == (True, 1)
        page.reload()
        page.locator(".nb-review").wait_for()
        assert variants(contents("00")["00/odds"], 2)[1].task in page.locator(".nb-review").text_content()


def test_nothing_due_is_said_and_the_progress_is_a_file(browser, start, tmp_path):
    with reading(browser, start) as page:
        review = seeded(page, answer("00/prosecutor", 0, True))
        assert "the next question comes back on" in review.text_content()
        assert review.locator("[role=group]").count() == 0
        with page.expect_download() as started:
            page.get_by_role("button", name="Export", exact=True).press("Enter")
        assert started.value.suggested_filename == "progress.json"
        started.value.save_as(tmp_path / "in.json")
        said = answers_in(json.loads((tmp_path / "in.json").read_text("utf-8")))
        assert [one.key for one in said] == ["00/prosecutor"]


def test_no_page_of_other_numbers_is_large():
    """What a review of five questions fetches, at most: the largest chapters, asked and asked again."""
    sizes = sorted(len(json.dumps(site_variants.records(chapter), ensure_ascii=False)) for chapter in listed_chapters())
    assert sizes[0] > 0
    assert sum(sizes[-5:]) < 800_000


def listed_chapters():
    return [chapter for chapter in ("00", "01", "02", "03", "04", "08", "10", "11") if listed(contents(chapter))[1]]
