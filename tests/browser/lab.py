"""A real JupyterLab and a real Chromium, driven as a reader drives them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "only-for-tests"
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},  # no pop-up over the page
    "notebook-extension/tracker": {"windowingMode": "none"},  # cells stay on the page when they scroll away
}
ERROR = "[data-mime-type='application/vnd.jupyter.error']"
# Every code cell has its number, or one of them has failed.
RAN = f"""() => document.querySelector("{ERROR}") || (prompts =>
    prompts.length && prompts.every(prompt => /\\[\\d+\\]/.test(prompt.innerText))
)([...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")])"""
READABLE = {"width": 1280, "height": 720}
OPEN = "path => { jupyterapp.commands.execute('docmanager:open', { path }) }"  # on a page that JupyterLab is on
CLOSE = """async () => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.sessionContext.shutdown();
  panel.dispose();
  received.length = 0;
  unanswered.clear();
}"""
FOLD = """explorer => document.querySelectorAll(".jp-Cell").forEach((cell) => {
  cell.style.display = cell.contains(explorer) ? "" : "none";
})"""
UNFOLD = """document.querySelectorAll(".jp-Cell").forEach((cell) => { cell.style.display = ""; })"""
CEILING = 300  # s: nothing is expected to take so long; what does has hung
LOOK = 100  # ms between two looks at a page that waits for its kernel; to look in every frame takes a whole core
# In every page: the changes that were sent to a kernel and have no answer yet, and the size of every message received.
WIRE = """(() => {
  const unanswered = (globalThis.unanswered = new Set());
  const received = (globalThis.received = []);
  // v1.kernel.websocket.jupyter.org: how many offsets, the offsets, then channel, header, parent, metadata, content.
  const read = (data) => {
    const at = (i) => Number(new DataView(data).getBigUint64(8 * (i + 1), true));
    const part = (i) => new TextDecoder().decode(new Uint8Array(data, at(i), at(i + 1) - at(i)));
    return { of: JSON.parse(part(1)), to: JSON.parse(part(2)), says: () => JSON.parse(part(4)) };
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...where) {
      super(...where);
      this.addEventListener("message", ({ data }) => {
        received.push(data.byteLength ?? data.length);
        if (!(data instanceof ArrayBuffer)) return;
        const { of, to, says } = read(data);
        if (of.msg_type === "status" && says().execution_state === "idle") unanswered.delete(to.msg_id);
      });
    }
    send(data) {
      const message = data instanceof ArrayBuffer ? read(data).of : {};
      if (message.msg_type === "comm_msg") unanswered.add(message.msg_id);
      super.send(data);
    }
  };
})()"""
# All that is drawn, pixels included; not what a hovering or dragging reader adds to it.
DRAWN = """figure => [".nb-legend", ".nb-marks", ".nb-notes"].map((name) => figure.querySelector(name).innerHTML)
    .concat([...figure.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL())).join()"""
# Whatever stands in a figure as text.
TEXTS = ".nb-marks text, .nb-notes > div, .nb-legend > span, .nb-formula, .nb-formula :not(sub, sup)"
# The kernel has answered every change, no explorer fits or draws, and that is so for three frames: what an answer sets
# off on the page has happened.
SETTLED = """async (ceiling) => {
  const busy = () => unanswered.size || document.querySelector(".nb-waiting, .nb-figure[aria-busy=true]");
  for (let calm = 0, start = performance.now(); calm < 3; calm = busy() ? 0 : calm + 1) {
    if (performance.now() - start > ceiling) throw new Error("the page is still busy");
    await new Promise((done) => (busy() ? setTimeout(done, 10) : requestAnimationFrame(done)));
  }
}"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def watch(page) -> None:
    """Before a page goes anywhere: `settle` works on it, and what hangs on it fails."""
    page.set_default_timeout(1000 * CEILING)
    page.add_init_script(WIRE)


@contextmanager
def server(folder: Path, home: Path):
    """JupyterLab on `folder`, with settings of its own in `home`; yields its address."""
    port = free_port()
    for plugin, settings in SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings))
    places = {name: str(home / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    places |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "NBCORE_PROGRESS": str(home / "progress.json")}
    command = [sys.executable, "-m", "jupyterlab", f"--IdentityProvider.token={TOKEN}", "--ServerApp.port_retries=0",
               f"--ServerApp.root_dir={folder}", "--ServerApp.ip=127.0.0.1", "--LabApp.news_url=None",
               "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.expose_app_in_browser=True",
               "--allow-root", f"--port={port}", "--no-browser"]  # fmt: skip
    with (home / "lab.log").open("w") as log:
        process = subprocess.Popen(command, env=os.environ | places, stdout=log, stderr=subprocess.STDOUT)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/api?token={TOKEN}", process, home / "lab.log")
            yield address
        finally:
            process.terminate()
            process.wait(CEILING)


def _wait_for(url: str, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + CEILING
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the server does not answer:\n{log.read_text()[-2000:]}")


class Notebook:
    """One notebook open in JupyterLab, and everything on its page that a reader would call broken.

    page: a new one, or one on which JupyterLab has closed another notebook: it takes longer to load than they take.
    """

    def __init__(self, page, address: str, name: str):
        self.page, self.errors, self.strangers = page, [], []
        self._heard = {
            "console": lambda message: message.type == "error" and self.errors.append(message.text),
            "pageerror": lambda error: self.errors.append(str(error)),
            "request": lambda request: self._note(request.url),
        }
        for event, hear in self._heard.items():
            page.on(event, hear)
        self.address = f"{address}/lab/tree/{name}?reset&token={TOKEN}"
        if page.url == "about:blank":
            watch(page)
            self.open()
        else:
            page.evaluate(OPEN, name)
            self._wait_until_open()

    def _note(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.strangers.append(url)

    def open(self) -> None:
        """Open the page, or load it again: this notebook alone, not what JupyterLab remembers of other pages."""
        self.page.goto(self.address)
        self._wait_until_open()

    def close(self) -> None:
        """End its kernel and leave JupyterLab to the next one."""
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)
        self.page.evaluate(CLOSE)

    def _wait_until_open(self) -> None:
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        self.wait_idle()

    def wait_idle(self) -> None:
        # The status bar tells the truth; the notebook's own execution indicator does not.
        self.page.wait_for_selector("#jp-main-statusbar :text('| Idle')")

    def run_all(self) -> None:
        """Run > Run All Cells, and wait until every code cell has its number."""
        self.page.click(".lm-MenuBar-itemLabel:text-is('Run')")
        self.page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
        self.page.wait_for_function(RAN, polling=LOOK)
        assert not self.error_outputs, self.error_outputs
        self.wait_idle()

    def wait_for_figures(self) -> None:
        wait_for_figures(self.page)

    @property
    def error_outputs(self) -> list[str]:
        return self.page.locator(f"{ERROR}, [data-mime-type='application/vnd.jupyter.stderr']").all_inner_texts()

    def explorers(self) -> list[Explorer]:
        return one_of_each(self.page)


def wait_for_figures(page) -> None:
    """Every explorer of a page has drawn its first frame."""
    page.wait_for_function(
        "() => (figures => figures.length && figures.every(figure => figure.dataset.frames))"
        "([...document.querySelectorAll('.nb-explorer .nb-figure')])",
        polling=LOOK,
    )


def settle(page) -> None:
    """Wait until the page shows what was last asked of it."""
    page.evaluate(SETTLED, 1000 * CEILING)


def one_of_each(page) -> list[Explorer]:
    """The first explorer of every kind on a page; kinds differ in their presets."""
    found = {}
    for element in page.locator("css:light=.nb-explorer").all():
        explorer = Explorer(element)
        found.setdefault(tuple(button.inner_text() for button in explorer.presets()), explorer)
    return list(found.values())


@contextmanager
def alone(explorer: Explorer) -> Iterator[None]:
    """All other cells folded away: to move the sliders of one notebook took Chromium a third less CPU so."""
    explorer.element.evaluate(FOLD)
    try:
        yield
    finally:
        explorer.page.evaluate(UNFOLD)


class Explorer:
    """One explorer on the page."""

    def __init__(self, element):
        self.element, self.page = element, element.page
        self.figure = element.locator("css:light=.nb-figure")

    def sliders(self):
        return self.element.locator("css:light=.widget-slider:not(:has([disabled])) [role=slider]").all()

    def presets(self):
        return self.element.locator("css:light=.nb-presets button:not(:has(i))").all()

    def text_fields(self):
        return self.element.locator("css:light=input[type=text]:not([disabled])").all()

    def selects(self):
        return self.element.locator("css:light=select:not([disabled])").all()

    def button(self, name: str):
        return self.element.locator(f"css:light=button:text-is({name!r})")

    def press(self, control, key: str) -> None:
        control.focus()
        self.page.keyboard.press(key)

    def click(self, name: str) -> None:
        self.button(name).click()
        self.wait_until_still()

    def choose(self, preset) -> None:
        """Press a preset's button by keyboard, and see its caption."""
        self.press(preset, "Enter")
        self.wait_until_still()
        assert self.caption() == preset.get_attribute("title")
        assert self.error() == ""

    def sentence(self) -> str:
        return self.element.locator("css:light=.nb-sentence").inner_text()

    def caption(self) -> str:
        return self.element.locator("css:light=.nb-caption").inner_text()

    def error(self) -> str:
        return self.element.locator("css:light=.nb-error").text_content()

    def frames(self) -> int:
        return int(self.figure.get_attribute("data-frames"))

    def seen(self) -> tuple[str, str]:
        """What the reader sees: the drawing itself, and the sentence."""
        return self.figure.evaluate(DRAWN), self.sentence()

    def wait_until_still(self) -> None:
        settle(self.page)

    def height(self) -> float:
        return self.element.bounding_box()["height"]

    def cut_values(self) -> list[str]:
        """Values beside sliders of which the edge of the explorer cuts off a part."""
        return self.element.evaluate(
            """element => [...element.querySelectorAll(".widget-readout")].filter(e => {
                const text = document.createRange();
                text.selectNodeContents(e);
                const box = text.getBoundingClientRect(), frame = element.getBoundingClientRect();
                return e.offsetParent && (box.right > frame.right + 1 || e.scrollWidth > e.clientWidth + 1);
            }).map(e => e.parentElement.textContent)"""
        )

    def clipped(self) -> list[str]:
        """Sliders too short to use, controls and values that do not fit, texts that stick out of the figure."""
        return self.cut_values() + self.element.evaluate(
            """(element, texts) => [
                ...[...element.querySelectorAll(".noUi-target")]
                    .filter(e => e.offsetParent && e.clientWidth < 90).map(() => "slider"),
                ...[...element.querySelectorAll(".widget-label, button")]
                    .filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent),
                ...[...element.querySelectorAll(texts)].filter(text => {
                    const box = text.getBoundingClientRect(), frame = element.getBoundingClientRect();
                    return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1);
                }).map(e => e.textContent),
            ]""",
            TEXTS,
        )
