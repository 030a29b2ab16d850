"""What the ledger measures of a chapter's claims, by words of a claim."""

from functools import cache


def make_measurer(claims):
    """Return a function that measures, once, the one claim of these whose place and statement have some words."""

    @cache
    def measure(words):
        (claim,) = [claim for claim in claims if words in f"{claim.place}: {claim.statement}"]
        return claim.measure()

    return measure
