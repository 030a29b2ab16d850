"""The reproduction ledger as a whole: the claims of all chapters, joined."""

from functools import cache

from nbcore.checks import one_of
from workbook.chapters import chapter_module, chapter_packages
from workbook.ledger.claim import SOURCES, VERDICTS

__all__ = ["counts", "every_claim", "every_table", "find", "ledger"]


@cache
def every_claim():
    """Return the claims of all chapters, a tuple."""
    modules = (chapter_module(number, "claims") for number in chapter_packages())
    found = tuple(claim for module in modules if module for claim in module.CLAIMS)
    assert len({claim.id for claim in found}) == len(found), "two claims with one id"
    return found


@cache
def every_table():
    """Return name -> function of all tables that a corpus gives: TABLES of the chapters' claims."""
    modules = (chapter_module(number, "claims") for number in chapter_packages())
    return {name: make for module in modules for name, make in getattr(module, "TABLES", {}).items()}


def ledger(source=None, verdict=None, chapter=None):
    """Return the claims of one source, verdict, chapter, or all; by source, then by chapter, then as entered there."""
    pages = {name.removeprefix("c") for name in chapter_packages().values()} | {c.chapter for c in every_claim()}
    filters = {"source": (source, SOURCES), "verdict": (verdict, VERDICTS), "chapter": (chapter, sorted(pages))}
    filters = {argument: choice for argument, choice in filters.items() if choice[0] is not None}
    for argument, (value, options) in filters.items():
        one_of(argument, value, options)
    found = (c for c in every_claim() if all(getattr(c, name) == value for name, (value, _) in filters.items()))
    order = list(SOURCES)
    return sorted(found, key=lambda claim: (order.index(claim.source), claim.chapter))


def find(name):
    """Return the claim with this id, such as "C15-T1-03"."""
    claims = {claim.id: claim for claim in every_claim()}
    one_of("name", name, claims)
    return claims[name]


def counts(source=None, chapter=None):
    """Return how many claims have each verdict, in the order of VERDICTS."""
    return {verdict: len(ledger(source, verdict, chapter)) for verdict in VERDICTS}
