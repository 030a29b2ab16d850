"""The files around the code agree: ranges, locks, conda, citation, licence, change log, CI and release."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import uv
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import nbcore
from workbook.home import addresses

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
def text(name):
    return (ROOT / name).read_text("utf-8")


def locked(*selection):
    """Return {package: version} of what `uv export` writes from uv.lock, for this system and others."""
    command = [uv.find_uv_bin(), "export", "--offline", "--quiet", "--frozen", "--no-emit-project", "--no-header",
               "--no-annotate", *selection]
    written = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pins = re.findall(r"^([a-z0-9-]+)==([^ ;]+)(?: ;.*)? \\\n    --hash=sha256:", written, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^\S", written, re.MULTILINE)), "a pin without a hash"
    return dict(pins)


def test_the_lock_was_made_from_this_pyproject():
    packages = tomllib.loads(text("uv.lock"))["package"]
    (metadata,) = (package["metadata"] for package in packages if package["name"] == PROJECT["name"])
    groups = PYPROJECT["dependency-groups"]
    extras = {"": PROJECT["dependencies"], **EXTRAS}

    def written(lines):
        found = map(Requirement, lines)
        return sorted((one.name, sorted(one.extras), SpecifierSet(str(one.specifier))) for one in found)

    def read(entries):
        return sorted((one["name"], one.get("extras", []), SpecifierSet(one.get("specifier", ""))) for one in entries)

    for extra, lines in extras.items():
        marker = f"extra == '{extra}'" if extra else None
        entries = [one for one in metadata["requires-dist"] if one.get("marker") == marker]
        assert read(entries) == written(lines), f"{extra}: run `uv lock`"
    for group, lines in groups.items():
        flat = [line for one in lines for line in ([one] if isinstance(one, str) else groups[one["include-group"]])]
        assert read(metadata["requires-dev"][group]) == written(flat), f"{group}: run `uv lock`"


def test_each_extra_holds_all_of_the_one_before_and_a_class_has_the_learners_versions():
    learner, site, test, class_ = (locked(*words.split()) for words in (
        "--extra book --group build", "--extra site --group build", "--extra test --group build",
        "--extra book --group class"))
    assert learner.items() <= site.items() <= test.items()
    assert learner.items() <= class_.items()
    assert {"pooch", "plotly", "jupyterlab", "setuptools"} <= learner.keys()
    assert {"sphinx", "accessible-pygments", "latex2mathml", "playwright"} <= site.keys() - learner.keys()
    assert {"pytest", "pytest-xdist", "mypy", "ruff"} <= test.keys() - site.keys()
    assert {"jupyterhub", "jupyterhub-idle-culler", "nbgitpuller"} <= class_.keys() - learner.keys()


def test_conda_names_the_books_packages_and_then_the_lock_brings_its_versions():
    _, *named, installer = yaml.safe_load(text("environment.yml"))["dependencies"]
    assert [Requirement(line).name for line in named] == [
        "jupyterlab", "ipywidgets", "numpy", "matplotlib", "plotly", "nbval"]
    assert set(named) <= {*PROJECT["dependencies"], *EXTRAS["book"], *EXTRAS["test"]}, "with pyproject's own ranges"
    assert installer == "pip"
    assert "python run.py setup --into python --extra book --group build" in text("environment.yml")


def test_the_weekly_mutants_cover_every_part_of_the_library_and_ask_tests_that_exist():
    (packages,) = re.findall(r"packages=\((.*)\)", text(".github/workflows/slow.yml"))
    parts = {path.stem for path in (ROOT / "nbcore").iterdir()} - {"__init__", "py", "__pycache__"}
    assert set(packages.split()) == parts
    assert f"GITHUB_RUN_NUMBER % {len(parts)}" in text(".github/workflows/slow.yml")
    asked = PYPROJECT["tool"]["mutmut"]["pytest_add_cli_args_test_selection"]
    assert [path for path in asked if not (ROOT / path).exists()] == []


def test_the_citation_is_valid_and_agrees_with_the_package():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type", "license"} <= set(citation)
    assert citation["version"] == nbcore.__version__
    assert citation.get("repository-code", "") == addresses()["repository"]
    assert citation["authors"] == PROJECT["authors"]
    assert set(citation["license"]) == set(PROJECT["license"].split(" AND "))
    assert "doi" not in citation


def test_the_index_is_told_where_the_project_lives_and_on_what_it_runs():
    assert PROJECT.get("urls", {}).get("Source", "") == addresses()["repository"]
    pythons = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]
    tested = set(re.findall(r'"(3\.\d+)"', text(".github/workflows/test.yml")))
    assert set(pythons) == tested
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_the_change_log_knows_this_version_and_the_newest_stands_first():
    headings = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    releases = [Version(version) for version, _ in headings[1:]]
    assert releases == sorted(releases, reverse=True)
    assert all(date for _, date in headings[1:])
    assert Version(nbcore.__version__).is_devrelease or Version(nbcore.__version__) == releases[0]
    parts = re.findall(r"^### (.+)$", text("CHANGELOG.md"), re.MULTILINE)
    assert set(parts) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


# --- what CI takes from elsewhere ------------------------------------------------------------------------------------

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
USES = [line.strip() for path in WORKFLOWS for line in path.read_text("utf-8").splitlines() if "uses:" in line]


def test_every_action_stands_at_a_commit_with_its_version_beside_it():
    assert USES
    pinned = [re.fullmatch(r"(?:- )?uses: ([\w-]+/[\w-]+)@([0-9a-f]{40})  # (v\d+\.\d+\.\d+)", use) for use in USES]
    assert all(pinned), [use for use, found in zip(USES, pinned, strict=True) if not found]
    commits = {}
    for found in pinned:
        commits.setdefault(found[1], set()).add((found[2], found[3]))
    assert all(len(pins) == 1 for pins in commits.values()), f"one action, one commit: {commits}"


# --- a release -------------------------------------------------------------------------------------------------------

RELEASE = yaml.safe_load(text(".github/workflows/release.yml"))


def steps(job, key):
    return [step[key] for step in RELEASE["jobs"][job]["steps"] if key in step]


def test_only_a_tag_of_a_version_starts_a_release():
    assert RELEASE[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads the key "on" as true


@pytest.mark.skipif(sys.platform == "win32", reason="Releases are made on Linux; the Linux run tries this.")
@pytest.mark.parametrize(("tag", "version", "code"), [
    ("v1.2.0", "1.2.0", 0), ("v1.2.1", "1.2.0", 1), ("1.2.0", "1.2.0", 1),
])
def test_the_check_of_the_tag_can_fail(tmp_path, tag, version, code):
    (tmp_path / "nbcore.py").write_text(f'__version__ = "{version}"\n')
    (tmp_path / "python").symlink_to(sys.executable)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "GITHUB_REF_NAME": tag, "PYTHONPATH": str(tmp_path)}
    assert subprocess.run(["bash", "-c", steps("test", "run")[0]], cwd=tmp_path, env=env).returncode == code


def test_what_is_published_is_what_was_built_by_the_one_job_that_may():
    jobs = RELEASE["jobs"]
    assert RELEASE["permissions"] == {"contents": "read"}
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "test": None, "build": None, "publish": {"contents": "read", "id-token": "write"}}
    assert jobs["publish"]["environment"] == "pypi"
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
    assert steps("test", "run")[-1] == "bash .ci/run", "every test passes first"
    install, upload = steps("publish", "run")
    assert install == steps("build", "run")[0]
    assert upload.startswith("uv publish "), "nothing of ours runs where a token can be had"
    assert [use.split("@")[0] for use in steps("publish", "uses")] == [
        "actions/checkout", "actions/setup-python", "actions/download-artifact"]
    assert jobs["publish"]["steps"][0]["with"]["sparse-checkout"].split() == [
        "run.py", "tools", "pyproject.toml", "uv.lock"], "what installs from the lock, and no more"
    assert not re.search(r"password|secrets\.|api-token", text(".github/workflows/release.yml"))


# --- the site --------------------------------------------------------------------------------------------------------

SITE = yaml.safe_load(text(".github/workflows/site.yml"))


def test_only_the_jobs_that_publish_the_site_may_write():
    assert SITE["permissions"] == {"contents": "read"}
    assert {name: job.get("permissions") for name, job in SITE["jobs"].items()} == {
        "build": None, "frames": None, "pages": {"pages": "write", "id-token": "write"},
        "attach": {"contents": "write"}}
    assert "secrets." not in text(".github/workflows/site.yml")
