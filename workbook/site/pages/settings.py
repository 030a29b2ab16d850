"""Settings of Sphinx: myst-nb without execution, MathML, a theme of our own in theme/ (no request to elsewhere)."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

import nbcore
from workbook.home import addresses

__all__ = ["SETTINGS", "TITLE", "setup"]

HERE = Path(__file__).parent
TITLE = "The Naive Bayes Workbook"
MATH_AND_STOP = re.compile(r'(<span class="math[^"]*"><math(?:(?!</math>).)*</math></span>[.,;:?)])', re.S)
SIGNS = {"Predict", "Explore", "Explain", "Exercise"}
BINDER = addresses()["binder"]
SETTINGS = {
    "project": TITLE,
    "author": f"{TITLE} authors",
    "copyright": f"{TITLE} authors; text and figures CC BY 4.0, code MIT",
    "release": nbcore.__version__,
    "language": "en",
    "extensions": [
        "myst_nb",
        "sphinx.ext.autodoc",
        "sphinx.ext.napoleon",
        "workbook.site.pages.mathml",
        "workbook.site.pages.reference",
        "workbook.site.pages.settings",
    ],
    "myst_enable_extensions": ["dollarmath"],
    "myst_heading_anchors": 2,
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "nb_code_prompt_show": "Show the code",
    "nb_code_prompt_hide": "Hide the code",
    "nb_render_text_lexer": "none",
    "autodoc_member_order": "bysource",
    "autodoc_typehints": "none",
    "default_role": "literal",
    "html_math_renderer": "mathml",
    "html_theme": "theme",
    "html_theme_path": [str(HERE)],
    "html_title": TITLE,
    "html_favicon": str(HERE / "static" / "favicon.svg"),
    "templates_path": [str(HERE / "templates")],
    "html_static_path": [str(HERE / "static"), str(HERE.parents[1] / "explorer" / "tokens.css")],
    "html_css_files": ["pages.css"],
    "html_js_files": ["pages.js"],
    "html_copy_source": False,
    "html_show_sphinx": False,
    "smartquotes": False,
}


def load_live_files(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Load our own style only, the explorers' script and style on pages that have some, the ledger's script there."""
    css_files, js_files = context["css_files"], context["script_files"]
    css_files[:] = [css for css in css_files if "mystnb" not in str(css.filename)]
    js_files[:] = [js for js in js_files if page == "search" or "pages.js" in str(js.filename)]  # Sphinx's only search
    context["live"] = {}
    if "nb-live" in context.get("body", ""):
        root = "../" * page.count("/") or "./"
        binder = BINDER and f"{BINDER}{page}.ipynb"
        context["live"] = {"nb-root": root, "nb-binder": binder, "nb-run": f"{root}run.html"}
        asked = re.search(r'data-question="(\d\d)/', context["body"])
        for name in app.config.site_files:
            if name.endswith(".css"):
                app.add_css_file(name, priority=800)
            elif "questions" not in name or (asked and f"/{asked[1]}." in name):  # what answers first comes at once
                app.add_js_file(name, priority=800, loading_method="defer", fetchpriority="high")
    if 'class="nb-ledger"' in context.get("body", ""):
        app.add_js_file("ledger.js", loading_method="defer")


def mark_signs(app: Sphinx, doctree: nodes.document) -> None:
    """Give the sections called Predict, Explore, Explain and Exercise the classes that draw their signs."""
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        if title in SIGNS:
            section["classes"] += ["sign", title.lower()]


def list_stops(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Hand the sections of a notebook's page to the bar above it: the id and title of each."""
    sections = next(doctree.findall(nodes.section), None) if doctree and re.match(r"\d\d", page) else None
    found = [part for part in sections.children if isinstance(part, nodes.section)] if sections else []
    context["stops"] = [{"id": part["ids"][0], "title": part.next_node(nodes.title).astext()} for part in found]


def names(app: Sphinx, page: str, template: str, context: dict, doctree: object) -> None:
    """Name folded code by its visible text, for readers who use their voice; keep a formula with its full stop."""
    body = context.get("body", "").replace('<summary aria-label="Toggle hidden content">', "<summary>")
    context["body"] = MATH_AND_STOP.sub(r'<span class="whole">\1</span>', body)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx; site_files: scripts and styles in _static of pages with live elements."""
    app.add_config_value("site_files", [], "html", list)
    app.connect("html-page-context", load_live_files)
    app.connect("html-page-context", names)
    app.connect("html-page-context", list_stops)
    app.connect("doctree-read", mark_signs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
