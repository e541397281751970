"""Rankings from sums are those from matches, to the last digit."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.ratings import Tally, fit_ranking
from arena.ratings.crosstable import build_crosstable, seat_results
from arena.results import stored_tournament as module
from arena.results.meetings import Sittings
from arena.results.standings import (
    in_game_units,
    standings,
)
from arena.results.stored_tournament import StoredTournament
from arena.store import Store, open_store
from arena.values.definition import Definition, Entrant
from arena.values.rows import MatchRow, VerdictRow
from arena.values.stop_rule import StopRule
from tests import played
from tests.guessing import GUESSING

pytestmark = pytest.mark.usefixtures("in_process")

MATCHES = 120


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have seven matches be many."""
    monkeypatch.setattr(module, "BATCH", 7)
    monkeypatch.setattr(module, "_MOST", 16)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def rows() -> list[MatchRow]:
    """Matches of six bots at tables of four, with faults, in the order of their ends."""
    rows = [
        played.match(GUESSING, number, bots=6, faults={0: "timeout", 1: "illegal"} if number % 5 == 0 else None)
        for number in range(MATCHES)
    ]
    Random(3).shuffle(rows)
    return rows


def begin(store: Store, team_of: list[int] | None = None) -> int:
    frame = played.tournament(GUESSING, bots=6, matches=MATCHES)
    return store.add_tournament(played.planned(frame, team_of=team_of or []))


def ends_early(store: Store) -> int:
    """Begin a tournament that a test of the first bot against the second ends after two blocks of 40 matches."""
    frame = played.tournament(GUESSING, bots=6, matches=MATCHES)
    field = tuple(Entrant(bot.name, bot.command, bot.folder, (), bot.sha256) for bot in frame.entrants)
    definition = Definition(
        game="guessing",
        options={},
        behaviour=GUESSING.behaviour,
        rounds=30,
        seats=4,
        field=field,
        block=10,
        stop=StopRule("sprt", 0, 100),
    )
    return store.add_tournament(replace(frame, definition_text=definition.text))


def won_by_the_first(rows: list[MatchRow]) -> list[MatchRow]:
    """Return the matches with the ranks in the order of the field."""
    found = []
    for row in rows:
        order = sorted(seat.entrant for seat in row.seats)
        seats = tuple(replace(seat, rank=1 + order.index(seat.entrant)) for seat in row.seats)
        found.append(replace(row, seats=seats))
    return found


def parts(path: Path) -> list[tuple[int, int]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT part, matches FROM summaries ORDER BY part").fetchall()
    connection.close()
    return found


def counted(store: Store, number: int) -> Sittings:
    """Return who sat with whom, match by match."""
    met, after = ([[0] * 6 for _ in range(6)] for _ in range(2))
    for result in store.results(number):
        seated = result.entrants
        for one, other in permutations(set(seated), 2):
            met[one][other] += 1
        for one, other in zip(seated, (*seated[1:], seated[0]), strict=True):
            after[one][other] += one != other
    return Sittings(met, after)


def same(store: Store, number: int) -> None:
    """Check all that is made from sums against what the matches themselves say."""
    tournament = StoredTournament.load(store, number)
    plain = Tally(tournament.rated_results())
    assert tournament.source.load_tally is not None, "nothing is read match by match"
    found = standings(tournament)
    expected = in_game_units(fit_ranking(plain), tournament.game)
    assert found.table.rows == expected.rows
    assert np.array_equal(found.table.los, expected.los, equal_nan=True)
    assert (found.table.matches, found.table.deals) == (expected.matches, expected.deals)
    bots = [row.bot for row in expected.rows]
    totals = tournament.summary.tally.totals()
    assert np.array_equal(build_crosstable(totals, bots).points, build_crosstable(plain.totals(), bots).points)
    assert np.array_equal(seat_results(totals, bots).score, seat_results(plain.totals(), bots).score, equal_nan=True)
    sums = tournament.summary
    assert sums.efforts == store.efforts(number)
    assert sums.faults == store.fault_counts(number)
    assert sums.meetings.sittings(6) == counted(store, number)
    assert store.count(number) == len(store.played(number)) >= expected.matches


@pytest.mark.parametrize("team_of", [None, [0, 1, 0, 1]])
def test_a_ranking_from_sums_is_the_ranking(store: Store, rows: list[MatchRow], team_of: list[int] | None) -> None:
    other = begin(store)
    number = begin(store, team_of)
    store.add_matches(other, rows[:20])
    for at in range(0, MATCHES, 9):
        store.add_matches(number, rows[at : at + 9])
        store.add_matches(number, rows[at : at + 4])  # known already
        StoredTournament.load(store, number).summarise()
        if at in (0, 45, 108):
            same(store, number)
    assert store.count(number) == MATCHES
    assert len(parts(store.file)) < 6, "the last ones are added up with the one before"
    assert sum(matches for _, matches in parts(store.file)) > MATCHES - 7
    StoredTournament.load(store, number).summarise(is_over=True)
    assert parts(store.file) == [(0, MATCHES)]
    StoredTournament.load(store, number).summarise(is_over=True)
    StoredTournament.load(store, other).summarise()
    same(store, other)
    same(store, number)


def test_summaries_are_no_larger_than_a_database_can_hold(
    store: Store, rows: list[MatchRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.matches.summaries.MAX_MATCHES", 50)
    number = begin(store)
    store.add_matches(number, rows)
    StoredTournament.load(store, number).summarise(is_over=True)
    assert [matches for _, matches in parts(store.file)] == [32, 32, 32, 24]
    same(store, number)
    monkeypatch.setattr("arena.store.matches.summaries.MAX_MATCHES", MATCHES)
    StoredTournament.load(store, number).summarise(is_over=True)
    assert parts(store.file) == [(0, MATCHES)], "none was loose"
    same(store, number)


def test_a_match_that_is_void_is_in_no_sum_any_more(store: Store, rows: list[MatchRow]) -> None:
    number = begin(store)
    for number_of_void in (rows[0].number, rows[-1].number):
        store.add_matches(number, rows)
        StoredTournament.load(store, number).summarise()
        store.append_decision(number, "ann", "void", {"match": number_of_void})
        assert store.count(number) == MATCHES - 1
        same(store, number)
        StoredTournament.load(store, number).summarise()
        same(store, number)


def test_matches_of_a_bot_that_is_left_out_are_in_no_tally(store: Store, rows: list[MatchRow]) -> None:
    number = begin(store)
    store.add_matches(number, rows[:60])
    StoredTournament.load(store, number).summarise()
    store.append_decision(number, "ann", "withdraw", {"place": 0, "remaining": "forfeit", "results": "omit"})
    assert parts(store.file) == [], "nothing can be taken out of a sum"
    same(store, number)
    for at in range(60, MATCHES, 9):
        store.add_matches(number, rows[at : at + 9])
        StoredTournament.load(store, number).summarise()
        same(store, number)
    table = standings(StoredTournament.load(store, number)).table
    assert sorted(row.bot for row in table.rows) == ["b", "c", "d", "e", "f"]
    assert 0 < table.matches < MATCHES == store.count(number)


def test_what_came_after_the_end_of_a_tournament_is_in_no_tally(store: Store, rows: list[MatchRow]) -> None:
    number = ends_early(store)
    store.add_matches(number, won_by_the_first(rows))
    StoredTournament.load(store, number).summarise()
    early = standings(StoredTournament.load(store, number))
    assert early.verdict is not None
    assert early.matches == early.verdict.matches == 80
    StoredTournament.load(store, number).save_verdict()
    assert store.verdict(number) is None, "it may go on"
    store.finish_tournament(number)
    StoredTournament.load(store, number).save_verdict()
    assert parts(store.file) == []
    StoredTournament.load(store, number).summarise(is_over=True)
    same(store, number)
    assert standings(StoredTournament.load(store, number)).table.rows == early.table.rows
    assert standings(StoredTournament.load(store, number)).verdict == early.verdict
    store.append_decision(number, "ann", "void", {"match": 3, "replay": True})
    assert store.verdict(number) is None
    same(store, number)
    assert standings(StoredTournament.load(store, number)).verdict is None, "a block is not complete"


def test_sums_go_where_a_single_match_came_after_the_end(store: Store, rows: list[MatchRow]) -> None:
    number = begin(store)
    store.add_matches(number, [row for row in rows if row.number <= 80])
    StoredTournament.load(store, number).summarise()
    store.finish_tournament(number)
    before = parts(store.file)
    assert before
    store.save_verdict(number, VerdictRow(4, 81, "", 0))
    assert parts(store.file) == before
    store.save_verdict(number, VerdictRow(4, 80, "", 0))
    assert parts(store.file) == []


def test_a_tournament_that_might_have_ended_early_keeps_that_it_did_not(store: Store, rows: list[MatchRow]) -> None:
    number = ends_early(store)
    store.add_matches(number, [row for row in rows if row.number < 39])
    StoredTournament.load(store, number).summarise()
    store.finish_tournament(number)
    before = parts(store.file)
    StoredTournament.load(store, number).save_verdict()
    assert parts(store.file) == before, "all of it counts"
    noted = store.verdict(number)
    assert noted is not None
    assert noted.sentence == ""
    same(store, number)
    assert standings(StoredTournament.load(store, number)).verdict is None


def test_nothing_is_added_up_of_a_tournament_without_matches(store: Store) -> None:
    number = begin(store)
    StoredTournament.load(store, number).summarise()
    assert parts(store.file) == []
    assert standings(StoredTournament.load(store, number)).matches == store.count(number) == 0
