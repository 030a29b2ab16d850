"""Firefox and WebKit, driven by their own WebDriver: pages opened, keys and pointer moved, scripts asked."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

WEBKIT = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
TO_HTTP = {"WebDriver:Navigate": "url", "WebDriver:ExecuteScript": "execute/sync", "WebDriver:SwitchToFrame": "frame",
           "WebDriver:PerformActions": "actions"}  # fmt: skip
KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Enter": "\ue007", "Space": " ", "Tab": "\ue004"}


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Engine:
    """A browser with one page; `close` ends it."""

    def open(self, page, folder, base, size):
        """Open a page of a site in a frame of this size: no window of Firefox is as narrow as a phone."""
        style = "border: 0; width: {width}px; height: {height}px".format(**size)
        (folder / "frame.html").write_text(f'<body style="margin: 0"><iframe style="{style}" src="{page}"></iframe>')
        self.command("WebDriver:Navigate", url=f"{base}/frame.html?{page}{size}")  # not what it has kept
        self.command("WebDriver:SwitchToFrame", id=0)

    def ask(self, script, *arguments):
        """What a function body returns in the page."""
        return self.command("WebDriver:ExecuteScript", script=script, args=list(arguments))

    def wait(self, script, *arguments, seconds=20):
        """Wait until a function body returns something true, and return it."""
        end = time.monotonic() + seconds
        while not (found := self.ask(script, *arguments)):
            assert time.monotonic() < end, f"after {seconds} s: {script}"
            time.sleep(0.05)
        return found

    def press(self, *keys):
        told = [dict(type=way, value=KEYS.get(key, key)) for key in keys for way in ("keyDown", "keyUp")]
        self.command("WebDriver:PerformActions", actions=[dict(type="key", id="keys", actions=told)])

    def drag(self, start, end=None):
        """Press the pointer at a place of the view, move it to another if there is one, let go."""
        down, up = dict(type="pointerDown", button=0), dict(type="pointerUp", button=0)
        moves = [dict(type="pointerMove", x=round(x), y=round(y), duration=50) for x, y in (start, end or start)]
        told = [moves[0], down, moves[1], up]
        self.command("WebDriver:PerformActions", actions=[
            dict(type="pointer", id="mouse", parameters=dict(pointerType="mouse"), actions=told)])  # fmt: skip


class Firefox(Engine):
    """Speaks Marionette: a length, a colon, and [0, number, command, parameters] as JSON."""

    def __init__(self, folder):
        port = free_port()
        (folder / "user.js").write_text(f'user_pref("marionette.port", {port});')
        self.process = subprocess.Popen(["firefox-esr", "--headless", "--marionette", "--profile", folder],
                                        env=os.environ | {"MOZ_HEADLESS_WIDTH": "1400", "MOZ_HEADLESS_HEIGHT": "1000"},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        for _ in range(300):
            try:
                self.line = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except OSError:
                time.sleep(0.1)
        self.read, self.number = self.line.makefile("rb"), 0
        self.answer()
        self.command("WebDriver:NewSession")

    def answer(self):
        digits = b""
        while (byte := self.read.read(1)) != b":":
            digits += byte
        return json.loads(self.read.read(int(digits)))

    def command(self, name, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.line.sendall(b"%d:%b" % (len(text), text))
        _, _, error, result = self.answer()
        assert error is None, error
        return result.get("value", result)

    def picture(self):
        return base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False))

    def close(self):
        self.read.close()
        self.line.close()
        self.process.terminate()
        self.process.wait()


class WebKit(Engine):
    """Speaks WebDriver by HTTP; needs a screen: Xvfb."""

    def __init__(self, folder):
        port, self.number = free_port(), f":{90 + os.getpid() % 900}"
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        env = os.environ | {"DISPLAY": self.number, "XDG_CACHE_HOME": str(folder)}
        self.processes = [subprocess.Popen(["Xvfb", self.number, "-screen", "0", "2000x1400x24"], **quiet),
                          subprocess.Popen(["WebKitWebDriver", f"--port={port}"], env=env, **quiet)]  # fmt: skip
        self.base = f"http://127.0.0.1:{port}/session"
        options = {"webkitgtk:browserOptions": dict(binary=str(WEBKIT), args=["--automation"])}
        for _ in range(100):
            try:
                made = self.request("", dict(capabilities=dict(alwaysMatch=options)))
                break
            except OSError:
                time.sleep(0.1)
        self.base += "/" + made["sessionId"]
        self.request("/window/rect", dict(x=0, y=0, width=1400, height=1000))

    def request(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)["value"]

    def command(self, name, **parameters):
        return self.request(f"/{TO_HTTP[name]}", parameters)

    def picture(self):
        return base64.b64decode(self.request("/screenshot"))

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()


ENGINES = {"firefox": (Firefox, shutil.which("firefox-esr")), "webkit": (WebKit, WEBKIT and shutil.which("Xvfb"))}
