"""The site's one script: pieces that know one another, and nothing from elsewhere."""

import re
from collections import Counter

from workbook.site.player.script import parts, site_script, site_style

from .toy import PACKS

NAMED = re.compile(
    r"^(?:async )?(?:function\*?|class|const|let) (?:(?P<one>\w+)|[\[{](?P<some>[^=]*)[\]}] =)", re.MULTILINE
)


def names(text):
    """What a script defines at its top."""
    for found in NAMED.finditer(text):
        yield from [found["one"]] if found["one"] else re.findall(r"\w+", found["some"])


def test_no_two_pieces_define_the_same_name():
    """A second function of a name would take the place of the first without a word."""
    counts = Counter(name for text in parts().values() for name in names(text))
    assert {"draw", "render", "explore", "readNumber", "PER_KEY"} <= set(counts)
    assert {name for name, count in counts.items() if count > 1} == set()


def test_what_runs_comes_last_and_no_piece_is_lost_but_lines_of_comment():
    pieces = parts() | {"packs.js": PACKS}
    whole = site_script(pieces)
    code = {name: "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
            for name, text in pieces.items()}  # fmt: skip
    places = {name: whole.index(text) for name, text in code.items()}
    assert max(places, key=places.get) == "start.js"
    assert not re.search(r"(?m)^\s*//", whole)


def test_script_and_style_stand_alone():
    """A classic script of a page that was opened by a double click: no module, no fetch, nothing from elsewhere."""
    for text in (site_script(), site_style()):
        assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert not re.search(r"^(import|export) |\bfetch\(|\beval\(|innerHTML", "\n".join(parts().values()), re.MULTILINE)
    assert "@import" not in site_style()
    assert "url(" not in re.sub(r"url\(#", "", site_style())
