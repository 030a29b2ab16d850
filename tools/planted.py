"""Would the tests notice a page that lies? Plant faults that a reader would meet, and see which test goes red.

    .venv/bin/python -m tools.planted                 # all of them, some minutes
    .venv/bin/python -m tools.planted legend reset    # those whose name has one of these words

Each fault replaces one passage of one file in a copy of the project, one at a time. tests/test_faults.py holds the
passages to their files.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tools.files import ROOT
from tools.trials import first_failure


class Fault(NamedTuple):
    name: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]  # one of them must fail


PAGE, CHAPTERS = "workbook/page", "workbook/chapters"
RENDER, MARKS, GRIPS, EXPLORER = (
    "tests/browser/test_render.py", "tests/browser/test_marks.py", "tests/browser/test_grips.py",
    "tests/explorer/test_explorer.py",
)  # fmt: skip
HINTS = "tests/chapters/test_c02.py::test_slips_that_readers_made_get_their_hint"
TOKENS = f"{CHAPTERS}/c02_laplace_smoothing/pseudo_counts.py"
BOUNDARY = f"{CHAPTERS}/c01_naive_bayes/gaussian_boundary.py"
FAULTS = (
    Fault(
        "a swapped axis, of the script",
        f"{PAGE}/draw/scatter.js",
        "placed(trace.x, panel.sx), placed(trace.y, panel.sy)",
        "placed(trace.y, panel.sx), placed(trace.x, panel.sy)",
        (MARKS,),
    ),
    Fault(
        "a swapped axis, of an explorer",
        BOUNDARY,
        "x=points[:, 0], y=points[:, 1]",
        "x=points[:, 1], y=points[:, 0]",
        ("tests/chapters/test_c01.py",),
    ),
    Fault(
        "a map upside down",
        f"{PAGE}/draw/heatmap.js",
        "(y1 < y0 ? rows - 1 - r : r)",
        "(y1 > y0 ? rows - 1 - r : r)",
        (MARKS,),
    ),
    Fault(
        "a stale sentence, of the kernel",
        f"{PAGE}/explorer.py",
        "self.view.sentence = sentence  # first",
        "self.view.sentence = self.view.sentence or sentence  # first",
        (EXPLORER,),
    ),
    Fault(
        "a stale sentence, of the page",
        f"{PAGE}/view.js",
        "if (element.textContent !== text) element.textContent = text;",
        "if (!element.textContent) element.textContent = text;",
        (RENDER,),
    ),
    Fault(
        "a wrong preset: every button is the last one",
        f"{PAGE}/explorer.py",
        "button.on_click(lambda _, name=name: self.preset(name))",
        "button.on_click(lambda _: self.preset(name))",
        (EXPLORER,),
    ),
    Fault(
        "a wrong preset: not what its caption says",
        TOKENS,
        "dict(n=40, others=160, alpha=100)",
        "dict(n=40, others=160, alpha=10)",
        ("tests/chapters/test_c02.py",),
    ),
    Fault(
        "a handle that moves the wrong control, of an explorer",
        TOKENS,
        'Handle("K", x=1 / r.K, y=0.6 * top, places=1 / K, shape="line")',
        'Handle("n", x=1 / r.K, y=0.6 * top, places=1 / K, shape="line")',
        ("tests/chapters/test_touch.py::test_every_grip_stands_at_the_present_value",),
    ),
    Fault(
        "a handle that moves the wrong control, of the script",
        f"{PAGE}/draw/handles.js",
        "{ [first]: u, [second]: v }",
        "{ [first]: v, [second]: u }",
        (GRIPS,),
    ),
    Fault(
        "the legend of the wrong trace, of the script",
        f"{PAGE}/draw/around.js",
        'label(child(entry, 1, "span"), trace.name);',
        'label(child(entry, 1, "span"), shown[shown.length - 1 - k].name);',
        (MARKS,),
    ),
    Fault(
        "the legend of the wrong trace, of an explorer",
        TOKENS,
        'y=r.prior, name="prior"',
        'y=r.posterior, name="prior"',
        ("tests/chapters/test_c02.py",),
    ),
    Fault(
        "slider labels swapped",
        TOKENS,
        'n = IntSlider(0, 0, 40, label="n, seen")\n    others = IntSlider(8, 0, 160, label="N − n, others")',
        'n = IntSlider(0, 0, 40, label="N − n, others")\n    others = IntSlider(8, 0, 160, label="n, seen")',
        ("tests/chapters/test_every_explorer.py::test_its_docstring_and_labels_say_what_it_shows",),
    ),
    Fault(
        "the hint of another mistake, of every exercise",
        f"{PAGE}/exercises.py",
        "hint = slip.hint if slip",
        "hint = self.mistakes[0].hint if slip",
        (HINTS,),
    ),
    Fault(
        "the hint of another mistake, of one task",
        f"{CHAPTERS}/c02_laplace_smoothing/questions.py",
        'lambda: china_without_vocabulary(LIDSTONE),\n                "Your denominators',
        'lambda: china_without_vocabulary(LIDSTONE, below=False),\n                "Your denominators',
        (HINTS,),
    ),
    Fault(
        "a number rounded wrongly, in words",
        f"{PAGE}/numbers.py",
        'return f"{value:.{digits}g}"',
        'return f"{value:.{digits - 1}g}"',
        ("tests/questions/test_questions.py", "tests/explorer/test_formula.py"),
    ),
    Fault(
        "a number rounded wrongly, beside a mark",
        f"{PAGE}/draw/words.js",
        "f: (value, digits) => value.toFixed(digits)",
        "f: (value, digits) => (Math.floor(value * 10 ** digits) / 10 ** digits).toFixed(digits)",
        (MARKS,),
    ),
    Fault(
        "a number rounded wrongly, in one sentence",
        TOKENS,
        "{r.interval[0]:.3f}",
        "{r.interval[0] + 0.0005:.3f}",
        ("tests/chapters/test_c02.py",),
    ),
    Fault(
        "an explorer that ignores one control",
        TOKENS,
        "before, after = marginal(alpha, 0, 0, K), marginal(alpha, n, N, K)",
        "before, after = marginal(1.0, 0, 0, K), marginal(1.0, n, N, K)",
        ("tests/chapters/test_c02.py",),
    ),
    Fault(
        "reset forgets one control",
        f"{PAGE}/explorer.py",
        "self._change(state, caption)\n        return self\n\n    def preset",
        "self._change(dict(list(state.items())[1:]), caption)\n        return self\n\n    def preset",
        (EXPLORER,),
    ),
    Fault(
        "a preset keeps what the reader had set before",
        f"{PAGE}/explorer.py",
        "self._change(defaults | self._checked(chosen), caption=chosen.caption)",
        "self._change(self._checked(chosen), caption=chosen.caption)",
        (EXPLORER,),
    ),
    Fault(
        "the saved picture is that of another state",
        f"{PAGE}/explorer.py",
        "picture = _picture(self._figure)",
        "picture = _picture(type(self)().figure)",
        (EXPLORER,),
    ),
    Fault(
        "the alt text of another figure",
        f"{PAGE}/explorer.py",
        'metadata["image/png"] = {"alt": sentence}',
        'metadata["image/png"] = {"alt": type(self)().describe(type(self)().compute(**type(self)().state))}',
        (EXPLORER,),
    ),
    Fault(
        "a figure named by its caption",
        f"{PAGE}/view.js",
        'plot.setAttribute("aria-label", frames.shown("sentence"))',
        'plot.setAttribute("aria-label", frames.shown("caption"))',
        (RENDER,),
    ),
    Fault(
        "two announcements of one change",
        f"{PAGE}/view.js",
        'const sentence = part(said, "nb-sentence");',
        'const sentence = part(said, "nb-sentence", { role: "status" });',
        (RENDER,),
    ),
    Fault(
        "the wrong colour of a class",
        BOUNDARY,
        "color=palette.CLASS_COLORS[c], symbol=",
        "color=palette.CLASS_COLORS[1 - c], symbol=",
        ("tests/chapters/test_colors.py", "tests/chapters/test_c01.py"),
    ),
    Fault(
        "a slider called by the name of another",
        f"{PAGE}/view.js",
        'element.querySelector(".widget-label")?.textContent',
        'box.querySelector(".widget-label")?.textContent',
        (RENDER,),
    ),
    Fault(
        "a slider that says an old value",
        f"{PAGE}/view.js",
        "observer.observe(readout, { childList: true, characterData: true, subtree: true });",
        "",
        (RENDER,),
    ),
    Fault(
        "a drag whose words are of another value",
        f"{PAGE}/draw/handles.js",
        "say(values[name])",
        "say(host.controls.get(name).now())",
        (GRIPS,),
    ),
    Fault(
        "an equation of an earlier state",
        f"{PAGE}/explorer.py",
        'self.view.formula, self.view.fitting = parts, ""',
        'self.view.formula, self.view.fitting = self.view.formula or parts, ""',
        (EXPLORER,),
    ),
    Fault(
        "a term of the equation that outlines another mark",
        TOKENS,
        'alpha = Term(f"{r.alpha:g}", "alpha", mark(WORD, IMAGINARY), palette.GREEN)',
        'alpha = Term(f"{r.alpha:g}", "alpha", mark(OTHERS, IMAGINARY), palette.GREEN)',
        ("tests/chapters/test_c02.py::test_densities_sentence_and_equation_are_those_of_the_result",),
    ),
    Fault(
        "a prediction whose wrong answer is right",
        f"{PAGE}/predictions.py",
        "right = said == self.right_option()",
        "right = said != self.right_option()",
        ("tests/chapters/test_every_question.py::test_a_prediction_has_one_right_answer_and_says_why",),
    ),
    Fault(
        "an error that stays when it is mended",
        f"{PAGE}/view.js",
        'error.hidden = error.textContent === "";',
        'error.hidden &&= error.textContent === "";',
        (RENDER,),
    ),
    Fault(
        "a tick beside its place",
        f"{PAGE}/draw/axes.js",
        'texts.push({ x: at, y: round(t + h + long + 1.1 * size), "text-anchor": x.tickangle ? "end" : "middle"',
        'texts.push({ x: at, y: round(t + h + long + 1.1 * size), "text-anchor": x.tickangle ? "end" : "start"',
        (MARKS,),
    ),
    Fault(
        "the site's presets say another's words",
        "workbook/site/player/player.js",
        "show(preset.place, preset.caption), preset.caption",
        "show(preset.place, pack.presets[0].caption), preset.caption",
        ("tests/browser/test_site_controls.py", "tests/browser/test_site_player.py"),
    ),
    Fault(
        "the site's reset forgets one control",
        "workbook/site/player/player.js",
        'button("Reset", () => show(place), AGAIN)',
        'button("Reset", () => show([shown[0], ...place.slice(1)]), AGAIN)',
        ("tests/browser/test_site_controls.py", "tests/browser/test_site_player.py"),
    ),
)


def found_by(fault: Fault) -> str:
    """The test that fails; "" if none does."""
    source = (ROOT / fault.path).read_text("utf-8")
    return first_failure(fault.path, source.replace(fault.old, fault.new, 1), list(fault.tests))


def main(words: list[str]) -> int:
    chosen = [fault for fault in FAULTS if not words or any(word in fault.name for word in words)]
    start, missed = time.monotonic(), 0
    with ThreadPoolExecutor(2) as workers:
        for number, (fault, test) in enumerate(zip(chosen, workers.map(found_by, chosen), strict=True), 1):
            missed += "::" not in test  # a test that did not end has found nothing
            print(f"{fault.name}: {test or 'FOUND BY NO TEST'}")
            print(f"{number} of {len(chosen)}, {time.monotonic() - start:.0f} s", end="\r", flush=True)
    print(f"\n{len(chosen)} planted, {len(chosen) - missed} found.")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
