"""The tools that put faults into the page: mutants of its script, and lies that a reader would meet."""

import pytest

from tools import mutants_js, planted
from tools.files import ROOT


@pytest.mark.parametrize("fault", planted.FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_still_has_its_place_and_its_tests(fault):
    source = (ROOT / fault.path).read_text("utf-8")
    assert source.count(fault.old) == 1, "where the passage was changed, change it in tools/planted.py, too"
    assert fault.new != fault.old
    for test in fault.tests:
        file, _, name = test.partition("::")
        assert f"def {name}" in (ROOT / file).read_text("utf-8")


def test_every_fault_has_a_name_of_its_own():
    names = [fault.name for fault in planted.FAULTS]
    assert len(set(names)) == len(names) >= 20


def test_every_script_of_the_page_has_tests_that_can_kill_its_mutants():
    scripts = mutants_js.scripts()
    assert {"scales", "handles", "view", "ahead"} <= set(scripts)
    assert set(mutants_js.TESTS) <= set(scripts)
    for name in scripts:
        for test in mutants_js.tests_of(name):
            assert (ROOT / test).is_file(), test


@pytest.mark.parametrize(("line", "wrong"), [
    ("const x = a + 1;", ["const x = a - 1;", "const x = a + 2;"]),
    ("const x = -a;", ["const x = a;"]),
    ("const x = !a && b;", ["const x = a && b;", "const x = !a || b;"]),
    ("const x = Math.min(a, b);", ["const x = Math.max(a, b);"]),
    ("const x = a.min;", []),
    ("const x = `1 + ${a * 20} ${`${b < c}`} 2`;", ["const x = `1 + ${a / 20} ${`${b < c}`} 2`;",
                                                  "const x = `1 + ${a * 20} ${`${b <= c}`} 2`;"]),
    ("const x = /a+1/.test('1 - 1'); // 1 + 1", []),
    ("const x = a / 20 / b;", ["const x = a * 20 / b;", "const x = a / 20 * b;"]),
    ("const x = a ? true : 77;", ["const x = a && 0 ? true : 77;", "const x = a ? false : 77;"]),
    ("const x = a?.b ?? c;", ["const x = a?.b && c;"]),
    ("for (const k of ks) for (let i = 10; i < n; i++) {", ["for (const k of ks) for (let i = 10; i <= n; i++) {"]),
    ("  draw(a);", ["  ;"]),
    ("  if (a) return b;", ["  ;"]),
    ("  return draw(a);", []),
])  # fmt: skip
def test_a_mutant_of_a_script_changes_one_thing(tmp_path, line, wrong):
    path = tmp_path / "script.js"
    path.write_text(f"let a;\n{line}\nlet z;\n", "utf-8")
    found = mutants_js.mutants(path)
    assert sorted(source.splitlines()[1] for *_, source in found) == sorted(wrong)
    assert {number for number, *_ in found} <= {2}


def test_a_line_that_does_not_stand_alone_is_not_left_out(tmp_path):
    path = tmp_path / "script.js"
    path.write_text("function f() {\n  if (a) g();\n  else h();\n  const b =\n    c();\n}\n", "utf-8")
    assert mutants_js.mutants(path) == []
