"""The ranking that is drawn while a tournament is played."""

import re
from io import StringIO
from typing import Literal

import pytest
from rich.console import Console

from arena.cli import live_ranking as module
from arena.cli.live_ranking import Counting, LiveRanking
from arena.cli.play_tournament import open_display
from arena.ratings import Result, Tally
from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.store import open_store
from arena.values.rows import TournamentRow
from arena.values.terminal_width import cells_of
from referee.games.cambio import CAMBIO
from tests import played

pytestmark = pytest.mark.usefixtures("in_process")

ROWS = [played.match(CAMBIO, number) for number in range(60)]


@pytest.fixture
def tournament() -> TournamentRow:
    with open_store("sqlite://", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=80))
        return store.tournament(number)


def test_it_draws_the_ranking_of_all_matches_and_not_too_often(
    tournament: TournamentRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    screen = StringIO()
    earlier = [Result(row.deal, tuple("abcd"), (1, 2, 3, 4), (9, 5, 3, 0)) for row in ROWS[:20]]
    with LiveRanking(
        tournament, Counting(Tally(earlier), 20), Console(file=screen, force_terminal=True, width=140, height=50)
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
        tournament = StoredTournament.load(store, number)
        console = Console(file=screen, force_terminal=True, width=140, height=50)
        with LiveRanking(tournament.row, Counting(Tally(tournament.results()), 59), console) as live:
            store.add_matches(number, ROWS[59:])
            live.stored(ROWS[59:])
        expected = standings(tournament.reload())
    for row in expected.table.rows:
        assert f"{row.elo:+.1f}" in screen.getvalue()


@pytest.mark.parametrize("before", [True, False])
def test_a_bot_that_is_left_out_has_no_part_in_it(monkeypatch: pytest.MonkeyPatch, before: bool) -> None:
    """Nor has a match that is void, whether that is decided before the run or in it."""
    rows = [played.match(CAMBIO, number, seats=3) for number in range(40)]
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=140, height=50)
    monkeypatch.setattr(module, "Console", lambda **_: console)
    with open_store("sqlite://", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=60))
        store.add_matches(number, rows[:20])

        def decide() -> None:
            store.append_decision(number, "ann", "withdraw", {"place": 0, "remaining": "forfeit", "results": "omit"})
            store.append_decision(number, "ann", "void", {"match": 7, "replay": True})

        if before:
            decide()
        tournament = StoredTournament.load(store, number)
        with open_display(tournament, store.count(number), live=True) as live:
            if not before:
                decide()
            store.add_matches(number, rows[20:])
            live.stored(rows[20:])
        expected = standings(tournament.reload()).table
    assert 0 < expected.matches < 40
    assert "39 of 60 matches" in screen.getvalue()
    assert [row.bot for row in sorted(expected.rows, key=lambda row: row.bot)] == ["b", "c", "d"]
    for row in expected.rows:
        assert f"{row.elo:+.1f}" in screen.getvalue()
    assert "a" not in screen.getvalue().split(), "who was left out"


@pytest.mark.parametrize("colours", [None, "standard"])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_row_is_wrapped_or_cut(width: int, colours: Literal["standard"] | None, tournament: TournamentRow) -> None:
    names = ["a-bot-with-a-name-as-long-as-they-get", "부엉이" * 9, "c", "d"]
    screen = StringIO()
    console = Console(
        file=screen, force_terminal=True, width=width, height=99, color_system=colours, no_color=colours is None
    )
    with LiveRanking(tournament, Counting(Tally(), 0), console, names) as live:
        live.stored(ROWS[:40])
        drawn = [_CONTROL.sub("", line).strip("\r") for line in screen.getvalue().splitlines()]
    (heading,) = (number for number, line in enumerate(drawn) if line.lstrip().startswith("rank"))
    table = "".join(drawn[heading:])
    assert max(map(cells_of, drawn)) <= width
    assert "…" not in table
    assert table.replace(" ", "").count("부") == 9
    assert ("expected" in drawn[heading]) == (width == 120)


_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
