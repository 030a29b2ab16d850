"""The page that shows every part of the look twice, in light and in dark."""

from __future__ import annotations

__all__ = ["write_parts"]

COLORS = {
    "one": "the first class", "two": "the second class", "set": "what you set", "truth": "what is true",
    "amiss": "not right yet", "rival": "another model", "found": "under your hand", "ink": "naive Bayes, words",
    "soft": "second words", "rim": "edges of controls", "silent": "silent, not yet", "line": "rules",
}  # fmt: skip
OPTIONS = ("an option", "the option that you chose", "another option")


def write_parts() -> str:
    """Return the parts as HTML: one pane for each theme, side by side where there is room."""
    return '<div class="panes">' + "".join(write_pane(theme) for theme in ("light", "dark")) + "</div>"


def write_pane(theme: str) -> str:
    """Return every part as HTML in one theme."""
    swatches = "".join(
        f'<div><i style="background: var(--nb-{name})"></i><b>{name}</b><span>{meaning}</span></div>'
        for name, meaning in COLORS.items()
    )
    options = "".join(
        f'<label><input type="radio" name="{theme}"{" checked" if place == 1 else ""}><span>{words}</span></label>'
        for place, words in enumerate(OPTIONS)
    )
    return f"""<div class="pane" data-theme="{theme}">
<p class="pane-name">{theme}</p>
<p class="title">A page asks one question</p>
<p class="lede">Its first lines say what it is about.</p>
<p>Text stands in a serif, at most 66 characters a line. <a href="#main">A link</a> has a thin line, <code>code</code> a paper
of its own, and <b>strong words</b> are rare.</p>
<div class="sign predict"><p class="sign-name">Predict</p></div>
<div class="nb-asked"><p>Which of these do you expect?</p><div class="nb-options" role="radiogroup" aria-label="Options, {theme}">{options}</div>
<div class="nb-presets"><button type="button">Reveal</button><button type="button">Skip</button></div></div>
<div class="nb-live"><div class="nb-explorer"><div class="nb-presets"><button type="button">As counted</button>
<button type="button" aria-pressed="true">Laplace: add one</button><button type="button">Reset</button></div>
<div class="nb-controls"><div class="nb-control"><label class="nb-label" for="parts-{theme}">alpha</label><input type="range" id="parts-{theme}">
<output class="nb-readout">1</output></div></div></div></div>
<table><thead><tr><th>of the days</th><th>No</th><th>Yes</th></tr></thead><tbody><tr><th>overcast</th><td>0/5</td><td>4/9</td></tr>
<tr><th>hot</th><td>2/5</td><td>2/9</td></tr></tbody></table>
<pre>(0 + 1) / (5 + 1 * 3)</pre>
<div class="swatches">{swatches}</div>
</div>"""
