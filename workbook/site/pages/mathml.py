"""Convert every formula to MathML: browsers draw it and read it aloud, and nothing is loaded."""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.writers.html5 import HTML5Translator

__all__ = ["formula", "setup"]

# A function's name: "apply function" is what a reader of the page hears, the space is what is seen.
FUNCTION = re.compile(r'(<mi>(?:log|exp|cosh|min|max)</mi>)(?!<mo stretchy="false">&#x00028;)')
APPLIED = r'\1<mo>&#x2061;</mo><mspace width="0.17em"/>'


def formula(tex: str, display: bool = False) -> str:
    """Convert a formula in TeX to a <math> element; ValueError if a part of it cannot be converted."""
    made = convert(tex.strip(), display="block" if display else "inline")
    if "\\" in made or "merror" in made:
        raise ValueError(f"MathML cannot say {tex!r}.")
    return FUNCTION.sub(APPLIED, made)


def inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    self.body.append(f'<span class="math">{_convert(node)}</span>')
    raise nodes.SkipNode


def block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    self.body.append(f'{self.starttag(node, "div", CLASS="math")}{_convert(node, True)}</div>\n')
    raise nodes.SkipNode


def _convert(node: nodes.Element, display: bool = False) -> str:
    try:
        return formula(node.astext(), display)
    except Exception as problem:
        raise ExtensionError(f"{node.source}, line {node.line}: {problem}") from problem


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx: `html_math_renderer = "mathml"` is then known."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
