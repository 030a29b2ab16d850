"""Every control of every explorer of the site by keyboard alone: its value, the sentence and the figure follow."""

from pathlib import Path
from urllib.parse import urlencode

import pytest

from workbook import site
from workbook.draw import as_text
from workbook.draw.arrays import encode_values
from workbook.explorer.controls import FloatSlider
from workbook.site.packs.starts import explorer_classes
from workbook.site.player.script import parts

from ..site import toy
from ..site.steps import Steps
from .test_site_player import INDEX, box, draws, reading, settled

pytestmark = pytest.mark.browser
SITE = Path(site.__file__).parent
# What the controls show, and what is said beside them and under the figure.
SHOWN = f"""explorer => {{
    const inputs = [...explorer.querySelectorAll(".nb-control :is(input, select)")];
    const text = (name) => explorer.querySelector(name).textContent;
    return {{
        place: inputs.map({INDEX}),
        spoken: inputs.map((input) => input.getAttribute("aria-valuetext")),
        read: inputs.map((input) => input.closest(".nb-control").querySelector(".nb-readout")?.textContent ?? null),
        sentence: text(".nb-sentence"),
        label: explorer.querySelector(".nb-figure").getAttribute("aria-label"),
        title: explorer.querySelector(".nb-head").checkVisibility() && text(".nb-finding").replaceAll("\u00a0", " "),
        trouble: text(".nb-error") + text(".nb-note"),
    }};
}}"""
STANDS = f"""([explorer, place]) => String([...explorer.querySelectorAll(".nb-control :is(input, select)")]
    .map({INDEX})) === String(place)"""
FOCUSED = "document.activeElement.closest('[data-control]')?.dataset.control"
KEYS = {"range": ("ArrowLeft", "ArrowRight"), "select-one": ("ArrowUp", "ArrowDown")}


def agrees(page, explorer, steps, bench, place):
    """All that is shown is of one place: as the kernel says it, and as the pack's frame is drawn."""
    settled(page)
    shown = explorer.evaluate(SHOWN)
    assert shown["place"] == list(place)
    assert shown["sentence"] == shown["label"] == steps.kernel[place]["sentence"]
    assert shown["title"] == steps.kernel[place]["figure"]["layout"]["meta"].get("head", {}).get("finding", False)
    assert shown["trouble"] == ""
    state, declared = steps.catalog.state(place), steps.catalog.explorer.declared
    for spoken, read, (name, value) in zip(shown["spoken"], shown["read"], state.items(), strict=True):
        assert spoken == read
        assert read in (None, declared[name].say(value))
    draws(explorer.locator(".nb-figure"), as_text(encode_values(steps.frames[place]["figure"])), bench)


def go(page, explorer, steps, place):
    """Follow a link to a state."""
    state = steps.catalog.state(place)
    said = {name: steps.catalog.explorer.declared[name].say(value) for name, value in state.items()}
    page.evaluate("address => { location.hash = address; }", f"{steps.id}?{urlencode(said)}")
    page.wait_for_function(STANDS, arg=[explorer.element_handle(), list(place)])


CUT = """input => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = getComputedStyle(input).font;
    const widest = Math.max(...[...input.options].map((option) => pen.measureText(option.text).width));
    return widest + 24 > input.clientWidth;
}"""  # 24: the arrow and the padding


def test_a_choice_with_a_long_label_is_read_in_full(browser, tmp_path):
    steps = Steps("LedgerExplorer")
    toy.write(tmp_path, [steps], [], toy.live(steps), parts()["packs.js"])
    with reading(browser, tmp_path.as_uri()) as page:
        assert not box(page, steps.id).locator("select").first.evaluate(CUT)


def test_a_negative_value_is_read_with_a_minus_and_stands_in_the_address_with_a_hyphen(browser):
    slider = FloatSlider(0.0, -1, 1, step=0.5)
    told = dict(name="rho", values=slider.values, said=[slider.say(value) for value in slider.values])
    assert told["said"][0] == "−1.00"
    page = browser.new_page()
    page.set_content("<p></p>")
    page.add_script_tag(content=(SITE / "player" / "address.js").read_text(encoding="utf-8"))
    pack = dict(controls=[told], presets=[])
    assert page.evaluate("pack => addressOf('04.wins', pack, [0], [2])", pack) == "#04.wins?rho=-1.00"
    for typed in ("-1.00", "−1.00", "-1"):
        asked = page.evaluate("([pack, typed]) => asksFor(pack, [['rho', typed]])", [pack, typed])
        assert asked["changes"] == {"rho": 0}
    page.close()


def one_of_a_kind():
    """Of explorers with the same kinds of controls one is asked in every run, all with --slow."""
    known = set()
    for name, explorer in explorer_classes().items():
        kinds = frozenset(map(type, explorer.declared.values()))
        yield pytest.param(name, marks=pytest.mark.slow if kinds in known else ())
        known.add(kinds)


@pytest.mark.parametrize("name", [*one_of_a_kind()])
def test_every_control_moves_by_its_key(browser, bench, tmp_path, name):
    steps = Steps(name)
    toy.write(tmp_path, [steps], [], toy.live(steps), parts()["packs.js"])
    moved = []
    with reading(browser, tmp_path.as_uri(), f"?embed={name}") as page:
        explorer = box(page, steps.id)
        agrees(page, explorer, steps, bench, steps.begin)
        for base in sorted(steps.moves, key=lambda place: place != steps.begin):
            if base != steps.begin:
                go(page, explorer, steps, base)
                agrees(page, explorer, steps, bench, base)
            explorer.get_by_role("button", name="Reset", exact=True).focus()
            for number, control in enumerate(steps.names):
                page.keyboard.press("Tab")
                assert page.evaluate(FOCUSED) == control
                if (place := steps.moves[base].get(control)) is None:
                    continue
                keys = KEYS.get(page.evaluate("document.activeElement.type"))
                drawn = int(explorer.locator(".nb-figure").get_attribute("data-frames"))
                for at in (place, base):
                    if keys:
                        page.keyboard.press(keys[at > (base if at == place else place)])
                    else:  # a field with suggestions
                        page.keyboard.press("ControlOrMeta+A")
                        page.keyboard.type(steps.catalog.values[control][at[number]])
                    agrees(page, explorer, steps, bench, at)
                assert int(explorer.locator(".nb-figure").get_attribute("data-frames")) == drawn + 2
                moved.append(control)
    assert sorted(moved) == sorted(name for name, values in steps.catalog.values.items() if len(values) > 1)


