"""Fixtures: a site with matches of all games, a client that calls it directly, and a real browser."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import trio

from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.run.remote.tokens import token_hash
from arena.server.access import Access, account_access
from arena.server.site import application
from arena.store import Store, open_store
from arena.store.people.accounts import AccountRow
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import OutputRow
from referee.games.cambio import CAMBIO
from sample_bots import SAMPLES
from tests import installed, leagues, played
from tests.in_process import in_process
from tests.replay.replays import GAMES
from tools.serving import served

CHROMIUM = shutil.which("chromium")

PATIENCE = 60_000
"""Milliseconds for whatever a test waits for: the machine may be busy."""

Open = Callable[..., Any]
Serve = Callable[..., str]

EVIL = '<img src=x onerror="alert(1)">'
"""What a bot of the first tournament is called."""


class Client:
    """Calls the site in trio; errors that the site does not handle are raised."""

    def __init__(self, store: Store, access: Access, **more: Any) -> None:
        self.transport = httpx.ASGITransport(application(store, access, **more))

    def get(self, address: str, accept: str = "text/html", **headers: str) -> httpx.Response:
        return self.ask("GET", address, headers={"accept": accept} | headers)

    def post(self, address: str, site: str = "same-origin", **what: Any) -> httpx.Response:
        """Send something as a page of a site would: data=, json= or content=."""
        headers = {"accept": "text/html", "sec-fetch-site": site} | what.pop("headers", {})
        return self.ask("POST", address, headers=headers, **what)

    def ask(self, method: str, address: str, **how: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(transport=self.transport, base_url="http://arena") as asking:
                return await asking.request(method, address, **how)

        return trio.run(ask)


def account_client(store: Store, role: str) -> Client:
    """Return a client that is signed in with the account "ann"."""
    return Client(store, account_access(AccountRow("ann", role, "0" * 64, "2026-01-01T00:00:00+00:00")))


def signed_in(own: Store, client: Client, name: str) -> dict[str, str]:
    """Return the cookie of an author who has signed in, whose token is the name."""
    own.accounts.add(name, "author", token_hash(name))
    answer = client.post("/sign-in", data={"token": name})
    return {"cookie": answer.headers["set-cookie"].partition(";")[0]}


@pytest.fixture(autouse=True)
def undrawn_png(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that may start no processes get the text of a picture as its PNG: whoever looks for secrets finds them."""
    if "share" in installed.FEATURES and request.node.get_closest_marker("processes") is None:
        monkeypatch.setattr("arena_share.match_routes.png", str.encode)
        monkeypatch.setattr("arena_share.ranking_routes.png", str.encode)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tournament 1 of Cambio is finished; each game has a single match after it; tournament 2 is under way.

    In that, processes of bot a have failed.
    """
    path = tmp_path_factory.mktemp("web") / "arena.db"
    with open_store(path, create=True) as store:
        first = played.tournament(CAMBIO, matches=48)
        field = (*first.entrants[:3], replace(first.entrants[3], name=EVIL))
        number = store.add_tournament(replace(first, entrants=field))
        rows = [played.match(CAMBIO, n, notes=n == 0, faults={5: "timeout"} if n == 3 else {}) for n in range(48)]
        outputs = [
            OutputRow(0, seat, rows[0].seats[seat].entrant, f"printed by seat {seat} {EVIL}") for seat in range(4)
        ]
        store.add_matches(number, rows, outputs)
        store.finish_tournament(number)
        for game in GAMES:
            seats = game.recommended
            row = played.match(game, seats=seats, bots=seats, notes=True)
            store.add_single(played.tournament(game, bots=seats, matches=1), row)
        second = store.add_tournament(played.tournament(CAMBIO, matches=48))
        words = f"Traceback\n  {EVIL}\nKeyError"
        failures = [
            ProcessFailureRow(
                0, 0, 0, 1_700_000_000_000_000, "crash", "it ended", 1, None, (0, 1, 2, 3, 4), None, words
            ),
            ProcessFailureRow(0, 0, 0, 1_700_000_000_000_001, "hung", "it hung", None, None, (3,), 3, "one line"),
        ]
        store.add_matches(second, rows[:8], failures=failures)
    return path


CRASHES = """
from arena.sdk import Bot

class Crashes(Bot):
    def choose(self, question):
        print("not today", flush=True)
        raise SystemExit(3)

Crashes().run()
"""


@pytest.fixture(scope="session")
def league_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league, spring, in which bots have played: club/owl has two versions, lab/crow is suspended.

    Batches are played, or so it seems, and one waits.
    """
    folder = tmp_path_factory.mktemp("league")
    (folder / "crashes.py").write_text(CRASHES)
    path = folder / "arena.db"
    with in_process(), open_store(path, create=True) as store:
        league = leagues.cambio(store, "spring")

        def states() -> dict[str, str]:
            return {entry.name: entry.state for entry in Leagues(store).entries(league.id)}

        leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path)
        leagues.submit_file(store, "lab/crow", folder / "crashes.py")
        while states().get("club/owl@1") != "standing" or states().get("lab/crow@1") != "suspended":
            leagues.play(store, 1)
        leagues.submit_file(store, "club/owl", SAMPLES["random"].path)
        while states().get("club/owl@2") != "standing":
            leagues.play(store, 1)
        LeagueScheduler(store, str(path), league).update()
        for batch in Batches(store).unplayed(league.id):
            Batches(store).lease(league.id, f"vega:4026531836:{batch.number}:17", 0, 2**50)
        LeagueScheduler(store, str(path), league).update()
    return path


@pytest.fixture(scope="session")
def store(database: Path) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


@pytest.fixture(scope="session")
def site(store: Store) -> Client:
    """Return a client with the access of the organiser."""
    return Client(store, Access())


@pytest.fixture(scope="session")
def public(store: Store) -> Client:
    """Return a client with the access of a visitor."""
    return Client(store, Access(organiser=False))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make deps-all")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: make deps-all")
    with (
        playwright.sync_playwright() as running,
        running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]) as launched,
    ):
        yield launched


@pytest.fixture(scope="module")
def address(database: Path) -> Iterator[str]:
    with served(database) as server:
        yield server.address


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve the pages of a database until the end of the test, and give their address."""
    with ExitStack() as servers:
        yield lambda database, *words: servers.enter_context(served(database, *words)).address


@pytest.fixture
def visit(browser: Any, serve: Serve) -> Iterator[Open]:
    """Open pages; at the end nothing may have been complained of, nor asked for from elsewhere.

    They are closed before what serves them is: a page that has lost its server complains. refused: the status with
    which the server answers what it is asked on purpose; chromium complains of it.
    """
    troubles: list[str] = []
    asked: list[str] = []
    contexts = []

    def opened(url: str, *, refused: int | None = None, **how: Any) -> Any:
        def said(told: Any) -> None:
            known = refused is not None and f"responded with a status of {refused} " in told.text
            if told.type in ("error", "warning") and not known:
                troubles.append(told.text)

        context = browser.new_context(**({"viewport": {"width": 1300, "height": 900}} | how))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", said)
        page.on("dialog", lambda dialog: troubles.append(f"dialog {dialog.message}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []
    assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "file:///tmp/", "data:"))] == []
