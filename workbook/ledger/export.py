"""The ledger for others to cite and to compute with: claims.csv, claims.json with its schema, an RO-Crate around them.

`run.py claims --export DIR` writes them. Nothing is measured anew: the numbers are those of measured.json, and of the
quick claims as they come out now.
"""

import csv
import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from workbook.ledger.book import ledger, measured
from workbook.ledger.claim import READINGS, SOURCES, VERDICTS

__all__ = ["COLUMNS", "SCHEMA", "Origin", "crate", "document", "export", "rows"]

SCHEMA = Path(__file__).parent / "claims.schema.json"
COLUMNS = {  # of the CSV, and the keys of a claim in the JSON
    "id": "SOURCE-PLACE-NN; stable, never used for another claim",
    "source": "the source's short name",
    "place": "where it stands in the source",
    "quote": "the source's own words, or what stands there in place of words",
    "statement": "what was put to the test",
    "stated": "the printed number or numbers",
    "rounding": "half a unit in the last printed place",
    "ours": "our number or numbers",
    "low": "lower end of our interval",
    "high": "upper end of our interval",
    "interval": "what interval it is",
    "runs": "how many seeds, runs, draws or cases stand behind it",
    "family": "how many such claims of the source are judged together",
    "verdict": "one of eight words",
    "reading": "how the text was read, and whether that was tuned on this number: one of five words",
    "experiment": "the same for all entries that share one set of choices; empty where none was tuned",
    "rule": "what the verdict means",
    "note": "why",
    "page": "the notebook that shows it, or what it would take",
}


@dataclass(frozen=True)
class Origin:
    """What the numbers come from: repository, version, commit with its date, sha256 of requirements.lock."""

    repository: str
    version: str
    commit: str
    date: str
    lock_sha256: str


def _listed(numbers):
    """A list of plain numbers, None where there are none."""
    return None if numbers is None else list(numbers) if isinstance(numbers, tuple) else [numbers]


def rows():
    """One dict a claim, keys as COLUMNS; numbers are lists, even a single one."""
    found = []
    for claim in ledger():
        m = measured(claim)
        values = (
            claim.id, claim.source, claim.place, claim.quote, claim.statement, _listed(claim.stated), claim.rounding,
            *(_listed(getattr(m, end)) if m else None for end in ("value", "low", "high")),
            m.interval if m else None, m.runs if m else None, claim.family, claim.verdict, claim.reading,
            claim.experiment, VERDICTS[claim.verdict], claim.note, f"notebooks/{claim.chapter}.ipynb",
        )  # fmt: skip
        found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def document(origin):
    """The JSON as a dict: claims.schema.json describes it."""
    return dict(origin=asdict(origin), sources=SOURCES, verdicts=VERDICTS, readings=READINGS, claims=rows())


def crate(origin):
    """The RO-Crate 1.1 metadata: the files, what their columns mean, the sources, the software and its lock."""
    files = {
        "claims.csv": ("text/csv", "Every claim, a row each; several numbers in a cell are parted by semicolons."),
        "claims.json": ("application/json", "The same with lists of numbers."),
        "claims.schema.json": ("application/schema+json", "JSON Schema of claims.json."),
        "codecheck.yml": ("application/yaml", "CODECHECK manifest: how to make these files again."),
    }
    columns = {f"#column-{name}": (name, words) for name, words in COLUMNS.items()}
    sources = {f"#source-{number}": words for number, words in enumerate(SOURCES.values(), 1)}
    every = [
        {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": {"@id": "./"},
         "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}},
        {"@id": "./", "@type": "Dataset", "name": "The reproduction ledger of the Naive Bayes Workbook",
         "description": "What five sources on naive Bayes state, what our code computes, and whether the two agree. "
         "The license is ours; quotes stay their authors', those of Wikipedia under CC BY-SA 4.0.",
         "datePublished": origin.date, "license": {"@id": "https://creativecommons.org/licenses/by/4.0/"},
         "hasPart": [{"@id": name} for name in files], "version": origin.version,
         "isBasedOn": [{"@id": name} for name in sources], "wasGeneratedBy": {"@id": "#run"},
         "variableMeasured": [{"@id": name} for name in columns]},
        {"@id": "https://creativecommons.org/licenses/by/4.0/", "@type": "CreativeWork", "name": "CC BY 4.0"},
        {"@id": origin.repository, "@type": "SoftwareSourceCode", "name": "The Naive Bayes Workbook",
         "codeRepository": origin.repository, "version": origin.commit, "programmingLanguage": "Python",
         "softwareRequirements": {"@id": "#lock"}},
        {"@id": "#lock", "@type": "PropertyValue", "name": "requirements.lock, sha256", "value": origin.lock_sha256},
        {"@id": "#run", "@type": "CreateAction", "name": "python3 run.py claims --export DIR",
         "instrument": {"@id": origin.repository}, "result": [{"@id": name} for name in files]},
        *({"@id": name, "@type": "File", "encodingFormat": kind, "description": words}
          for name, (kind, words) in files.items()),
        *({"@id": name, "@type": "PropertyValue", "name": title, "description": words}
          for name, (title, words) in columns.items()),
        *({"@id": name, "@type": "CreativeWork", "name": words} for name, words in sources.items()),
    ]  # fmt: skip
    return {"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": every}


def _cell(value):
    """A cell of the CSV; numbers with all their digits."""
    return "" if value is None else "; ".join(map(repr, value)) if isinstance(value, list) else value


def _dump(thing):
    return json.dumps(thing, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def export(folder, origin, codecheck):
    """Write the files into a folder, which is made; codecheck: the path of codecheck.yml. Returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "claims.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows({name: _cell(value) for name, value in row.items()} for row in rows())
    (folder / "claims.json").write_text(_dump(document(origin)), encoding="utf-8")
    (folder / "ro-crate-metadata.json").write_text(_dump(crate(origin)), encoding="utf-8")
    for path in (SCHEMA, Path(codecheck)):
        shutil.copyfile(path, folder / path.name)
    return sorted(folder.iterdir())
