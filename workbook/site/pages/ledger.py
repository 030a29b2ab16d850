"""Write the ledger as one HTML table: a claim a row, its id the anchor; ledger.js adds search and sorting."""

from __future__ import annotations

import html

from workbook.book import ledger
from workbook.ledger.claim import VERDICTS, Claim
from workbook.ledger.table import say_ours, say_stated, say_verdict

__all__ = ["table"]

HEADS = "id", "claim", "stated", "ours", "verdict", "page"


def table() -> str:
    """Return the HTML table of all claims."""
    heads = "".join(f'<th scope="col">{head}</th>' for head in HEADS)
    rows = "\n".join(map(_row, ledger()))
    return f'<table class="nb-ledger"><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>'


def _row(claim: Claim) -> str:
    spell = html.escape
    note = f"<small>{spell(claim.note)}</small>" if claim.note else ""
    cells = (
        f'<td data-sort="{claim.id}"><a href="#{claim.id}">{claim.id}</a><br>'
        f"{spell(claim.source)}, {spell(claim.place)}</td>",
        f'<td data-sort="{spell(claim.statement)}"><q>{spell(claim.words)}</q><br>{spell(claim.statement)}{note}</td>',
        f'<td data-label="stated">{spell(say_stated(claim))}</td>',
        f'<td data-label="ours">{spell(say_ours(claim))}</td>',
        f'<td data-label="verdict" data-sort="{list(VERDICTS).index(claim.verdict)}">{spell(say_verdict(claim))}</td>',
        f'<td data-label="page"><a href="{claim.chapter}.html">{claim.page}</a></td>',
    )
    about = f'id="{claim.id}" data-source="{spell(claim.source)}" data-verdict="{spell(claim.verdict)}"'
    return f"<tr {about}>{''.join(cells)}</tr>"
