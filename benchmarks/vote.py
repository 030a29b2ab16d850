"""The room votes: phones that all vote within some seconds, over loopback. The server has a process of its own."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from time import perf_counter

import numpy as np

from workbook.questions.phones import Phones

from . import ROOT, Row, Run, Task, ms

PHONES, SECONDS = 300, 10.0
OPTIONS = "A thing", "another", "a third", "a fourth"
CEILING = 60.0  # s after the last vote was sent: what takes longer has hung
EVERY = 2.0  # s between a phone's questions to the server, as in phone.js
SERVER = """
import asyncio, sys, time
from workbook.vote.room import Room
from workbook.vote.server import Control, Phones

async def serve(per_address):
    room = Room(per_address)
    phones = Phones(room, "127.0.0.1")
    control = Control(room, phones.url)
    print(control.where, flush=True)
    begun = time.process_time()
    await asyncio.to_thread(sys.stdin.readline)
    print(time.process_time() - begun, flush=True)

asyncio.run(serve(int(sys.argv[1])))
"""


@contextmanager
def served(per_address: int) -> Iterator[tuple[Phones, list[float]]]:
    """The lecturer's side of a voting server, and a list that holds its seconds of CPU once it has ended."""
    command = [sys.executable, "-c", SERVER, str(per_address)]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with subprocess.Popen(command, cwd=ROOT, **pipes) as process:
        cpu: list[float] = []
        try:
            yield Phones(**json.loads(process.stdout.readline())), cpu
            process.stdin.write("\n")
            process.stdin.flush()
            cpu.append(float(process.stdout.readline()))
        finally:
            process.kill()


@dataclass
class Load:
    """What became of the votes. sent: option -> how many phones chose it; seconds: of each answer to a vote."""

    sent: Counter
    counted: list[int]
    seconds: list[float]
    requests: int
    took: float
    cpu: float = 0.0

    def lost(self) -> int:
        """Votes that were not counted for their option, and votes that nobody sent."""
        return sum(abs(self.sent[k] - n) for k, n in enumerate(self.counted))


class Phone:
    """A phone as phone.js is one: it loads the page, asks for the state, and sends its vote until that has arrived."""

    def __init__(self, url: str):
        self.host, _, code = url.removeprefix("http://").partition("/")
        self.path, self.cookie, self.requests = f"/{code}", "", 0

    async def ask(self, method: str, what: str = "", told: dict | None = None) -> tuple[int, str]:
        """Status and text of an answer; 0 and none if the connection was refused or cut."""
        self.requests += 1
        body = json.dumps(told) if told else ""
        head = [f"{method} {self.path}{what} HTTP/1.1", f"Host: {self.host}", f"Content-Length: {len(body)}",
                f"Origin: http://{self.host}", "Content-Type: application/json", f"Cookie: {self.cookie}"]  # fmt: skip
        address, _, port = self.host.partition(":")
        try:
            reader, writer = await asyncio.open_connection(address, int(port))
            writer.write("\r\n".join([*head, "", body]).encode())
            answer = (await reader.read()).decode()
            writer.close()
        except OSError:
            answer = ""
        top, _, text = answer.partition("\r\n\r\n")
        for line in top.splitlines():
            if line.lower().startswith("set-cookie:"):
                ((name, cookie),) = SimpleCookie(line.partition(":")[2].strip()).items()
                self.cookie = f"{name}={cookie.value}"
        return int(top.split()[1]) if top else 0, text

    async def vote(self, number: int, option: int) -> float:
        """Until it is counted; how long that took."""
        start = perf_counter()
        while True:
            status, _ = await self.ask("POST", "/vote", dict(ballot=number, option=option))
            if status == 200:
                return perf_counter() - start
            await asyncio.sleep(EVERY)

    async def join(self, after: float, until: float, option: int) -> tuple[int, float]:
        """Come in, follow, vote after some seconds, follow on; the option and how long its vote took."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while (await self.ask("GET"))[0] != 200:
            await asyncio.sleep(EVERY)
        took = None
        while took is None or loop.time() < begun + until:
            status, text = await self.ask("GET", "/state")
            state = json.loads(text) if status == 200 else {"open": False}
            if took is None and state["open"] and loop.time() - begun >= after:
                took = await self.vote(state["number"], option)
            left = begun + (after if took is None and loop.time() < begun + after else until) - loop.time()
            await asyncio.sleep(max(0.0, min(left, EVERY * random.uniform(0.75, 1.25))))
        return option, took


def load(phones: int, seconds: float) -> Load:
    """So many phones, each of which votes at some moment of these seconds."""
    rng = random.Random(phones)

    async def run(lecturer):
        crowd = [Phone(lecturer.url) for _ in range(phones)]
        joined = [phone.join(rng.uniform(0, 0.95 * seconds), seconds, rng.randrange(len(OPTIONS))) for phone in crowd]
        votes = await asyncio.wait_for(asyncio.gather(*joined), seconds + CEILING)
        return votes, sum(phone.requests for phone in crowd)

    with served(per_address=phones) as (lecturer, cpu):
        number = lecturer.put("How many of the phones are counted?", OPTIONS, 1)
        start = perf_counter()
        with ThreadPoolExecutor(1) as pool:  # a browser of the bench has a loop in this thread
            votes, requests = pool.submit(asyncio.run, run(lecturer)).result()
        took = perf_counter() - start
        counted = lecturer.close(number).votes
    sent = Counter(option for option, _ in votes)
    return Load(sent, counted, [seconds for _, seconds in votes], requests, took, *cpu)


def rows(run: Run) -> Iterable[Row]:
    found = load(PHONES, SECONDS)
    name = f"the room votes, {PHONES} phones in {SECONDS:.0f} s: "
    met = found.lost() == 0
    yield Row(f"{name}votes lost", f"{found.lost()} of {found.sent.total()}", goal="0", met=met)
    slow = f"{ms(np.median(found.seconds))} ms (p99 {ms(np.percentile(found.seconds, 99))})"
    yield Row(f"{name}a vote, sent to counted", slow)
    asked = f"{found.requests / found.took:.0f} a second"
    yield Row(f"{name}server's CPU", f"{found.cpu:.1f} s in {found.took:.1f} s", f"{asked} requests")


def tasks(_kinds) -> list[Task]:
    return [Task("the room votes by phone", rows)]
