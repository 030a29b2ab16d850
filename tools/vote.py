"""Shows a notebook with Voila while the class votes by phone: served.py vote FLAGS-OF-VOILA --vote[=ADDRESS[:PORT]]."""

import argparse
import asyncio
import os
import signal
import socket
import sys

from tools.files import ROOT
from workbook.vote.room import FULL, PER_ADDRESS, Room
from workbook.vote.server import Control, Phones

EXAMPLE = "192.0.2.1", 9  # an address for examples: nothing is sent there, the system only says which way it would go
OPENED = """The room votes at {url} as long as this runs.
This opens one port of this machine to everybody in its network: they see the question and can vote, nothing else.
Nobody gives a name, nothing is kept, and nothing is encrypted. Ctrl-C closes it."""
TROUBLE = """run.py: no vote at {address}: {problem}. Join the room's network, or say which of this machine's addresses
it shall be, e.g. --vote=192.168.1.5, or leave --vote out and count hands."""
SERVED = str(ROOT / "tools" / "served.py")
PATIENCE = 10.0  # s for Voila to close its kernels


def own_address() -> str:
    """Return this machine's address in the network that it is in."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(EXAMPLE)
        return probe.getsockname()[0]


def split_address(text: str) -> tuple[str, int]:
    """Return address and port (0: a free one); "any" or none is this machine's in its network."""
    address, _, port = text.partition(":")
    return (own_address() if address in ("", "any") else address), int(port or 0)


async def serve(address: str, port: int, per_address: int, flags: list[str]) -> int:
    """Run both servers and Voila, until Voila ends or somebody ends this."""
    room = Room(per_address)
    phones = Phones(room, address, port)
    control = Control(room, phones.url)
    print(OPENED.format(url=phones.url), flush=True)
    voila = await asyncio.create_subprocess_exec(
        sys.executable, "-P", SERVED, "voila", *flags, env=os.environ | {"NBCORE_VOTE": control.where}
    )
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    end, stop = asyncio.create_task(voila.wait()), asyncio.create_task(stopped.wait())
    await asyncio.wait({end, stop}, return_when=asyncio.FIRST_COMPLETED)
    phones.close()
    control.close()
    stop.cancel()
    if end.done():
        return await end
    if os.name != "nt":  # there the Ctrl-C has reached it, too, and `terminate` would leave its kernels behind
        voila.terminate()
    await asyncio.wait({end}, timeout=PATIENCE)
    if not end.done():
        voila.kill()
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("run.py present", allow_abbrev=False)
    parser.add_argument("--vote", nargs="?", const="any", default="any")
    parser.add_argument("--one-address", action="store_const", const=FULL, default=PER_ADDRESS)
    args, flags = parser.parse_known_args(arguments)
    try:
        return asyncio.run(serve(*split_address(args.vote), args.one_address, flags))
    except (OSError, ValueError, OverflowError) as problem:
        print(TROUBLE.format(address=args.vote, problem=problem), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
