"""What the pages of a large league cost, on this machine: `make bench-web`.

    python -m tools.league_figures [SECONDS]

board   the page of a league of 500 entries after 1,000,000 matches in 5,000 batches, at first and when something has
        changed, and its JSON; and in Debian's chromium the time until it is on the screen and its scripts have run,
        so that it can be sorted and filtered
live    CPU time of the server while 200 browsers watch that board for so many SECONDS (60 by default) and a batch with
        new ratings is stored every two seconds, less what it takes when nobody watches
"""

import random
import select
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import sync_playwright

from arena.league.control import create
from arena.league.plan.definition import define_league
from arena.league.results.board import pack_ratings
from arena.league.results.league_ratings import EntryRating, LeagueRatings
from arena.league.results.league_sums import EntryTotals, LeagueSums
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchResult, Lease, NewBatch, NewEntry, RatingsRow
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from arena.store.people.submissions import PackRow
from arena.values.definition import Definition
from arena.values.rows import EntrantRow, NewEvent
from referee.engine.registry import game
from tools.serving import served
from tools.web_figures import spent

ENTRIES = 500
BATCHES = 5000
MATCHES = 200
"""Of a batch."""

TIMES = 15
VIEWERS = 200
EVERY = 2.0
"""Seconds between two batches while the league is watched."""


class SyntheticLeague:
    """A league of which only what its pages read is stored: entries, batches without matches, ratings."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chance = random.Random(1)
        rules = game("cambio")
        self._league, _ = create(store, "large", define_league(rules, rules.options.parse({})), "", "bench")
        names = {entry.number: entry.name for entry in Leagues(store).entries(self._league.id)}
        pack = PackRow("0" * 64, b"", 0, 0)
        for number in range(len(names) + 1, ENTRIES + 1):
            name = f"club{number}/bot"
            row = store.submissions.add(name, pack, pack, {"games": ["cambio"]}, {"steps": []})
            entry = Leagues(store).enter(self._league.id, NewEntry(row.title, (name, 1), f"club{number}"), "bench")
            Leagues(store).change_entry(self._league.id, entry.number, "standing", "bench")
            names[entry.number] = entry.name
        self._names = names
        self._elo = {number: self._chance.gauss(0, 120) for number in names}
        self._matches = dict.fromkeys(names, 0)
        self._results = 0

    def fill(self) -> None:
        """Store batches, with ratings of the days before."""
        for number in range(BATCHES):
            self._play()
            if number % (BATCHES // 60) == 0:
                self.rate(datetime.now(UTC) - timedelta(hours=(BATCHES - number) / 100))
        self.rate(datetime.now(UTC))

    def step(self) -> None:
        """Store a batch, and new ratings."""
        played = self._play()
        for number in self._elo:
            self._elo[number] += self._chance.gauss(0, 1.0 if number in played else 0.02)
        self.rate(datetime.now(UTC))

    def rate(self, when: datetime) -> None:
        """Store ratings."""
        matches = self._results * MATCHES
        rows = tuple(
            EntryRating(
                number, self._elo[number], "", 12.0, played // 4, played / 2, played,
                EntryTotals(played, played, 0, 9 * played, 900), {"timeout": 3},
            )
            for number, played in self._matches.items()
        )  # fmt: skip
        ratings = LeagueRatings(rows, (1, 2), matches // 4, matches, "exact", 0.0)
        row = RatingsRow(self._results, pack_ratings(ratings), when.isoformat(timespec="seconds"))
        Leagues(self._store).save_ratings(self._league.id, row)

    def _play(self) -> tuple[int, ...]:
        entries = tuple(sorted(self._chance.sample(sorted(self._names), 8)))
        field = tuple(EntrantRow(self._names[number], ("./bot",), "", "0" * 64) for number in entries)
        definition = Definition(game="cambio", options={}, behaviour=1, rounds=25, seats=4, field=())
        event = NewEvent("cambio", {}, 1, definition.text, bytes(32), None, {}, field, MATCHES)
        new = NewBatch(event, 1, 0, "standing", 1, entries)
        number = Batches(self._store).next_number(self._league.id)
        Batches(self._store).add(self._league.id, new, number)
        row = Batches(self._store).lease(self._league.id, "bench/1/1", 0, 2**50)
        assert row is not None
        result = BatchResult([], LeagueSums().to_bytes(), 10.0)
        Batches(self._store).finish(Lease(row.league, row.number, row.attempt), result)
        self._results += 1
        for entry in entries:
            self._matches[entry] += MATCHES // 2
        return entries


def board(address: str, league: SyntheticLeague) -> None:
    """Time the page of the board."""
    with httpx.Client(timeout=600) as client:

        def timed(path: str) -> float:
            began = time.perf_counter()
            answer = client.get(f"{address}{path}")
            assert answer.status_code == 200, answer.text
            assert path.endswith("json") or answer.text.count('class="elo-bar"') == ENTRIES
            return (time.perf_counter() - began) * 1000

        client.get(f"{address}/static/icon.svg")  # once the server has started
        first = timed("/leagues/large")
        same = [timed("/leagues/large") for _ in range(TIMES)]
        changed = []
        for _ in range(TIMES):
            league.step()
            changed.append(timed("/leagues/large"))
        print(
            f"board: {median(same):.0f} ms ({min(same):.0f} at best), {median(changed):.0f} ms ({min(changed):.0f} at "
            f"best) after a change, {first:.0f} ms at first, for {ENTRIES} entries and {BATCHES * MATCHES:,} matches"
        )
        print(f"board: {interactive(address)}")
        values = [timed("/leagues/large/board.json") for _ in range(TIMES)]
        print(f"board: {median(values):.0f} ms ({min(values):.0f} at best) as JSON")


def interactive(address: str) -> str:
    """Return after how long a browser shows the board and has run its scripts, and the CPU time of its page for it.

    Both are medians of several pages.
    """
    times, spent_there = [], []
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments) as browser,
    ):
        for _ in range(TIMES):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            chromium = page.context.new_cdp_session(page)
            chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto(f"{address}/leagues/large")
            page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
            times.append(
                page.evaluate("""() => Math.max(
                    performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
                    performance.getEntriesByName("first-contentful-paint")[0].startTime)""")
            )
            metrics = {each["name"]: each["value"] for each in chromium.send("Performance.getMetrics")["metrics"]}
            spent_there.append(1000 * metrics["TaskDuration"])
            page.close()
    told = f"{median(times):.0f} ms ({min(times):.0f} at best), {median(spent_there):.0f} ms CPU time of the page"
    return f"{told}, until {ENTRIES} entries can be sorted in a browser"


@contextmanager
def playing(league: SyntheticLeague) -> Iterator[None]:
    """Store a batch with ratings every now and then within the block."""
    over = Event()

    def play() -> None:
        while not over.wait(EVERY):
            league.step()

    thread = Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def live(address: str, server: int, league: SyntheticLeague, seconds: float) -> None:
    """Watch the board with many connections."""
    place = urlsplit(address)
    assert place.hostname is not None
    with ExitStack() as stack:
        stack.enter_context(playing(league))
        before = spent(server)
        time.sleep(seconds)
        alone = spent(server) - before
        page = httpx.get(f"{address}/leagues/large", timeout=600).text
        digest = page.partition('data-digest="')[2].partition('"')[0]
        streams = []
        for _ in range(VIEWERS):
            stream = stack.enter_context(socket.create_connection((place.hostname, place.port)))
            lines = (f"GET /leagues/large/events?has={digest} HTTP/1.1", f"Host: {place.netloc}", "", "")
            stream.sendall("\r\n".join(lines).encode())
            streams.append(stream)
        _received(streams, 20.0)  # what each is sent at first is no part of it
        before, began = spent(server), time.perf_counter()
        taken, messages = _received(streams, seconds)
        elapsed = time.perf_counter() - began
        share = (spent(server) - before - alone * elapsed / seconds) / elapsed
        print(
            f"live: {100 * share:.2f} % of a core for {VIEWERS} browsers over {elapsed:.0f} s, "
            f"{messages / VIEWERS:.1f} events and {taken / VIEWERS / 1000:.0f} kB to each; "
            f"{100 * alone / seconds:.2f} % while nobody watched"
        )


def _received(streams: list[socket.socket], seconds: float) -> tuple[int, int]:
    """Read what comes within some seconds; return the bytes and the events."""
    until = time.perf_counter() + seconds
    size = events = 0
    while (left := until - time.perf_counter()) > 0:
        ready, _, _ = select.select(streams, [], [], left)
        for stream in ready:
            content = stream.recv(1 << 20)
            assert content, "the server has closed a stream"
            size += len(content)
            events += content.count(b"\nevent: ")
    return size, events


def main(seconds: float) -> None:
    """Measure and print."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "league.db"
        with open_store(str(database), create=True) as store:
            league = SyntheticLeague(store)
            league.fill()
            with served(database, "--public") as (address, server):
                board(address, league)
                live(address, server, league, seconds)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
