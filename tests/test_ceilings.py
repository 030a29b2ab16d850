"""Pages, words and lines have ceilings that only fall; pytest prints their table above its last line."""

import json
import subprocess

import pytest

from tests import ceilings

ROWS = {"pages": {"ceiling": 21, "goal": 21}, "lines": {"ceiling": 2000, "goal": 1000}}


def test_every_figure_is_under_its_ceiling_and_no_ceiling_far_above_its_figure(record_property):
    figures, kept = ceilings.count_figures(), ceilings.read_kept()
    record_property("table", ceilings.format_table(figures, kept))
    assert not ceilings.judge_figures(figures, kept["rows"])


def test_no_ceiling_has_risen_since_the_start():
    earlier = ceilings.find_earlier()
    if not earlier:
        pytest.skip("git knows of no earlier ceilings here (a shallow clone, or no repository): nothing to compare.")
    assert not [wrong for kept in earlier for wrong in ceilings.judge_change(kept, ceilings.read_kept())]


def test_contributing_names_the_time_of_the_last_quiet_run():
    minutes, seconds = divmod(ceilings.read_kept()["quiet CI run"]["seconds"], 60)
    assert f"took {minutes} min {seconds} s" in (ceilings.ROOT / "CONTRIBUTING.md").read_text("utf-8")


# --- the rules, on examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("figures", "words"), [
    ({"pages": 22, "lines": 2000}, "pages: 22 is above the ceiling of 21"),
    ({"pages": 21, "lines": 2001}, "lines: 2,001 is above the ceiling of 2,000"),
    ({"pages": 21, "lines": 1960}, "lines: the ceiling of 2,000 is too high for 1,960"),
    ({"pages": 21}, "lines has no ceiling, or is not counted"),
    ({"pages": 21, "lines": 2000, "words": 9}, "words has no ceiling, or is not counted"),
])  # fmt: skip
def test_what_is_too_much_or_has_fallen_is_named(figures, words):
    (wrong,) = ceilings.judge_figures(figures, ROWS)
    assert wrong.startswith(words)


@pytest.mark.parametrize("figures", [{"pages": 21, "lines": 1961}, {"pages": 14, "lines": 2000}])
def test_two_per_cent_and_what_lies_under_its_goal_are_allowed(figures):
    assert ceilings.judge_figures(figures, ROWS) == []


@pytest.mark.parametrize(("changed", "words"), [
    ({"ceiling": 2001, "goal": 1000}, "lines: the ceiling has risen from 2,000 to 2,001"),
    ({"ceiling": 2000, "goal": 1001}, "lines: the goal has risen from 1,000 to 1,001"),
    (None, "lines had a ceiling and has none now"),
])  # fmt: skip
def test_after_the_start_nothing_rises_or_goes(changed, words):
    before = {"started": "2026-11-24", "rows": ROWS}
    after = before | {"rows": {"pages": ROWS["pages"]} | ({"lines": changed} if changed else {})}
    (wrong,) = ceilings.judge_change(before, after)
    assert wrong.startswith(words)
    assert ceilings.judge_change(before, before | {"started": ""}) == ["There is one start: do not change its day."]
    assert ceilings.judge_change(before | {"started": ""}, after) == []


def test_ceilings_are_written_downward_only():
    kept = {"started": "2026-11-24", "rows": ROWS}
    assert ceilings.lower_ceilings({"pages": 14, "lines": 2345}, kept)["rows"] == ROWS
    assert ceilings.lower_ceilings({"pages": 14, "lines": 1234}, kept)["rows"]["lines"] == {
        "ceiling": 1240, "goal": 1000}  # fmt: skip


def test_the_file_is_read_as_it_was_written(tmp_path, monkeypatch):
    kept = ceilings.read_kept()
    monkeypatch.setattr(ceilings, "FILE", tmp_path / "ceilings.json")
    ceilings.write_kept(kept)
    assert ceilings.read_kept() == kept


def test_every_earlier_content_is_found_also_when_the_change_is_committed(tmp_path, monkeypatch):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True)

    monkeypatch.setattr(ceilings, "ROOT", tmp_path)
    monkeypatch.setattr(ceilings, "FILE", tmp_path / "ceilings.json")
    ceilings.FILE.write_text("1")
    assert ceilings.find_earlier() == []
    git("init", "--quiet")
    for content in (1, 2):
        ceilings.FILE.write_text(json.dumps(content))
        git("add", ".")
        git("commit", "--quiet", "--message", "x")
    assert ceilings.find_earlier() == [1]
    ceilings.FILE.write_text("3")
    assert ceilings.find_earlier() == [2, 1]


def test_words_of_a_module_are_those_of_its_strings_and_a_value_is_one_word():
    code = '"""Left out."""\nask("How many?", lambda x: f"It is {x:.1f}, " f"at {f(x, \'no\')} km.")  # left out'
    assert list(ceilings.read_strings(code)) == ["How many?", "It is 0, at 0 km."]
    assert ceilings.count_words("It is 0, at 0 km - | $x = 1$") == 8


def test_lines_are_counted_as_wc_does(tmp_path, monkeypatch):
    monkeypatch.setattr(ceilings, "ROOT", tmp_path)
    (tmp_path / "folder" / "deep").mkdir(parents=True)
    for name, text in {"a.py": "x\n\n# y\n", "deep/b.js": "1\n", "c.css": "\n", "d.md": "no\n"}.items():
        (tmp_path / "folder" / name).write_text(text)
    assert ceilings.count_lines("folder") == 5
