"""What shuts nobody out, asked of an open page: axe-core's rules, a focus that is seen, targets that a finger finds."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

# axe leaves these out by default. A figure's words, in HTML or SVG, are measured by test_look.py.
RULES = {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}}
COLOR = "color-contrast", "link-in-text-block"  # the rules that look at colors
BACKGROUND = "[document.documentElement, document.body].map((e) => getComputedStyle(e).backgroundColor).join()"
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults(page, inside=(), outside=(), only=()):
    """What axe-core finds, with the first elements at fault; inside, outside: selectors of what is asked, and is not.

    page: a page, or the frame of one. only: names of rules; by default all.
    """
    where = {name: list(said) for name, said in (("include", inside), ("exclude", outside)) if said}
    options = {"resultTypes": ["violations"], "rules": RULES} | ({"runOnly": list(only)} if only else {})
    found = Axe().run(page, where or None, options).response["violations"]
    return [(fault["id"], [f"{node['target']} {node['html'][:150]}" for node in fault["nodes"][:4]]) for fault in found]


def faults_light_and_dark(page):
    """By all rules as the page is, light; then by those of color as it turns dark."""
    found, light = faults(page), page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => {BACKGROUND} !== light", arg=light)
    page.wait_for_function("document.getAnimations().length === 0")  # a button half way has neither color
    return found + faults(page, only=COLOR)


def unseen_focus(page, inside="body", least=1):
    """Those of the elements inside that do not show the focus; the keyboard reaches at least so many."""
    page.locator(inside).first.press("Shift")  # from here on a focus comes by keyboard
    every = page.locator(inside).evaluate_all(f"(roots) => {{ {SCRIPT} return roots.map(unseenFocus); }}")
    assert sum(found for found, _ in every) >= least
    return [fault for _, faults in every for fault in faults]


def small_targets(grips):
    """Those of the grips that a finger misses."""
    return grips.evaluate_all(f"(grips) => {{ {SCRIPT} return smallTargets(grips); }}")
