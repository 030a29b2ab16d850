"""Settings of Sphinx: myst-nb without execution, MathML, the theme furo (no web font, no outside request)."""

from __future__ import annotations

import json
from pathlib import Path

from sphinx.application import Sphinx

import nbcore
from workbook.home import addresses

__all__ = ["SETTINGS", "TITLE", "setup"]

HERE = Path(__file__).parent
TITLE = "The Naive Bayes Workbook"
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
    "html_theme": "furo",
    "html_title": TITLE,
    "html_favicon": str(HERE / "static" / "favicon.svg"),
    "templates_path": [str(HERE / "templates")],
    "html_static_path": [str(HERE / "static")],
    "html_css_files": ["pages.css"],
    "html_js_files": ["pages.js"],
    "html_sidebars": {
        "**": [f"sidebar/{part}.html" for part in ("brand", "search", "scroll-start", "navigation", "scroll-end")]
    },
    "html_copy_source": False,
    "html_show_sphinx": False,
    "html_theme_options": {
        "light_css_variables": {"color-brand-primary": "#0b5c94", "color-brand-content": "#0b5c94"},
        "dark_css_variables": {
            "color-brand-primary": "#7cc4f5",
            "color-brand-content": "#7cc4f5",
            "color-background-primary": "#111111",  # the figures' own
        },
    },
    "smartquotes": False,
}


def scripts(app: Sphinx, page: str, template: str, context: dict, doctree: object) -> None:
    """Add the explorers' script to pages that have some, and the table's to the ledger."""
    if "nb-live" in context.get("body", ""):
        root = "../" * page.count("/")
        told = {"nbRoot": root or "./", "nbBinder": BINDER and f"{BINDER}{page}.ipynb", "nbRun": f"{root}run.html"}
        app.add_js_file(None, body=f"Object.assign(document.body.dataset, {json.dumps(told)});", priority=700)
        for name in sorted(app.config.site_files):
            (app.add_js_file if name.endswith(".js") else app.add_css_file)(name, priority=800)
    if 'class="nb-ledger"' in context.get("body", ""):
        app.add_js_file("ledger.js")


def names(app: Sphinx, page: str, template: str, context: dict, doctree: object) -> None:
    """Name folded code by its visible text, "Show the code", for readers who use their voice."""
    context["body"] = context.get("body", "").replace('<summary aria-label="Toggle hidden content">', "<summary>")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx; site_files: scripts and styles in _static of pages with live elements."""
    app.add_config_value("site_files", [], "html", list)
    app.connect("html-page-context", scripts)
    app.connect("html-page-context", names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
