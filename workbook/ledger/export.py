"""Export the ledger as claims.csv, and claims.json with its schema: `run.py claims --export DIR`.

Numbers that take long to measure come from measured.json; those of quick claims are computed anew.
"""

import csv
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from workbook.ledger.claim import READINGS, SOURCES, VERDICTS
from workbook.ledger.numbers import measured

__all__ = ["COLUMNS", "SCHEMA", "Origin", "document", "export", "rows", "schema"]

SCHEMA = Path(__file__).parent / "claims.schema.json"  # without the words to choose from
COLUMNS = (  # of the CSV, and the keys of a claim in the JSON; the schema says what each holds
    "id", "source", "place", "quote", "statement", "stated", "rounding", "ours", "low", "high", "interval", "runs",
    "family", "verdict", "reading", "experiment", "rule", "note", "page",
)  # fmt: skip


@dataclass(frozen=True)
class Origin:
    """Where the numbers come from: repository ("" for none), version, commit, its date, sha256 of uv.lock."""

    repository: str
    version: str
    commit: str
    date: str
    lock_sha256: str


def _as_list(numbers):
    """Return the numbers as a list, None where there are none."""
    return None if numbers is None else list(numbers) if isinstance(numbers, tuple) else [numbers]


def rows(claims):
    """Return a list with a dict for each claim, keys as COLUMNS; numbers are lists, even a single one."""
    found = []
    for claim in claims:
        m = measured(claim)
        values = (
            claim.id, claim.source, claim.place, claim.quote, claim.statement, _as_list(claim.stated), claim.rounding,
            *(_as_list(getattr(m, end)) if m else None for end in ("value", "low", "high")),
            m.interval if m else None, m.runs if m else None, claim.family, claim.verdict, claim.reading,
            claim.experiment, VERDICTS[claim.verdict], claim.note, f"notebooks/{claim.chapter}.ipynb",
        )  # fmt: skip
        found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def schema():
    """Return the JSON schema of `document` as a dict, with the sources, verdicts and readings that there are."""
    found = json.loads(SCHEMA.read_text(encoding="utf-8"))
    for name, words in (("source", SOURCES), ("verdict", VERDICTS), ("reading", READINGS)):
        found["$defs"]["claim"]["properties"][name]["enum"] = list(words)
    return found


def document(origin, claims):
    """Return the content of claims.json as a dict: claims, their `Origin`, and what each word in them means."""
    return dict(origin=asdict(origin), sources=SOURCES, verdicts=VERDICTS, readings=READINGS, claims=rows(claims))


def _format_cell(value):
    """Format a value for a cell of the CSV, numbers with all their digits."""
    return "" if value is None else "; ".join(map(repr, value)) if isinstance(value, list) else value


def _format_json(value):
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def export(folder, origin, claims):
    """Write claims.csv, claims.json and its schema to a folder, made if missing; return the paths in it."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "claims.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows({name: _format_cell(value) for name, value in row.items()} for row in rows(claims))
    (folder / "claims.json").write_text(_format_json(document(origin, claims)), encoding="utf-8")
    (folder / SCHEMA.name).write_text(_format_json(schema()), encoding="utf-8")
    return sorted(folder.iterdir())
