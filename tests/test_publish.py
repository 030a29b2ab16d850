"""Addresses: all are made from one line of pyproject.toml, by one verb, and while it is empty nothing leads to us."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import setuptools
import yaml

from tools import publish as verb
from tools.environment import Stop
from workbook.home import addresses

ROOT = Path(__file__).resolve().parents[1]
HOSTS = "github.com/", "raw.githubusercontent.com/", "mybinder.org/v2/gh/", "pypi.org/project/"
HOSTED = re.compile(rf"(?:{'|'.join(map(re.escape, HOSTS))})[\w.-]+(?:/[\w.-]+)?|[\w-]+\.github\.io\b[\w./-]*")
# Whom we cite; the last is the tests'.
OTHERS = "actions", "docker-library", "scikit-learn", "joke2k", "yao8839836", "stipub", "example"


def files():
    """Every file of the project that holds text and is made by hand or by a verb; the packages' locks name no place."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.splitlines() or [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
    paths = [ROOT / name for name in names if (ROOT / name).is_file() and ".egg-info" not in name]
    no_text = (".png", ".lock", ".pyc", ".woff2")
    return [path for path in paths if path.suffix not in no_text and path.name != "package-lock.json"]


@pytest.fixture
def copy(tmp_path):
    """What knows or needs an address, in a folder of its own."""
    for name in ("README.md", "CITATION.cff", "LICENSE", "pyproject.toml", "setup.py", "run.py", "docs", "deploy",
                 "tools", "notebooks", "nbcore", "workbook"):  # fmt: skip
        there = ROOT / name
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        (shutil.copytree(there, tmp_path / name, ignore=ignored) if there.is_dir() else
         shutil.copyfile(there, tmp_path / name))  # fmt: skip
    return tmp_path


def publish(folder, *arguments, code=0):
    """Run the verb in a folder and return what it prints."""
    done = subprocess.run([sys.executable, "run.py", "publish", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def contents(folder):
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder): path.read_bytes() for path in paths}


def run(folder, code):
    """Return what a fresh Python prints that imports the copy's packages."""
    program = f"import sys; sys.path[0:0] = [{str(folder)!r}]\n{code}"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


ASK_UPDATE = """from tools import update
try:
    update.require_git()
except update.Stop as sentence:
    print(sentence)"""


def long_description(folder, monkeypatch):
    """Return what setup.py makes of the README for PyPI."""
    made = {}
    monkeypatch.setattr(setuptools, "setup", lambda **words: made.update(words))
    runpy.run_path(str(folder / "setup.py"))
    return made["long_description"]


def test_every_file_agrees_with_home():
    blocks = {name: verb.fill_block(name) for name in verb.BLOCKS}
    assert blocks == {name: (ROOT / name).read_text("utf-8") for name in blocks}, "run.py publish writes them"


def test_no_address_of_ours_is_typed_anywhere():
    """While home is empty none stands in any file; once it is set, only those that are made from it."""
    home, site = (addresses()[kind].lower() for kind in ("home", "site"))
    known = [f"{host}{owner}/" for host in HOSTS for owner in OTHERS] + [f"{owner}.github.io" for owner in OTHERS]
    if home:
        known += [f"{host}{home}" for host in HOSTS] + [site.removeprefix("https://").rstrip("/")]
    for path in files():
        for found in HOSTED.findall(path.read_text("utf-8")):
            assert found.lower().startswith(tuple(known)), f"{path.relative_to(ROOT)}: {found}"


def test_a_published_copy_has_every_link_right_and_the_way_back_gives_the_same_bytes(copy, monkeypatch):
    publish(copy, "")
    before = contents(copy)
    output = publish(copy, "example/fork")
    repository, site = "https://github.com/example/fork", "https://example.github.io/fork/"
    binder = "https://mybinder.org/v2/gh/example/fork/main?urlpath=lab/tree/notebooks/"
    assert all(address in output for address in (repository, site, binder))

    readme = (copy / "README.md").read_text("utf-8")
    assert f"({site})" in readme
    assert f"[![Open the book on Binder](https://mybinder.org/badge_logo.svg)]({binder}00_start_here.ipynb)" in readme
    run_page = (copy / "docs" / "run.md").read_text("utf-8")
    assert all(f"({address})" in run_page for address in (repository, site, f"{repository}/releases"))
    citation = yaml.safe_load((copy / "CITATION.cff").read_text("utf-8"))
    assert (citation["url"], citation["repository-code"]) == (site, repository)
    project = tomllib.loads((copy / "pyproject.toml").read_text("utf-8"))
    assert project["tool"]["workbook"] == {"home": "example/fork"}
    assert project["project"]["urls"] == {
        "Homepage": site, "Source": repository, "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md", "Binder": f"{binder}00_start_here.ipynb"}  # fmt: skip
    assert f"git-pull?repo={repository}&branch=main&" in (copy / "deploy" / "README.md").read_text("utf-8")
    assert f"from {repository}, " in run(copy, ASK_UPDATE)
    page = run(copy, "from workbook.export.pages import page_of; print(page_of('02').address)")
    assert page == f"{site}02_laplace_smoothing.html"
    where = run(copy, "from workbook.site.pages.source import chapters, where; print(where(chapters()[2]))")
    assert f"[Open in Binder]({binder}02_laplace_smoothing.ipynb)" in where
    assert f"[The notebook]({repository}/blob/main/notebooks/02_laplace_smoothing.ipynb)" in where
    described = long_description(copy, monkeypatch)
    assert "](https://raw.githubusercontent.com/example/fork/v" in described
    assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)]+)\)", described))

    published = contents(copy)
    publish(copy, "example/fork")
    assert contents(copy) == published, "a second time changes nothing"
    publish(copy, "jane.doe/other", code=1)
    publish(copy, "someone-else/bayes")
    assert all(b"example/fork" not in text for text in contents(copy).values())
    publish(copy, "")
    assert contents(copy) == before
    assert long_description(copy, monkeypatch) == (copy / "README.md").read_text("utf-8")


def test_without_an_argument_it_tells_what_is_set_and_writes_what_disagrees(copy):
    publish(copy, "")
    assert "published nowhere" in publish(copy)
    pyproject = copy / "pyproject.toml"
    pyproject.write_text(pyproject.read_text("utf-8").replace('home = ""', 'home = "example/fork"'), "utf-8")
    assert "repository: https://github.com/example/fork" in publish(copy)
    assert "repository-code: https://github.com/example/fork" in (copy / "CITATION.cff").read_text("utf-8")


@pytest.mark.parametrize(("home", "site"), [
    ("Example/Bayes.Book", "https://example.github.io/Bayes.Book/"),
    ("Example/example.github.io", "https://example.github.io/"),
])  # fmt: skip
def test_the_site_stands_where_pages_puts_it(tmp_path, home, site):
    (tmp_path / "pyproject.toml").write_text(f"[tool.workbook]\nhome = {json.dumps(home)}\n")
    assert addresses(tmp_path)["site"] == site


def test_an_installed_package_has_no_address(tmp_path):
    assert set(addresses(tmp_path).values()) == {""}


@pytest.mark.parametrize("arguments", [
    ["fork"], ["https://github.com/example/fork"], ["example/fork/"], ["exa mple/fork"], ['example/fo"rk'],
    ["a/b", "c"],
])  # fmt: skip
def test_what_is_no_name_of_a_repository_is_refused(arguments):
    with pytest.raises(Stop, match="publish takes OWNER/REPO"):
        verb.publish(arguments)


def test_a_file_that_lost_its_block_is_named(copy, monkeypatch):
    monkeypatch.setattr(verb, "ROOT", copy)
    (copy / "CITATION.cff").write_text("title: no block\n")
    with pytest.raises(Stop, match=r"^CITATION\.cff needs one pair of the comments"):
        verb.publish([])
