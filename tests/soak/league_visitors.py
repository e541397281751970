"""Those who come to the server of a league: owners who hand in bots by the API, programs that read it, and readers."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.client import HTTPException
from itertools import count
from random import Random
from threading import Event, Thread
from urllib.request import urlopen

from arena.bench.figures import BenchError
from arena.client.connection import Server
from arena.client.errors import ServerError, Unreachable
from tests.soak.soak_bots import SoakBot

VIEWERS = 20
VIEW_SECONDS = 2.0
READERS = 10
READ_SECONDS = 5.0


class Owners(Thread):
    """Owners who hand in bots, each in turn.

    answered: the bots that the server has taken, by the number of the hand-in.
    """

    def __init__(
        self, address: str, tokens: dict[str, str], bots: list[SoakBot], over: Event, seconds: float, most: int = 0
    ) -> None:
        """Begin with the first owner.

        Args:
            address: Of the server.
            tokens: Of the owners, by name.
            bots: What they hand in, each in turn.
            over: Set when they are to stop.
            seconds: From one hand-in to the next.
            most: How many hand-ins there are; 0: until it is over.
        """
        super().__init__(daemon=True)
        self.answered: dict[int, SoakBot] = {}
        self.attempts = 0
        self.failure = ""
        self._servers = {owner: Server(address, token) for owner, token in tokens.items()}
        self._names = list(tokens)
        self._bots = bots
        self._over = over
        self._seconds = seconds
        self._most = most

    def run(self) -> None:
        """Hand in until it is over."""
        for number in range(self._most) if self._most else count():
            due = time.monotonic() + self._seconds
            if not self._hand_in(number) or self._over.wait(max(0.0, due - time.monotonic())):
                return

    def check_taken(self) -> None:
        """Raise BenchError where the server has not taken one."""
        if self.failure:
            raise BenchError(self.failure)

    def check_complete(self) -> None:
        """Raise BenchError where not all of them have come in."""
        if len(self.answered) < self._most:
            raise BenchError(f"{len(self.answered)} of {self._most} hand-ins came in, after {self.attempts} attempts")

    def _hand_in(self, number: int) -> bool:
        """Hand in until the server has taken it; return False if it refused or it is over."""
        owner, bot = self._names[number % len(self._names)], self._bots[number % len(self._bots)]
        packed = bot.packed
        headers = {"Content-Type": packed.media_type, "Idempotency-Key": f"{owner}-{number}"}
        path = f"/hand-ins?name={owner}/bot&file={packed.file}"
        while not self._over.is_set():
            self.attempts += 1
            try:
                answer = self._servers[owner].post(path, dict, packed.content, headers)
            except Unreachable:
                self._over.wait(0.5)
            except ServerError as error:
                if not re.search(r"try|again|wait|503|429", str(error)):
                    self.failure = f"{owner}'s hand-in {number} was refused: {error}"
                    return False
                self._over.wait(2.0)
            else:
                self.answered[answer["hand_in"]] = bot
                return True
        return False


class Viewer(Thread):
    """A program that reads a league by the API, again and again.

    counted: answers by what came of them.
    """

    def __init__(self, address: str, league: str, over: Event, counted: Counter[str]) -> None:
        super().__init__(daemon=True)
        self._server = Server(address, None)
        self._league = league
        self._over = over
        self._counted = counted

    def run(self) -> None:
        """Look until it is over."""
        league = f"/leagues/{self._league}"
        paths = (f"{league}/board", league, "/leagues", f"{league}/batches")
        for number in count():
            try:
                self._server.get(paths[number % len(paths)], dict)
                self._counted["answered"] += 1
            except Unreachable:
                self._counted["server away"] += 1
            except ServerError as error:
                self._counted[str(error).partition(": ")[2][:60]] += 1
            if self._over.wait(VIEW_SECONDS):
                return


class Reader(Thread):
    """Somebody who walks through the pages of a league, and stays a while on each while its events come.

    random: chooses the links.
    counted: pages by what came of them.
    """

    def __init__(self, address: str, league: str, over: Event, counted: Counter[str], random: Random) -> None:
        super().__init__(daemon=True)
        self._address = address
        self._board = f"/leagues/{league}"
        self._over = over
        self._counted = counted
        self._random = random

    def run(self) -> None:
        """Walk until it is over."""
        path = self._board
        while not self._over.wait(self._random.uniform(0, 1)):
            try:
                page = self._load(path)
                self._counted["pages"] += 1
                self._follow(page)
                links = re.findall(r'href="(/[^"#]*)"', page)
                path = unescape(self._random.choice(links)) if links else self._board
                if "/leagues/" not in path and not path.startswith("/matches"):
                    path = self._board
            except (OSError, HTTPException) as error:
                self._counted[f"page: {getattr(error, 'code', 'server away')}"] += 1
                path = self._board

    def _load(self, path: str) -> str:
        with urlopen(self._address + path, timeout=30) as answer:
            return str(answer.read().decode(errors="replace"))

    def _follow(self, page: str) -> None:
        """Read the events of a page for a while, as its script would."""
        live = re.search(r'data-events="([^"]*)" data-digest="([^"]*)"', page)
        if live is None:
            return
        path = f"{unescape(live[1])}?has={live[2]}"
        until = time.monotonic() + self._random.uniform(0, 2 * READ_SECONDS)
        with urlopen(self._address + path, timeout=30) as stream:
            while time.monotonic() < until and not self._over.is_set():
                line = stream.readline()
                if not line:
                    return
                self._counted["events"] += line.startswith(b"event: ")


@contextmanager
def visiting(address: str, league: str, owners: tuple[Owners, ...], over: Event) -> Iterator[Counter[str]]:
    """Let owners, programs and readers come to a server while the block runs.

    Args:
        address: Of the server.
        league: The name of a league on it.
        owners: Those who hand in.
        over: What stops the owners.
    """
    seen = Counter[str]()
    people = [*owners, *(Viewer(address, league, over, seen) for _ in range(VIEWERS))]
    people += [Reader(address, league, over, seen, Random(number)) for number in range(READERS)]
    for person in people:
        person.start()
    try:
        yield seen
    finally:
        over.set()
        for person in people:
            person.join(timeout=90)
