"""The tables under a figure as a test reads them, and what the arrays of the figure say should stand there."""

import re
from html import unescape

import numpy as np
import pytest

# A button and its tables, as globals; `copied`: what was put on the clipboard, `asked`: how often the figure was read.
SET_UP = """() => {
    const view = document.createElement("main");
    view.className = "nb-view";
    view.innerHTML = "<h1>Numbers</h1><button></button><div class='nb-numbers'></div>";
    document.body.append(view);
    const [button, panel] = view.querySelectorAll("button, div");
    const clipboard = (value) => Object.defineProperty(navigator, "clipboard", { configurable: true, value });
    Object.assign(globalThis, { copied: [], asked: 0, shown: {}, button, panel, clipboard });
    clipboard({ writeText: async (text) => copied.push(text) });
    globalThis.numbers = attachNumbers(button, panel, () => (asked++, shown));
}"""
# Of every table of a figure what is shown, and what its Copy puts on the clipboard.
SEEN = """async (figure) => {
    shown = figure;
    copied.length = 0;
    if (!panel.hidden) button.click();
    button.click();
    for (const one of panel.querySelectorAll(".nb-table + div > button:last-child")) one.click();
    await new Promise(requestAnimationFrame);
    return [...panel.querySelectorAll("table")].map((table, k) => ({
        caption: table.caption.textContent,
        heads: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
        scopes: [...new Set([...table.querySelectorAll("th")].map((cell) => cell.scope))],
        rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
        copied: copied[k].split("\\n").map((line) => line.split("\\t")),
    }));
}"""


def bare(text):
    """A label as it is read."""
    text = re.sub(r"</?(?:b|i|sub|sup)>", "", re.sub(r"<br ?/?>", " ", str(text or "")))
    return " ".join(unescape(text).split())


def number(cell):
    words = {"no value": np.nan, "infinity": np.inf, "minus infinity": -np.inf}
    try:
        return words[cell] if cell in words else float(cell)
    except ValueError:
        return cell


def told(trace):
    """Whether readers are told anything of a trace."""
    says = trace.get("hoverinfo") != "skip"
    return bool(says or trace.get("name") or (trace.get("meta") or {}).get("mark")) or trace["type"] != "scatter"


def words_of(trace):
    """What marks say that are no numbers of their places."""
    template = trace.get("hovertemplate") or ""
    template = template if isinstance(template, str) else template[0]
    return re.search(r"%\{(text|customdata)", template) is not None


def well_made(table):
    """Heads and scopes, as many rows as it may show at once, and each number short as it is whole in the copy."""
    assert table["scopes"] == ["col", "row"]
    assert all(table["heads"])
    assert table["copied"][0] == [" ".join(head.split()) for head in table["heads"]]
    assert {len(row) for row in table["copied"]} == {len(table["heads"])}
    assert len(table["rows"]) == min(len(table["copied"]) - 1, max(20, 3000 // len(table["heads"])))
    for shown, whole in zip(table["rows"], table["copied"][1:], strict=False):
        for short, long in zip(shown, map(number, whole), strict=True):
            if isinstance(long, float) and np.isfinite(long) and not short.endswith("%"):
                assert float(short.replace("−", "-").replace(",", "")) == pytest.approx(long, rel=0.06, abs=0.0501)


def all_told(tables, said):
    """Every number of a figure stands in its tables; said: the figure as dicts with arrays."""
    captions = [table["caption"] for table in tables]
    assert len(set(captions)) == len(captions)
    titles = [bare(note["text"]) for note in said["layout"]["annotations"] if note.get("name") == "title"]
    assert all(any(caption.startswith(title) for title in titles) for caption in captions)
    cells = {number(cell) for table in tables for row in table["copied"][1:] for cell in row}
    for trace in filter(told, said["data"]):
        if trace["type"] == "heatmap":
            assert finite(trace["z"]) <= cells
        elif trace["type"] != "contour" and len(trace["x"]) > 2 and not words_of(trace):
            values = [finite(trace[letter]) for letter in "xy"]
            assert any(found <= cells for found in values) or len(trace["x"]) in cells, trace.get("name")


def finite(values):
    """The numbers of an array that are finite."""
    flat = np.asarray(values, dtype=float).ravel()
    return set(flat[np.isfinite(flat)].tolist())
