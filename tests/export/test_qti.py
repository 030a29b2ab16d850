"""The package around the items: everything is listed, everything listed is there."""

import os
import re
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from tests.export import readers
from workbook.chapters import chapter_packages
from workbook.export.__main__ import main
from workbook.export.formats.qti import write_chapter
from workbook.export.pages import page_of
from workbook.export.questions import chapter_questions

CP, LOM = "{http://www.imsglobal.org/xsd/imscp_v1p1}", "{http://ltsc.ieee.org/xsd/LOM}"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    path = tmp_path_factory.mktemp("qti") / "00.zip"
    found, _ = chapter_questions("00")
    write_chapter(path, page_of("00"), found)
    again = path.with_name("again.zip")
    write_chapter(again, page_of("00"), found)
    assert path.read_bytes() == again.read_bytes()
    with ZipFile(path) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


def test_the_manifest_lists_every_file_and_no_other(package):
    manifest = ElementTree.fromstring(package["imsmanifest.xml"])
    assert [child.tag for child in manifest] == [f"{CP}metadata", f"{CP}organizations", f"{CP}resources"]
    assert manifest.findtext(f"{CP}metadata/{CP}schema") == "QTIv2.1 Package"
    assert {file.get("href") for file in manifest.iter(f"{CP}file")} == set(package) - {"imsmanifest.xml"}
    resources = {one.get("identifier"): one for one in manifest.iter(f"{CP}resource")}
    kinds = [one.get("type") for one in resources.values()]
    assert kinds == ["imsqti_test_xmlv2p1", *["imsqti_item_xmlv2p1"] * 7]
    needed = [one.get("identifierref") for one in manifest.iter(f"{CP}dependency")]
    assert needed == list(resources)[1:]
    for one in list(resources.values())[1:]:
        item = ElementTree.fromstring(package[one.get("href")])
        assert item.get("identifier") == one.get("identifier")
        words = [word.text for word in one.iterfind(f"{CP}metadata/{LOM}lom/{LOM}general/{LOM}keyword/{LOM}string")]
        assert words[:2] == ["naive Bayes workbook", "chapter 00"]
        shown = set(re.findall(r'src="\.\./([^"]+)"', package[one.get("href")].decode()))
        assert shown <= {file.get("href") for file in one.iter(f"{CP}file")}


def test_the_test_asks_every_item_in_the_pages_order_and_shows_what_is_said(package):
    test = ElementTree.fromstring(package["test.xml"])
    assert list(readers.faults(test)) == []
    refs = [one.get("href") for one in test.iter(f"{{{readers.QTI}}}assessmentItemRef")]
    assert refs == [f"items/{question.key.replace('/', '-')}.xml" for question in chapter_questions("00")[0]]
    sections = [one.get("title") for one in test.iter(f"{{{readers.QTI}}}assessmentSection")]
    assert sections[:2] == ["A positive test", "1. Count heads"]
    assert len(sections) == len(set(sections)) == 4
    (control,) = test.iter(f"{{{readers.QTI}}}itemSessionControl")
    assert control.attrib == {"maxAttempts": "0", "showFeedback": "true"}


@pytest.mark.parametrize("spoil", [
    lambda text: text.replace("<modalFeedback", "<wrong/><modalFeedback", 1),
    lambda text: text.replace(' alt="', ' title="', 1),
    lambda text: text.replace('identifier="q_00', 'identifier="00', 1),
    lambda text: text.replace(' adaptive="false"', "", 1),
    lambda text: re.sub(r'tolerance="\S+', 'tolerance="5e-05', text, count=1),
])
def test_the_rules_find_a_fault(package, spoil):
    item = package["items/00-prosecutor.xml"].decode()
    assert list(readers.faults(ElementTree.fromstring(item))) == []
    assert list(readers.faults(ElementTree.fromstring(spoil(item)))) != []


def test_a_wrong_number_is_not_shown_the_solution(package):
    item = ElementTree.fromstring(package["items/00-prosecutor.xml"])
    said = {
        one.get("identifier"): "".join(one.itertext()) for one in item.iter(f"{{{readers.QTI}}}modalFeedback")
    }  # fmt: skip
    assert [name for name, words in said.items() if "in Python" in words] == ["right"]


VALIDATE = """
import sys
from pathlib import Path
from zipfile import ZipFile
from lxml import etree
folder, schemas = map(Path, sys.argv[1:])
manifest, other = (etree.XMLSchema(file=schemas / name) for name in ("imscp_v1p1.xsd", "qtiv2p1/imsqti_v2p1.xsd"))
for path in folder.glob("*.zip"):
    package = ZipFile(path)
    for name in (name for name in package.namelist() if name.endswith(".xml")):
        schema = manifest if name == "imsmanifest.xml" else other
        print(name, schema.validate(etree.fromstring(package.read(name))), schema.error_log)
"""


@pytest.mark.slow
@pytest.mark.skipif("QTI_SCHEMAS" not in os.environ, reason="The official XSDs may not be handed on: see slow.yml.")
def test_every_file_meets_the_official_schemas(tmp_path):
    assert main(["qti", "--to", str(tmp_path)]) == 0
    schemas = os.path.abspath(os.environ["QTI_SCHEMAS"])
    said = readers.run_with("lxml==6.1.3", tmp_path / "lxml", VALIDATE, tmp_path, schemas).splitlines()
    assert [line for line in said if not line.endswith(" True ")] == []
    assert len(said) == 2 * len(chapter_packages()) + sum(len(chapter_questions(c)[0]) for c in chapter_packages())
