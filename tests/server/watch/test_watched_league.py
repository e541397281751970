"""Which matches the tables of a live page show, and to whom."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import update

from arena.league.run.live_matches import LiveMatch, LiveMatches
from arena.league.store.batches import Batches
from arena.league.store.league_rows import BatchRow
from arena.league.store.leagues import Leagues
from arena.server.watch.watched_league import IDLE_SECONDS, MOST, STEP, WatchedLeague, Watching
from arena.store import Store, open_store
from arena.store.engine.schema import batches
from referee.engine.record import pack_answers, unpack_answers


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Live:
    """Matches under way."""

    matches: list[LiveMatch] = field(default_factory=list)
    wanted: list[float] = field(default_factory=list)

    def of(self, league: int) -> list[LiveMatch]:
        return self.matches

    def want(self, seconds: float) -> None:
        self.wanted.append(seconds)

    def as_live(self) -> LiveMatches:
        return cast("LiveMatches", self)


@pytest.fixture
def store(league_database: Path, tmp_path: Path) -> Iterator[Store]:
    own = Path(shutil.copy(league_database, tmp_path / "own.db"))
    with open_store(own, write=True) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


def watched(store: Store, clock: Clock, **more: Any) -> WatchedLeague:
    league = Leagues(store).named("spring")
    return WatchedLeague(store, league.id, "spring", Watching(**more), clock)


def newest(store: Store) -> BatchRow:
    rows = [row for row in Batches(store).of(Leagues(store).named("spring").id) if row.result is not None]
    return max(rows, key=lambda row: row.result or 0)


def keys(league: WatchedLeague, count: int = MOST, *, organiser: bool = False) -> list[str]:
    return [table.key for table in league.tables(count, organiser=organiser) if table is not None]


def end_batches(store: Store, seconds: float) -> None:
    """Let all batches have ended so long ago, and none be played."""
    when = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="seconds")
    with store.write() as connection:
        connection.execute(update(batches).where(batches.c.ended.is_not(None)).values(ended=when))
        connection.execute(update(batches).where(batches.c.state == "leased").values(state="waiting"))


def test_tables_show_different_matches_of_the_newest_batch_for_their_time(store: Store, clock: Clock) -> None:
    league, batch = watched(store, clock), newest(store)
    first = keys(league)
    assert len(set(first)) == len(first) == min(MOST, batch.matches)
    ids = range(batch.first_match, batch.first_match + batch.matches)
    assert all(int(key.removeprefix("match ")) in ids for key in first)
    assert keys(league, 2) == first[:2]
    clock.now += 5
    assert keys(league) == first, "nobody has seen their ends"
    clock.now += 200
    second = keys(league)
    assert len(set(second)) == len(first)
    assert len({*first, *second}) == min(2 * MOST, batch.matches)
    assert watched(store, clock).parts(2).elements.keys() == {"watch-0", "watch-1", "watch-hidden"}


def test_a_league_that_plays_nothing_new_ends_with_what_it_shows(store: Store, clock: Clock) -> None:
    league = watched(store, clock)
    end_batches(store, IDLE_SECONDS + 10)
    first = keys(league)
    clock.now += 1000
    assert keys(league) == first
    end_batches(store, 10)
    assert keys(league) != first


def test_the_pulse_changes_when_a_table_may_go_on_and_with_each_batch(store: Store, clock: Clock) -> None:
    league = watched(store, clock)
    before = league.pulse()
    assert league.pulse() == before
    clock.now += STEP
    assert league.pulse() != before


def live_match(store: Store, count: int = 3, **how: Any) -> LiveMatch:
    """The beginning of a match of the newest batch, as if that were under way."""
    batch = newest(store)
    row = store.match(batch.first_match).row
    answers = pack_answers(unpack_answers(row.answers)[:count])
    row = replace(row, answers=answers, times=b"", notes=(), faults=(), says=())
    return LiveMatch(batch.league, batch.number, 1, row, **({"is_over": False, "is_last": False} | how))


def test_a_match_whose_deal_is_played_again_is_for_organisers(store: Store, clock: Clock) -> None:
    live = Live([live_match(store)])
    league = watched(store, clock, matches=live.as_live())
    assert keys(league, 3, organiser=True)[0] == f"live {newest(store).number} 1 0"
    assert all(key.startswith("match") for key in keys(league, 3))
    assert 'data-count="1"' in str(league.parts(3).elements["watch-hidden"])
    assert 'data-count="0"' in str(league.parts(3, organiser=True).elements["watch-hidden"])
    live.matches = [live_match(store, is_last=True)]
    assert keys(league, 3)[0].startswith("live"), "nobody plays its deal later"
    everybody = watched(store, clock, matches=Live([live_match(store)]).as_live(), everybody_sees_all=True)
    assert keys(everybody, 1)[0].startswith("live")


def test_a_match_under_way_stays_at_its_table(store: Store, clock: Clock) -> None:
    first, second = live_match(store, is_last=True), live_match(store, is_last=True)
    second = replace(second, row=replace(second.row, number=1))
    live = Live([first, second])
    league = watched(store, clock, matches=live.as_live())
    before = keys(league, 3)
    live.matches = [second]
    after = keys(league, 3)
    assert after[1] == before[1] == f"live {second.batch} 1 1"
    assert after[0].startswith("match")
    live.matches = [replace(second, row=replace(second.row, answers=second.row.answers[:-1]))]
    assert keys(league, 3)[1] == before[1]


def test_referees_are_asked_only_by_those_who_watch(store: Store, clock: Clock) -> None:
    live = Live([live_match(store, 1)])
    league = watched(store, clock, matches=live.as_live())
    keys(league)
    assert not live.wanted, "a page that is loaded once does not watch"
    before = league.pulse()
    assert live.wanted
    live.matches = [live_match(store, 2)]
    assert league.pulse() != before


def test_a_match_that_cannot_be_replayed_leaves_its_table_to_another(store: Store, clock: Clock) -> None:
    broken = live_match(store, is_last=True)
    broken = replace(broken, row=replace(broken.row, answers=b"\x7f\x7f"))
    league = watched(store, clock, matches=Live([broken]).as_live())
    assert all(key.startswith("match") for key in keys(league, 2))


def test_names_of_closed_accounts_are_not_shown_any_more(store: Store, clock: Clock, monkeypatch: Any) -> None:
    league = watched(store, clock)
    before = league.tables(1)
    assert league.tables(1)[0] is before[0]
    monkeypatch.setattr(store.accounts, "closed", lambda: 1)
    assert league.tables(1)[0] is not before[0]
