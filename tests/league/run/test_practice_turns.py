"""When practice leagues are played: in idle time, within what a day has, and again after a stop."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.league import control
from arena.league.practice.control import PracticeRequest, begin_practice, remove_practice_league
from arena.league.run import practice_turns
from arena.league.run.batch_pace import UNKNOWN_PACE
from arena.league.run.practice_turns import PracticeTerms, PracticeTurns
from arena.league.run.runner import LeagueRunner, run_leagues
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.league.store.practice_leagues import PracticeLeagues
from arena.run.hosting import Hosting
from arena.store import Store, open_store
from sample_bots import SAMPLES
from tests import leagues

pytestmark = pytest.mark.usefixtures("in_process")

TERMS = PracticeTerms(cpu_per_day=600.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A league of Cambio in which a bot plays, and practice leagues of two owners."""
    with open_store(tmp_path / "arena.db", create=True) as opened:
        leagues.cambio(opened)
        leagues.submit_file(opened, "club/owl", SAMPLES["cautious"].path)
        leagues.submit_file(opened, "fox/hen", SAMPLES["random"].path)
        for owner, bot in (("club", "club/owl"), ("fox", "fox/hen")):
            begin_practice(opened, owner, owner, PracticeRequest([bot], "cambio"))
        yield opened


def scheduler(store: Store, name: str) -> LeagueScheduler:
    return LeagueScheduler(store, store.where, Leagues(store).named(name, practice=True))


def turns(store: Store, terms: PracticeTerms = TERMS) -> PracticeTurns:
    return PracticeTurns(store, terms, lambda name: scheduler(store, name))


def practised(store: Store) -> dict[str, int]:
    """Return how many batches of each owner are stored."""
    return {row.owner: row.results for row in Leagues(store).all(practice=True) if row.owner is not None}


def run(store: Store, batches: int, terms: PracticeTerms) -> None:
    """Play the league and practice until so many batches are stored."""
    leagues.practise(store, batches, terms, schedulers=[scheduler(store, "cambio")])


def test_nothing_is_played_as_long_as_a_league_has_more_to_draw(store: Store) -> None:
    run(store, 4, TERMS)
    assert Leagues(store).named("cambio").results == 4
    assert practised(store) == {"club": 0, "fox": 0}


def test_after_so_many_batches_of_leagues_one_of_practice_comes_if_the_organiser_says_so(store: Store) -> None:
    run(store, 6, PracticeTerms(600.0, every=2))
    played = sum(practised(store).values())
    assert played in (1, 2), "it is drawn at the next look"
    assert Leagues(store).named("cambio").results == 6 - played


def test_a_paused_league_leaves_its_time_to_practice(store: Store) -> None:
    control.pause(store, "cambio", "boss", "")
    run(store, 4, TERMS)
    assert Leagues(store).named("cambio").results == 0
    assert sum(practised(store).values()) == 4


def test_owners_take_turns_with_what_is_under_way(store: Store) -> None:
    begin_practice(store, "club", "club", PracticeRequest(["club/owl"], "cambio"))
    owners = {row.id: row.owner for row in PracticeLeagues(store).all()}
    schedulers: dict[int, LeagueScheduler] = {}
    turn = turns(store)
    turn.is_idle = True
    turn.look(schedulers, [])
    leased = []
    for _ in range(2):
        leased.append(turn.in_turn(schedulers)[0])
        turn.note_lease(leased[-1])
    assert [owners[scheduler.id] for scheduler in leased] == ["club", "fox"], "without a look in between"
    plays = [play(scheduler, seconds) for scheduler, seconds in zip(leased, (3.0, 2.0), strict=True)]
    turn.look(schedulers, plays)
    assert [owners[scheduler.id] for scheduler in turn.in_turn(schedulers)] == ["fox", "club"]
    plays[1].is_closing = True
    turn.note_end(leased[1], plays[1])
    turn.look(schedulers, plays)
    assert [owners[scheduler.id] for scheduler in turn.in_turn(schedulers)] == ["fox", "club"], "it is counted once"
    plays[0].is_closing = True
    turn.note_end(leased[0], plays[0])
    PracticeLeagues(store).add_use("fox", datetime.now(UTC), 2000)
    turn.look(schedulers, plays)
    assert [owners[scheduler.id] for scheduler in turn.in_turn(schedulers)] == ["club", "club"]


def play(scheduler: LeagueScheduler, seconds: float) -> Any:
    """Return what is asked of a batch of a league under way that has used a core for so long."""
    row = SimpleNamespace(league=scheduler.id)
    return SimpleNamespace(row=row, pace=UNKNOWN_PACE, seconds=seconds, is_closing=False)


def test_owners_who_have_used_least_come_first(store: Store) -> None:
    turn = turns(store)
    turn.is_idle = True
    now = datetime.now(UTC)
    PracticeLeagues(store).add_use("club", now, 5000)
    PracticeLeagues(store).add_use("fox", now - timedelta(days=1), 90_000)
    assert [each.name for each in turn.look({}, ())] == [
        row.name for owner in ("fox", "club") for row in PracticeLeagues(store).all(owner)
    ]


def test_nothing_begins_once_the_day_is_used_up_and_the_next_day_goes_on(store: Store) -> None:
    now = datetime.now(UTC)
    PracticeLeagues(store).add_use("club", now, 599_000)
    turn = PracticeTurns(store, TERMS, lambda name: scheduler(store, name), lambda: now)
    turn.is_idle = True
    assert len(turn.look({}, ())) == 2
    PracticeLeagues(store).add_use("fox", now, 1000)
    assert turn.look({}, ()) == []
    assert turn.in_turn({}) == []
    now += timedelta(days=1)
    assert len(turn.look({}, ())) == 2


def test_what_was_used_stays_used_when_a_league_is_removed(store: Store) -> None:
    control.pause(store, "cambio", "boss", "")
    run(store, 2, TERMS)
    used = PracticeLeagues(store).used_ms(datetime.now(UTC))
    assert used["club"] > 0
    remove_practice_league(store, "club", PracticeLeagues(store).all("club")[0].name)
    assert PracticeLeagues(store).used_ms(datetime.now(UTC)) == used


def test_without_practice_nothing_is_looked_for(store: Store) -> None:
    turn = turns(store, PracticeTerms())
    turn.is_idle = True
    assert turn.look({}, ()) == []


def test_a_league_ends_after_its_matches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice_turns, "MOST_MATCHES", 1)
    control.pause(store, "cambio", "boss", "")
    remove_practice_league(store, "fox", PracticeLeagues(store).all("fox")[0].name)
    run(store, 1, TERMS)
    turn = turns(store)
    turn.is_idle = True
    assert turn.look({}, ()) == []
    [row] = [row for row in Leagues(store).all(practice=True) if row.owner == "club"]
    assert row.state == "closed"
    assert [entry.reason for entry in Leagues(store).log(row.id, "close")] == ["it has had its 1 matches"]


def test_what_was_drawn_is_played_before_a_league_ends(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice_turns, "MOST_MATCHES", 1)
    for row in PracticeLeagues(store).all():
        scheduler(store, row.name).update()
        assert Batches(store).unplayed(row.id)
    turn = turns(store)
    turn.is_idle = True
    assert len(turn.look({}, ())) == 2
    assert all(row.is_open for row in PracticeLeagues(store).all())


def test_a_batch_under_way_as_a_run_ends_is_played_by_the_next(store: Store) -> None:
    control.pause(store, "cambio", "boss", "")
    [row] = PracticeLeagues(store).all("club")
    scheduler(store, row.name).update()
    [batch] = Batches(store).unplayed(row.id)
    assert Batches(store).lease(row.id, "vega:4026531836:1:17", 0, 1) is not None  # its lease ran out long ago
    leagues.practise(store, 2)
    stored = Batches(store).get(row.id, batch.number)
    assert stored is not None
    assert (stored.state, stored.attempt) == ("stored", 2)


def test_one_that_is_removed_while_it_is_played_stops_nobody(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    control.pause(store, "cambio", "boss", "")
    [gone] = PracticeLeagues(store).all("club")
    update = LeagueScheduler.update

    def removed(self: LeagueScheduler, lost: float = 0.0) -> bool:
        if self.name == gone.name:
            PracticeLeagues(store).remove(gone.id)
        return update(self, lost)

    monkeypatch.setattr(LeagueScheduler, "update", removed)
    run(store, 2, TERMS)
    assert practised(store) == {"fox": 2}


def test_a_run_of_leagues_alone_plays_none(store: Store) -> None:
    control.pause(store, "cambio", "boss", "")
    control.close(store, "cambio", "boss", "")
    runner = LeagueRunner(store, [scheduler(store, "cambio")], Hosting(trusted=True), print)
    assert run_leagues(runner, 1).batches == 0
    assert practised(store) == {"club": 0, "fox": 0}
