"""Rankings from sums are those from matches, to the last digit."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.ratings import Tally, fit
from arena.ratings.crosstable import by_seat, crosstable
from arena.store import Store, open_store
from arena.store.rows import MatchRow
from arena.tournament import summary as module
from arena.tournament.standings import in_game_units, results, standings
from arena.tournament.summary import keep_up, summary
from tests import played
from tests.guessing import GUESSING

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
    return store.add_tournament(replace(frame, definition=frame.definition | ({"team_of": team_of} if team_of else {})))


def parts(path: Path) -> list[tuple[int, int]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT part, matches FROM summaries ORDER BY part").fetchall()
    connection.close()
    return found


def same(store: Store, number: int) -> None:
    """Check all that is made from sums against what the matches themselves say."""
    tournament = store.tournament(number)
    plain = Tally(results(store, tournament))
    found = standings(store, tournament)
    expected = in_game_units(fit(plain), tournament.game)
    assert found.table.rows == expected.rows
    assert np.array_equal(found.table.los, expected.los, equal_nan=True)
    assert (found.table.matches, found.table.deals) == (expected.matches, expected.deals)
    bots = [row.bot for row in expected.rows]
    totals = summary(store, tournament).tally.totals()
    assert np.array_equal(crosstable(totals, bots).points, crosstable(plain.totals(), bots).points)
    assert np.array_equal(by_seat(totals, bots).score, by_seat(plain.totals(), bots).score, equal_nan=True)
    sums = summary(store, tournament)
    assert sums.efforts == store.efforts(number)
    assert sums.faults == store.fault_counts(number)
    assert store.count(number) == len(store.played(number)) == expected.matches


@pytest.mark.parametrize("team_of", [None, [0, 1, 0, 1]])
def test_a_ranking_from_sums_is_the_ranking(store: Store, rows: list[MatchRow], team_of: list[int] | None) -> None:
    other = begin(store)
    number = begin(store, team_of)
    store.add_matches(other, rows[:20])
    for at in range(0, MATCHES, 9):
        store.add_matches(number, rows[at : at + 9])
        store.add_matches(number, rows[at : at + 4])  # known already
        keep_up(store, store.tournament(number))
        if at in (0, 45, 108):
            same(store, number)
    assert store.count(number) == MATCHES
    assert len(parts(store.file)) < 6, "the last ones are added up with the one before"
    assert sum(matches for _, matches in parts(store.file)) > MATCHES - 7
    keep_up(store, store.tournament(number), over=True)
    assert parts(store.file) == [(0, MATCHES)]
    keep_up(store, store.tournament(number), over=True)
    keep_up(store, store.tournament(other))
    same(store, other)
    same(store, number)


def test_summaries_are_no_larger_than_a_database_can_hold(
    store: Store, rows: list[MatchRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.summing.LARGEST", 50)
    number = begin(store)
    store.add_matches(number, rows)
    keep_up(store, store.tournament(number), over=True)
    assert [matches for _, matches in parts(store.file)] == [32, 32, 32, 24]
    same(store, number)
    monkeypatch.setattr("arena.store.summing.LARGEST", MATCHES)
    keep_up(store, store.tournament(number), over=True)
    assert parts(store.file) == [(0, MATCHES)], "none was loose"
    same(store, number)


def test_a_match_that_is_void_is_in_no_sum_any_more(store: Store, rows: list[MatchRow]) -> None:
    number = begin(store)
    for number_of_void in (rows[0].number, rows[-1].number):
        store.add_matches(number, rows)
        keep_up(store, store.tournament(number))
        store.act(number, "ann", "void", {"match": number_of_void})
        assert store.count(number) == MATCHES - 1
        same(store, number)
        keep_up(store, store.tournament(number))
        same(store, number)


def test_a_database_from_before_has_none_and_gets_them(tmp_path: Path, rows: list[MatchRow]) -> None:
    path = tmp_path / "old.db"
    with open_store(path, create=True) as store:
        number = begin(store)
        store.add_matches(number, rows)
        store.add_single(played.tournament(GUESSING, matches=1), replace(rows[0], number=0))
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE loose; DROP TABLE summaries; UPDATE alembic_version SET version_num = '0006'")
    connection.close()
    with open_store(path, write=True) as store:
        assert store.count(number) == MATCHES, "single matches are in no ranking"
        same(store, number)
        keep_up(store, store.tournament(number))
        same(store, number)


def test_nothing_is_added_up_of_a_tournament_without_matches(store: Store) -> None:
    number = begin(store)
    keep_up(store, store.tournament(number))
    assert parts(store.file) == []
    assert standings(store, store.tournament(number)).matches == store.count(number) == 0
