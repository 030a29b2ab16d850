"""The theorems in proofs/: what they rest on, and that they speak of the formulas of the pages and of nbcore.

Coq itself runs with --slow only: the weekly job installs it.
"""

import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import types
from pathlib import Path

import pytest

from nbcore import naive_bayes, one_hot, perplexed
from nbcore.naive_bayes import multinomial
from nbcore.one_hot import factors
from tests.test_equations import EQUATIONS, find

ROOT = Path(__file__).parents[1]
PROOFS = ROOT / "proofs"
FILES = {path.stem: path.read_text("utf-8") for path in sorted(PROOFS.glob("*.v"))}
README = (PROOFS / "README.md").read_text("utf-8")
THEOREM = r"^(?:Theorem|Corollary|Example) (\w+)"
THEOREMS = [f"{file}.{name}" for file, text in FILES.items() for name in re.findall(THEOREM, text, re.M)]
TABLE = re.findall(r"^\| `(\w+\.\w+)` \|.*\| (\w) \|$", README, re.M)
REALS = {"ClassicalDedekindReals.sig_forall_dec", "FunctionalExtensionality.functional_extensionality_dep"}
AXIOMS = {"R": REALS, "L": REALS | {"ClassicalDedekindReals.sig_not_dec", "Classical_Prop.classic"}}

SIGN = re.compile(r'<details class="proved"><summary>proved</summary>\n\n(.+?)\n\n</details>', re.S)
PARTS = ["The theorem.", "Its hypotheses.", "The idea.", "The file."]
OF_A_PAGE = "\n".join(text for file, text in FILES.items() if file != "Rows")
DEFINITIONS = set(re.findall(r"^Definition (\w+)", OF_A_PAGE, re.M))
MEANING = "[What “proved” means](A_how_pages_work.ipynb)."
EQUATION = r"(Williams \(2024\)|Carlos \(2015\)|Carlos & Rakshit \(2016\)), eq\. \((\d+)\)"

# A small fault in each telling of a formula: file and text of Coq, module of nbcore with what to replace in it, page.
FAULTS = {
    "an exponent": (("OneHot", "^ (K - 1)", "^ K"), (factors, one_hot, "q_bounds", "** (K - 1)", "** K"),
                    ("^{K-1}", "^{K}")),
    "a factor 2": (("Laplace", "total + a * INR K", "total + 2 * a * INR K"),
                   (multinomial, naive_bayes, "MultinomialNB", "mass = self._tokens +", "mass = self._tokens + 2 *"),
                   ("\\alpha K", "2 \\alpha K")),
    "k / n for k / (n + 1)": (("Perplexed", "(k / (n + 1))", "(k / n)"),
                              (perplexed, perplexed, "attenuated_posterior", "k / (n + 1), np", "k / n, np"),
                              ("{k/(n+1)}", "{k/n}")),
}  # fmt: skip


@pytest.fixture(scope="module")
def examples():
    """Import the module that makes the rows: proofs/ is no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PROOFS)
        yield importlib.import_module("examples")


def find_differences(examples):
    """Return the formulas of the rows in which nbcore's number is not the page's value."""
    return {row.formula for row in examples.make_rows() if not abs(row.number - row.value) <= 1e-12}


def test_nothing_is_admitted_or_assumed():
    for file, text in FILES.items():
        assert len(text.splitlines()) <= 150, file
        code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
        assert not re.search(r"\b(?:Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Abort|Unset)\b", code), file
        assert code.count("Proof.") == code.count("Qed.") > 0, file


def test_every_name_that_is_spoken_of_exists():
    assert sorted(name for name, _ in TABLE) == sorted(name for name in THEOREMS if not name.startswith("Examples."))
    of_equations = {theorem.replace(":", ".") for _, _, *theorems in EQUATIONS.values() for theorem in theorems}
    assert of_equations <= set(THEOREMS)
    comments = [comment for text in FILES.values() for comment in re.findall(r"\(\*.*?\*\)", text, re.S)]
    for text in (*comments, README):
        assert set(re.findall(rf"\b(?:{'|'.join(FILES)})\.\w\w+", text)) <= set(THEOREMS)
        for module, name in re.findall(r"nbcore\.(\w+)\.(\w+(?:\.\w+)*)", text):
            assert callable(find(f"{module}:{name}")[1]), name
    pages = {path.name.partition("_")[0] for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert set(re.findall(r"(?:chapter|page) (\d\w*)", "".join([*comments, README]))) <= pages


def test_the_pages_coq_and_nbcore_have_one_value(examples):
    assert find_differences(examples) == set()
    assert FILES["Examples"] == examples.make_file()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_nbcore_or_on_a_page_is_noticed(examples, fault, monkeypatch):
    _, (module, package, name, old, new), (tex, wrong) = FAULTS[fault]
    source = inspect.getsource(module)
    assert source.count(old) == 1
    faulty = types.ModuleType(module.__name__)
    with monkeypatch.context() as patch:
        exec(compile(source.replace(old, new), "faulty", "exec"), faulty.__dict__)
        patch.setattr(package, name, getattr(faulty, name))
        assert find_differences(examples)
    assert not find_differences(examples)
    read = examples.formulas.read_formula
    monkeypatch.setattr(examples.formulas, "read_formula", lambda *place: read(*place).replace(tex, wrong))
    assert find_differences(examples)
    assert FILES["Examples"] != examples.make_file()


# --- the signs on the pages ------------------------------------------------------------------------------------------


def find_signs():
    """Return page, cell and number of the display above each sign of the book, its TeX, and the sign's words."""
    found = []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            text = "".join(cell["source"])
            for sign in SIGN.finditer(text):
                above = text[: sign.start()]
                assert re.search(r"\$\$\n\n$", above), f"{path.stem}, {cell['id']}: a sign stands at its equation"
                found.append(((path.stem, cell["id"], above.count("$$") // 2 - 1), above.split("$$")[-2], sign[1]))
    return found


SIGNS = find_signs()
NAMES = [f"{page}, {cell}" for (page, cell, _), *_ in SIGNS]
EVERY_SIGN = pytest.mark.parametrize(("place", "tex", "words"), SIGNS, ids=NAMES)


def name_theorems(words):
    """Return the theorems that a sign names: each stands behind the file that it is in."""
    files = re.split(r"\[proofs/(\w+)\.v\]\(\.\./proofs/\1\.v\)", words.partition("**The file.**")[2])
    return [f"{file}.{name}" for file, names in zip(files[1::2], files[2::2], strict=True)
            for name in re.findall(r"`(\w+)`", names)]  # fmt: skip


def state(theorem):
    """Return the statement of a theorem in Coq."""
    file, name = theorem.split(".")
    return re.search(rf"^(?:Theorem|Corollary) {name}\b.*?(?=^Proof\.|\sProof\.)", FILES[file], re.M | re.S)[0]


def test_nine_equations_have_a_sign():
    pages = [path.read_text("utf-8") for path in (ROOT / "notebooks").glob("*.ipynb")]
    assert sum(page.count("<summary>proved") for page in pages) == len({place for place, *_ in SIGNS}) == 9


@EVERY_SIGN
def test_a_sign_says_the_theorem_its_hypotheses_two_sentences_on_the_idea_and_the_file(place, tex, words):
    assert re.findall(r"^\*\*(.+?)\*\*", words, re.M) == PARTS
    idea = words.partition("**The idea.** ")[2].partition("\n")[0]
    assert len(re.findall(r"(?<!eq)\.(?= |$)", idea)) == 2
    assert words.endswith(MEANING)
    assert name_theorems(words)
    assert set(name_theorems(words)) <= {name for name, _ in TABLE}


@EVERY_SIGN
def test_a_sign_opens_the_theorem_of_its_equation(place, tex, words, examples):
    """By the definition that has the value of the display in a row, and by the number of the paper's equation."""
    theorems = name_theorems(words)
    terms = [row.coq for row in examples.make_rows() if row.formula[:3] == place]
    stated = " ".join(map(state, theorems))
    assert not terms or DEFINITIONS & set(re.findall(r"\w+", " ".join(terms))) & set(re.findall(r"\w+", stated))
    numbered = re.findall(EQUATION, words)
    assert set(re.findall(r"eq\. \((\d+)\)", tex)) <= {number for _, number in numbered}
    assert all(EQUATIONS[paper, int(number)][2].replace(":", ".") in theorems for paper, number in numbered)
    assert terms or numbered or place[1] == "line-explain", "nothing ties it to its equation"


# --- with Coq --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def coq():
    """Skip where Coq is not installed; the weekly job says that it must be."""
    if not shutil.which("coqc"):
        assert not os.environ.get("COQ_REQUIRED"), "Coq is missing: apt-get install --no-install-recommends coq"
        pytest.skip("Coq is not installed: the proofs are compiled by the weekly job.")


def check(folder):
    return subprocess.run(["sh", folder / "check.sh"], capture_output=True, text=True, encoding="utf-8")


@pytest.mark.slow
def test_coq_proves_every_theorem_from_the_axioms_of_the_reals(coq):
    done = check(PROOFS)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.findall(r"^theorem (\S+)\n(.*?)(?=^theorem |\Z)", done.stdout, re.M | re.S)
    rests_on = {name: set(re.findall(r"^([A-Z]\w*\.\w+)", answer, re.M)) for name, answer in found}
    assert rests_on == {name: AXIOMS[letter] for name, letter in TABLE}
    of_all = re.search(r"\* Axioms:\n((?: +\S+\n)+)", done.stderr)[1].split()
    assert {".".join(name.split(".")[-2:]) for name in of_all} == AXIOMS["L"]


def test_the_weekly_job_needs_coq():
    weekly = (ROOT / ".github" / "workflows" / "slow.yml").read_text("utf-8")
    assert re.search(r"no-install-recommends coq\n(.*\n)*? +COQ_REQUIRED: .*1", weekly)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_coq_notices_a_fault(coq, fault, tmp_path):
    (file, old, new), *_ = FAULTS[fault]
    folder = shutil.copytree(PROOFS, tmp_path / "proofs")
    assert FILES[file].count(old) >= 1
    (folder / f"{file}.v").write_text(FILES[file].replace(old, new), "utf-8")
    assert check(folder).returncode != 0
