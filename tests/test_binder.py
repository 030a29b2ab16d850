"""Binder builds what the lock says: the text of the image it would make, without Docker."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
POST_BUILD = ROOT / "binder" / "postBuild"


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory):
    if sys.platform == "win32":
        pytest.skip("repo2docker does not run on Windows; the Linux run reads Binder's image.")
    made = subprocess.run([sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)], timeout=600,
                          capture_output=True, text=True, cwd=tmp_path_factory.mktemp("elsewhere"))
    assert made.returncode == 0, made.stderr
    return made.stdout + made.stderr


def test_the_image_has_python_3_11(dockerfile):
    assert "Building conda environment for python=3.11" in dockerfile
    assert re.search(r"environment-2epy-2d3-2e11-\S*lock", dockerfile), "the frozen base is not that of Python 3.11"


def test_the_image_uses_the_binder_folder_and_runs_post_build(dockerfile):
    assert '--file "binder/environment.yml"' in dockerfile
    assert "RUN ./binder/postBuild" in dockerfile


def test_nothing_in_the_binder_folder_is_read_instead(dockerfile):
    assert sorted(path.name for path in POST_BUILD.parent.iterdir()) == ["environment.yml", "postBuild"]
    assert "requirements.txt" not in dockerfile


def test_post_build_stops_at_the_first_error_and_installs_the_lock_then_the_package():
    lines = POST_BUILD.read_text("utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert lines[0] == "#!/bin/bash"
    assert re.fullmatch(r"set -e\w*( -?o? ?pipefail)?", commands[0])
    lock, package = commands[2:4]
    assert lock == "python run.py setup --into python --extra book --group build"
    assert "pip install" in package
    assert package.endswith("--no-deps --no-build-isolation -e .")
    assert "\r" not in POST_BUILD.read_bytes().decode()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit; the Linux run looks at it.")
@pytest.mark.parametrize("script", ["binder/postBuild", ".ci/run"])
def test_scripts_are_executable_and_bash_can_read_them(script):
    assert os.access(ROOT / script, os.X_OK)
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)


def test_conda_and_binder_pin_the_same_python():
    pins = [
        [entry for entry in yaml.safe_load((ROOT / name).read_text("utf-8"))["dependencies"] if "python" in entry]
        for name in ("environment.yml", "binder/environment.yml")
    ]
    assert pins == [["python=3.11"], ["python=3.11"]]
