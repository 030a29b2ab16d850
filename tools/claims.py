"""Measure the ledger's claims anew and write the slow ones to workbook/ledger/measured.json: run.py claims [WORDS ...].

run.py claims --export DIR measures nothing and writes the ledger as CSV and JSON: workbook.ledger.export.

Words choose the claims whose id, source, place or statement contains them all; the others keep their numbers. Slow is
what takes more than 0.3 s of CPU by itself, with nothing remembered from other claims (half of that, if it is stored
already), or what needs a corpus that is not part of the book. Claims whose corpus cannot be had keep their old numbers
and are named at the end. The chapters' TABLES, which need a corpus too, go to workbook/ledger/tables.json the same way.
"""

import contextlib
import json
import subprocess
import sys
import time
from unittest import mock

import numpy as np

import nbcore
from nbcore.datasets.fetchers import FetchError, OfflineError
from tools.environment import lock_digest
from tools.files import ROOT
from workbook import book
from workbook.book import ledger
from workbook.home import addresses
from workbook.ledger.export import Origin, export
from workbook.ledger.numbers import CACHE, TABLES, stored_numbers

SLOW = 0.3  # seconds of CPU
KEPT = "workbook.book", "workbook.ledger.numbers"  # their caches spare no claim any work
DIGITS = 6  # of what is stored, so that machines that round differently write the same file


def clear_caches():
    """Empty every functools cache of the book, so that a claim pays for all that it needs."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("nbcore", "workbook") and name not in KEPT:
            for thing in list(vars(module).values()):
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


def round_floats(thing):
    """Return a copy of numbers, lists and dicts of them with every float rounded to DIGITS digits."""
    if isinstance(thing, dict):
        return {key: round_floats(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [round_floats(value) for value in thing]
    return float(f"{thing:.{DIGITS}g}") if isinstance(thing, float) else thing


def make_entry(measured, seconds, corpus):
    """Return a claim's entry of the file."""
    ends = {end: getattr(measured, end) for end in ("value", "low", "high")}
    entry = {end: None if numbers is None else np.asarray(numbers, float).tolist() for end, numbers in ends.items()}
    about = dict(kind=measured.kind, runs=measured.runs, numbers=measured.numbers)
    return round_floats(entry) | about | {"seconds": float(f"{seconds:.1g}"), "corpus": corpus}


def matches(words, text):
    """Tell whether a text has all of these words."""
    return all(word.lower() in text.lower() for word in words)


def measure_all(claims):
    """Return the entry of each claim by its id, None for a quick one; and the ids of those whose corpus is missing."""
    entries, waiting, missing = {}, [], []
    no_corpora = mock.patch("nbcore.datasets.fetchers._fetch_quietly", side_effect=OfflineError("not asked for"))
    for corpus, chosen in ((False, claims), (True, waiting)):
        for number, claim in enumerate(chosen, 1):
            print(f"[{'corpus ' * corpus}{number}/{len(chosen)}] {claim.id} {claim.name} ... ", end="", flush=True)
            if not corpus:  # those with a corpus share much, and are stored all the same
                clear_caches()
            start = time.process_time()
            try:
                with contextlib.nullcontext() if corpus else no_corpora:
                    measured = claim.measure()
            except FetchError as problem:
                print(problem if corpus else "needs a corpus, later", flush=True)
                (missing if corpus else waiting).append(claim.id if corpus else claim)
                continue
            seconds = time.process_time() - start
            limit = SLOW / 2 if claim.id in stored_numbers() else SLOW
            entries[claim.id] = make_entry(measured, seconds, corpus) if corpus or seconds > limit else None
            print(f"{seconds:.2f} s", flush=True)
    return entries, missing


def make_tables(words):
    """Make the tables whose names have the words, write them beside the others; return the names of missing ones."""
    before = json.loads(TABLES.read_text(encoding="utf-8")) if TABLES.exists() else {}
    after, missing = {name: before[name] for name in book.every_table() if name in before}, []
    for name, make in book.every_table().items():
        if matches(words, name):
            print(f"[table] {name} ... ", end="", flush=True)
            try:
                after[name] = round_floats(make())
                print("made", flush=True)
            except FetchError as problem:
                missing.append(name)
                print(problem, flush=True)
    write_lines(TABLES, after)
    return missing


def write_lines(path, entries):
    """Write a dict as JSON, sorted, one line an entry."""
    lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(entries.items()))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def git(*words):
    """Return what git says of this folder; "unknown" where there is no git or no repository."""
    try:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def main(words):
    if words[:1] == ["--export"]:
        if len(words) != 2:
            print("Say which folder to write to, e.g. python3 run.py claims --export ledger.")
            return 2
        commit, date = git("rev-parse", "HEAD"), git("log", "-1", "--format=%cI")
        origin = Origin(addresses()["repository"], nbcore.__version__, commit, date, lock_digest())
        print(*export(words[1], origin, ledger()), sep="\n")
        return 0
    every = [claim for claim in ledger() if claim.ours is not None]
    before = {name: make_entry(*entry) for name, entry in stored_numbers().items()}
    entries, missing = measure_all([claim for claim in every if matches(words, f"{claim.id} {claim.name}")])
    names = {claim.id for claim in every}
    after = {name: entry for name, entry in (before | entries).items() if entry is not None and name in names}
    write_lines(CACHE, after)
    print(f"{len(after)} numbers are stored (git diff shows what changed), {len(every) - len(after)} are computed when "
          "they are asked for.")
    missing_tables = make_tables(words)
    for name in missing:
        print(f"{'kept' if name in after else 'WITHOUT A NUMBER'}, since its corpus is missing: {name}")
    return 1 if missing or missing_tables else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
