"""A site as its readers have it: on disk and behind a web server, in pages that tell every error and every request."""

import functools
import http.server
import threading
from contextlib import contextmanager

WIDE, NARROW = {"width": 1280, "height": 720}, {"width": 390, "height": 844}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    """Where the site is, by the way to it: {"file": address, "http": address}."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {"file": folder.as_uri(), "http": f"http://127.0.0.1:{server.server_port}"}
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def watched(browser, bases, without="", **options):
    """open(name, base, ...) gives a page; at the end none had an error, and none asked for anything from elsewhere.

    without: a script that is empty, for pages as they are without it. options: of the browser's contexts.
    """
    faults, contexts = [], []

    def open(name, base="file", viewport=WIDE, scheme="light"):
        context = browser.new_context(viewport=viewport, color_scheme=scheme, **options)
        contexts.append(context)
        if without:
            context.route(f"**/{without}*", lambda route: route.fulfill(body="", content_type="text/javascript"))
        page = context.new_page()
        page.on("console", lambda said: said.type in ("error", "warning") and faults.append(f"{name}: {said.text}"))
        page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
        page.on("request", lambda asked: asked.url.startswith(bases[base]) or faults.append(f"{name}: {asked.url}"))
        page.goto(f"{bases[base]}/{name}")
        return page

    yield open
    for context in contexts:
        context.close()
    assert faults == []
