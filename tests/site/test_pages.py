"""The site's pages, as files: what stands on them, where links lead, and that they ask for nothing from outside."""

import json
import re
import zipfile
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import nbformat
import pytest

from workbook.book import find, ledger
from workbook.chapters import chapter_module, chapter_packages
from workbook.explorer.controls import Text
from workbook.home import addresses
from workbook.lectures import find as find_lecture
from workbook.lectures import known
from workbook.site.build import MARK, Refused, build, pages, prepared, zipped
from workbook.site.packs.catalog import Catalog
from workbook.site.packs.starts import explorer_classes, in_notebook
from workbook.site.pages.mathml import formula
from workbook.site.pages.words import PASSAGES, for_site

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CHAPTER = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
LOADED = {tag: "src" for tag in ("script", "img", "iframe", "source", "video", "audio")} | {"link": "href"}
OUTSIDE = {"github.com", "docs.astral.sh", "creativecommons.org", "en.wikipedia.org", "docs.pypi.org", "doi.org"}


class Page(HTMLParser):
    """Every element of a page that has attributes, as (tag, attributes)."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.elements, self.words = [], []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        self.words.append(data)

    def all(self, name):
        """The values of an attribute, in order."""
        return [attributes[name] for _, attributes in self.elements if name in attributes]


page_of = cache(Page)


def html(site):
    return sorted(site.rglob("*.html"))


def code(path):
    """The text of every code cell."""
    return [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def prose(path):
    return "\n\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")


# --- chapters --------------------------------------------------------------------------------------------------------


@CHAPTER
def test_a_notebook_has_a_page_that_leads_to_it_and_to_where_it_runs(site, path):
    links, home = page_of(site / f"{path.stem}.html").all("href"), addresses()
    assert (f"{home['binder']}{path.name}" in links) == bool(home["home"])
    assert (f"{home['repository']}/blob/main/notebooks/{path.name}" in links) == bool(home["home"])
    assert "run.html" in links


def test_every_page_of_docs_is_on_the_site_and_in_its_menu(site):
    menu = page_of(site / "index.html").all("href")
    for path in (ROOT / "docs").glob("*.md"):
        name = "reference/index.html" if path.stem == "library" else f"{path.stem}.html"
        title = path.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        assert title in "".join(page_of(site / name).words)
        assert name in menu


def test_licence_and_citation_come_along(site):
    for name in ("LICENSE", "CITATION.cff"):
        assert (site / f"{name}.txt").read_bytes() == (ROOT / name).read_bytes()
        assert f"{name}.txt" in page_of(site / "about.html").all("href")


@CHAPTER
def test_what_is_live_in_a_notebook_has_its_place_on_the_page_in_the_same_order(site, path):
    source = "\n".join(code(path))
    page = page_of(site / f"{path.stem}.html")
    assert page.all("data-explorer") == re.findall(r"^(\w+Explorer)\(", source, re.M)
    assert page.all("data-question") == re.findall(r'^(?:predict|exercise)\("(.+?)"\)', source, re.M)
    assert page.all("data-progress") == re.findall(r'^progress\("?(\d*b?)"?\)', source, re.M)


@CHAPTER
def test_a_live_thing_has_an_id_of_its_own_that_says_chapter_and_explorer(site, path):
    page = page_of(site / f"{path.stem}.html")
    places = [attributes for _, attributes in page.elements if "data-explorer" in attributes]
    seen = Counter()
    for place in places:
        name = place["data-explorer"]
        seen[name] += 1
        again = f"-{seen[name]}" if seen[name] > 1 else ""
        assert place["id"] == f"{path.stem.partition('_')[0]}.{name.removesuffix('Explorer').lower()}{again}"
        assert place["data-start"] == place["id"]
    assert len(set(page.all("id"))) == len(page.all("id"))


def test_every_question_of_the_book_is_on_the_site(site):
    asked = {key for path in NOTEBOOKS for key in page_of(site / f"{path.stem}.html").all("data-question")}
    assert asked == {item.key for number in chapter_packages() for item in chapter_module(number, "questions").CONTENTS}


@CHAPTER
def test_without_the_script_there_is_a_picture_with_its_sentence_once_and_as_a_file(site, path):
    page = page_of(site / f"{path.stem}.html")
    pictures = [attributes for tag, attributes in page.elements if tag == "img"]
    assert len(pictures) >= len(page.all("data-explorer"))
    for picture in pictures:
        assert len(picture["alt"]) > 30
        assert (site / picture["src"]).read_bytes().startswith(b"\x89PNG")
        assert 0 < int(picture["width"]) <= 1000
    saved = [output for cell in nbformat.read(path, 4).cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output.data["text/html"] for output in saved if "text/html" in output.get("data", {})]
    assert len(pictures) == sum(text.count("<img") for text in shown)
    assert len({picture["src"] for picture in pictures}) == len(pictures)


@CHAPTER
def test_what_a_notebook_prints_stands_on_the_page_and_its_code_is_folded(site, path):
    words = "".join(page_of(site / f"{path.stem}.html").words)
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "code":
            for output in cell.outputs:
                assert output.output_type != "stream" or output.text.strip().splitlines()[0].strip() in words
    text = (site / f"{path.stem}.html").read_text("utf-8")
    open_code = re.sub(r"<details.*?</details>", "", text, flags=re.S)
    asked = [cell for cell in nbformat.read(path, 4).cells if "open" in cell.metadata.get("tags", ())]
    assert open_code.count('class="cell_input') == len(asked), "code that a question is about stands open"
    folded = text.count('<details class="admonition')
    assert folded == len(re.findall('<p class="[^"]*">Show the code</p>', text))


@CHAPTER
def test_the_page_gives_no_answer_away(site, path):
    words = " ".join("".join(page_of(site / f"{path.stem}.html").words).split())
    number = path.name[:2]
    for item in chapter_module(number, "questions").CONTENTS if number in chapter_packages() else ():
        if hasattr(item, "solution"):
            assert item.well_done not in words
            assert all(mistake.hint not in words for mistake in item.mistakes)


def test_the_words_for_kernels_are_those_of_the_notebooks_and_none_is_left(site):
    for name, pairs in PASSAGES.items():
        text = prose(ROOT / "notebooks" / f"{name}.ipynb")
        words = "".join(page_of(site / f"{name}.html").words)
        for passage, instead in pairs:
            assert passage in text, "the notebook says it otherwise now"
            assert passage not in instead
            assert re.sub(r"[*`]|\[|\]\(.*?\)|<.*?>", "", instead.split("\n\n")[0]) in words
    for path in html(site):
        assert "Shift+Enter" not in path.read_text("utf-8"), path.name


@CHAPTER
def test_what_the_page_asks_to_type_can_be_chosen(path):
    """Where there is no kernel a text is chosen from a list, which has what the page names; nobody is told to type."""
    shown = [Catalog(explorer_classes()[start.explorer], {start.id: start.state}) for start in in_notebook(path)]
    texts = [known.values[name] for known in shown for name, control in known.explorer.declared.items()
             if isinstance(control, Text)]  # fmt: skip
    words = for_site(path.stem, prose(path))
    assert "Press into" not in words, "points of one's own are for the notebook"
    if texts:
        assert not re.search(r"(?:^|[.;,*] |\b[Tt]hen |\bNow )[Tt]ype (?!of)|of your own\b|your own name", words, re.M)
    told = [instead for _, instead in PASSAGES.get(path.stem, ()) if "hoose" in instead]
    asked = {found for instead in told for found in re.findall(r"(?<!\])\(([^()]+)\)|(?<!\*)\*(\w+)\*", instead)}
    for word in map("".join, asked if texts else ()):
        assert any(word in values for values in texts), word


@pytest.mark.parametrize("most", [1_500_000])
def test_a_page_is_small(site, most):
    for path in html(site):
        assert path.stat().st_size < most, path.name
        assert "data:image/png" not in path.read_text("utf-8")


# --- formulas --------------------------------------------------------------------------------------------------------


@CHAPTER
def test_every_formula_is_mathml_and_none_is_raw(site, path):
    text = (site / f"{path.stem}.html").read_text("utf-8")
    source = re.sub(r"`[^`]*`", "", prose(path))
    made = re.findall(r"<math .*?</math>", text, re.S)
    assert len(made) == len(re.findall(r"\$\$.+?\$\$|\$[^$\n]+?\$", source, re.S))
    for element in made:
        root = ElementTree.fromstring(element)
        assert "\\" not in "".join(root.itertext())
    words = re.sub(r"<(pre|math|script|code)\b.*?</\1>", "", text, flags=re.S)
    assert not re.search(r"\$[^$<]*\$|\\\(|\\frac|\\mid", re.sub(r"<[^>]+>", "", words))


def test_a_formula_that_mathml_cannot_say_is_an_error():
    with pytest.raises(ValueError, match="cannot say"):
        formula(r"P(c) \nosuchcommand x")


def test_a_function_is_read_as_applied_and_set_apart():
    assert "<mi>log</mi><mo>&#x2061;</mo><mspace" in formula(r"\log P(c)")
    assert "<mi>log</mi><mo stretchy" in formula(r"\log(1 - p)")


# --- around the chapters ---------------------------------------------------------------------------------------------


def test_the_ledger_has_every_claim_with_its_anchor_and_verdict(site):
    rows = [a for tag, a in page_of(site / "ledger.html").elements if tag == "tr" and "id" in a]
    assert [row["id"] for row in rows] == [claim.id for claim in ledger()]
    assert all(row["data-verdict"] == find(row["id"]).verdict for row in rows)


def test_the_reference_has_every_public_name(site):
    doors = {path.stem for path in (ROOT / "nbcore").iterdir() if not path.name.startswith(("_", "py.", "checks"))}
    assert {path.stem for path in (site / "reference").glob("*.html")} == doors | {"index"}
    for door in doors:
        there = page_of(site / "reference" / f"{door}.html").all("id")
        missing = {f"nbcore.{door}.{name}" for name in import_module(f"nbcore.{door}").__all__} - set(there)
        assert not missing


def test_the_reference_says_what_the_docstrings_say(site):
    words = " ".join("".join(page_of(site / "reference" / "naive_bayes.html").words).split())
    assert "with a normal distribution for every feature and class" in words
    assert "Learned: theta_, var_ (C, F)" in words  # no underscore is markup
    assert "set_fit_request" not in words


def test_every_lecture_has_a_link_with_its_time(site):
    page = page_of(site / "lectures.html")
    words = " ".join("".join(page.words).split())
    assert [link for link in page.all("href") if link.startswith("lecture.html")] == [
        f"lecture.html?order={name}" for name in ("45", "90", *chapter_packages())]
    for lecture in map(find_lecture, known()):
        assert f"{lecture.title}, {sum(scene.minutes for scene in lecture.scenes):g} minutes" in words


def test_the_search_finds_perplexity(site):
    text = (site / "searchindex.js").read_text("utf-8")
    index = json.loads(text[text.index("{") : text.rindex("}") + 1])
    places = (index[kind].get("perplex", []) for kind in ("titleterms", "terms"))
    found = {index["docnames"][k] for place in places for k in (place if isinstance(place, list) else [place])}
    assert {"05_perplexity_attenuation", "06_calibration", "reference/perplexed", "ledger"} <= found


# --- links and what is loaded ----------------------------------------------------------------------------------------


def test_every_link_and_anchor_inside_leads_somewhere(site):
    seen = 0
    for path in html(site):
        for link in page_of(path).all("href") + page_of(path).all("src"):
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            assert target.exists(), f"{path.name}: {link}"
            anchor = unquote(parts.fragment).partition("?")[0]
            if anchor and target.suffix == ".html":
                assert anchor in page_of(target).all("id"), f"{path.name}: {link}"
            seen += 1
    assert seen > 1000


def test_nothing_is_loaded_from_outside(site):
    for path in html(site):
        for tag, attributes in page_of(path).elements:
            if tag == "link" and attributes.get("rel") in ("next", "prev", "search", "index", "author"):
                continue
            for name in {LOADED.get(tag), "srcset", "poster"} & set(attributes):
                assert not re.match(r"(\w+:)?//", attributes[name]), f"{path.name}: {attributes[name]}"
    for path in [*site.rglob("*.css"), *html(site)]:
        for address in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", path.read_text("utf-8")):
            assert not re.match(r"(\w+:)?//", "".join(address)), f"{path.name}: {address}"
    for path in site.rglob("*.js"):
        asks = r"(?:fetch|importScripts|import|open|src\s*=|WebSocket|EventSource)\s*\(?\s*['\"`](?:https?:)?//"
        assert not re.search(asks, path.read_text("utf-8")), path.name


def test_links_lead_outside_only_to_places_we_know(site):
    hosts = Counter()
    for path in html(site):
        for tag, attributes in page_of(path).elements:
            address = urlsplit(attributes.get("href", "")) if tag == "a" else urlsplit("")
            hosts[address.netloc] += 1
            assert address.scheme in ("", "https"), attributes
    ours = {urlsplit(address).netloc for address in addresses().values()}
    assert set(hosts) - ours - {""} == OUTSIDE - ours


# --- the folder ------------------------------------------------------------------------------------------------------


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.docx").touch()
    with pytest.raises(Refused, match="holds other things"):
        build(tmp_path, packs=False)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]
    with pytest.raises(Refused, match="is a file"):
        prepared(tmp_path / "thesis.docx")


def test_an_older_site_leaves_nothing_behind(tmp_path):
    folder = prepared(tmp_path / "new" / "site")
    (folder / "old.html").touch()
    assert [path.name for path in prepared(folder).iterdir()] == [MARK]


def test_nothing_is_left_beside_the_site(site):
    assert not (site.parent / "jupyter_execute").exists()


@pytest.mark.filterwarnings("ignore")
def test_any_warning_of_sphinx_stops_the_build(tmp_path, monkeypatch):
    def write(folder, pictures):
        (folder / "index.md").write_text("# One page\n\n[a link](nowhere.md)\n", "utf-8")

    monkeypatch.setattr("workbook.site.pages.source.write", write)
    for _ in range(2):  # a second site in one process says that and no more
        with pytest.raises(Refused) as refused:
            pages(tmp_path / "site", tmp_path, [])
        assert re.findall(r"WARNING: (.*?) \[", str(refused.value)) == [
            "'myst' cross-reference target not found: 'nowhere.md'"
        ]


def test_the_zip_unpacks_into_one_folder(tmp_path):
    folder = prepared(tmp_path / "site")
    (folder / "index.html").write_text("<p>here</p>", "utf-8")
    with zipfile.ZipFile(zipped(folder)) as packed:
        assert zipped(folder) == tmp_path / "site.zip"
        assert "site/index.html" in packed.namelist()
        assert {name.split("/")[0] for name in packed.namelist()} == {"site"}


def test_github_pages_shows_the_folders_that_begin_with_an_underscore(site):
    assert (site / ".nojekyll").exists()
