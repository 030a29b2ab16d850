"""The tables under a figure as a test reads them, and what the arrays of the figure say should stand there."""

import re
from html import unescape
from itertools import chain

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


def named(axis, values):
    """What an axis calls values: the text of the tick where they stand, or of the one that bars stand beside."""
    ticks, texts = axis.get("tickvals"), axis.get("ticktext")
    if ticks is None or texts is None or not all(np.equal(np.mod(ticks, 1), 0)):
        return None
    found = [[bare(text) for tick, text in zip(ticks, texts, strict=True) if abs(tick - v) < 0.45] for v in values]
    names = [one[0] for one in found if one and one[0] and not re.fullmatch(r"[-−+]?[\d.,]+", one[0])]
    return names if len(names) == len(values) else None


def told(trace):
    """Whether readers are told anything of a trace."""
    says = trace.get("hoverinfo") != "skip"
    return bool(says or trace.get("name") or (trace.get("meta") or {}).get("mark")) or trace["type"] != "scatter"


def same(cells, wanted):
    """Cells as they were copied, number by number."""
    if len(cells) != len(wanted):
        return False
    return all(a == b or (isinstance(a, float) and isinstance(b, float) and np.isnan(a) and np.isnan(b))
               for a, b in zip(cells, wanted, strict=True))  # fmt: skip


def held(trace, layout, columns):
    """Whether a long trace stands in a column: its heights, or across if it lies, in order; or their names."""
    number_ = trace["xaxis"][1:]
    for letter in "xy":
        values = [np.nan if v is None else float(v) for v in np.asarray(trace[letter], dtype=object)]
        there = [v for v in values if not np.isnan(v)]
        for wanted in (values, there, named(layout[f"{letter}axis{number_}"], there)):
            if wanted and any(same(column, wanted) for column in columns):
                return True
    return False


def words_of(trace):
    """What marks say that are no numbers of their places."""
    template = trace.get("hovertemplate") or ""
    template = template if isinstance(template, str) else template[0]
    return re.search(r"%\{(text|customdata)", template) is not None


def intervals(trace):
    """From, to, a gap; and so on."""
    gaps = np.isnan(np.asarray(trace["x"], dtype=float) + np.asarray(trace["y"], dtype=float))
    return len(gaps) % 3 == 0 and gaps[2::3].all() and gaps.sum() == len(gaps) / 3


def is_map(table, z):
    """Whether the columns of a table are those of a map, behind one for its heads."""
    return len(table) == z.shape[1] + 1 and all(
        same(column, [float(value) for value in z[:, c]]) for c, column in enumerate(table[1:])
    )


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
    cells = [[list(map(number, column)) for column in zip(*table["copied"][1:], strict=True)] for table in tables]
    columns = list(chain.from_iterable(cells))
    for trace in filter(told, said["data"]):
        if trace["type"] == "heatmap":
            assert any(is_map(table, np.asarray(trace["z"], dtype=float)) for table in cells)
        elif trace["type"] != "contour" and len(trace["x"]) > 2 and not (intervals(trace) or words_of(trace)):
            counted = any(len(trace["x"]) in column for column in columns)
            assert held(trace, said["layout"], columns) or counted, trace.get("name")
