"""The look is one: colours stand in tokens.css alone, are readable in both themes, and fonts are light."""

import re
from pathlib import Path

import pytest

from tests.explorer.tokens import contrast, read_colors
from workbook.learning import contents
from workbook.site.packs.starts import page_number
from workbook.site.pages.cards import GROUPS, read_card
from workbook.site.pages.source import chapters

ROOT = Path(__file__).parents[2] / "workbook"
TOKENS = (ROOT / "explorer" / "tokens.css").read_text("utf-8")
THEME = ROOT / "site" / "pages" / "theme"
PAGES, PLAYER, TALK = ROOT / "site" / "pages", ROOT / "site" / "player", ROOT / "site" / "lectures" / "page"
SHEETS = (THEME / "static" / "look.css", PAGES / "static" / "pages.css", TALK / "lecture.css",
          PLAYER / "site.css", ROOT / "vote" / "phone.css", ROOT / "slips" / "page.css")  # fmt: skip
WORDS = ("ink", "soft", "dim", "one-ink", "two-ink", "truth-ink", "set-ink", "amiss-ink", "rival-ink")
EDGES = ("rim", "one", "two", "truth", "set")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "sheet"])
def test_words_and_edges_are_seen_on_page_and_sheet(theme, ground):
    colors = read_colors(theme)
    assert all(contrast(colors[name], colors[ground]) >= 4.5 for name in WORDS)
    assert all(contrast(colors[name], colors[ground]) >= 3 for name in EDGES)
    assert contrast(colors["on-ink"], colors["ink"]) >= 4.5


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_no_sheet_names_a_colour_of_its_own(sheet):
    rules = re.sub(r'url\("data:[^"]*"\)', "", sheet.read_text("utf-8"))
    found = set(re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(", rules))
    assert found <= {"#fff", "#000", "rgb("}  # the paper of saved pictures, a screen gone black, the shadow of a thumb


def test_what_the_sheets_name_is_a_token():
    rules = "".join(sheet.read_text("utf-8") for sheet in SHEETS)
    declared = set(re.findall(r"(--nb-[\w-]+):", TOKENS + rules))
    assert set(re.findall(r"var\((--nb-[\w-]+)", rules)) <= declared


def test_fonts_are_light_and_travel_with_their_licences():
    sizes = {path.name: path.stat().st_size for path in (THEME / "static" / "fonts").iterdir()}
    assert sum(size for name, size in sizes.items() if name.endswith("woff2") and name != "math.woff2") <= 90_000
    assert sizes["math.woff2"] <= 36_000
    assert {name for name in sizes if name.startswith("OFL")} == {"OFL-source.txt", "OFL-stix.txt"}


def test_every_page_has_a_card_with_its_minutes_and_its_questions():
    paths = {page_number(path): path for path in chapters()}
    cards = {number: read_card(path) for number, path in paths.items() if number[0].isdigit()}
    assert sorted(n for numbers in GROUPS.values() for n in numbers) == sorted(filter(str.isdigit, {*cards} - {"00"}))
    rows = re.findall(r"\| (\d+b?) .+?\| (\d+) \+ (\d+) \|", (paths["A"].parent / "A_how_pages_work.ipynb").read_text())
    stated = {number: int(read) + int(solve) for number, read, solve in rows}
    assert {number: card.minutes for number, card in cards.items() if number != "00"} == stated
    for number in filter(str.isdigit, cards):
        asked = [key for page in (number, f"{number}b") if page in cards for key in cards[page].keys]
        assert asked == list(contents(number)), "on one of its pages"
