"""Running orders of lectures: each scene can be shown or voted on, in an order that gives no answer away."""

import re
import tomllib
from pathlib import Path

import nbformat
import pytest

from workbook import explorers
from workbook.learning import predict

ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("workbook/lectures/orders/*.toml"))
ORDERS = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FILES}
PAGES = {path.stem[:2]: nbformat.read(path, 4) for path in ROOT.glob("notebooks/[0-9][0-9]_*.ipynb")}


def read_code(name):
    """Return the code of an order's page, of all core pages for an order of the whole book."""
    return "\n".join(cell.source for stem, page in PAGES.items() if name in (stem, "45", "90")
                     for cell in page.cells if cell.cell_type == "code")  # fmt: skip


def find_state(scene):
    """Return a scene's explorer class, its preset if it has one, and the value of every control."""
    kind = getattr(explorers, scene["explorer"])
    preset = kind.presets[scene["preset"]] if "preset" in scene else None
    state = scene.get("state", {})
    assert {name: kind.declared[name].check(value) for name, value in state.items()} == state, "between two steps"
    return kind, preset, {name: control.default for name, control in kind.declared.items()} | dict(preset or state)


def read_numerals(text):
    return set(re.findall(r"\d(?:[\d.,]*\d)?", text))


def show_texts(scene):
    """Yield what stands on a scene's screen: of a vote its question, options and reveal, else caption and sentence."""
    if "vote" in scene:
        asked = predict(scene["vote"])
        yield " ".join([asked.question, asked.context, *asked.options])
        yield asked.explain_truth(asked.truth())
    elif "explorer" in scene:
        kind, preset, state = find_state(scene)
        yield getattr(preset, "caption", "")
        yield kind().frame(**state)["sentence"]


def test_there_is_an_order_for_each_core_page_and_two_for_the_whole_book():
    assert sorted(ORDERS) == [*sorted(PAGES), "45", "90"]


@pytest.mark.parametrize(("name", "order"), ORDERS.items(), ids=ORDERS)
def test_scenes_are_shown_once_on_their_page_after_their_question(name, order):
    code, shown, asked = read_code(name), [], []
    for scene in order["scene"]:
        assert set(scene) <= {"minutes", "vote", "explorer", "room", "preset", "state", "say", "expect"}
        assert len({"vote", "explorer", "room"} & set(scene)) == 1 >= len({"vote", "preset", "state"} & set(scene))
        if "vote" in scene:
            assert f'predict("{scene["vote"]}")' in code
            assert predict(scene["vote"]).options
            asked.append(scene["vote"])
        elif "explorer" in scene:
            _, preset, state = find_state(scene)
            assert f"{scene['explorer']}(" in code
            assert preset.after in ("", *asked) if preset is not None else scene["say"]
            shown.append((scene["explorer"], sorted(state.items())))
    assert not [each for each in asked + shown if (asked + shown).count(each) > 1]


@pytest.mark.parametrize(("name", "order"), ORDERS.items(), ids=ORDERS)
def test_it_takes_its_time_and_ends_with_the_takeaway(name, order):
    scenes, minutes = order["scene"], sum(scene["minutes"] for scene in order["scene"])
    assert minutes == int(name) if name not in PAGES else 25 <= minutes <= 45 and 7 <= len(scenes) <= 12
    assert all(scene["minutes"] in ((4, 5, 6) if "vote" in scene else (2, 3, 4)) for scene in scenes)
    assert max(len(scene.get("say", "").split()) for scene in scenes) <= 36  # words, said in 15 s
    if name in PAGES:
        takeaway = next(cell.source for cell in PAGES[name].cells if cell.source.startswith("## Takeaway"))
        ours, theirs = (re.findall(r"\w+", text.lower()) for text in (scenes[-1]["say"], takeaway))
        assert sum(word in theirs for word in ours) > 0.7 * len(ours)


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_numbers_in_its_sentences_stand_on_a_screen(order):
    for scene in order["scene"]:
        left = read_numerals(f"{scene.get('say', '')} {scene.get('expect', '')}")
        others = [other for other in order["scene"] if "vote" in other]
        texts = (text for each in (scene, *others) for text in show_texts(each))
        while left:
            left -= read_numerals(next(texts, None) or pytest.fail(f"{left} stands on no screen"))
