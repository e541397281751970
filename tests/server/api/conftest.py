"""Fixtures: an API with a league, accounts with tokens of all scopes, and real matches."""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from arena.bots.hand_in_worker import HandInWorker
from arena.league.store.batches import Batches
from arena.league.store.league_rows import Lease, RatingsRow
from arena.league.store.leagues import Leagues
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.run.remote.tokens import new_token, token_hash
from arena.server.access import VISITOR
from arena.store import Store, open_store
from arena.values.rows import OutputRow
from referee.games.cambio import CAMBIO
from tests import leagues, played
from tests.server.conftest import Client

API = "/api/v1"

RATED = {"bound": "", "ci95": 30.0, "deals": 40, "matches": 80, "points": 20.0, "comparisons": 40, "score": 1,
         "seats": 80, "decisions": 100, "charged_us": 5000, "faults": {"crash": 1},
         "forfeits": 0, "above": None, "separated": None}  # fmt: skip


class Asker(NamedTuple):
    """Who asks, with a token or without one."""

    client: Client
    token: str | None

    def __call__(self, method: str, path: str, **how: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return self.client.ask(method, f"{API}{path}", headers=headers | how.pop("headers", {}), **how)


def fill(store: Store) -> None:
    """Store a league of four entries with a played batch and one that waits, and tournaments of Cambio."""
    row = played.match(CAMBIO, notes=True)
    finished = store.add_tournament(played.tournament(CAMBIO, matches=8))
    rows = [row, *(played.match(CAMBIO, number, faults={5: "timeout"}) for number in range(1, 8))]
    store.add_matches(finished, rows, [OutputRow(0, 0, row.seats[0].entrant, "printed by a")])
    store.finish_tournament(finished)
    running = store.add_tournament(played.tournament(CAMBIO, matches=8))
    store.add_matches(running, rows[:2])
    league = leagues.cambio(store)
    for name in ("club/owl", "fox/hen"):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
    numbers = [entry.number for entry in Leagues(store).entries(league.id)][-2:]
    for number in (1, 2):
        assert Batches(store).add(league.id, leagues.batch(numbers, number=number), number)
    lease = Batches(store).lease(league.id, "runner", 0, 2**40)
    assert lease is not None
    assert Batches(store).finish(Lease(league.id, 1, 1), leagues.result()) == 1
    rated = [RATED | {"entry": number, "elo": elo} for number, elo in zip(numbers, (-10.5, 31.25), strict=True)]
    packed = json.dumps({"rows": rated, "matches": 80, "deals": 40, "suspicions": []}).encode()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    Leagues(store).save_ratings(league.id, RatingsRow(1, packed, now))


@pytest.fixture
def own(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A copy of a database that is filled once."""
    filled = tmp_path_factory.getbasetemp() / "filled.db"
    if not filled.exists():
        with open_store(filled, create=True) as store:
            fill(store)
    with open_store(shutil.copy(filled, tmp_path / "arena.db"), write=True) as store:
        yield store


@pytest.fixture
def worker(own: Store) -> HandInWorker:
    return HandInWorker(own, Hosting(), BuildTerms(), print)


@pytest.fixture
def client(own: Store, worker: HandInWorker) -> Client:
    return Client(own, VISITOR, hand_ins=worker)


Account = Callable[..., Asker]


@pytest.fixture
def account(own: Store, client: Client) -> Account:
    """Return what makes an account, or another token of it, and who asks with that."""

    def make(name: str, role: str = "author", *scopes: str) -> Asker:
        secret = new_token()
        own.accounts.add(name, role, token_hash(new_token()))
        all_scopes = scopes or (("read", "submit") if role == "author" else ("read", "submit", "manage"))
        assert own.account_tokens.add(name, "test", all_scopes, token_hash(secret), None) is not None
        return Asker(client, secret)

    return make


@pytest.fixture
def visitor(client: Client) -> Asker:
    return Asker(client, None)
