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


def test_what_runs_comes_last_and_no_piece_is_lost():
    whole = site_script(parts() | {"packs.js": PACKS})
    assert all(text in whole for name, text in parts().items() if name != "packs.js")
    assert PACKS in whole
    assert whole.index(parts()["start.js"]) > max(
        whole.index(text) for name, text in parts().items() if text in whole and name != "start.js"
    )


def test_script_and_style_stand_alone():
    """A classic script of a page that was opened by a double click: no module, no fetch, nothing from elsewhere."""
    for text in (site_script(), site_style()):
        assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert not re.search(r"^(import|export) |\bfetch\(|\beval\(|innerHTML", "\n".join(parts().values()), re.MULTILINE)
    assert "@import" not in site_style()
    assert "url(" not in re.sub(r"url\(#", "", site_style())
