"""Every question is written, read again by a reader of its own, and answered: the book's own check is the judge."""

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from tests.export import readers
from workbook.chapters import chapter_packages
from workbook.export import questions
from workbook.export.formats.moodle import quiz
from workbook.export.formats.qti import package_files
from workbook.export.pages import page_of
from workbook.export.questions import DRAWN, IN_CODE, chapter_questions
from workbook.learning import contents
from workbook.questions import exercises
from workbook.questions.exercises import IN_PERCENT, NEARLY, Exercise
from workbook.questions.predictions import cache_truth


def kept(item):
    """The same question, each number of it computed once."""
    if not isinstance(item, Exercise):
        return cache_truth(item)
    mistakes = tuple(replace(mistake, answer=cache(mistake.answer)) for mistake in item.mistakes)
    return replace(item, expected=cache(item.expected), mistakes=mistakes)


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch):
    monkeypatch.setattr(exercises, "record", lambda *told, **more: None)


@pytest.fixture(scope="module", params=list(chapter_packages()))
def chapter(request):
    """(its items by key, what stays at home, its packages as read: Moodle's and QTI's, by key)"""
    items = {key: kept(item) for key, item in contents(request.param).items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "contents", lambda _: items)
        found, left = chapter_questions(request.param)
    page = page_of(request.param)
    text = ElementTree.tostring(quiz(page, found).getroot(), "unicode")
    category, moodle = readers.moodle(ElementTree.fromstring(text))
    package = package_files(page, found)
    qti = {}
    for question in found:
        root = ElementTree.fromstring(package[f"items/{question.key.replace('/', '-')}.xml"])
        assert list(readers.faults(root)) == []
        qti[question.key] = readers.qti(root, question.key)
    assert category == f"top/Naive Bayes Workbook/{request.param} {page.title}"
    return items, left, ({read.key: read for read in moodle}, qti), package


def test_every_question_is_there_once_or_is_counted(chapter):
    items, left, packages, _ = chapter
    home = {key: IN_CODE for key, item in items.items() if isinstance(item, Exercise) and item.evaluate}
    home |= {key: DRAWN for key, item in items.items() if getattr(item, "drawn", None)}
    assert left == {reason: list(home.values()).count(reason) for reason in (DRAWN, IN_CODE)}
    for package in packages:
        assert list(package) == [key for key in items if key not in home]


def test_a_choice_gets_full_marks_where_the_book_says_so(chapter):
    items, _, packages, _ = chapter
    for key, moodle, qti in pairs(packages):
        item = items[key]
        if not getattr(item, "options", None):
            continue
        for read in (moodle, qti):
            assert list(read.options.values()) == [" ".join(option.split()) for option in item.options]
            for value, option in zip(read.options, item.options, strict=True):
                verdict, right = item.judge(option)
                share, _ = read.answered(value)
                assert share == right
                reason = verdict[verdict.index("Computed: ") :]
                assert " ".join(reason.split()) in readers.plain(read.shown)


def test_a_number_gets_what_the_books_own_check_says(chapter):
    """Right, a recognised mistake's hint, nearly, or help; at the edges of what is right, too."""
    items, _, packages, _ = chapter
    for key, moodle, qti in pairs(packages):
        item = items[key]
        if not isinstance(item, Exercise):
            continue
        for value in tried(item):
            for read in (moodle, qti):
                meant = 0 if read is moodle and abs(value) < 1e-14 else value  # Moodle compares no finer
                verdict = item.check(meant)
                words = " ".join(verdict.message.split())
                for asked in (", or a fraction", "with the sign, as 25 %, or "):  # nobody can type these there
                    words = words.replace(asked, "") if words in (NEARLY, IN_PERCENT) else words
                share, said = read.answered(value)
                assert share == verdict.correct, (key, value)
                assert said.startswith(words) if verdict.correct else said == words, (key, value)


def test_the_middle_of_a_band_is_in_none_before_it(chapter):
    """A platform shows the middle of a band as an answer, and a teacher who tries it gets the words of this band."""
    items, *_ = chapter
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "contents", lambda _: items)
        for question in chapter_questions(next(iter(items)).partition("/")[0])[0]:
            for place, near in enumerate(question.numbers):
                before = question.numbers[:place]
                assert not any(abs(near.value - other.value) <= other.within for other in before), question.key


def test_a_guess_is_right_within_its_share(chapter):
    items, _, packages, _ = chapter
    for key, moodle, qti in pairs(packages):
        item = items[key]
        if isinstance(item, Exercise) or item.options:
            continue
        for factor in (1, 1 + 0.999 * item.within, 1 - 0.999 * item.within, 1 + 1.001 * item.within, 0, -1):
            for read in (moodle, qti):
                assert read.answered(item.truth() * factor)[0] == item.judge(item.truth() * factor)[1]


def test_a_picture_is_there_once_and_says_what_it_shows(chapter):
    _, _, packages, package = chapter
    for key, moodle, qti in pairs(packages):
        for page, folder in ((moodle, "@@PLUGINFILE@@/"), (qti, "../pictures/")):
            shown = re.findall(r"<(?:\w+:)?img [^>]*>", page.body + page.shown)
            names = {re.search(r'src="([^"]+)"', tag)[1].removeprefix(folder) for tag in shown}
            assert all(len(re.search(r'alt="([^"]+)"', tag)[1]) > 30 for tag in shown)
            there = set(moodle.files) if page is moodle else names & {n.rpartition("/")[2] for n in package}
            assert there == names, key


def pairs(packages):
    moodle, qti = packages
    assert set(moodle) == set(qti)
    return [(key, moodle[key], qti[key]) for key in moodle]


def tried(item):
    """The right number and every mistake, each also rounded, and as far off as may be, and a bit farther."""
    expected = item.number(item.expected)
    near = [expected, 100 * expected, *(item.number(mistake.answer) for mistake in item.mistakes)]
    off = [expected * (1 + item.tolerance * step) for step in (0.19, -0.19, 0.99, -0.99, 1.01, -1.01)]
    rounded = [float(f"{value:.{digits}g}") for value in near for digits in (1, 2, 3)]
    return [*near, *off, *rounded, 1.013 * expected, expected + 1e6, -expected - 1e6]
