"""The names of stages on the pages and in the API."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.server.access import Access
from arena.store import Store, open_store
from referee.games.cambio import CAMBIO
from tests import played
from tests.server.conftest import Client


@pytest.fixture
def knockout(tmp_path: Path) -> Iterator[Store]:
    """A knockout of four, of which the semi-final is played: a and b have lost."""
    with open_store(tmp_path / "arena.db", create=True) as store:
        event = played.planned(played.tournament(CAMBIO, matches=6), schedule="knockout", seats=2, rounds=1)
        number = store.add_tournament(event)
        store.append_decision(number, "arena", "leg", {"leg": 0}, seen=0)
        for match, (deal, pair) in enumerate([(0, (0, 3)), (0, (3, 0)), (0, (1, 2)), (0, (2, 1))]):
            row = played.match(CAMBIO, match, seats=2, bots=2)
            seats = tuple(
                replace(seat, entrant=bot, rank=1 if bot > 1 else 2, score=50 if bot > 1 else 0)
                for seat, bot in zip(row.seats, pair, strict=True)
            )
            store.add_matches(number, [replace(row, deal=deal, seats=seats)])
        store.append_decision(number, "arena", "leg", {"leg": 1}, seen=1)
        final = played.match(CAMBIO, 4, seats=2, bots=2)
        seats = tuple(replace(seat, entrant=bot) for seat, bot in zip(final.seats, (2, 3), strict=True))
        store.add_matches(number, [replace(final, deal=1, seats=seats)])
        yield store


def test_pages_name_the_stage(knockout: Store) -> None:
    client = Client(knockout, Access())
    page = client.get("/tournaments/1").text
    assert "knockout: final" in page
    assert "out in the semi-final" in page
    for listed in (page, client.get("/matches?tournament=1").text, client.get("/bots/d").text):
        assert ", final</span>" in listed
        assert ", semi-final</span>" in listed
    knockout.finish_tournament(1)
    assert "semi-final," in client.get("/matches/1").text
    assert "준결승," in client.get("/matches/1?lang=ko").text
    assert "決勝," in client.get("/matches/5?lang=ja").text


def test_the_api_names_the_stage(knockout: Store) -> None:
    def ask(path: str) -> Any:
        return Client(knockout, Access()).get(f"/api/v1/{path}", "application/json").json()

    assert [match["stage"] for match in ask("matches")["matches"]] == ["final", *["semi-final"] * 4]
    told = ask("tournaments/1")
    assert (told["stage"], told["placing"], told["out_in"]) == ("final", None, {"a": "semi-final", "b": "semi-final"})
    knockout.finish_tournament(1)
    assert ask("matches/5")["stage"] == "final"
