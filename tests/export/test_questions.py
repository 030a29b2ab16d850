"""The questions as data: which picture, which words, how near."""

import re

import pytest

from workbook.chapters import chapter_packages
from workbook.export import markup
from workbook.export.pages import page_of
from workbook.export.questions import chapter_questions
from workbook.learning import contents
from workbook.questions.compare import alike


def of(chapter):
    return {question.key: question for question in chapter_questions(chapter)[0]}


@pytest.fixture(scope="module")
def first():
    return of("00")


def test_a_predictions_picture_would_answer_it_so_it_comes_afterwards(first):
    asked = first["00/positive"]
    assert asked.picture is None
    assert asked.picture_afterwards.alt.startswith("Of 103 who test positive, only 8 are ill. ")
    assert "0.0776" in asked.picture_afterwards.alt, "this is the answer"
    assert "0.0776" not in markup.question_html(asked, "")
    assert "0.0776" in markup.solution_html(asked, "")


def test_an_exercise_has_the_picture_that_stands_above_it_in_its_section(first):
    asked = first["00/prosecutor"]
    assert asked.section == "2. What a result is worth"
    assert asked.picture.alt.startswith("Most who test positive are ill: 160 of 237. ")
    assert asked.picture.data.startswith(b"\x89PNG")
    assert asked.picture.size == (880, 322)
    assert asked.picture_afterwards is None


REFERS = re.compile(r"(table|code|picture|figure) above|[Bb]ack to|[Ss]ection \d|the drawer|The same dots|row \d"
                    r"|\b(these|the) (four|eight) (points|persons)|[Bb]oth (models )?learn|the two models"
                    r"|as good as before|[Ee]q(uation|\.) \(\d")  # fmt: skip
SAY_IT = "05/flips", "11/eq-8"  # what they refer to


@pytest.mark.parametrize("chapter", chapter_packages())
def test_no_question_refers_to_what_only_its_page_shows(chapter):
    places, alone = page_of(chapter).places, [item for item in contents(chapter).values() if not item.context]
    asked = [getattr(one, "question", "") or one.task for one in alone if one.key not in SAY_IT
             and not (hasattr(one, "task") and places[one.key].above)]  # fmt: skip
    assert list(filter(REFERS.search, asked)) == []


def test_a_verdict_is_asked_with_its_claim_and_the_rules():
    judge = of("11")["11/judge-rate"]
    claim, *rules, question = judge.text
    assert "cases where the exact and PoB classifiers disagreed" in claim
    assert "Stated: 0.1433" in claim
    assert [rule.partition(":")[0] for rule in rules] == [option.text for option in judge.options]
    assert question == contents("11")["11/judge-rate"].question


def test_where_only_decimals_can_be_typed_the_task_says_so_and_nothing_asks_for_another_form():
    for chapter in ("01", "02", "03", "05"):
        for question in chapter_questions(chapter)[0]:
            if question.numbers:
                assert question.text[-1].startswith("Type a decimal number with ")
                assert "a point, such as 0.0123, not 1/4, 0,25 or 25 %." in question.text[-1]
                said = " ".join([*question.text[:-1], *(band.feedback for band in question.numbers)])
                assert not re.search(r"fraction or|or a fraction|with the sign", said)


def test_nearly_ends_where_two_digits_end_and_begins_where_no_other_answer_is_meant(first):
    for key in ("00/odds",):
        expected, *others = first[key].numbers
        nearly = [near for near in others if near.feedback.startswith("Nearly")]
        low, high = min(near.value - near.within for near in nearly), max(near.value + near.within for near in nearly)
        for edge, out in ((low, -1), (high, 1)):
            assert alike(edge - out * 1e-9 * expected.value, expected.value)
            assert not alike(edge + out * 1e-9 * expected.value, expected.value)
        assert [near.value < expected.value for near in nearly] == [True, False]


def test_a_number_is_written_with_a_point_before_its_exponent():
    assert [markup.format_number(x) for x in (2e-6, 1e-19, -5e-5, 1.5e-5, 1e16, 0.1, 3.0, 1 / 3)] == [
        "2.0e-06", "1.0e-19", "-5.0e-05", "1.5e-05", "1.0e+16", "0.1", "3", "0.333333333333"
    ]  # fmt: skip


@pytest.mark.parametrize(("site", "chapter"), [
    ("", "chapter 00, A positive test"),
    ("https://example.github.io/fork/",
     '<a href="https://example.github.io/fork/00_start_here.html">chapter 00, A positive test</a>'),
], ids=["published nowhere", "published"])  # fmt: skip
def test_each_question_names_its_page_with_a_link_where_there_is_a_site(monkeypatch, site, chapter):
    page_of.cache_clear()
    monkeypatch.setattr("workbook.export.pages.addresses", lambda: {"site": site})
    try:
        shown = markup.question_html(of("00")["00/prosecutor"], "")
    finally:
        page_of.cache_clear()
    assert f"<small>From {chapter}, section “2. What a result is worth”" in shown


def test_what_looks_like_a_tag_is_shown_and_a_formula_is_marked():
    assert markup.paragraph_html("P(a < b) & c") == "<p>P(a &lt; b) &amp; c</p>"
    assert markup.convert_formulas(r"only $\theta_{jc} < 1$ here") == r"only \(\theta_{jc} &lt; 1\) here"
