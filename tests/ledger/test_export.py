"""The export validates against its schema, and loses nothing."""

import csv
import json
import re

import jsonschema
import pytest
import yaml

from tools import claims as tool
from tools.files import ROOT
from workbook.book import ledger
from workbook.ledger.claim import CODES, SOURCES
from workbook.ledger.export import COLUMNS, rows, schema
from workbook.ledger.numbers import measured


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    there = tmp_path_factory.mktemp("ledger") / "new"
    assert tool.main(["--export", str(there)]) == 0
    return there


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_json_is_what_the_schema_says(folder):
    schema = read(folder / "claims.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    document = read(folder / "claims.json")
    jsonschema.Draft202012Validator(schema).validate(document)
    assert document["claims"] == rows(ledger())
    (run,) = [row for row in document["claims"] if row["id"] == "W24-S3-01"]
    faults = [{"low": None}, {"interval": "exact"}, *({word: "fine"} for word in ("source", "verdict", "reading"))]
    for fault in faults:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document | {"claims": [run | fault]}, schema)


def test_the_schema_knows_the_columns_of_the_ledger():
    claim = schema()["$defs"]["claim"]
    assert claim["required"] == list(claim["properties"]) == list(COLUMNS)
    assert all(len(words["description"]) > 5 for words in claim["properties"].values())


def test_the_csv_has_the_same_numbers(folder):
    with open(folder / "claims.csv", encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["id"] for row in found] == [claim.id for claim in ledger()]
    for row, claim in zip(found, ledger(), strict=True):
        m = measured(claim)
        numbers = () if m is None else m.value if isinstance(m.value, tuple) else (m.value,)
        assert tuple(float(n) for n in row["ours"].split("; ") if n) == numbers
        assert row["quote"] == claim.quote
        assert (ROOT / row["page"]).is_file()


def test_commit_and_lock_are_those_of_this_folder(folder):
    origin = read(folder / "claims.json")["origin"]
    assert origin["lock_sha256"] == tool.lock_digest()
    assert origin["commit"] == tool.git("rev-parse", "HEAD")
    assert tool.git("no-such-command") == "unknown"


def test_these_files_are_written_and_no_other(folder):
    assert sorted(path.name for path in folder.iterdir()) == ["claims.csv", "claims.json", "claims.schema.json"]


def test_every_source_is_cited():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert [re.search(r"The ledger's (\w+)\.", one["notes"])[1] for one in cited] == list(CODES)
    for one, words in zip(cited, SOURCES.values(), strict=True):
        assert one["title"].casefold().replace("ï", "i") in words.casefold().replace("ï", "i")
        assert str(one.get("year", "")) in words


def test_without_a_folder_it_says_so(capsys):
    assert tool.main(["--export"]) == 2
    assert "which folder" in capsys.readouterr().out
