"""The files around the code agree: ranges, locks, conda, citation, licence, CI."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
LOCKS = ("requirements.lock", "requirements-test.lock")


def text(name):
    return (ROOT / name).read_text("utf-8")


def locked(name):
    """{(package, version, marker): set of hashes} of a lock."""
    entries = {}
    for entry in re.split(r"\n(?=\S)", text(name).strip()):
        requirement, *hashes = (part.strip() for part in entry.split("\\\n"))
        pinned = Requirement(requirement)
        (pin,) = pinned.specifier
        assert pin.operator == "==", requirement
        entries[pinned.name, pin.version, str(pinned.marker)] = set(hashes)
    return entries


def ranges(lock):
    """The requirements that a lock must meet."""
    build = PYPROJECT["dependency-groups"]["build"]
    extras = PROJECT["optional-dependencies"]
    wanted = PROJECT["dependencies"] + build + (extras["test"] + extras["authors"] if "test" in lock else [])
    return [Requirement(line) for line in wanted]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_pins_and_hashes_and_no_address(name):
    assert not re.search(r"://|@ |^\s*-(?!-hash)|file:", text(name), re.MULTILINE)
    for entry, hashes in locked(name).items():
        assert hashes, entry
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", line) for line in hashes), entry


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_meets_every_range(name):
    pins = locked(name)
    for wanted in ranges(name):
        versions = [pin for package, pin, _ in pins if package == wanted.name]
        assert versions, f"{name} lacks {wanted}: make the locks anew (CONTRIBUTING.md)"
        assert all(wanted.specifier.contains(pin) for pin in versions), f"{name}: {wanted} against {versions}"


def test_the_test_lock_holds_all_of_the_learners_lock():
    learner, test = (locked(name) for name in LOCKS)
    assert learner.items() <= test.items()
    only_tests = {package for package, *_ in test} - {package for package, *_ in learner}
    assert {"pytest", "ruff", "playwright", "kaleido"} <= only_tests, "learners should not have to download these"


def test_what_builds_the_package_is_locked_too():
    assert PYPROJECT["dependency-groups"]["build"] == PYPROJECT["build-system"]["requires"]


def test_conda_installs_the_lock_hash_checked():
    *_, pip = yaml.safe_load(text("environment.yml"))["dependencies"]
    assert pip["pip"][0] == "--require-hashes"
    assert pip["pip"][-1] == "-r requirements.lock"


def test_every_pinned_python_is_one_the_package_allows():
    pins = re.findall(r"python[=:]\s*\[?\"?(3\.\d+)", text("environment.yml") + text(".github/workflows/test.yml"))
    assert all(SpecifierSet(PROJECT["requires-python"]).contains(pin) for pin in pins)


def test_ci_runs_the_command_of_the_readme():
    workflow = yaml.safe_load(text(".github/workflows/test.yml"))
    commands = {name: [step.get("run", "") for step in job["steps"]] for name, job in workflow["jobs"].items()}
    assert text(".ci/run").splitlines()[-1] == "exec python3 run.py test"
    assert any(".ci/run" in command for command in commands["linux"])
    assert commands["macos"][-1] == "python3 run.py test"
    assert commands["windows"][-1] == "py run.py test"
    assert commands["newest"][-1] == "python -m pytest"
    assert "schedule" in workflow[True]  # YAML 1.1 reads the key "on" as true


def test_pytest_alone_runs_the_notebooks_strictly_and_takes_warnings_for_errors():
    options = PYPROJECT["tool"]["pytest"]["ini_options"]
    assert "--nbval" in options["addopts"].split()
    assert "--nbval-lax" not in options["addopts"]
    assert options["testpaths"] == ["tests", "notebooks"]
    assert options["filterwarnings"][0] == "error"


def test_the_citation_is_valid_and_agrees_with_the_package():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type", "license"} <= set(citation)
    assert str(citation["version"]) == PROJECT["version"]
    assert citation["authors"] == PROJECT["authors"]
    assert set(citation["license"]) == set(PROJECT["license"].split(" AND "))
    assert "doi" not in citation


def test_the_licence_says_what_is_under_which():
    licence = text("LICENSE")
    for words in ("the code is under MIT", "Permission is hereby granted, free of charge", "nbcore/data/",
                  "https://creativecommons.org/licenses/by/4.0/legalcode"):
        assert words in licence
