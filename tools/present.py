"""Show a lecture: run.py present [02 | 45 | NAME.toml] [--vote[=ADDRESS[:PORT]]]."""

from __future__ import annotations

import argparse
import asyncio
import signal
import socket
import sys
import tempfile
import webbrowser
from pathlib import Path
from subprocess import DEVNULL

from workbook.lectures import Lecture, LectureError, find, known
from workbook.present.server import Server
from workbook.vote.room import FULL, PER_ADDRESS, Room
from workbook.vote.server import Phones

EXAMPLE = "192.0.2.1", 9  # an address for examples: nothing is sent there, the system only says which way it would go
OPENED = """The room votes at {url} as long as this runs.
This opens one port of this machine to everybody in its network: they see the question and can vote, nothing else.
Nobody gives a name, nothing is kept, and nothing is encrypted."""
TROUBLE = """no vote at {address}: {problem}. Join the room's network, or say which of this machine's addresses
it shall be, e.g. --vote=192.168.1.5, or leave --vote out and count hands."""


def own_address() -> str:
    """Return this machine's address in the network that it is in."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(EXAMPLE)
        return probe.getsockname()[0]


def split_address(text: str) -> tuple[str, int]:
    """Return address and port (0: a free one); "any" or none is this machine's in its network."""
    address, _, port = text.partition(":")
    return (own_address() if address in ("", "any") else address), int(port or 0)


async def print_scenes(server: Server, file: Path, paper: str) -> None:
    """Print all scenes, one a sheet."""
    from workbook.site import handout  # it needs more than a lecture does

    if (browser := handout.chromium()) is None:
        raise LectureError(handout.NO_BROWSER)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        command = browser, *handout.FLAGS, "--window-size=1400,900", f"--user-data-dir={home}", f"--print-to-pdf={file}"
        await (await asyncio.create_subprocess_exec(*command, f"{server.url}&paper={paper}", stderr=DEVNULL)).wait()
    print(f"The scenes are {file}.")


async def show(lecture: Lecture, args: argparse.Namespace) -> int:
    """Serve a lecture, and its votes, until somebody ends this."""
    phones = None
    if args.vote is not None:
        try:
            phones = Phones(Room(args.one_address), *split_address(args.vote))
        except (OSError, ValueError, OverflowError) as problem:
            raise LectureError(TROUBLE.format(address=args.vote, problem=problem)) from problem
        print(OPENED.format(url=phones.url))
    lecture = Lecture(lecture.name, lecture.title, tuple(s for s in lecture.scenes if not (args.pdf and s.room)))
    server = Server(lecture, phones, args.port)
    print(f"{lecture.title}: {len(lecture.scenes)} scenes, {lecture.minutes:g} minutes", flush=True)
    try:
        if args.pdf:
            await print_scenes(server, args.pdf.resolve(), "answers" if args.answers else "questions")
            return 0
        print(f"{server.url}\nCtrl-C ends it.", flush=True)
        stopped, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
        if args.browser:
            webbrowser.open(server.url)
        await stopped.wait()
    finally:
        for each in filter(None, (server, phones)):
            each.close()
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("run.py present", allow_abbrev=False, epilog=f"Lectures: {', '.join(known())}.")
    parser.add_argument("lecture", nargs="?", default="45", help="a chapter, minutes for the whole book, or NAME.toml")
    parser.add_argument("--vote", nargs="?", const="any", help="let phones in this machine's network vote")
    parser.add_argument("--one-address", action="store_const", const=FULL, default=PER_ADDRESS, help="phones share one")
    parser.add_argument("--port", type=int, default=0, help="of the page, on this machine only")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="print the scenes to a PDF instead")
    parser.add_argument("--answers", action="store_true", help="with the answers, in the PDF")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="print the address only")
    args = parser.parse_args(arguments)
    try:
        return asyncio.run(show(find(args.lecture), args))
    except (LectureError, OSError) as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
