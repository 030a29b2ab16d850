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

import nbcore
from nbcore.datasets.fetchers import FetchError, OfflineError
from tools.environment import digest
from tools.files import ROOT
from workbook import book
from workbook.book import ledger
from workbook.home import addresses
from workbook.ledger.export import Origin, export
from workbook.ledger.numbers import CACHE, TABLES, Stored, stored_numbers

SLOW = 0.3  # seconds of CPU
KEPT = "workbook.book", "workbook.ledger.numbers"  # what they remember cost no claim anything
DIGITS = 6  # of what is stored, so that machines that round differently write the same file


def forget():
    """Empty every functools cache of the book, so that a claim pays for all that it needs."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("nbcore", "workbook") and name not in KEPT:
            for thing in list(vars(module).values()):
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


@contextlib.contextmanager
def without_corpora():
    """Whoever asks for a corpus gets an OfflineError, whether it lies on this machine or not."""
    with mock.patch("nbcore.datasets.fetchers._fetch_quietly", side_effect=OfflineError("not asked for")):
        yield


def timed(claim):
    """(Measured, seconds of CPU)."""
    start = time.process_time()
    found = claim.measure()
    return found, time.process_time() - start


def rounded(numbers):
    """A number or a tuple of them with few digits, None as it is."""
    if isinstance(numbers, tuple):
        return [rounded(number) for number in numbers]
    return None if numbers is None else float(f"{numbers:.{DIGITS}g}")


def entry(measured, seconds, corpus):
    """A claim as it stands in the file."""
    ends = {end: rounded(getattr(measured, end)) for end in ("value", "low", "high")}
    about = dict(kind=measured.kind, runs=measured.runs, numbers=measured.numbers)
    return ends | about | {"seconds": float(f"{seconds:.1g}"), "corpus": corpus}


def say(words):
    print(words, end="", flush=True)


def called(claim):
    return f"{claim.id} {claim.name}"


def measure_all(claims):
    """Id of a claim -> its entry, None for a quick one; and the ids of those whose corpus is missing."""
    found, waiting, missing = {}, [], []
    for number, claim in enumerate(claims, 1):
        say(f"[{number}/{len(claims)}] {called(claim)} ... ")
        forget()
        try:
            with without_corpora():
                measured, seconds = timed(claim)
        except FetchError:
            waiting.append(claim)
            say("needs a corpus, later\n")
            continue
        limit = SLOW / 2 if claim.id in stored_numbers() else SLOW
        found[claim.id] = entry(measured, seconds, False) if seconds > limit else None
        say(f"{seconds:.2f} s\n")
    for number, claim in enumerate(waiting, 1):  # they share much, and are stored all the same: nothing is forgotten
        say(f"[corpus {number}/{len(waiting)}] {called(claim)} ... ")
        try:
            measured, seconds = timed(claim)
        except FetchError as problem:
            missing.append(claim.id)
            say(f"{problem}\n")
            continue
        found[claim.id] = entry(measured, seconds, True)
        say(f"{seconds:.2f} s\n")
    return found, missing


def write(entries):
    """The file, sorted, one line a claim."""
    lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(entries.items()))
    CACHE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def rounded_deep(thing):
    """The same with few digits in every float."""
    if isinstance(thing, dict):
        return {key: rounded_deep(value) for key, value in thing.items()}
    if isinstance(thing, list):
        return [rounded_deep(value) for value in thing]
    return rounded(thing) if isinstance(thing, float) else thing


def make_tables(words):
    """Make the tables whose names have the words, write them beside the others; the names of those that cannot be."""
    there = json.loads(TABLES.read_text(encoding="utf-8")) if TABLES.exists() else {}
    after, missing = {name: there[name] for name in book.every_table() if name in there}, []
    for name, make in book.every_table().items():
        if not all(word.lower() in name.lower() for word in words):
            continue
        say(f"[table] {name} ... ")
        try:
            after[name] = rounded_deep(make())
            say("made\n" if after[name] != there.get(name) else "as before\n")
        except FetchError as problem:
            missing.append(name)
            say(f"{problem}\n")
    if after != there:
        lines = (f"{json.dumps(name)}: {json.dumps(table)}" for name, table in sorted(after.items()))
        TABLES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")
    return missing


def as_entry(there: Stored):
    return entry(there.measured, there.seconds, there.corpus)


def changes(before, after):
    """What differs in the numbers, a line each; how long they took does not count."""
    for name in sorted(before | after):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            yield f"{'new' if old is None else 'gone'}: {name}"
        elif any(old[end] != new[end] for end in old if end != "seconds"):
            yield f"changed: {name}: {old['value']} -> {new['value']}"


def git(*words):
    """What git says of this folder; "unknown" where there is no git or no repository."""
    try:
        done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def origin():
    """Where the numbers come from."""
    commit, date = git("rev-parse", "HEAD"), git("log", "-1", "--format=%cI")
    return Origin(addresses()["repository"], nbcore.__version__, commit, date, digest())


def main(words):
    if words[:1] == ["--export"]:
        if len(words) != 2:
            print("Say which folder to write to, e.g. python3 run.py claims --export ledger.")
            return 2
        for path in export(words[1], origin(), ledger()):
            print(path)
        return 0
    everything = [claim for claim in ledger() if claim.ours is not None]
    chosen = [claim for claim in everything if all(word.lower() in called(claim).lower() for word in words)]
    before = {name: as_entry(there) for name, there in stored_numbers().items()}
    found, missing = measure_all(chosen)
    known = {claim.id for claim in everything}
    after = {name: e for name, e in (before | found).items() if e is not None and name in known}
    write(after)
    for line in list(changes(before, after)) or ["Nothing changed."]:
        print(line)
    print(f"{len(after)} numbers are stored, {len(everything) - len(after)} are computed when they are asked for.")
    missing_tables = make_tables(words)
    for name in missing:
        print(f"{'kept' if name in after else 'WITHOUT A NUMBER'}, since its corpus is missing: {name}")
    return 1 if missing or missing_tables else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
