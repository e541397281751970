"""What a league draws and leases next, without playing it."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import structs

from arena.cli.leagues.open_leagues import find_leagues
from arena.league.control import close, readmit_entry
from arena.league.plan.batch_draw import PLACEMENT_DEALS
from arena.league.plan.definition import LeagueDefinition
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.results.answer_time import answer_seconds
from arena.league.results.board import load_board
from arena.league.results.league_sums import LeagueSums
from arena.league.results.publication import published_secret
from arena.league.run.drawing import LONGEST, PLACEMENT_SECONDS, UNKNOWN_DEALS, UNKNOWN_TABLES, Drawing
from arena.league.run.entry_bots import EntryBots
from arena.league.run.league_entries import LeagueEntries
from arena.league.run.runner import LeagueRunner, run_leagues
from arena.league.run.scheduler import OVERTAKING, LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchKind, BatchResult, LeagueRow, Lease
from arena.league.store.leagues import Leagues
from arena.packs.errors import PackError
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from arena.values.rows import EffortRow, ResultRow, now_ms
from referee.process.awake_clock import AwakeClock, Beat
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

FAR = 2**62


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> LeagueRow:
    """A league of its anchors and two entries whose placement is over."""
    created = leagues.cambio(store, batch_seconds=20, placement_seconds=8)
    for name in ("club/owl", "town/jay"):
        leagues.submit_file(store, name, SAMPLES["counter"].path)
    LeagueScheduler(store, store.where, created).update()
    Batches(store).void_unplayed(created.id, FAR)
    for number in (5, 6):
        Leagues(store).change_entry(created.id, number, "standing", "test")
    return created


def played(store: Store, scheduler: LeagueScheduler, batches: int) -> list[BatchKind]:
    """Store so many batches without matches; return their kinds."""
    kinds = list[BatchKind]()
    while len(kinds) < batches:
        scheduler.update()
        leased = scheduler.lease("me", round(time.time() * 1000), FAR, [])
        if leased is not None:
            kinds.append(leased.row.kind)
            assert Batches(store).finish(leagues.lease(leased.row), leagues.result([])) is not None
    return kinds


def test_each_of_several_challenges_waits_for_other_batches(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, seconds = datetime(2027, 3, 1, tzinfo=UTC), count()
    monkeypatch.setattr(
        "arena.league.store.batches.utc_now",
        lambda: (begin + timedelta(seconds=next(seconds))).isoformat(timespec="seconds"),
    )
    scheduler = LeagueScheduler(store, store.where, league)
    for _ in range(60):
        leagues.challenge(store, "club/owl", "town/jay")
    kinds = played(store, scheduler, 3 * (OVERTAKING + 1))
    assert kinds == [*["standing"] * OVERTAKING, "challenge"] * 3


def test_who_has_used_the_cpu_time_of_a_day_rests_and_anchors_do_not(store: Store) -> None:
    created = leagues.cambio(store, cpu_per_day=10)
    for name in ("club/owl", "town/jay"):
        leagues.submit_file(store, name, SAMPLES["counter"].path)
    scheduler = LeagueScheduler(store, store.where, created)
    scheduler.update()
    now = datetime(2027, 3, 1, 12, tzinfo=UTC)
    used = {1: EffortRow(1, 1, 60_000_000), 5: EffortRow(1, 1, 10_000_000), 6: EffortRow(1, 1, 9_999_999)}
    scheduler._standings.recent.add(now, LeagueSums.of_matches([], efforts=used).to_bytes())
    assert [entry.number for entry in scheduler._playing(now)] == [1, 2, 3, 4, 6]
    assert [entry.number for entry in scheduler._playing(now + timedelta(days=1))] == [1, 2, 3, 4, 5, 6]


def test_a_season_is_due_once_its_days_are_over(store: Store) -> None:
    created = leagues.cambio(store, season_days=30)
    scheduler = LeagueScheduler(store, store.where, created)
    season = replace(Leagues(store).seasons(created.id)[0], first_day="2026-01-01")
    days = [datetime(2026, *day, tzinfo=UTC) for day in ((1, 30), (1, 31), (3, 1))]
    assert [scheduler._is_due(season, day) for day in days] == [False, True, True]


class Drawn(NamedTuple):
    """The size of a batch."""

    tables: int
    deals: int
    seconds: float
    """How long its entries take to answer, by what is known of them."""


def drawn(
    store: Store,
    league: LeagueRow,
    kind: BatchKind,
    cpu_us: int,
    *,
    deals: int = 1000,
    is_placing: bool = False,
    others: int = 1000,
) -> Drawn:
    """Draw a batch, in which the last entry takes `cpu_us` for a deal, and has played `deals`.

    others: as `cpu_us`, for all others.
    """
    definition = LeagueDefinition.from_json(league.definition)
    entries = {entry.number: entry for entry in Leagues(store).stored_entries(league.id)}
    season = Leagues(store).seasons(league.id)[0]
    costs = dict.fromkeys(entries, others) | {6: cpu_us}
    rated = [RatedEntry(number, entry.owner, 0, 30, 1000, 100, costs[number]) for number, entry in entries.items()]
    rated[-1] = RatedEntry(6, entries[6].owner, 0, None, deals, 0, cpu_us, is_placing=is_placing)
    find = EntryBots(store, store.where, None).find
    drawing = Drawing(definition, season, 0, {kind: 0.01}, entries, find)
    number = Batches(store).next_number(league.id)
    new = drawing.draw(number, kind, Snapshot(number, rated), 1)
    played = new.event.definition
    seconds = sum(costs[new.entries[place]] for table in played.tables for place in table) * played.rounds / 1e6
    return Drawn(len(played.tables), played.rounds, seconds)


def test_a_slow_bot_makes_a_batch_smaller_instead_of_longer(store: Store, league: LeagueRow) -> None:
    definition = LeagueDefinition.from_json(league.definition)
    longest = LONGEST * definition.seconds_of("standing")
    usual = drawn(store, league, "standing", 1000)
    assert usual[:2] == (round(definition.seconds_of("standing") / (0.01 * definition.deals)), definition.deals)
    slow = drawn(store, league, "standing", 10_000_000)
    assert 1 < slow.tables < usual.tables
    assert slow.deals == definition.deals
    assert slow.seconds <= longest
    slowest = drawn(store, league, "standing", 60_000_000, others=60_000_000)
    assert slowest == (1, 1, definition.table_size * 60.0)
    assert definition.deals * slowest.seconds > longest


def test_a_bot_that_takes_a_second_for_an_answer_is_placed_in_batches_of_a_minute(
    store: Store, league: LeagueRow
) -> None:
    usual = drawn(store, league, "placement", 1000, is_placing=True)
    assert usual.deals == PLACEMENT_DEALS
    for played in (0, 1):
        slow = drawn(store, league, "placement", 10_000_000, deals=played, is_placing=True)
        assert (slow.tables, slow.deals) == (5, 1)
        assert slow.seconds <= PLACEMENT_SECONDS
    assert drawn(store, league, "placement", 100_000_000, deals=0, is_placing=True)[:2] == (1, 1), "it must play"


def test_a_bot_of_which_nothing_is_known_is_tried_at_few_tables(store: Store, league: LeagueRow) -> None:
    assert drawn(store, league, "placement", 1000, is_placing=True).tables > UNKNOWN_TABLES
    unknown = drawn(store, league, "placement", 0, deals=0, is_placing=True)
    assert (unknown.tables, unknown.deals) == (UNKNOWN_TABLES, UNKNOWN_DEALS)


def note_pace(store: Store, bot: str, micros: int) -> None:
    """Have the check of a bot tell that it takes so many µs for a match."""
    report = f'{{"charged_us_per_match": {{"cambio": {micros}}}}}'
    with store.write() as connection:
        connection.exec_driver_sql(f"UPDATE submissions SET report = '{report}' WHERE name = '{bot}'")


def test_the_check_of_a_newcomer_tells_how_long_it_takes(store: Store) -> None:
    created = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    note_pace(store, "club/owl", 2_500_000)
    LeagueScheduler(store, store.where, created).update()
    [batch] = Batches(store).unplayed(created.id)
    snapshot = Snapshot.from_text(Leagues(store).snapshot(created.id, batch.snapshot))
    paces = {entry.number: entry.cpu_us_per_deal for entry in snapshot.entries}
    assert paces == {1: 0, 2: 0, 3: 0, 4: 0, 5: 2_500_000 * LeagueDefinition.from_json(created.definition).seats}
    definition = structs.replace(LeagueDefinition.from_json(created.definition), seats=4, team_of=(0, 1, 0, 1))
    [owl] = [entry for entry in Leagues(store).entries(created.id) if not entry.is_anchor]
    assert LeagueEntries(store, created.id, definition).checked_us_per_deal(owl) == 4 * 2_500_000, "two seats a match"
    deals = batch.matches / len(batch.entries)
    assert answer_seconds(store, batch) == paces[5] * deals / 1e6
    assert answer_seconds(store, replace(batch, snapshot=99)) == 0


def test_slow_bots_have_one_batch_at_a_time_and_quick_ones_do_not_meet_them_in_others(store: Store) -> None:
    created = leagues.cambio(store)
    for name in ("club/owl", "town/jay", "den/ibis"):
        leagues.submit_file(store, name, SAMPLES["counter"].path)
    note_pace(store, "town/jay", 2_500_000)
    scheduler = LeagueScheduler(store, store.where, created)
    while scheduler.update():
        pass
    slow, quick = (
        {entry.number for entry in Leagues(store).entries(created.id) if (entry.name == "town/jay@1") is is_slow}
        for is_slow in (True, False)
    )
    batches = Batches(store).unplayed(created.id)
    assert [slow <= set(batch.entries) for batch in batches] == [False, True]
    assert set(batches[0].entries) <= quick
    first = scheduler.lease("me", 0, FAR, [], with_slow=False)
    assert first is not None
    assert (first.row.number, first.slow) == (batches[0].number, frozenset())
    assert scheduler.lease("me", 0, FAR, [first.row.number], with_slow=False) is None
    second = scheduler.lease("me", 0, FAR, [first.row.number])
    assert second is not None
    assert (second.row.number, second.slow) == (batches[1].number, frozenset(slow))
    assert Batches(store).finish(leagues.lease(first.row), leagues.result([])) is not None
    assert scheduler.update(), "the quick ones play on"
    assert slow.isdisjoint(Batches(store).unplayed(created.id)[-1].entries)


def test_who_takes_longer_in_its_check_than_a_league_allows_does_not_enter_it(store: Store) -> None:
    created = leagues.cambio(store, thinking=2)
    for name in ("club/owl", "town/jay"):
        leagues.submit_file(store, name, SAMPLES["counter"].path)
    note_pace(store, "club/owl", 2_000_001)
    scheduler = LeagueScheduler(store, store.where, created)
    scheduler.update()
    assert [entry.name for entry in Leagues(store).entries(created.id) if not entry.is_anchor] == ["town/jay@1"]
    leagues.submit_file(store, "town/jay", SAMPLES["bluffer"].path)
    with store.write() as connection:
        report = '{"charged_us_per_match": {"cambio": 3000000}}'
        connection.exec_driver_sql(f"UPDATE submissions SET report = '{report}' WHERE version = 2")
    scheduler.update()
    states = {entry.name: entry.state for entry in Leagues(store).entries(created.id) if not entry.is_anchor}
    assert states == {"town/jay@1": "placing"}, "its earlier version plays on"


def test_who_takes_longer_in_its_matches_than_a_league_allows_is_suspended(store: Store) -> None:
    created = leagues.cambio(store, thinking=2)
    for name in ("club/owl", "town/jay"):
        leagues.submit_file(store, name, SAMPLES["counter"].path)
    scheduler = LeagueScheduler(store, store.where, created)
    scheduler.update()
    leased = scheduler.lease("me", 0, FAR, [])
    assert leased is not None
    [owl, jay] = (entry.number for entry in Leagues(store).entries(created.id) if not entry.is_anchor)
    matches = [ResultRow(deal, (owl, jay), (1, 0), (1, 2)) for deal in range(60)]
    efforts = {owl: EffortRow(60, 600, 120_000_000), jay: EffortRow(60, 600, 120_000_001)}
    sums = LeagueSums.of_matches(matches, efforts=efforts).to_bytes()
    assert Batches(store).finish(leagues.lease(leased.row), BatchResult([], sums, 1.0)) is not None
    scheduler.update()
    entries = {entry.number: (entry.state, entry.reason) for entry in Leagues(store).entries(created.id)}
    assert entries[owl][0] != "suspended"
    sentence = "it takes 2.0 s for its answers in a match, and 2 s may be taken: hand in a quicker version"
    assert entries[jay] == ("suspended", sentence)
    readmit_entry(store, created, jay, "ann", "", organiser=True)
    scheduler.update()
    assert Leagues(store).entries(created.id)[jay - 1].state != "suspended", "an organiser let it in again"


def test_of_two_bots_of_an_owner_the_one_that_came_last_plays(store: Store) -> None:
    created = leagues.cambio(store)
    for name, moment in (("club/zebra", "2026-03-01T00:00:00+00:00"), ("club/owl", "2026-03-02T00:00:00+00:00")):
        leagues.submit_file(store, name, SAMPLES["counter"].path)
        with store.write() as connection:
            connection.exec_driver_sql(f"UPDATE submissions SET created = '{moment}' WHERE name = '{name}'")
    LeagueScheduler(store, store.where, created).update()
    states = {entry.name: entry.state for entry in Leagues(store).entries(created.id)}
    assert (states["club/zebra@1"], states["club/owl@1"]) == ("retired", "placing")


def test_a_league_whose_bots_cannot_be_unpacked_now_is_run_and_tried_again(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    with monkeypatch.context() as patch:

        def full(*_: object) -> None:
            raise PackError("the disk is full")

        patch.setattr(EntryBots, "find", full)
        [scheduler] = find_leagues(store, store.where, Hosting(trusted=True), said.append, set())
        assert not scheduler.update()
    assert said == ["the league cambio draws nothing for 30 s: the disk is full"]
    monkeypatch.setattr("arena.league.run.scheduler.monotonic", lambda: time.monotonic() + 31)
    assert scheduler.update()


def test_a_league_that_is_closed_while_nothing_runs_it_leaves_nothing_to_play(store: Store, league: LeagueRow) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    gone = Batches(store).lease(league.id, "killed", 0, 1)
    assert gone is not None
    scheduler.update()
    assert {row.state for row in Batches(store).unplayed(league.id)} == {"leased", "waiting"}
    close(store, league.name, "ann", "")
    assert Batches(store).unplayed(league.id) == []
    [season] = Leagues(store).seasons(league.id)
    assert published_secret(store, league.id, season) is not None


def test_the_last_batch_of_a_league_is_rated_though_it_was_closed_meanwhile(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(LeagueScheduler, "rate", lambda _: None)  # it is killed before
        leagues.play(store, 1)
    close(store, league.name, "ann", "")
    assert not Leagues(store).is_over(league.id)
    log = Leagues(store).log_length(league.id)
    hosting, known = Hosting(trusted=True), set[int]()
    schedulers = find_leagues(store, store.where, hosting, print, known)
    run_leagues(LeagueRunner(store, schedulers, hosting, print), 1)
    assert load_board(store, league.name).results == Leagues(store).named(league.name).results > 0
    assert Leagues(store).log_length(league.id) == log, "nobody is suspended or placed any more"
    assert Leagues(store).is_over(league.id)
    assert find_leagues(store, store.where, hosting, print, set()) == []


def test_a_league_is_not_over_before_its_last_batch_is_rated(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    row = Batches(store).lease(league.id, "me", 0, 2**60)
    assert row is not None
    close(store, league.name, "ann", "")
    scheduler.update()
    assert not scheduler.is_over, "its last batch is played"
    rate = LeagueScheduler.rate

    def slow(scheduler: LeagueScheduler) -> None:
        rate(scheduler)
        Batches(store).finish(leagues.lease(row), leagues.result())  # by another runner, just now

    monkeypatch.setattr(LeagueScheduler, "rate", slow)
    scheduler.update()
    assert not scheduler.is_over
    monkeypatch.setattr(LeagueScheduler, "rate", rate)
    scheduler.update()
    assert scheduler.is_over


def test_a_closed_league_drops_what_ran_out_but_for_pauses(store: Store, league: LeagueRow) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    [waiting] = Batches(store).unplayed(league.id)
    assert Batches(store).lease(league.id, "other", 0, FAR) is not None
    close(store, league.name, "ann", "")
    assert Batches(store).renew([Lease(league.id, waiting.number, 1)], now_ms(-60)) == []
    scheduler.update(300)
    assert [row.state for row in Batches(store).unplayed(league.id)] == ["leased"], "its runner stood still as well"
    scheduler.update()
    assert Batches(store).unplayed(league.id) == []


def test_a_run_leases_what_ran_out_but_for_pauses(store: Store, league: LeagueRow) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    [waiting] = Batches(store).unplayed(league.id)
    a_minute_ago = now_ms(-60)
    assert Batches(store).lease(league.id, "other", a_minute_ago - 1000, a_minute_ago) is not None
    runner = LeagueRunner(store, [scheduler], Hosting(trusted=True), print)
    runner._awake = AwakeClock()
    at = time.perf_counter()
    runner._awake.beat(Beat(at - 300, 0.0, 0.0, 10), Beat(at, 0.0, 0.0, 12))
    assert runner._lease_of(scheduler, [], with_slow=True) is None, "its runner stood still as well"
    runner._awake = AwakeClock()
    leased = runner._lease_of(scheduler, [], with_slow=True)
    assert leased is not None
    assert (leased.row.number, leased.row.attempt) == (waiting.number, 2)


def test_a_clock_that_falls_back_over_midnight_stops_nothing(store: Store, league: LeagueRow) -> None:
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    [waiting] = Batches(store).unplayed(league.id)
    with store.write() as connection:  # as it was drawn while the clock was ahead
        connection.exec_driver_sql(f"UPDATE batches SET day = 3 WHERE number = {waiting.number}")
    Batches(store).void_unplayed(league.id, FAR)
    assert scheduler.update()
    leagues.challenge(store, "club/owl", "town/jay")
    assert [row.day for row in Batches(store).unplayed(league.id)] == [3, 3]
    [season] = Leagues(store).seasons(league.id)
    assert published_secret(store, league.id, season) is None
