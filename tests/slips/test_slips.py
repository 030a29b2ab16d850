"""`run.py slips`: what it counts, what it says of files that are no progress, and what its page never shows."""

import json
import os
from html.parser import HTMLParser

import pytest

from workbook.learning import check, contents, predict
from workbook.questions.progress import answers
from workbook.slips import __main__ as slips
from workbook.slips import files
from workbook.slips.counts import count_confidence, count_question
from workbook.slips.files import MOST_BYTES, Learner, RefusedFile, read_folder
from workbook.slips.page import page

ITEMS = {key: item for chapter in ("00", "02") for key, item in contents(chapter).items()}
SHRINKAGE, OVERCAST = ITEMS["02/shrinkage"], ITEMS["02/overcast"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


@pytest.fixture
def hand_in(folder, monkeypatch):
    """hand_in(name, act): a file of a learner who does this."""

    def make(name, act):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        monkeypatch.setenv("NBCORE_PROGRESS", str(path))
        act()
        answers()
        return path

    return make


def entry(second, key="02/shrinkage", right=False, **more):
    return {"date": f"2026-01-31T10:00:{second:02}+01:00", "key": key, "outcome": "solved" if right else "tried",
            "answer": 1, "confidence": None, "right": right, "mistake": None} | more  # fmt: skip


def file(*entries, **outcomes):
    return json.dumps(outcomes | {"answers": list(entries)})


def of(folder, item):
    return count_question(item, read_folder(folder, ITEMS)[0])


# --- what is counted ----------------------------------------------------------------------------------------------


def test_each_learner_counts_once_and_at_once_is_the_first_answer(hand_in, folder):
    def missed_then_solved():
        check("02/shrinkage", "8/9")
        check("02/shrinkage", "8/9")
        check("02/shrinkage", "1/9")

    def solved():
        check("02/shrinkage", "1/9")

    def lost():
        check("02/shrinkage", "0.5")

    hand_in("a.json", missed_then_solved)
    hand_in("b.json", solved)
    hand_in("c.json", lost)
    hand_in("elsewhere/progress.json", lambda: predict("02/overcast").reveal())
    found = of(folder, SHRINKAGE)
    assert (found.tried, found.judged, found.right) == (3, 3, 1)
    assert found.slips == {SHRINKAGE.mistakes[0].hint: 1}
    assert of(folder, OVERCAST).tried == 0, "skipped"


def test_a_mistake_with_other_numbers_is_the_same_mistake(hand_in, folder):
    from workbook.learning import variants

    def missed_twice():
        check("02/shrinkage", "1/9")
        (first, *_) = variants(SHRINKAGE, 1)
        first.check(first.mistakes[1].answer())

    hand_in("a.json", missed_twice)
    found = of(folder, SHRINKAGE)
    assert (found.judged, found.right, found.slips) == (1, 1, {SHRINKAGE.mistakes[1].hint: 1})


def test_confidence_against_truth_is_of_first_answers(hand_in, folder):
    right = OVERCAST.right_option()
    wrong = next(option for option in OVERCAST.options if option != right)

    def changes_their_mind():
        predict("02/overcast").reveal(wrong, confidence=0.9)
        predict("02/overcast").reveal(right, confidence=1.0)

    hand_in("a.json", changes_their_mind)
    hand_in("b.json", lambda: predict("02/overcast").reveal(right, confidence=0.9))
    hand_in("c.json", lambda: predict("02/overcast").reveal(right))
    learners, _ = read_folder(folder, ITEMS)
    levels = count_confidence(learners, {"02/overcast"})
    assert [(one.level, one.answers, one.right) for one in levels if one.answers] == [(0.9, 2, 1)]
    found = of(folder, OVERCAST)
    assert (found.tried, found.right) == (3, 2)
    assert found.confidence == pytest.approx((0.9, 0.5))


def test_a_file_of_the_first_version_says_who_tried_and_no_more(folder):
    (folder / "old.json").write_text(json.dumps({"02/shrinkage": "solved", "02/overcast": "skipped"}))
    found = of(folder, SHRINKAGE)
    assert (found.tried, found.judged, found.right) == (1, 0, 0)
    assert of(folder, OVERCAST).tried == 0


# --- files that are no progress -----------------------------------------------------------------------------------


def refused(folder):
    return {one.name: one.why for one in read_folder(folder, ITEMS)[1]}


def test_copies_of_one_learner_count_once(folder):
    early = [entry(n, right=n > 2) for n in range(6)]
    (folder / "progress.json").write_text(file(*early))
    (folder / "progress (1).json").write_text(file(*early, entry(9, "00/odds")))
    (folder / "same.json").write_text(file(*early))
    (folder / "other.json").write_text(file(*early[:2], entry(30)))  # two in the same lecture
    learners, _ = read_folder(folder, ITEMS)
    assert [one.name for one in learners] == ["progress (1).json", "other.json"]
    assert set(refused(folder)) == {"progress.json", "same.json"}
    assert "another file holds too" in refused(folder)["same.json"]


def test_two_who_give_their_only_answer_in_the_same_second_are_two(folder):
    for name in ("one.json", "other.json"):
        (folder / name).write_text(file(entry(1)))
    assert of(folder, SHRINKAGE).tried == 2


HOSTILE = {
    "empty.json": (b"", "is not JSON"),
    "text.txt": (b"Dear lecturer,", "is not JSON"),
    "deep.json": (b"[" * 100_000 + b"]" * 100_000, "is not JSON"),
    "digits.json": (b'{"a": ' + b"9" * 50_000 + b"}", "is not JSON"),
    "list.json": (b'["02/shrinkage"]', "is JSON, but no progress file"),
    "other.json": (b'{"answers": [1, null, {"key": "02/shrinkage"}], "a": "b"}', "holds no answer to a question"),
    "picture.png": (b"\x89PNG\r\n\x1a\n\xff\xfe", "is not text"),
    "all.zip": (b"PK\x03\x04rest", "is a zip file: unpack it"),
    "full.json": (b" " * (MOST_BYTES + 1), "is too large"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_progress_gets_a_sentence_and_the_others_count(folder, name):
    content, why = HOSTILE[name]
    (folder / name).write_bytes(content)
    (folder / "fine.json").write_text(file(entry(1)))
    assert refused(folder)[name].startswith(why)
    assert of(folder, SHRINKAGE).tried == 1


def test_a_gigabyte_a_link_and_a_pipe_are_not_opened(folder, tmp_path):
    with (folder / "large.json").open("wb") as large:
        large.truncate(10**9)
    (tmp_path / "private.json").write_text(file(entry(1)))
    (folder / "link.json").symlink_to(tmp_path / "private.json")
    (folder / "round").symlink_to(folder, target_is_directory=True)
    pipes = hasattr(os, "mkfifo")  # Windows has none in folders
    if pipes:
        os.mkfifo(folder / "pipe.json")
    (folder / ".DS_Store").write_bytes(b"\x00")
    found = refused(folder)
    assert found["large.json"].startswith("is too large: 1,000 MB")
    assert found["link.json"] == found["round"] == "is a link; links are not followed"
    assert found.get("pipe.json") == ("is no file" if pipes else None)
    assert len(found) == 3 + pipes
    assert read_folder(folder, ITEMS)[0] == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_that_windows_saved_anew_counts(folder, encoding):
    (folder / "a.json").write_text(file(entry(1)), encoding=encoding)
    assert of(folder, SHRINKAGE).tried == 1


def test_odd_values_in_a_file_are_left_out(folder):
    odd = [entry(1, mistake=["<b>"]), entry(2, confidence=1e999), entry(3, date="\ud800"), entry(4, right="yes"),
           entry(5, "02/overcast", True, outcome="made", confidence=7)]  # fmt: skip
    (folder / "a.json").write_text(file(*odd))
    found = of(folder, SHRINKAGE)
    assert (found.tried, found.judged, found.right, found.slips) == (1, 1, 0, {})
    assert of(folder, OVERCAST).confidence is None


def test_more_files_than_a_class_are_not_read(folder, monkeypatch):
    monkeypatch.setattr(files, "MOST_FILES", 3)
    for n in range(6):
        (folder / f"{n}.json").write_text(file(entry(n)))
    learners, left = read_folder(folder, ITEMS)
    assert [one.name for one in learners] == ["0.json", "1.json", "2.json"]
    assert [one.name for one in left] == ["3.json"]
    assert "the rest are not read" in left[0].why


# --- the page -----------------------------------------------------------------------------------------------------


class Read(HTMLParser):
    """Tags, attributes and words of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words.append(data)


EVIL = "<img src=x onerror=alert(1)>.json"  # not on Windows, so it is not written


@pytest.fixture
def written(folder, capsys):
    """written(names): the page of a class of thirty, and what was said; some files are saved as Windows does."""
    hint = SHRINKAGE.mistakes[0].hint

    def write(names=""):
        for n in range(30):
            (folder / f"learner {n}.json").write_text(
                file(entry(n, mistake=hint[:100] if n < 7 else None, right=n > 8), entry(n, right=True),
                     entry(n, "02/overcast", n > 2, outcome="made", confidence=0.9 if n > 11 else 0.5)),
                encoding="utf-16" if n % 3 else "utf-8")  # fmt: skip
        (folder / "evil.json").write_text(
            file(entry(40, answer="<script>alert(2)</script>", mistake="<b>x</b>"), **{"<i>": "a"})
        )
        (folder / "broken.json").write_text("{")
        assert slips.main([str(folder), *([names] if names else [])]) == 0
        return (folder / "slips.html").read_text("utf-8"), capsys.readouterr().out

    return write


def test_the_page_has_the_counts(written):
    text, said = written()
    words = " ".join("".join(Read(text).words).split())
    for shown in ("31 learners", "21 of 31 (68 %)", "27 of 30 (90 %)", f"7 × {SHRINKAGE.mistakes[0].hint}"):
        assert shown in words
    assert "50 % 12 9 of 12 (75 %)90 % 18 18 of 18 (100 %)".replace(" ", "") in words.replace(" ", "")
    assert "1 file did not count" in words
    assert "broken.json is not JSON" in said
    assert "31 learners, 1 file did not count" in said


def test_the_page_names_nobody_unless_asked(written):
    text, _ = written()
    assert "learner 3" not in text
    assert "broken" not in text
    named, _ = written("--names")
    assert "learner 3.json" in named
    assert "broken.json is not JSON" in named


def test_nothing_that_a_file_says_becomes_part_of_the_page(written):
    for names in ("", "--names"):
        text, _ = written(names)
        shown = Read(text)
        assert set(shown.tags) & {"script", "img", "link", "iframe", "b", "i"} <= {"b"}
        assert not [name for name, _ in shown.attributes if name.startswith("on") or name in ("src", "action")]
        assert all(value.startswith("#") for name, value in shown.attributes if name == "href")
        assert "alert(2)" not in text
        assert "http:" not in text
        assert "https:" not in text
        assert "default-src 'none'" in text


def test_a_file_s_name_is_shown_and_not_read():
    told = page([Learner(EVIL, {}, ())], [RefusedFile("\x1b[2J" + EVIL, "is no file")], [], [], names=True)
    assert not {"img"} & set(Read(told).tags)
    assert told.count("&lt;img src=x onerror=alert(1)&gt;") == 2
    assert "\x1b" not in told


def test_every_link_of_the_page_leads_to_a_question(written):
    shown = Read(written()[0])
    ids = {value for name, value in shown.attributes if name == "id"}
    links = {value[1:] for name, value in shown.attributes if name == "href"}
    assert "02/shrinkage" in links
    assert links <= ids


def test_it_writes_over_its_own_page_and_over_no_other(written, folder, capsys):
    written()
    written()
    (folder / "slips.html").write_text("my notes")
    with pytest.raises(SystemExit):
        slips.main([str(folder)])
    assert "not a page of ours" in capsys.readouterr().err
    assert (folder / "slips.html").read_text() == "my notes"


def test_a_folder_without_progress_gives_a_sentence_and_no_page(folder, capsys):
    assert slips.main([str(folder)]) == 1
    assert "holds no progress file" in capsys.readouterr().out
    assert not list(folder.iterdir())


def test_a_name_cannot_write_to_the_terminal(capsys):
    slips.say("a\x1b[2Jb\n\udc80.json is not JSON.")
    assert capsys.readouterr().out == "a?[2Jb??.json is not JSON.\n"


@pytest.mark.parametrize(("args", "words"), [
    ([], "required: folder"), (["a", "b"], "unrecognized arguments: b"), (["--names"], "required: folder"),
    (["nowhere"], "nowhere is no folder"),
])  # fmt: skip
def test_what_it_cannot_do_is_a_sentence(capsys, args, words):
    with pytest.raises(SystemExit):
        slips.main(args)
    assert words in capsys.readouterr().err
