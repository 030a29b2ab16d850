"""A class's servers: the lock, what students' servers leave out, and files for other machines, read and partly run."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import jsonschema
import pytest
import yaml
from traitlets.config import PyFileConfigLoader

from benchmarks.student import Student
from tests.conftest import SHARED
from workbook.home import addresses

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
VALUES = yaml.safe_load((DEPLOY / "values.yaml").read_text("utf-8"))
SCHEMA = SHARED / "z2jh.schema.yaml"
GUIDE = (DEPLOY / "README.md").read_text("utf-8")

linux = pytest.mark.skipif(sys.platform == "win32", reason="JupyterHub needs Linux or macOS; the Linux run tries it.")


def python(code):
    """What a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


# --- what is installed -----------------------------------------------------------------------------------------------


def test_the_proxy_is_pinned_by_hash_and_comes_from_no_fixed_address():
    dependencies = json.loads((DEPLOY / "proxy" / "package.json").read_text("utf-8"))["dependencies"]
    packages = json.loads((DEPLOY / "proxy" / "package-lock.json").read_text("utf-8"))["packages"]
    assert packages.pop("")["dependencies"] == dependencies
    for name, version in dependencies.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package
        assert "hasInstallScript" not in package, "npm ci is told to run none"


@linux
def test_install_stops_at_the_first_error_and_takes_the_lock():
    script = DEPLOY / "install"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)
    lines = [line for line in script.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[0] == "set -euo pipefail"
    assert '"$python" run.py setup --into "$python" --extra book --group class' in lines
    assert '"$prefix/bin/student-server"' in script.read_text("utf-8"), "the program that every hub is told to start"
    without_python = subprocess.run(["bash", script], capture_output=True, text=True)
    assert without_python.returncode == 1
    assert "say which Python" in without_python.stderr


# --- what students' servers and kernels leave out ---------------------------------------------------------------------


def extensions(folder):
    """Name -> on or off, of every settings file for Jupyter's server in a folder."""
    found = {}
    for path in (*folder.glob("jupyter_server_config.d/*.json"), *folder.glob("jupyter_server_config.json")):
        found |= json.loads(path.read_text("utf-8"))["ServerApp"]["jpserver_extensions"]
    return found


def test_a_students_server_loads_jupyterlab_and_no_more():
    ours, installed = extensions(DEPLOY / "etc" / "jupyter"), extensions(Path(sys.prefix, "etc", "jupyter"))
    assert set(ours) <= set(installed), "a name that nothing has would switch nothing off"
    loaded = {name for name, on in (installed | ours).items() if on}
    assert loaded == {"jupyterlab", "jupyter_server_terminals"}


def test_a_students_kernel_takes_no_port_and_its_folder_is_the_students_alone():
    """Thirty servers that start at once chose the same ports: their kernels heard one another, or did not start."""
    code = f"""
import os
from traitlets.config import PyFileConfigLoader
from jupyter_client.manager import KernelManager
config = PyFileConfigLoader({str(DEPLOY / "etc" / "jupyter" / "jupyter_server_config.py")!r}).load_config()
folder = os.environ["JUPYTER_RUNTIME_DIR"]
manager = KernelManager(config=config, connection_file=folder + "/kernel-12345678-1234-1234-1234-123456789012.json")
print(manager.transport, len(manager._make_url("shell").removeprefix("ipc://")) <= 107)
print(folder, oct(os.stat(folder).st_mode & 0o777))
"""
    made, folder = python(code).splitlines()
    assert made == "ipc True"
    assert folder.endswith(" 0o700")
    assert not Path(folder.split()[0]).exists(), "it goes with the server"


KERNEL = f"""
import runpy, sys
runpy.run_path({str(DEPLOY / "etc" / "ipython" / "ipython_kernel_config.py")!r})
from sklearn.model_selection import train_test_split
from workbook.explorers import PseudoCountExplorer, SmoothingExplorer
from workbook.learning import predict
SmoothingExplorer(), predict("02/overcast")
print(sorted({{name.split(".")[0] for name in sys.modules}} & {{"pandas", "matplotlib", "requests", "pooch", "PIL"}}))
import numpy as np, pandas as pd
from sklearn.naive_bayes import GaussianNB
table = pd.DataFrame({{"a": [0.0, 1.0, 4.0, 5.0]}})
model = GaussianNB().fit(table, [0, 0, 1, 1])
print(model.feature_names_in_, model.predict(table))
"""


def test_a_students_kernel_imports_pandas_when_a_cell_asks_for_it_and_scikit_learn_takes_its_tables():
    before, after = python(KERNEL).splitlines()
    assert ast.literal_eval(before) == []
    assert after == "['a'] [0 0 1 1]"


HUB = {
    "__init__.py": "",
    "orm.py": "print('the data base comes')\nUser = 'a user'\n",
    "handlers/__init__.py": "print('the pages come')\n",
    "handlers/pages.py": "class HealthCheckHandler: ...\nclass LoginHandler: ...\n",
    "log.py": "from .handlers.pages import HealthCheckHandler\n",
    "scopes.py": "from . import orm\n",
    "singleuser.py": """
from . import log, scopes

def main():
    print("serving", isinstance(main, log.HealthCheckHandler))
    print(scopes.orm.User)
    from jupyterhub import orm
    from jupyterhub.handlers.pages import LoginHandler
    print(orm.User, scopes.orm.User, LoginHandler.__name__)
""",
}  # as far as the hub's part of a server goes: who imports whom


def test_a_students_server_meets_the_hubs_pages_and_data_base_when_somebody_asks_for_them(tmp_path):
    for name, text in HUB.items():
        path = tmp_path / "jupyterhub" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    program = [sys.executable, DEPLOY / "student_server.py"]
    started = subprocess.run(program, env=env, capture_output=True, text=True, check=True)
    assert started.stdout.splitlines() == [
        "serving False", "the data base comes", "a user", "the pages come", "a user a user LoginHandler",
    ]  # fmt: skip


# --- settings --------------------------------------------------------------------------------------------------------


def settings(name):
    return PyFileConfigLoader(name, path=str(DEPLOY)).load_config()


def test_plain_jupyterhub_takes_the_students_settings_the_locked_proxy_and_this_machine_only():
    plain, students = settings("jupyterhub_config.py"), settings("students.py")
    assert [Path(word).name for word in plain.Spawner.cmd] == students.Spawner.cmd
    assert (students.Spawner | {"cmd": plain.Spawner.cmd}).items() <= plain.Spawner.items()
    assert plain.JupyterHub.bind_url == "http://127.0.0.1:8000"
    (proxy,) = plain.ConfigurableHTTPProxy.command
    assert Path(proxy) == DEPLOY / "proxy" / "node_modules" / ".bin" / "configurable-http-proxy"
    (service,), (role,) = plain.JupyterHub.services, plain.JupyterHub.load_roles
    assert role["services"] == [service["name"]]
    assert "jupyterhub_idle_culler" in service["command"]
    assert "allow_all" not in plain.Authenticator


def test_kubernetes_is_told_what_the_other_hubs_are():
    spawner, values = settings("students.py").Spawner, VALUES["singleuser"]
    assert [values["cmd"]] == spawner.cmd
    assert values["defaultUrl"] == spawner.default_url
    assert values["memory"] == {"guarantee": spawner.mem_guarantee, "limit": spawner.mem_limit}
    assert values["extraEnv"] == spawner.environment
    assert values["startTimeout"] == spawner.start_timeout
    idle = settings("jupyterhub_config.py").JupyterHub.services[0]["command"][-1]
    assert idle == f"--timeout={VALUES['cull']['timeout']}"


@pytest.mark.skipif(not SCHEMA.is_file(), reason="The schema of Zero to JupyterHub's values is no part of the book.")
def test_the_chart_knows_every_value():
    """What it requires besides stands in the chart's own values, which Helm merges with ours."""
    check = jsonschema.Draft7Validator(yaml.safe_load(SCHEMA.read_text("utf-8")))
    wrong = VALUES | {"cull": {"timeout": "an hour"}, "prepuller": {}}
    said = [[one.message for one in check.iter_errors(each) if one.validator != "required"] for each in (VALUES, wrong)]
    assert (said[0], len(said[1])) == ([], 2)


def test_the_link_brings_this_book_and_opens_its_first_page():
    (link,) = re.findall(r"https://your-hub/\S+", GUIDE)
    assert urlsplit(link).path == "/hub/user-redirect/git-pull"
    parameters = {name: value for name, (value,) in parse_qs(urlsplit(link).query).items()}
    assert parameters.pop("repo") == (addresses()["repository"] or "https://your-git-server/book")
    opened = f"lab/tree/{parameters['targetpath']}/"
    assert parameters.pop("urlpath").startswith(opened)
    assert (ROOT / link.rpartition(opened)[2]).is_file()
    assert parameters == {"branch": "main", "targetpath": "book"}


# --- images ----------------------------------------------------------------------------------------------------------


def instructions():
    """The Dockerfile's instructions, each a word and what stands behind it."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line and not line.startswith("#")]


def list_copies():
    """(sources, target) of every COPY."""
    for word, rest in instructions():
        if word == "COPY":
            *sources, target = [part for part in rest.split() if not part.startswith("--")]
            yield sources, target


def test_the_container_is_of_the_pinned_python_and_serves_the_first_page_with_a_token():
    found = dict(instructions())
    assert {word for word, _ in instructions()} == {"FROM", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "CMD"}
    python = re.fullmatch(r"python:(3\.\d+)\.\d+-slim-[a-z]+", found["FROM"])[1]
    assert f"python={python}" in (ROOT / "environment.yml").read_text("utf-8")
    assert found["USER"] == "student"
    command = json.loads(found["CMD"])
    assert command[:2] == ["jupyter", "lab"]
    assert not [flag for flag in command if "token" in flag or "password" in flag]
    (page,) = [flag.partition("/lab/tree/")[2] for flag in command if "default_url" in flag]
    ((_, target),) = [copy for copy in list_copies() if copy[0] == ["notebooks"]]
    assert page.startswith(f"{target}/")
    assert (ROOT / page).is_file()


def test_the_book_is_built_from_what_the_container_gets(tmp_path):
    """As deploy/install would in the container: without git, and without the files that are not copied."""
    here = tmp_path / "here"
    here.mkdir()
    before = instructions()[: [rest for _, rest in instructions()].index("deploy/install python")]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for word, rest in before:
        if word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                assert source not in ignored
                tree = (ROOT / source).is_dir()
                skip = shutil.ignore_patterns("__pycache__", "node_modules")
                (shutil.copytree(ROOT / source, here / target, ignore=skip) if tree else
                 shutil.copy(ROOT / source, here / target))  # fmt: skip
    code = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    made = subprocess.run([sys.executable, "-c", code], cwd=here, capture_output=True, text=True, timeout=600)
    assert made.returncode == 0, made.stderr
    wheel = here / made.stdout.splitlines()[-1]
    names = subprocess.run([sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True).stdout
    for pattern in ("nbcore/**/*.py", "workbook/**/*.py", "workbook/**/*.js"):
        assert [path for path in ROOT.glob(pattern) if path.relative_to(ROOT).as_posix() not in names] == []
    assert (here / "uv.lock").is_file()
    assert (here / "deploy" / "etc").is_dir()
    assert subprocess.run([sys.executable, "run.py", "--help"], cwd=here, capture_output=True).returncode == 0


def test_vs_code_and_codespaces_open_the_container():
    place = ROOT / ".devcontainer"
    container = json.loads((place / "devcontainer.json").read_text("utf-8"))
    assert (place / container["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"
    assert (place / container["build"]["context"]).resolve() == ROOT
    assert ("USER", container["remoteUser"]) in instructions()
    assert all((ROOT / page).is_file() for page in container["customizations"]["codespaces"]["openFiles"])


@linux
def test_the_clusters_image_is_binders_with_the_install_at_its_end(tmp_path):
    appendix = (DEPLOY / "appendix").read_text("utf-8")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "--appendix", appendix, str(ROOT)]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert made.returncode == 0, made.stderr
    text = made.stdout + made.stderr
    assert text.index("RUN ./binder/postBuild") < text.index("RUN deploy/install python")
    assert '--appendix "$(cat deploy/appendix)"' in GUIDE


# --- the load test ---------------------------------------------------------------------------------------------------


class Line:
    """A kernel that answers each message with a busy, what `says` gives for it, and an idle."""

    def __init__(self, says):
        self.says, self.waiting, self.sent = says, [], 0

    def send(self, text):
        head = json.loads(text)["header"]
        content = self.says(self.sent)
        self.sent += 1
        other = ("comm_msg", {"data": {"method": "update", "state": {"figure": {}}}}, "of another message")
        for kind, what, parent in (("status", {"execution_state": "busy"}, head["msg_id"]), other,
                                   *((*each, head["msg_id"]) for each in content),
                                   ("status", {"execution_state": "idle"}, head["msg_id"])):  # fmt: skip
            message = {"msg_type": kind, "content": what, "parent_header": {"msg_id": parent}}
            self.waiting.append(json.dumps(message))

    def recv(self):
        return self.waiting.pop(0)


def student(says):
    found = Student("http://127.0.0.1:1", "student", "")
    found.line, found.slider, found.view = Line(says), "slider", "view"
    return found


def test_a_step_without_a_new_figure_is_a_step_lost():
    drawn = "comm_msg", {"data": {"method": "update", "state": {"figure": {}, "sentence": ""}}}
    echo = "comm_msg", {"data": {"method": "echo_update", "state": {"figure": {}}}}
    seconds = student(lambda step: [echo] if step == 2 else [echo, drawn]).move([{"index": 1}, {"index": 2}], 4, 0.0)
    assert [each is None for each in seconds] == [False, False, True, False]


def test_a_step_counts_from_when_it_was_due_so_that_a_hung_server_is_not_spared():
    def says(step):
        time.sleep(0.2 if step == 0 else 0.0)
        return [("comm_msg", {"data": {"method": "update", "state": {"figure": {}}}})]

    seconds = student(says).move([{"index": 1}], 3, 0.05)
    assert seconds[0] >= 0.2
    assert seconds[1] >= 0.14
