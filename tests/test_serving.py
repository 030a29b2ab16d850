"""Servers as run.py starts them: who gets in, what they read, where they write, how they end."""

import contextlib
import json
import os
import signal
import site
import stat
import subprocess
import sys
import webbrowser
from pathlib import Path
from types import ModuleType

import psutil
import pytest
from jupyter_client import BlockingKernelClient
from jupyter_core import paths

from tools import running as running_server
from tools import served, settings
from tools import verbs as run

from .servers import CEILING, NAME, ROOT, VIEW, ask, book, command, free_port, page, running, until

POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has neither these signals nor these permissions.")
# What lets others in, as one may find it: no token, every address, every origin.
OPEN = {
    "IdentityProvider": {"token": ""},
    "PasswordIdentityProvider": {"hashed_password": "", "password_required": False},
    "ServerApp": {"ip": "0.0.0.0", "token": "", "password": "", "allow_origin": "*", "allow_remote_access": True,
                  "disable_check_xsrf": True, "allow_unauthenticated_access": True},
}
NAMES = "jupyter_config.json", "jupyter_server_config.json", "jupyter_lab_config.json"


def write_open_settings(folder):
    """Write a configuration that lets everybody in, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        (folder / name).write_text(json.dumps(OPEN))
    return str(folder)


@pytest.fixture
def hostile(tmp_path):
    """Make a book and variables on a machine whose settings let everybody in, wherever Jupyter looks."""
    here, home = book(tmp_path / "book"), tmp_path / "home"
    for folder in (here, here / ".jupyter", here / ".jupyter" / "config", here / ".jupyter" / "config" / "labconfig",
                   home / ".jupyter", home / ".local" / "etc" / "jupyter", home / ".config" / "jupyter"):
        write_open_settings(folder)
    (here / "random.py").write_text("raise RuntimeError('a file of the reader takes the place of one of Python')")
    elsewhere = write_open_settings(tmp_path / "elsewhere")
    env = {"HOME": home, "JUPYTER_CONFIG_PATH": elsewhere, "JUPYTER_CONFIG_DIR": elsewhere, "JUPYTER_TOKEN": "easy",
            "JUPYTER_DATA_DIR": elsewhere, "JUPYTER_RUNTIME_DIR": elsewhere, "JUPYTER_PATH": elsewhere,
            "JUPYTER_PREFER_ENV_PATH": "0", "JUPYTER_PLATFORM_DIRS": "1"}
    return here, {name: str(value) for name, value in env.items()}


# --- who gets in -----------------------------------------------------------------------------------------------------

def test_the_lab_lets_nobody_in_whatever_this_machine_is_set_to(hostile):
    """One JupyterLab for all that can be seen of one that runs."""
    here, env = hostile
    with running(here, "lab", **env) as lab:
        assert len(lab.token) >= 32
        assert lab.token != env["JUPYTER_TOKEN"]
        assert ask(lab.address + "/api/contents")[0] == 403
        status, headers, _ = ask(lab.address + "/lab")
        assert (status, headers["Location"].split("?")[0]) == (302, "/login")
        check_address(lab)
        check_origins(lab)
        check_first_page(lab)
        check_privacy(here)
        check_dead_widgets(lab, here)
        check_second_start(lab, here, env)
        lab.process.terminate()
        assert lab.process.wait(CEILING) == 0
        assert "eavesdropping" not in lab.output()
        assert "non-installed server" not in lab.output(), "no list of language servers"
    assert not list((here / ".jupyter" / "runtime").glob("*.json")), "no token, no kernel is left"


def check_address(server):
    if sys.platform == "linux":  # there every 127.x.x.x is this machine, and a server open to all would answer
        assert ask(server.address.replace("127.0.0.1", "127.0.0.2") + "/api") is None


def check_origins(lab):
    """A page of somebody else's in the reader's own browser, which sends the reader's cookie."""
    _, headers, _ = ask(f"{lab.address}/lab?token={lab.token}")
    cookies = "; ".join(line.split(";")[0] for line in headers.get_all("Set-Cookie"))
    status, headers, _ = ask(lab.address + "/api/contents", Cookie=cookies)
    assert (status, headers["Access-Control-Allow-Origin"]) == (200, None)
    for method, content in (("GET", None), ("POST", {"type": "file"})):
        response = ask(lab.address + "/api/contents", method, content, Cookie=cookies, Origin="http://evil.example")
        assert response[0] in (403, 404), method
    assert ask(lab.address + "/api/contents", "POST", {"type": "file"}, Cookie=cookies)[0] == 403, "no XSRF token"
    assert ask(lab.address + "/api/contents", Cookie=cookies, Host="evil.example")[0] == 403


def check_first_page(lab):
    status, headers, _ = ask(f"{lab.address}/?token={lab.token}")
    assert (status, headers["Location"].split("?")[0]) == (302, "/lab/tree/notebooks/00_start_here.ipynb")
    shown = lab.ask(headers["Location"].split("?")[0])[1]
    configured = json.loads(shown.partition('id="jupyter-config-data" type="application/json">')[2].partition("<")[0])
    assert configured["news"] == {"disabled": True}
    assert "@jupyterlab/apputils-extension:announcements" in configured["disabledExtensions"], "no pop-up over the page"
    assert configured["terminalsAvailable"] is True


def check_privacy(here):
    if os.name != "nt":
        folders = [here / ".jupyter", *(here / ".jupyter" / name for name in ("config", "data", "runtime"))]
        assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700] * 4
    assert list((here / ".jupyter" / "runtime").glob("jpserver-*.json"))


def check_dead_widgets(lab, here):
    """Their files stay as they are: links, odd numbers, permissions and all."""
    text = json.dumps(page("1", shown=[{VIEW: {"model_id": "old"}, "text/plain": "é"}, {VIEW: {"model_id": "sole"}}]))
    saved, link = here / "notebooks" / "02_two.ipynb", here / "notebooks" / "03_link.ipynb"
    saved.write_text(text, "utf-8")
    link.symlink_to(saved) if os.name != "nt" else link.write_text(text, "utf-8")
    saved.chmod(0o444)

    def widgets(name):
        cells = lab.ask(f"/api/contents/notebooks/{name}?content=1&type=notebook")[1]["content"]["cells"]
        return [output["data"][VIEW]["model_id"] for output in cells[0]["outputs"] if VIEW in output["data"]]

    assert widgets("02_two.ipynb") == widgets("03_link.ipynb") == ["sole"], "what has nothing beside it stays"
    assert saved.read_text("utf-8") == text
    assert link.is_symlink() == (os.name != "nt")
    assert not saved.stat().st_mode & stat.S_IWUSR
    check_log(lab)
    odd = {"04.ipynb": "{", "05.ipynb": '{"cells": 3}', "06.ipynb": "[" * 100_000, "07.ipynb": "",
           "08.ipynb": json.dumps(page("1", shown=[{VIEW: 3, "text/plain": "\ud800"}]))}
    for name, content in odd.items():
        (here / "notebooks" / name).write_text(content, "utf-8")
        assert lab.ask(f"/api/contents/notebooks/{name}?content=1&type=file&format=text")[0] == 200
        lab.ask(f"/api/contents/notebooks/{name}?content=1")
        assert (here / "notebooks" / name).read_text("utf-8") == content
    assert lab.ask("/api/status")[0] == 200, "none of them hurts the server"
    for name, data in (("11", {VIEW: 3, "a": "b"}), ("12", {VIEW: {}, "a": "b"}), ("13", {VIEW: ["x"], "a": "b"})):
        (here / "notebooks" / f"{name}.ipynb").write_text(json.dumps(page("1", shown=[data])), "utf-8")
        status, model = lab.ask(f"/api/contents/notebooks/{name}.ipynb?content=1&type=notebook")
        assert status == 200
        assert lab.ask(f"/api/contents/notebooks/{name}.ipynb", "PUT", model)[0] == 200

    # With a kernel: what was saved while it ran is alive, and what another process had is not.
    request = {"path": "notebooks/09.ipynb", "type": "notebook", "name": "", "kernel": {"name": "python3"}}
    status, session = lab.ask("/api/sessions", "POST", request)
    assert status == 201
    kernel = f"/api/kernels/{session['kernel']['id']}"
    check_kernel(here)
    live = page("1", shown=[{VIEW: {"model_id": "new"}, "text/plain": "a"}])
    for path in ("notebooks/09.ipynb", "notebooks/10.ipynb"):
        assert lab.ask(f"/api/contents/{path}", "PUT", {"type": "notebook", "content": live})[0] == 201
    assert (widgets("09.ipynb"), widgets("10.ipynb")) == (["new"], []), "the other page has no kernel"
    assert lab.ask(kernel + "/restart", "POST")[0] == 200
    check_kernel(here)
    assert widgets("09.ipynb") == []


def check_kernel(here):
    """Check that the kernel that runs answers those who have its key, and nobody else."""
    (connection,) = (here / ".jupyter" / "runtime").glob("kernel-*.json")
    assert os.name == "nt" or stat.S_IMODE(connection.stat().st_mode) == 0o600
    assert json.loads(connection.read_text())["curve_secretkey"]
    client = BlockingKernelClient(connection_file=str(connection))
    client.load_connection_file()
    client.start_channels(hb=False)  # on a busy machine its heart seems to stand still
    try:
        client.wait_for_ready(CEILING)
    finally:
        client.stop_channels()


def check_second_start(lab, here, env):
    second = subprocess.run(command(here, "lab", "--no-browser", "--port", str(lab.port)), cwd=here, text=True,
                            env=os.environ | env, capture_output=True, timeout=CEILING)
    assert second.returncode == 0, second.stderr
    assert f"The book is open already, from this folder: {lab.address}/?token={lab.token}" in second.stdout
    assert len(list((here / ".jupyter" / "runtime").glob("jpserver-*.json"))) == 1


def check_log(lab):
    output = lab.output()
    for word in ("Traceback", "WARNING", "disabled", "[E "):
        assert word not in output, output


@POSIX
def test_a_lecture_lets_nobody_in_and_ends_with_ctrl_c(hostile):
    here, env = hostile
    with running(here, "present", "02", **env) as lecture:
        assert len(lecture.token) >= 32
        assert ask(lecture.address + "/")[0] == 403
        check_address(lecture)
        status, headers, _ = ask(f"{lecture.address}/?token={lecture.token}")
        assert (status, headers["Location"]) == (302, "/")
        assert "<html" in ask(lecture.address + "/", Cookie=headers["Set-Cookie"].split(";")[0])[2]
        os.killpg(lecture.process.pid, signal.SIGINT)
        assert lecture.process.wait(CEILING) == 0
        assert "Traceback" not in lecture.output()
        assert ask(lecture.address + "/") is None


CONFIGURED = """import sys
from jupyter_core import paths
paths.SYSTEM_CONFIG_PATH[:] = [{folder!r}]
paths.ENV_CONFIG_PATH[:] = [{folder!r}]
from tools import served
sys.exit(served.main("--show-config-json"))"""


def test_the_configuration_of_the_machine_and_of_the_environment_is_not_read(tmp_path):
    """/etc/jupyter and .venv/etc/jupyter."""
    folder, own = write_open_settings(tmp_path / "etc"), tmp_path / "own"
    settings.write_configuration(own)
    code = CONFIGURED.format(folder=folder)
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, timeout=CEILING,
                           env=os.environ | {"JUPYTER_CONFIG_DIR": str(own)})
    assert ended.returncode == 0, ended.stderr
    read = json.loads(ended.stdout)
    assert read
    assert "IdentityProvider" not in read
    assert "0.0.0.0" not in ended.stdout


@pytest.fixture
def own(tmp_path, monkeypatch):
    """This process as one that is to become a server."""
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("ENV_CONFIG_PATH", "SYSTEM_CONFIG_PATH"):
        monkeypatch.setattr(paths, name, list(getattr(paths, name)))
    return tmp_path


@pytest.fixture
def labapp(own, monkeypatch):
    """Return the file that is imported as JupyterLab's program."""
    package = ModuleType("jupyterlab")
    package.__path__ = [str(own)]
    monkeypatch.setitem(sys.modules, "jupyterlab", package)
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    del sys.modules["jupyterlab.labapp"]
    return own / "labapp.py"


def test_a_server_that_would_read_settings_from_elsewhere_is_not_started(own, monkeypatch, capsys):
    monkeypatch.setattr(site, "ENABLE_USER_SITE", True)
    monkeypatch.setattr(site, "getuserbase", lambda: str(own / "user"))
    assert served.main() == 1
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert str(own / "user" / "etc" / "jupyter") in output
    assert "not started" in output


def test_a_server_that_the_system_stops_says_why(labapp, capsys):
    labapp.write_text("def main(flags): raise OSError(28, 'No space left on device', 'x')")
    assert served.main() == 1
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert "No space left on device: 'x'. Mend that" in output


@pytest.mark.parametrize(("fault", "words"), [
    ("from os import nothing", "ImportError: cannot import name 'nothing'"), ("import no_such", "ModuleNotFoundError"),
    ("def main(flags): return 1 / 0", "ZeroDivisionError"), ("x =", "SyntaxError"),
])
def test_a_server_that_breaks_off_says_what_to_do(labapp, capsys, fault, words):
    labapp.write_text(fault)
    assert served.main() == 1
    output = capsys.readouterr().err
    assert f"run.py: JupyterLab broke off ({words}" in output
    assert "python3 run.py setup" in output
    assert "Traceback" not in output


def test_ctrl_c_while_a_server_starts_is_no_fault(labapp, capsys):
    labapp.write_text("raise KeyboardInterrupt")
    assert served.main() == 130
    assert capsys.readouterr().err == "\nStopped.\n"


# --- how they end ----------------------------------------------------------------------------------------------------

def send_signals(server, *names, answer=b""):
    """Send signals, Ctrl-C to all processes as a terminal does it, and type an answer."""
    for name in names:
        if name == "SIGINT":
            os.killpg(server.process.pid, signal.SIGINT)
            until(lambda: "Shut down this Jupyter server" in server.output())
        else:
            server.process.send_signal(getattr(signal, name))
    os.write(server.keyboard, answer)


@contextlib.contextmanager
def start_with_kernel(folder):
    """Start JupyterLab with a kernel; yield it and the kernel's process."""
    with running(book(folder), "lab") as server:
        request = {"path": NAME, "type": "notebook", "name": "", "kernel": {"name": "python3"}}
        assert server.ask("/api/sessions", "POST", request)[0] == 201
        check_kernel(folder)
        (kernel,) = psutil.Process(server.process.pid).children(recursive=True)
        yield server, kernel


def is_gone(process):
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize(("names", "answer"), [
    (["SIGINT", "SIGINT"], b""), (["SIGINT"], b"y\n"), (["SIGTERM"], b""), (["SIGHUP"], b""), (["SIGKILL"], b""),
])
def test_a_lab_that_ends_leaves_no_kernel(tmp_path, names, answer):
    with start_with_kernel(tmp_path) as (server, kernel):
        send_signals(server, *names, answer=answer)
        server.process.wait(CEILING)
        until(lambda: is_gone(kernel))
        assert "Traceback" not in server.output()
        assert running_server.find_server(tmp_path) is None


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("answer", [b"", b"n\n"])
def test_one_ctrl_c_asks_and_without_a_yes_the_lab_goes_on(tmp_path, answer):
    with start_with_kernel(tmp_path) as (server, kernel):
        send_signals(server, "SIGINT", answer=answer)
        until(lambda: "resuming operation" in server.output())
        assert server.ask("/api/status")[0] == 200
        assert not is_gone(kernel)


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_lecture_that_ends_leaves_no_open_port(tmp_path, name):
    with running(book(tmp_path), "present", "00") as server:
        others = psutil.Process(server.process.pid).children(recursive=True)
        server.process.send_signal(getattr(signal, name))
        server.process.wait(CEILING)
        try:
            until(lambda: ask(server.address + "/") is None, 20)
        finally:
            for process in others:
                if not is_gone(process):
                    process.terminate()
        assert "Traceback" not in server.output()


# --- where their own files are ---------------------------------------------------------------------------------------

def test_the_readers_own_settings_of_jupyterlab_stay_and_a_configuration_that_came_there_goes(tmp_path):
    env = settings.make_variables(tmp_path, {})
    dark = Path(env["JUPYTERLAB_SETTINGS_DIR"]) / "themes.json"
    dark.write_text("{}")
    write_open_settings(Path(env["JUPYTER_CONFIG_DIR"]))
    assert settings.make_variables(tmp_path, {}) == env
    assert dark.exists()
    files = [file for file in Path(env["JUPYTER_CONFIG_DIR"]).rglob("*") if file.is_file()]
    assert not any("0.0.0.0" in file.read_text() for file in files)
    assert {str(file.relative_to(env["JUPYTER_CONFIG_DIR"])) for file in files} == {
        str(Path(name)) for name in settings.CONFIGURATION}


def test_beside_a_book_that_is_read_only_the_users_own_folder_serves(tmp_path, monkeypatch, capsys):
    (tmp_path / ".jupyter").touch()  # as good as read-only, also for root
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    (tmp_path / "home").mkdir()
    folder = settings.make_private_folder(tmp_path)
    assert folder == tmp_path / "home" / ".naive-bayes-workbook"
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert str(folder) in output


def test_without_a_home_either_a_temporary_folder_serves(tmp_path, monkeypatch, capsys):
    (tmp_path / ".jupyter").touch()
    (tmp_path / "file").touch()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(settings.tempfile, "tempdir", str(tmp_path / "tmp"))
    for home in (lambda: tmp_path / "file" / "home", lambda: (_ for _ in ()).throw(RuntimeError)):
        monkeypatch.setattr(Path, "home", home)
        assert settings.make_private_folder(tmp_path).parent == tmp_path / "tmp"
        assert "Download" in capsys.readouterr().err


@POSIX
@pytest.mark.slow
def test_with_a_home_that_cannot_be_written_in_the_lab_works(tmp_path):
    (tmp_path / "file").touch()  # as good as read-only, also for root
    here = book(tmp_path / "book")
    with running(here, "lab", HOME=str(tmp_path / "file" / "home")) as lab:
        request = {"path": NAME, "type": "notebook", "name": "", "kernel": {"name": "python3"}}
        assert lab.ask("/api/sessions", "POST", request)[0] == 201
        check_kernel(here)
        check_log(lab)


@POSIX
def test_a_disk_that_keeps_nothing_from_others_is_no_place_for_a_token(tmp_path, monkeypatch):
    assert settings.is_private(tmp_path / "one")
    monkeypatch.setattr(Path, "chmod", lambda *_: None)  # as on a stick with FAT
    (tmp_path / "two").mkdir(0o755)
    assert not settings.is_private(tmp_path / "two")


# --- the one that runs already ---------------------------------------------------------------------------------------

def write_note(folder, **server):
    """Write the file that a server of this folder leaves while it runs."""
    runtime = folder / ".jupyter" / "runtime"
    runtime.mkdir(parents=True, exist_ok=True)
    (runtime / "jpserver-7.json").write_text(json.dumps({"root_dir": str(folder), "token": "t"} | server))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"root_dir": 3}', '{"root_dir": "/nowhere"}', "\ud800"])
def test_a_note_that_makes_no_sense_is_passed_over(tmp_path, monkeypatch, content):
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    write_note(tmp_path)
    (tmp_path / ".jupyter" / "runtime" / "jpserver-7.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    assert running_server.find_server(tmp_path) is None


@POSIX
def test_the_notes_of_another_user_are_passed_over(tmp_path, monkeypatch):
    write_note(tmp_path, url="http://127.0.0.1:1/")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    (tmp_path / ".jupyter").chmod(0)
    root = os.geteuid() == 0
    try:
        if root:  # who may read everything
            os.seteuid(65534)
        assert running_server.find_server(tmp_path) is None
    finally:
        if root:
            os.seteuid(0)
        (tmp_path / ".jupyter").chmod(0o700)


def test_a_dead_server_is_passed_over_and_so_is_another_program_at_its_port(tmp_path, httpserver_like):
    write_note(tmp_path, url=f"http://127.0.0.1:{free_port()}/")
    assert running_server.find_server(tmp_path) is None
    write_note(tmp_path, url=httpserver_like(b"<p>hello"))
    assert running_server.find_server(tmp_path) is None
    write_note(tmp_path, url=httpserver_like(b'{"started": "now"}'))
    assert running_server.find_server(tmp_path)[0].endswith("/?token=t")
    write_note(tmp_path, url=httpserver_like(b'{"started": "now"}'), root_dir=str(tmp_path.parent))
    assert running_server.find_server(tmp_path) is None, "a server of another folder"


@pytest.fixture
def httpserver_like():
    """Make servers that answer with one text; give their addresses."""
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    made = []

    def serve(says):
        class Says(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(says)

            def log_message(self, *_):
                pass

        made.append(HTTPServer(("127.0.0.1", 0), Says))
        threading.Thread(target=made[-1].serve_forever, args=[0.05]).start()
        return f"http://127.0.0.1:{made[-1].server_port}/"

    yield serve
    for server in made:
        server.shutdown()
        server.server_close()


def test_it_is_opened_by_a_file_so_that_no_list_of_processes_shows_its_token(tmp_path, monkeypatch, capsys):
    addresses = []
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address))
    running_server.open_page("http://127.0.0.1:1/?token=t", tmp_path / "open.html", browser=True)
    (tmp_path / "open.html").touch()
    running_server.open_page("http://127.0.0.1:1/?token=t", tmp_path / "open.html", browser=True)
    running_server.open_page("http://127.0.0.1:1/?token=t", tmp_path / "open.html", browser=False)
    assert addresses == ["http://127.0.0.1:1/?token=t", (tmp_path / "open.html").as_uri()]
    assert capsys.readouterr().out.count("No web browser was found") == 2


def test_lab_opens_the_one_that_runs_before_anything_is_installed_or_looked_at(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(running_server, "find_server", lambda root: ("http://127.0.0.1:1/?token=t", tmp_path))
    monkeypatch.setattr(run, "ensure", lambda lock: pytest.fail("installed"))
    assert run.main(["lab", "--no-browser", "--port", "1"]) == 0
    assert "open already" in capsys.readouterr().out
