"""What a page's cells show besides their own text: the words of their questions, the captions of their explorers.

Read from the source, so that only what is typed is found, and not what is formatted from a computed value.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.notebooks.sentence_numbers import numerals
from workbook import chapters, explorers
from workbook.explorer.formula import spoken
from workbook.learning import contents

PACKAGES = Path(chapters.__file__).parent


class Typed(NamedTuple):
    """Typed words, where they stand, the constants in the code beside them, and what that computes."""

    place: str
    words: str
    constants: tuple[float, ...]
    computed: tuple[float, ...]


def shown_by(source: str) -> Iterator[Typed]:
    """Find what a code cell of a page shows: predict(...), exercise(...), or an explorer."""
    for key in re.findall(r'^(?:predict|exercise)\("(.+?)"\)', source, re.M):
        yield questions(key[:2])[key]
    for name in re.findall(r"\b(\w+Explorer)\(", source):
        yield from captions(name)


# --- questions ----------------------------------------------------------------------------------------------------


@cache
def questions(chapter: str) -> dict[str, Typed]:
    """Key -> the words of a question: task, options, reason, hints, help, and what its solution says in comments."""
    tree = ast.parse((PACKAGES / chapters.chapter_packages()[chapter] / "questions.py").read_text("utf-8"))
    known, found = definitions(tree), {}
    for key, node in asked(tree):
        words, constants = typed(node, known, right_option(key))
        found[key] = Typed(key, words, tuple(constants), computed(key))
    return found


def asked(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Find what makes each question of a chapter: a call, or the function of an exercise's numbers."""
    for statement in tree.body:
        for node in ast.walk(statement):
            match node:
                case ast.Call(args=[ast.Constant(str(key)), *_]) if re.fullmatch(r"\d\d/[\w-]+", key):
                    yield key, statement if isinstance(statement, ast.FunctionDef) else node


def definitions(tree: ast.Module) -> dict[str, ast.AST]:
    """Name -> the function or the assignment of a module that makes it."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            names = [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            found |= dict.fromkeys(names, node)
    return found


def right_option(key: str) -> str:
    """The right option of a prediction; nothing where there are none."""
    item = contents(key[:2])[key]
    return item.right_option() if getattr(item, "options", None) else ""


def typed(node: ast.AST, known: dict[str, ast.AST], option: str = "") -> tuple[str, list[float]]:
    """Collect the words and the numbers typed in a piece of code and in what it names of its module.

    Of a prediction's options that is the right one: the others are wrong as they should be. Of an exercise's numbers
    those of the page count, and what is said beside other numbers does not.
    """
    words, numbers, seen = [], [], {"CONTENTS"}

    def visit(node, code=False):
        match node:
            case ast.FormattedValue():
                return visit(node.value, code)  # without its format
            case ast.keyword(arg="options", value=ast.Dict(labels, holds)):
                words.append(option)
                for label, condition in zip(labels, holds, strict=True):
                    if isinstance(label, ast.Constant) and label.value == option:
                        visit(condition)
                return None
            case ast.Call(ast.Name("parameters"), keywords=choices):
                for choice in choices:
                    visit(choice.value.elts[0] if isinstance(choice.value, ast.Tuple) else choice.value, code=True)
                return None
            case ast.keyword(arg="variant_texts"):
                return None
            case ast.Call(ast.Name("Mistake"), [answer, hint, _]):
                visit(answer)
                return visit(hint)
            case ast.keyword(arg="solution"):
                return visit(node.value, code=True)
            case ast.Constant(str(text)):
                words.append("\n".join(re.findall("#.*", text)) if code else text)
            case ast.Constant(int(number) | float(number)):
                numbers.append(float(number))
            case ast.BinOp(ast.Constant(int(part) | float(part)), ast.Div(), ast.Constant(int(whole) | float(whole))):
                numbers.append(part / whole)
            case ast.Name(name) if name in known and name not in seen:
                seen.add(name)
                visit(known[name], code)
            case ast.FunctionDef(body=[ast.Expr(ast.Constant(str())), *rest]):
                for part in [node.args, *node.decorator_list, *rest]:
                    visit(part, code)
                return None
        for part in ast.iter_child_nodes(node):
            visit(part, code)
        return None

    visit(node)
    return "\n".join(words), numbers


def computed(key: str) -> tuple[float, ...]:
    """Compute a question's answer and the wrong answers that it knows."""
    item = contents(key[:2])[key]
    if hasattr(item, "truth"):
        return (float(item.truth()),)
    answers = [] if item.evaluate else [item.expected(), *(mistake.answer() for mistake in item.mistakes)]
    return tuple(float(answer) for answer in answers if np.isscalar(answer))


# --- captions -----------------------------------------------------------------------------------------------------


@cache
def captions(explorer: str) -> tuple[Typed, ...]:
    """The captions of an explorer's presets, each with the numbers of its state, its finding and its equation."""
    kind = getattr(explorers, explorer)
    tree = ast.parse((PACKAGES.joinpath(*kind.__module__.split(".")[2:]).with_suffix(".py")).read_text("utf-8"))
    known, found = definitions(tree), []
    own = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == explorer)
    for node in ast.walk(own):
        for name, preset in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            match name, preset:
                case ast.Constant(str(title)), ast.Call(ast.Name("Preset"), [caption, *_]):
                    words, _ = typed(caption, known)
                    if re.search(r"\d", words):
                        found.append(Typed(f"{explorer}, {title}", words, (), numbers_at(kind, title)))
    return tuple(found)


def numbers_at(kind, preset: str) -> tuple[float, ...]:
    """Compute the numbers that a preset sets, and those that its finding and its equation then show."""
    explorer = kind().preset(preset)
    result = explorer.compute(**explorer.state)
    said = f"{explorer.describe(result)} {spoken(explorer.explain(result))}"
    shown = [number.value for _, numeral in numerals(said) for number in numeral.numbers]
    return (*(v for v in explorer.state.values() if isinstance(v, int | float)), *shown)
