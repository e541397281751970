"""The ranking that is drawn while a tournament is played."""

from io import StringIO

import pytest
from rich.console import Console

from arena.cli import live as module
from arena.cli.live import LiveRanking
from arena.ratings import Result, Tally
from arena.store import open_store
from arena.store.rows import Tournament
from arena.tournament.standings import results, standings
from referee.games.cambio import CAMBIO
from tests import played

ROWS = [played.match(CAMBIO, number) for number in range(60)]


@pytest.fixture
def tournament() -> Tournament:
    with open_store("sqlite://", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=80))
        return store.tournament(number)


def test_it_draws_the_ranking_of_all_matches_and_not_too_often(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    screen = StringIO()
    earlier = [Result(row.deal, tuple("abcd"), (1, 2, 3, 4), (9, 5, 3, 0)) for row in ROWS[:20]]
    with LiveRanking(
        tournament, Tally(earlier), Console(file=screen, force_terminal=True, width=140, height=50)
    ) as live:
        live.stored(ROWS[20:30])
        first = screen.getvalue()
        assert "30 of 80 matches" in first
        assert "expected place" in first
        live.stored(ROWS[30:40])
        assert screen.getvalue() == first
        live.stands("LLR 1.2")
        live.say("a bot is withdrawn")
        now += module.SECONDS
        live.stored(ROWS[40:60])
    told = screen.getvalue()[len(first) :]
    assert "60 of 80 matches" in told
    assert "LLR 1.2" in told
    assert "a bot is withdrawn" in told


def test_its_numbers_are_those_of_the_table_at_the_end() -> None:
    screen = StringIO()
    with open_store("sqlite://", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=60))
        store.add_matches(number, ROWS[:59])
        tournament = store.tournament(number)
        console = Console(file=screen, force_terminal=True, width=140, height=50)
        with LiveRanking(tournament, Tally(results(store, tournament)), console) as live:
            store.add_matches(number, ROWS[59:])
            live.stored(ROWS[59:])
        expected = standings(store, tournament)
    for row in expected.table.rows:
        assert f"{row.elo:+.1f}" in screen.getvalue()
