"""The report as HTML for Jupyter: sentences, two kinds of pictures, and the code of the remedies."""

from html import escape
from typing import Any

from nbcore.diagnosis.finding import Finding
from nbcore.diagnosis.pictures import contribution_bars, reliability_diagram

MOST_ROWS = 2  # errors shown as pictures in one finding


def finding_html(finding: Finding) -> str:
    """Return one finding as HTML: its sentence, number, remedies with log loss before and after, code, and pictures."""
    low, high = finding.interval
    tried = "".join(f"<li>{escape(str(remedy))}</li>" for remedy in finding.remedies)
    pictures = ""
    for row in finding.details.get("rows", ())[:MOST_ROWS]:
        sentence = f"Row {row['row']}: decided {row['decision']} with {row['posterior']:.4f}, is {row['label']}. "
        sentence += "Nats for the decision (right) and for the label (left):"
        pictures += f"<p>{escape(sentence)}</p>{contribution_bars(row)}"
    if "bins" in finding.details:
        pictures += reliability_diagram(finding.details["bins"])
    code = f"<details><summary>The remedy as code</summary><pre>{escape(finding.remedy)}</pre></details>"
    return (
        f"<li><p><b>{escape(finding.name)}</b>: {finding.cost_text}. {escape(finding.sentence)}</p>"
        f"<p>{escape(finding.meaning)}: {finding.number:.3g} (95 %: {low:.3g} to {high:.3g}). "
        f"Page {escape(finding.chapter)}.</p><ul>{tried}</ul>{code}{pictures}</li>"
    )


def report_html(summary: str, findings: list[Finding], bins: list[dict[str, Any]]) -> str:
    """Return the whole report as HTML in the page's own colours, readable on light and dark pages."""
    body = f"<ol>{''.join(map(finding_html, findings))}</ol>" if findings else "<p>Nothing found.</p>"
    if not any("bins" in finding.details for finding in findings):
        body += reliability_diagram(bins)
    overlap = "<p>Costs overlap, as one remedy may do for several findings: they do not add up.</p>"
    return f"<section><p>{escape(summary)}</p>{overlap if len(findings) > 1 else ''}{body}</section>"
