"""Who decides on entries of a league, and what nobody gets around by deciding twice."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Thread

import pytest

from arena.league.account_closing import close_account
from arena.league.control import LeagueError, close, readmit_entry, retire, retire_entry, take_down
from arena.league.plan.definition import LeagueDefinition
from arena.league.run.league_entries import LeagueEntries
from arena.league.store.batches import Batches
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.packs.errors import BadName
from arena.packs.names import check_account_name
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name
from arena.values.rows import PROGRAM, now_ms
from tests import leagues
from tests.bots.test_hand_ins import dead_worker


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> LeagueRow:
    """A league of cambio, with club/owl and club/elk as entries 5 and 6, both retired by their owner."""
    made = leagues.cambio(store)
    for bot in ("club/owl", "club/elk"):
        entry = Leagues(store).enter(made.id, leagues.entry(leagues.submit(store, bot)), "arena")
        retire_entry(store, made, entry.number, "club", "", organiser=False)
    return made


def number(store: Store, bot: str) -> int:
    return next(entry.number for entry in Leagues(store).entries(1) if entry.submission[0] == bot)


def test_two_readmissions_at_the_same_moment_are_one(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, change = Barrier(2), Leagues(store).change_entry

    def together(_: Leagues, *values: object, **more: object) -> bool:
        begun.wait(60)
        return change(*values, **more)  # type: ignore[arg-type]

    def ask(bot: str) -> None:
        with suppress(LeagueError):
            readmit_entry(store, league, number(store, bot), "club", "", organiser=False)

    monkeypatch.setattr(Leagues, "change_entry", together)
    threads = [Thread(target=ask, args=(bot,)) for bot in ("club/owl", "club/elk")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(entry.is_active and entry.owner == "club" for entry in Leagues(store).entries(league.id)) == 1


def test_what_an_organiser_retires_at_the_machine_its_owner_does_not_readmit(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.results.control.getuser", lambda: "arena")
    owl = number(store, "club/owl")
    readmit_entry(store, league, owl, "club", "", organiser=False)
    retire(store, league.name, "club/owl", None, "copied")
    assert Leagues(store).log(league.id, "retire")[-1].who == "organiser"
    with pytest.raises(LeagueError, match="an organiser has retired club/owl@1: ask one"):
        readmit_entry(store, league, owl, "club", "", organiser=False)


def test_an_organiser_retires_what_its_owner_has_retired(store: Store, league: LeagueRow) -> None:
    retire(store, league.name, "club/owl", "ann", "copied")
    owl = number(store, "club/owl")
    assert Leagues(store).retired_by(league.id, owl) == "ann"
    assert Leagues(store).entries(league.id)[owl - 1].reason == "copied"
    with pytest.raises(LeagueError, match="an organiser has retired club/owl@1: ask one"):
        readmit_entry(store, league, owl, "club", "", organiser=False)
    with pytest.raises(LeagueError, match="club/owl@1 is retired already"):
        retire(store, league.name, "club/owl", "ann", "copied")


@pytest.mark.parametrize(("by", "is_new"), [("club", False), ("ann", True)])
def test_faults_are_counted_anew_only_from_a_readmission_by_an_organiser(
    store: Store, league: LeagueRow, by: str, is_new: bool
) -> None:
    owl = number(store, "club/owl")
    readmit_entry(store, league, owl, by, "", organiser=by == "ann")
    entries = LeagueEntries(store, league.id, LeagueDefinition.from_json(league.definition))
    entries.read()
    assert (owl in entries.readmitted) == is_new


def test_a_bot_that_is_taken_down_plays_no_batch_that_waits(store: Store, league: LeagueRow) -> None:
    owl = number(store, "club/owl")
    readmit_entry(store, league, owl, "club", "", organiser=False)
    for place, entries in enumerate(((1, owl), (1, 2)), 1):
        assert Batches(store).add(league.id, leagues.batch(entries), place)
    assert take_down(store, "club/owl", "ann", "copied") == 1
    assert [row.state for row in Batches(store).of(league.id)] == ["waiting", "void"]
    assert not Batches(store).void(league.id), "nobody is tried for it"


@pytest.mark.processes
@pytest.mark.parametrize("decide", ["close", "take down", "close account"])
def test_what_is_played_here_goes_on_whatever_the_time_says_of_its_lease(
    store: Store, league: LeagueRow, decide: str
) -> None:
    owl = number(store, "club/owl")
    readmit_entry(store, league, owl, "club", "", organiser=False)
    rows = []
    for place, runner in enumerate((worker_name(), dead_worker(), "elsewhere:1:2:3"), 1):
        assert Batches(store).add(league.id, leagues.batch((1, owl)), place)
        rows.append(Batches(store).lease(league.id, runner, 0, now_ms(-300 if place != 2 else 300)))
    if decide == "close":
        close(store, league.name, "ann", "")
    elif decide == "take down":
        assert take_down(store, "club/owl", "ann", "copied") == 1
    else:
        assert close_account(store, "club") is not None
    assert [row.state for row in Batches(store).of(league.id)] == ["void", "void", "leased"]
    assert rows[0] is not None
    assert Batches(store).finish(leagues.lease(rows[0]), leagues.result()) is not None


def test_nobody_is_named_like_who_decides_in_logs() -> None:
    for name in (PROGRAM, "organiser", "samples", "unknown"):
        with pytest.raises(BadName, match=f"{name} is no account name"):
            check_account_name(name)
