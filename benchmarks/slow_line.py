"""On a slow line: from key press to redraw with 150 ms between browser and kernel, and without."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from urllib.parse import urlsplit

import numpy as np

from . import Row, Run, Task, compared, spread
from .browser import FIGURE, desk, notebook, press

GOAL = 1.3
DELAY = 0.075  # s in each direction
BLOCKS = 4  # after one that warms up
CALM = 600  # ms between two presses: the kernel's answer has come, and the frames ahead of it
EXPLORERS = ("FactorBounds", "Smoothing", "Reliability")


def tasks(_) -> list[Task]:
    return [Task("slow line", slow_line)]


def slow_line(run: Run) -> Iterator[Row]:
    """Two notebooks of one server, one reached through a line that delays; short blocks in turn."""
    address = desk(run)[2]
    slow = run.stack.enter_context(delayed(address))
    cells = [f"from workbook.explorers import {name}Explorer\n{name}Explorer()" for name in EXPLORERS]
    pages = [notebook(run, name, cells, to).page for name, to in (("slow_line", slow), ("local_line", address))]
    for number, name in enumerate(EXPLORERS):
        times = [[], []]
        for block in range(BLOCKS + 1):
            run.say(f"    {name}, block {block} of {BLOCKS}")
            for side, page in enumerate(pages):
                page.bring_to_front()
                place = page.locator(".nb-explorer").nth(number)
                way = "Right" if block % 2 else "Left"
                presses = press(page, place, place.locator(FIGURE), run.repeats(6), way, CALM)
                times[side] += presses if block else []  # the first block warms up
        yield compared(f"slow line ({2e3 * DELAY:g} ms to and fro), {name}Explorer | local, {len(times[0])} presses",
                       *map(np.array, times), GOAL, show=spread)  # fmt: skip


@contextmanager
def delayed(address: str) -> Iterator[str]:
    """An address that leads to another one, `DELAY` later in each direction; as many bytes a second as before."""
    target, loop = urlsplit(address), asyncio.new_event_loop()

    async def carry(reader, writer):
        """Whatever comes, in its order, each piece `DELAY` after it came."""
        due: asyncio.Queue = asyncio.Queue()

        async def deliver():
            while True:
                at, data = await due.get()
                await asyncio.sleep(at - loop.time())
                writer.write(data) if data else writer.close()
                if not data:
                    return

        delivery = loop.create_task(deliver())
        try:
            while data := await reader.read(1 << 16):
                due.put_nowait((loop.time() + DELAY, data))
        except ConnectionError:
            pass
        due.put_nowait((loop.time() + DELAY, b""))
        await delivery

    async def connect(reader, writer):
        there, back = await asyncio.open_connection(target.hostname, target.port)
        try:
            await asyncio.gather(carry(reader, back), carry(there, writer), return_exceptions=True)
        except asyncio.CancelledError:  # hung up: asyncio would print it as an error
            pass
        finally:
            for end in (back, writer):
                end.close()

    thread = Thread(target=loop.run_forever, daemon=True)  # the browser's driver has a loop in this one
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(connect, "127.0.0.1", 0), loop).result()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(hang_up(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def hang_up(server: asyncio.Server) -> None:
    """End the connections that are still open."""
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0)  # a closed socket goes at the loop's next turn
