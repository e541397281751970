"""The board of a league, from stored ratings."""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.league.results.board import load_board, superseded, versions_of
from arena.league.results.board_output import board_csv, board_json
from arena.league.results.flags import Flag, Suspicion
from arena.league.results.rating_history import KEPT, MOMENTS, RatingHistory, points_of, thinned
from arena.league.store.batches import Batches
from arena.league.store.league_rows import NewEntry, RatingsRow
from arena.league.store.leagues import Leagues
from arena.ratings.repeats import Repeats
from arena.store import Store, open_store
from tests import leagues
from tests.league.results.ratings import store_ratings

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def at(hours: float = 0.0) -> str:
    """A time so many hours before noon."""
    return (NOON - timedelta(hours=hours)).isoformat(timespec="seconds")


def test_changes_are_those_since_a_day_before_and_since_the_last_version(store: Store) -> None:
    league = leagues.league(store)
    for _ in range(2):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, "club/owl")), "arena")
    Leagues(store).change_entry(league.id, 4, "standing", "arena")
    store_ratings(store, league, 1, at(30), {1: 0.0, 2: 0.0, 3: 20.0})
    store_ratings(store, league, 2, at(25), {1: -10.0, 2: 10.0, 3: 50.0})
    store_ratings(store, league, 3, at(20), {1: -99.0, 2: 99.0, 3: 55.0, 4: 70.0})
    store_ratings(store, league, 4, at(0), {1: -15.0, 2: 15.0, 3: 40.0, 4: 90.0})

    board = load_board(store, "club", past=True)
    assert [(row.rank, row.entry.number, row.change) for row in board.rows] == [
        (1, 4, None), (2, 2, 5.0), (3, 1, -5.0), (None, 3, -10.0)
    ]  # fmt: skip
    owl = board.rows[0]
    assert (owl.previous, owl.version_change) == (3, 50.0)
    assert [point.elo for point in owl.line] == [70.0], "that of now is beside it"
    assert board.rows[3].entry.state == "retired"
    assert len(load_board(store, "club").rows) == 3

    values = board_json(board)
    assert (values["batches"], values["matches"], values["rated"]) == (4, 1600, at(0))
    assert values["rows"][0]["version_change"] == 50.0
    read = list(csv.DictReader(board_csv(board).splitlines()))
    assert [row["bot"] for row in read] == ["club/owl@2", "samples/b@1", "samples/a@1", "club/owl@1"]
    assert [row["elo"] for row in read] == ["90.0", "15.0", "-15.0", "40.0"]


def test_the_board_tells_of_repeats(store: Store) -> None:
    league = leagues.league(store)
    store_ratings(store, league, 1, at(30), {1: 0.0})
    assert board_json(load_board(store, "club"))["repeats"] is None
    repeats = Repeats(sets=90_000, repeated=70_000, largest=2, openings=38, shares={"1": 0.2}, is_estimate=True)
    store_ratings(store, league, 2, at(25), {1: 0.0}, repeats=repeats)
    board = load_board(store, "club")
    assert board_json(board)["repeats"] == {"sets": 90_000, "repeated": 70_000, "openings": 38}
    assert board.repeats is not None
    assert board.repeats.notes == repeats.notes
    assert repeats.notes[0].startswith("About 70,000 of 90,000 pairs repeat others, move for move: ")


def test_the_version_before_is_the_last_one_that_has_a_rating(store: Store) -> None:
    league = leagues.league(store)
    for _ in range(3):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, "club/owl")), "arena")
    store_ratings(store, league, 1, at(0), {1: 0.0, 3: 10.0, 5: 30.0})
    rows = {row.entry.number: row for row in load_board(store, "club", past=True).rows}
    assert rows[5].previous == 3
    assert rows[4].elo is None
    assert rows[3].previous is None


def test_a_board_without_ratings_lists_its_entries(store: Store) -> None:
    leagues.league(store)
    board = load_board(store, "club")
    assert [(row.rank, row.elo, row.entry.number) for row in board.rows] == [(None, None, 1), (None, None, 2)]
    assert board.rated is None


def test_the_last_batch_of_an_entry_is_known(store: Store) -> None:
    league = leagues.league(store)
    batches = [leagues.batch((1, 2), number=1), leagues.batch((2, 1), number=2)]
    for number, new in enumerate(batches, 1):
        assert Batches(store).add(league.id, new, number)
        row = Batches(store).lease(league.id, "me", 0, 10)
        assert row is not None
        Batches(store).finish(leagues.lease(row), leagues.result())
    store_ratings(store, league, 1, at(0), {1: 0.0, 2: 5.0})
    rows = load_board(store, "club").rows
    assert [row.played.number if row.played is not None else None for row in rows] == [2, 2]


def test_histories_have_few_moments_and_read_each_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    league = leagues.league(store)
    for number in range(1, 101):
        store_ratings(store, league, number, at((100 - number) / 2), {1: float(number)})
    history = RatingHistory(store, league.id)
    moments = history.moments()
    assert len(moments) <= MOMENTS
    assert (moments[-1].number, moments[-1].when) == (100, at(0))
    assert [point.elo for point in points_of(moments, 1)] == [float(each.number) for each in moments]
    assert points_of(moments, 2) == ()
    asked: list[int | None] = []
    read = Leagues(store).ratings

    def spied(_: Leagues, league: int, number: int | None = None) -> RatingsRow | None:
        asked.append(number)
        return read(league, number)

    monkeypatch.setattr(Leagues, "ratings", spied)
    assert history.moments() == moments
    assert asked == []
    store_ratings(store, league, 101, at(-0.25), {1: 7.0})
    assert history.moments()[-1].rows[1].elo == 7.0
    assert asked == [101]


def test_spans_of_a_history_begin_at_fixed_times() -> None:
    times = [(number, at(10 - number / 60)) for number in range(600)]
    chosen = thinned(times, 24)
    later = thinned([*times, (600, at(0))], 24)
    assert len(chosen) <= 24
    assert set(chosen[:-1]) <= set(later)
    assert thinned([], 24) == []
    assert thinned(times[:1], 24) == times[:1]


def test_ratings_of_the_hours_that_are_over(store: Store) -> None:
    league = leagues.league(store)
    for number, hours in enumerate((2.5, 2.25, 1.5, 0.5, 0.0), 1):
        store_ratings(store, league, number, at(hours), {1: float(number)})
    history = RatingHistory(store, league.id)
    assert [each.number for each in history.ended_hours(NOON)] == [2, 3, 4]
    assert [each.number for each in history.ended_hours(NOON + timedelta(hours=1))] == [2, 3, 4, 5]


def test_ratings_are_kept_by_the_hour_then_by_the_day() -> None:
    times = [(number, at(75 - number / 4)) for number in range(300)]
    dropped = superseded(times, NOON)
    assert set(superseded(times, NOON, dropped[3])) == set(dropped) - {dropped[3]}, "visitors see that one"
    left = [number for number, _ in times if number not in dropped]
    assert left[-1] == 299
    days = {when[:10] for _, when in times}
    assert {dict(times)[number][:10] for number in left} == days
    assert len(left) < 80


def test_marks_hold_for_the_neighbours_that_were_compared(store: Store) -> None:
    league = leagues.league(store)
    for name in ("club/owl", "fox/hen"):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
    elo = {1: 30.0, 2: 20.0, 3: 10.0, 4: 0.0}
    store_ratings(store, league, 1, at(0), elo, {2: (1, True), 3: (2, False), 4: (3, False)})
    assert [row.separated for row in load_board(store, "club").rows] == [None, True, False, False]
    Leagues(store).change_entry(league.id, 3, "retired", "ann")
    assert [row.separated for row in load_board(store, "club").rows] == [None, True, None]
    assert [each["separated"] for each in board_json(load_board(store, "club"))["rows"]] == [None, True, None]


def test_what_the_audit_says_is_beside_the_names(store: Store) -> None:
    league = leagues.league(store)
    for name in ("club/owl", "fox/hen"):
        Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
    suspicion = Suspicion("flow", 3, 4, 800, 0.15, 1e-6)
    store_ratings(store, league, 20, at(0), dict.fromkeys(range(1, 5), 0.0), {}, {2: 20}, (suspicion,))
    board = load_board(store, "club")
    assert {row.entry.number: row.flags for row in board.rows} == {
        1: (),
        2: (Flag("forfeits", None, 0.01, 20),),
        3: (Flag("gave", 4, 0.15, 800),),
        4: (Flag("took", 3, 0.15, 800),),
    }  # fmt: skip
    values = {each["entry"]: each["flags"] for each in board_json(board)["rows"]}
    assert values[3] == [{"kind": "gave", "other": 4, "share": 0.15, "number": 800}]
    table = {each["bot"]: each["flags"] for each in csv.DictReader(board_csv(board).splitlines())}
    assert table == {"samples/a@1": "", "samples/b@1": "forfeits=20", "club/owl@1": "gave=4", "fox/hen@1": "took=3"}


def test_copies_of_a_sample_bot_are_no_versions(store: Store) -> None:
    league = leagues.league(store)
    row = leagues.submit(store, "samples/c")
    for name in ("samples/c@1", "samples/c@1#2"):
        Leagues(store).enter(league.id, NewEntry(name, ("samples/c", 1), "", is_anchor=True), "arena")
    store_ratings(store, league, 1, at(0), {1: 0.0, 2: 0.0, 3: 10.0, 4: 30.0})
    rows = {each.entry.number: each for each in load_board(store, "club").rows}
    assert row.title == "samples/c@1"
    assert [rows[number].version_change for number in (3, 4)] == [None, None]
    entries = [each.entry for each in rows.values()]
    assert [each.number for each in versions_of(rows[4].entry, entries)] == [4]


def test_a_history_keeps_few_ratings_in_memory(store: Store) -> None:
    league = leagues.league(store)
    history = RatingHistory(store, league.id)
    for number in range(1, 2 * KEPT):
        store_ratings(store, league, number, at((100 - number) / 2), {1: float(number)})
        newest = history.newest()
        assert newest is not None
        assert newest.number == number
    assert len(history._kept) == KEPT
    assert history.moments()[-1].number == 2 * KEPT - 1
