"""What answers a question is veiled until its reader has answered or skipped it; a link and paper show it."""

import pytest

from workbook.learning import contents

from ..site import toy
from .test_site_asked import asked
from .test_site_player import reading, settled

pytestmark = pytest.mark.browser
FIRST, SECOND, COPIES = "00/positive", "00/two-tests", "05.copies"


def section(kind, words):
    return f'<section class="sign {kind}"><h3>{kind}</h3>{words}</section>'


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    copies = toy.Toy("CopiesExplorer", {COPIES: {}})
    parts = [
        section("predict", toy.question(FIRST)), section("explore", f"<p>first answer</p>{toy.live(copies)}"),
        section("exercise", "<p>a task</p>"), section("predict", toy.question(SECOND)),
        section("explain", "<p>second answer</p>"),
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("veil")
    toy.write(folder, [copies], [FIRST, SECOND], f"<section>{''.join(parts)}</section>")
    return folder.as_uri()


def seen(page):
    return [page.get_by_text(words, exact=True).is_visible() for words in ("first answer", "a task", "second answer")]


def test_an_answer_lifts_its_own_veil_for_good(browser, start):
    with reading(browser, start) as page:
        box = asked(page, FIRST)
        assert seen(page) == [False, False, False]
        box.get_by_role("button", name="Reveal").click()
        assert seen(page) == [False, False, False], "nothing was chosen yet"
        box.get_by_label(contents("00")[FIRST].right_option()).check()
        box.get_by_role("button", name="Reveal").click()
        assert seen(page) == [True, True, False]
        page.reload()
        asked(page, FIRST)
        assert seen(page) == [True, True, False]


def test_the_question_that_opens_a_page_veils_all_but_the_headings(browser, tmp_path):
    second = section("predict", toy.question(SECOND)) + section("explain", "<p>second answer</p>")
    parts = f'<div class="cell">{toy.question(FIRST)}</div><p>first answer</p><section><p>a task</p></section>'
    toy.write(tmp_path, [], [FIRST, SECOND], f"{parts}<section><h2>Next</h2><p>leads to it</p>{second}</section>")
    with reading(browser, tmp_path.as_uri()) as page:
        asked(page, FIRST)
        assert page.get_by_text("Next").is_visible()
        assert not page.get_by_text("leads to it").is_visible()
        assert not page.locator(f"[data-question='{SECOND}']").is_visible(), "its text may answer the first one"
        assert seen(page) == [False, False, False]
        asked(page, FIRST).get_by_role("button", name="Skip").press("Enter")
        assert seen(page) == [True, True, False]
        assert page.get_by_text("leads to it").is_visible()


def test_who_skips_sees_the_answer_and_what_comes_next(browser, start):
    with reading(browser, start) as page:
        for key in (FIRST, SECOND):
            assert page.locator(".nb-veil").count() == 1
            asked(page, key).get_by_role("button", name="Skip").press("Enter")
        assert seen(page) == [True, True, True]
        assert page.locator(".nb-veil").count() == 0


def test_who_wants_the_whole_page_gets_it_and_nothing_is_kept(browser, start):
    with reading(browser, start) as page:
        asked(page, FIRST)
        page.get_by_role("button", name="Show the whole page").press("Enter")
        assert seen(page) == [True, True, True]
        page.reload()
        asked(page, FIRST)
        assert seen(page) == [False, False, False]


def test_a_link_to_what_is_veiled_lifts_the_veil_and_keeps_nothing(browser, start):
    with reading(browser, start, f"#{COPIES}?copies=3") as page:
        settled(page)
        assert seen(page) == [True, True, False]
        assert page.locator(".nb-marks path").count() > 3
        assert page.evaluate("localStorage.length") == 0


def test_on_paper_nothing_is_veiled(browser, start):
    with reading(browser, start) as page:
        asked(page, FIRST)
        page.emulate_media(media="print")
        assert seen(page) == [True, True, True]
        assert not page.locator(".nb-veil").first.is_visible()


def test_a_preset_that_answers_a_question_of_the_page_waits_for_it(browser, tmp_path, monkeypatch):
    copies = toy.Toy("CopiesExplorer", {COPIES: {}})
    first, *others = copies.explorer.presets
    monkeypatch.setattr(copies.explorer.presets[first], "after", SECOND)
    parts = [section("explore", toy.live(copies)), section("predict", toy.question(SECOND))]
    toy.write(tmp_path, [copies], [SECOND], f"<section>{''.join(parts)}</section>")

    def chips(page):
        page.locator(".nb-presets > button:visible").first.wait_for()
        shown = page.locator(".nb-presets > button:visible").all_text_contents()
        return [name for name in copies.explorer.presets if name in shown]

    with reading(browser, tmp_path.as_uri()) as page:
        assert chips(page) == others
        asked(page, SECOND).get_by_role("button", name="Skip").press("Enter")
        assert chips(page) == [first, *others]
    with reading(browser, tmp_path.as_uri(), query=f"?embed={COPIES}") as page:
        assert chips(page) == [first, *others], "in a frame nothing waits"
