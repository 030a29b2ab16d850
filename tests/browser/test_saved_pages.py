"""A page that was saved, opened again: live as long as its kernel lives, and never an error in place of a figure."""

import json

import pytest

from ..servers import VIEW, book, page, running
from .lab import READABLE, Notebook, settle

pytestmark = pytest.mark.browser
FIRST, LATER = "notebooks/00_first.ipynb", "notebooks/01_later.ipynb"  # only the first runs by itself
SOURCES = "from workbook.explorers import BayesRuleExplorer", "BayesRuleExplorer()"
DEAD = ".jp-OutputArea :text('Error displaying widget')"


class Page(Notebook):
    """One that a `run.py lab` shows."""

    def __init__(self, page, lab, name=LATER):
        self.token = lab.token
        super().__init__(page, lab.address, name)
        self.address = f"{lab.address}/lab/tree/{name}?token={lab.token}"

    def open(self) -> None:
        self.address = self.address.rpartition("token=")[0] + f"token={self.token}"
        super().open()

    def save(self) -> None:
        self.page.keyboard.press("Control+s")
        self.page.wait_for_selector(".jp-mod-dirty", state="detached")

    def shows(self) -> tuple[int, bool]:
        """How many figures are live, and whether the text that stands in for one is seen."""
        self.page.wait_for_selector(".jp-OutputArea figcaption, .nb-figure[data-frames]")
        assert self.page.locator(DEAD).count() == 0
        return (self.page.locator(".nb-figure[data-frames]").count(),
                self.page.get_by_text("Run this cell to see the figure.").is_visible())  # fmt: skip


def test_the_first_page_opens_alive_beside_no_list_of_files(browser, tmp_path):
    here = book(tmp_path)
    (here / FIRST).write_text(json.dumps(page(*SOURCES, "1 / 0")))
    context = browser.new_context(viewport=READABLE)
    with running(here, "lab") as lab:
        opened = Page(context.new_page(), lab, FIRST)
        opened.wait_for_figures()
        settle(opened.page)
        assert opened.page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts() == ["[1]:", "[2]:", "[ ]:"]
        assert not opened.page.locator("#jp-left-stack").is_visible()
        assert opened.errors == opened.error_outputs == []
        context.close()


@pytest.mark.slow
def test_a_page_is_live_while_its_kernel_lives_and_later_shows_what_stands_beside(browser, tmp_path):
    here = book(tmp_path)
    file = here / LATER
    file.write_text(json.dumps(page(*SOURCES)))
    context = browser.new_context(viewport=READABLE)
    with running(here, "lab") as lab:
        opened = Page(context.new_page(), lab)
        opened.run_all()
        opened.wait_for_figures()
        opened.save()
        saved = file.read_bytes()
        assert VIEW.encode() in saved
        opened.open()  # as a reader does who loads the page again
        opened.wait_for_figures()
        assert opened.shows() == (1, False)
        settle(opened.page)
        (explorer,) = opened.explorers()
        before = explorer.seen()
        explorer.press(explorer.sliders()[0], "ArrowRight")
        explorer.wait_until_still()
        assert explorer.seen() != before, "it moves"
        (session,) = lab.ask("/api/sessions")[1]
        assert lab.ask(f"/api/kernels/{session['kernel']['id']}/restart", "POST")[0] == 200
        opened.open()
        assert opened.shows() == (0, True)
        assert opened.errors == []
        context.close()
    context = browser.new_context(viewport=READABLE)
    with running(here, "lab") as lab:
        opened = Page(context.new_page(), lab)
        assert opened.shows() == (0, True)
        assert opened.errors == []
        opened.run_all()
        opened.wait_for_figures()
        assert opened.shows() == (1, False)
        context.close()
    assert file.read_bytes() == saved, "nothing but Save changes the file"
