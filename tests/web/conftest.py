"""A site over a database with matches of all games, and a client that asks it as a browser would."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import trio

from arena.store import Store, open_store
from arena.store.rows import OutputRow
from arena.web.audience import Audience
from arena.web.site import application
from referee.games.cambio import CAMBIO
from tests import played
from tests.viewer.filmed import GAMES

EVIL = '<img src=x onerror="alert(1)">'
"""What a bot of the first tournament is called."""


class Client:
    """Asks the site, in trio; errors that it does not answer with come through."""

    def __init__(self, store: Store, audience: Audience, **more: Any) -> None:
        self.transport = httpx.ASGITransport(application(store, audience, **more))

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


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tournament 1 of Cambio is finished; each game has a single match after it; tournament 2 is under way."""
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
        store.add_matches(second, rows[:8])
    return path


@pytest.fixture(scope="session")
def store(database: Path) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


@pytest.fixture(scope="session")
def site(store: Store) -> Client:
    """What the organiser asks."""
    return Client(store, Audience())


@pytest.fixture(scope="session")
def public(store: Store) -> Client:
    """What anybody asks."""
    return Client(store, Audience(organiser=False))
