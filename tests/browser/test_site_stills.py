"""The narrow and dark forms of saved pictures."""

import pytest

from workbook.site.packs.starts import starts
from workbook.site.pages import stills

pytestmark = pytest.mark.browser


def test_a_picture_with_contours_has_its_forms(tmp_path):
    (id, _), *_ = starts()["ShapesExplorer"].items()
    page = f'<div data-explorer="ShapesExplorer" data-start="{id}"><figure><img src="x.png"></figure></div>'
    (tmp_path / "page.html").write_text(page)
    for folder in ("packs", "pictures"):
        (tmp_path / folder).mkdir()
    (tmp_path / "packs" / "ShapesExplorer.js").touch()
    stills.write(tmp_path)
    assert (tmp_path / "page.html").read_text().count("<source ") == len(stills.FORMS)
    assert len(list((tmp_path / "pictures").iterdir())) == len(stills.FORMS)
