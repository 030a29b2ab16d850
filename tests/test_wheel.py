"""What `pip install` brings: a wheel that needs numpy, scipy and scikit-learn, and an sdist that can test itself."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from email import message_from_bytes
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import nbcore
import workbook
from workbook.home import addresses

pytestmark = pytest.mark.xdist_group("wheel")  # one process: the builds are shared
ROOT = Path(__file__).resolve().parents[1]
MADE = [".venv", ".git", ".jupyter", ".site-cache", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info", "build",
        "dist"]
BUILD = "import sys; from setuptools.build_meta import build_sdist as build; print(build(sys.argv[1]))"


DATE = {"SOURCE_DATE_EPOCH": "1700000000"}  # a release takes its commit's


def python(*arguments, cwd, executable=sys.executable):
    """Standard output of a Python run with these arguments; its words are shown when it fails."""
    done = subprocess.run([executable, *arguments], cwd=cwd, capture_output=True, text=True, encoding="utf-8",
                          env=os.environ | DATE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """The source distribution, built from a copy of the project and unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    shutil.copytree(ROOT, folder / "project", ignore=shutil.ignore_patterns(*MADE))
    python("-c", BUILD, folder, cwd=folder / "project")
    (archive,) = folder.glob("*.tar.gz")
    assert archive.name == f"naive_bayes_workbook-{nbcore.__version__}.tar.gz"
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def build_wheel(source, folder):
    """Build the wheel of an unpacked source distribution without a network; return its path."""
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    python("-m", "pip", "wheel", "--quiet", *options, "--wheel-dir", folder, source, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    """The wheel, built from the source distribution."""
    return build_wheel(source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def required(names):
    """These distributions and all that they need without extras; those of other systems are not installed here."""
    found, waiting = {}, list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        needs = map(Requirement, found[name].requires or [])
        waiting += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return found.values()


@pytest.fixture(scope="module")
def bare(wheel, metadata, tmp_path_factory):
    """A fresh environment's Python that sees the wheel and the closure of what it declares, and no other package."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
    (site,) = folder.glob("**/site-packages")
    for package in required(core(metadata)):
        for top in {path.parts[0] for path in package.files if path.parts[0] != ".."}:
            here = Path(package.locate_file(top))
            try:
                (site / top).symlink_to(here)
            except OSError:  # Windows asks for a privilege
                (shutil.copytree if here.is_dir() else shutil.copy)(here, site / top)
    options = ["--no-deps", "--no-index", "--disable-pip-version-check", "--no-compile"]
    executable = next(path for name in ("bin/python", "Scripts/python.exe") if (path := folder / name).exists())
    python("-m", "pip", "--python", executable, "install", "--quiet", *options, wheel, cwd=folder)
    return executable


def core(metadata):
    needs = map(Requirement, metadata.get_all("Requires-Dist"))
    return {need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})}


# --- without extras --------------------------------------------------------------------------------------------------


def test_the_library_needs_three_packages(metadata):
    assert core(metadata) == {"numpy", "scipy", "scikit-learn"}
    assert set(metadata.get_all("Provides-Extra")) == {"book", "fetch", "plot", "site", "test"}


def test_an_estimator_runs_without_extras(bare, tmp_path):
    code = """
from nbcore.calibration import reliability_bins
from nbcore.datasets import load_names, name_ngrams
from nbcore.naive_bayes import MultinomialNB
import nbcore, sys

names = load_names()
counts, _ = name_ngrams(names.data, 2)
model = MultinomialNB().fit(counts, names.target)
assert sys.prefix in nbcore.__file__
print(round(model.score(counts, names.target), 3))
print(reliability_bins(names.target, model.predict_proba(counts)).count.sum())
"""
    score, pairs = python("-I", "-c", code, cwd=tmp_path, executable=bare).split()
    assert 0.7 < float(score) < 0.9
    assert int(pairs) == 2 * 7203


def test_every_module_of_the_library_can_be_imported_without_extras(bare, tmp_path):
    paths = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "nbcore").rglob("*.py")]
    modules = sorted(".".join(path.parts).removesuffix(".__init__") for path in paths)
    assert "nbcore.hierarchical.classifier" in modules
    python("-I", "-W", "error", "-c", "import " + ", ".join(modules), cwd=tmp_path, executable=bare)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import workbook", "anywidget, .+, traitlets: INSTALL book"),
        ("from workbook.explorers import CopiesExplorer", "anywidget, .+, traitlets: INSTALL book"),
        ("from nbcore.datasets import fetch_names as f; f()", "requests: INSTALL fetch"),
        ("from nbcore.datasets import is_cached as f; f('names.zip')", "pooch: INSTALL fetch"),
    ],
)
def test_what_needs_an_extra_says_so_in_one_sentence(bare, tmp_path, code, words):
    words = re.sub(r"INSTALL (\w+)", r'pip install "naive-bayes-workbook\\[\1\\]"', words)
    caught = f"try:\n    {code}\nexcept ImportError as error:\n    print(error)\nelse:\n    print('imported')"
    output = python("-I", "-c", caught, cwd=tmp_path, executable=bare).strip()
    assert re.search(words, output), output
    assert re.fullmatch(r"[A-Z][^\n]+\.", output)


# --- what the extras are for -----------------------------------------------------------------------------------------


SITE = ROOT / "workbook" / "site"
CALLED = {"nbformat": "nbformat", "docutils": "docutils", "sphinx": "sphinx", "latex2mathml": "latex2mathml",
          "yaml": "pyyaml",
          "a11y_pygments": "accessible-pygments", "myst_nb": "myst-nb"}  # fmt: skip  # module -> distribution


def imported(package, *without):
    """Top-level names of what the package's modules import from outside the project and the standard library."""
    found = set()
    for path in (ROOT / package).rglob("*.py"):
        if any(path.is_relative_to(room) for room in without):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.split(".")[0])
    return found - sys.stdlib_module_names - {"nbcore", "workbook"}


def test_the_pages_ask_for_all_that_they_import(metadata):
    authors = {"playwright", "PIL"}  # still pictures
    needed = imported("workbook", SITE) - {"numpy", "scipy", "sklearn"} - authors
    assert set(workbook.NEEDED) == needed
    book = {need.name for need in extra(metadata, "book")}
    assert {name.lower() for name in needed} | {"jsonschema", "jupyterlab", "naive-bayes-workbook"} == book


def test_the_site_asks_for_all_that_it_imports_and_for_what_sphinx_is_told_to_load(metadata):
    loaded = {"myst_nb", "a11y_pygments"}  # the second by the theme: its styles of code
    settings = (SITE / "pages" / "settings.py").read_text("utf-8")
    assert '"myst_nb"' in settings
    needed = imported("workbook/site") - imported("workbook", SITE) - {"numpy", "scipy", "sklearn"} | loaded
    expected = {CALLED[name] for name in needed} | {"naive-bayes-workbook", "playwright"}  # it draws the stills
    assert {need.name for need in extra(metadata, "site")} == expected


def test_the_pages_can_download_too(metadata):
    (own,) = [need for need in extra(metadata, "book") if need.name == "naive-bayes-workbook"]
    assert own.extras == {"fetch"}
    assert {need.name for need in extra(metadata, "fetch")} == {"pooch", "requests", "tqdm"}


def extra(metadata, name):
    needs = map(Requirement, metadata.get_all("Requires-Dist"))
    return [need for need in needs if need.marker and need.marker.evaluate({"extra": name})]


# --- what is in the files --------------------------------------------------------------------------------------------


def test_the_wheel_holds_both_packages_their_data_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"nbcore", "workbook", "naive_bayes_workbook"}
    here = {
        path.relative_to(ROOT).as_posix()
        for package in ("nbcore", "workbook")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert here == {name for name in names if ".dist-info/" not in name}
    assert "nbcore/py.typed" in names


def test_the_wheel_built_again_elsewhere_from_files_of_another_date_has_equal_bytes(source, wheel, tmp_path):
    again = shutil.copytree(source, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("build"))
    for path in again.rglob("*"):
        os.utime(path, (10**9, 10**9))
    assert build_wheel(again, tmp_path).read_bytes() == wheel.read_bytes()


def test_on_pypi_every_picture_and_link_of_a_published_project_has_a_whole_address(metadata):
    """README's links stay as they are while the project is published nowhere."""
    text, home = metadata.get_payload(decode=True).decode(), addresses()
    assert metadata["Description-Content-Type"] == "text/markdown"
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(targets) > 20
    if not home["home"]:
        assert text.strip() == (ROOT / "README.md").read_text("utf-8").strip()
        return
    for target in targets:
        assert target.startswith("https://"), target
    raw = f"{home['raw']}v{nbcore.__version__}/"
    pictures = [target.removeprefix(raw) for target in targets if target.startswith(raw)]
    assert pictures == ["docs/picture.png"]


def test_the_source_distribution_holds_what_the_repository_holds(source):
    """Nothing tracked is left out; where there is no git, this is a source distribution already."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    with tarfile.open(source.parent / f"{source.name}.tar.gz") as packed:
        there = {name.partition("/")[2] for name in packed.getnames()}
    assert {name for name in listed.stdout.splitlines() if (ROOT / name).exists()} <= there
    assert {"run.py", "notebooks/00_start_here.ipynb", "tests/conftest.py", "nbcore/py.typed"} <= there


@pytest.mark.slow
def test_the_source_distribution_collects_its_tests(source):
    """All of them, its notebooks too, from its own files."""
    options = "--collect-only", "--slow", "-q", "--assert=plain", "-p", "no:cacheprovider"
    listed = python("-m", "pytest", *options, cwd=source)
    tests = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")}  # with code
    assert tests | pages <= set(re.findall(r"^(\S+?)::", listed, re.MULTILINE))
