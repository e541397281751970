"""Machines on which bots cannot be started: what is played there tells nothing of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from arena.cli.leagues.open_leagues import find_leagues
from arena.league.account_closing import close_account
from arena.league.plan.definition import LeagueDefinition
from arena.league.run import unfit_batches
from arena.league.run.entry_bots import CannotStart, EntryBots
from arena.league.run.scheduler import LeagueScheduler, Leased
from arena.league.run.start_failures import StartProblem, start_problem
from arena.league.run.unfit_batches import REST_SECONDS, UnfitBatches
from arena.league.store.batches import Batches
from arena.league.store.entry_grants import NOTHING
from arena.league.store.league_rows import EntryRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.run.executor import Local, Work
from arena.run.hosting import Hosting
from arena.run.referees import REFUSED, RefereeGone
from arena.store import Store, open_store
from arena.values.definition import Entrant
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow
from arena.values.tournament_errors import FieldError, HostingError
from referee.sandbox import Confinement
from sample_bots import SAMPLES
from tests import leagues, played
from tests.guessing import GUESSING

pytestmark = pytest.mark.usefixtures("in_process")


def match(*places: int, rotation: int = 0) -> MatchRow:
    row = played.match(GUESSING, seats=2, bots=2)
    seats = tuple(replace(seat, entrant=place) for seat, place in zip(row.seats, places, strict=True))
    return replace(row, phase=rotation, seats=seats)


def failed(place: int, *, rotation: int = 0, kind: str = "start", count: int = 3) -> list[ProcessFailureRow]:
    sentence = "it ended before it said hello"
    return [ProcessFailureRow(rotation, place, place, at, kind, sentence, output="no room\n") for at in range(count)]


def problem(rows: list[MatchRow], *failures: list[ProcessFailureRow]) -> StartProblem | None:
    """The problem of a batch of a sample bot, which is entry 4, club/owl and town/jay."""
    names = ("samples/a@1", "club/owl@1", "town/jay@1")
    entries = [
        EntryRow(number, name, (name, 1), "", number == 4, "standing", "", "", None, NOTHING)
        for number, name in enumerate(names, 4)
    ]
    withdrawn = {each[0].entrant: "its processes failed" for each in failures if len(each) > 2}
    return start_problem(leagues.result(rows, failures=list(chain(*failures)), withdrawn=withdrawn), entries)


def test_bots_that_fail_alone_fail_by_themselves() -> None:
    rows = [match(0, 1), match(0, 2)]
    assert problem(rows) is None
    assert problem(rows, failed(1), failed(2)) is None
    assert problem(rows, failed(0, count=2), failed(1), failed(2)) is None, "it came up at last"
    assert problem(rows, failed(0, kind="crash"), failed(1), failed(2)) is None


def test_where_no_bot_of_a_rotation_starts_it_may_be_the_machine() -> None:
    rows = [match(0, 1), match(0, 2), match(1, 0, rotation=1), match(2, 0, rotation=1)]
    reason = 'no bot can be started: samples/a@1: it ended before it said hello, last words "no room"'
    assert problem(rows, *(failed(place, rotation=1) for place in range(3))) == (reason, (4,))


def test_where_a_sample_bot_does_not_start_beside_others_it_may_be_the_machine_too() -> None:
    found = problem([match(0, 1), match(0, 2)], failed(0), failed(1))
    assert found is not None
    assert found.sentence.startswith("a sample bot could not be started: samples/a@1: ")
    assert found.anchors == (4,)


def test_where_no_bot_starts_and_none_is_a_sample_bot_each_is_tried() -> None:
    assert problem([match(1, 2)], failed(1), failed(2)) == ("none of its bots could be started", ())


def test_a_batch_that_cannot_be_played_rests_and_counts_as_failed_once_others_are_stored() -> None:
    now = 0.0
    unfit = UnfitBatches(lambda: now)
    assert not unfit.add(7, (1, 2))
    assert unfit.resting == {7}
    now = REST_SECONDS
    assert unfit.resting == set()
    assert not unfit.add(7, (1, 2)), "nothing was played meanwhile"
    assert unfit.resting == {7}
    unfit.note_stored(8, (1, 5))
    assert unfit.resting == set()
    assert not unfit.add(7, (1, 2)), "the second sample bot was in none"
    unfit.note_stored(9, (2, 1, 5))
    assert unfit.add(7, (1, 2))
    assert not unfit.add(7), "nothing was played since"
    unfit.note_stored(10, (5,))
    assert unfit.add(7), "a referee that could not go on with it goes on with others"
    unfit.note_stored(7, (1, 2))
    assert not unfit.add(7), "it was played, and begins anew"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store, tmp_path: Path) -> LeagueRow:
    """A league of one bot, with files that no other has."""
    created = leagues.cambio(store)
    (tmp_path / "owl.py").write_text(SAMPLES["counter"].path.read_text() + "# its own\n")
    leagues.submit_file(store, "club/owl", tmp_path / "owl.py")
    return created


def outcomes(store: Store, league: LeagueRow, number: int = 1) -> list[tuple[str | None, str]]:
    return [(attempt.outcome, attempt.reason) for attempt in Batches(store).attempts(league.id, number)]


def states(store: Store, league: LeagueRow) -> dict[str, str]:
    return {entry.name: entry.state for entry in Leagues(store).entries(league.id)}


def is_sound(store: Store, league: LeagueRow) -> bool:
    return list(league_problems(store, Leagues(store).named(league.name))) == []


def breaking(monkeypatch: pytest.MonkeyPatch, is_broken: Callable[[EntryRow], bool]) -> None:
    """Have the programs of entries end at once."""
    find = EntryBots.find

    def found(bots: EntryBots, entry: EntryRow) -> Entrant:
        bot = find(bots, entry)
        return structs.replace(bot, command=("/bin/false",)) if is_broken(entry) else bot

    monkeypatch.setattr(EntryBots, "find", found)


def test_a_machine_that_starts_no_bot_stores_nothing_and_goes_on_once_it_is_repaired(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unfit_batches, "REST_SECONDS", 0.01)
    said: list[str] = []
    breaking(monkeypatch, lambda _: sum("no bot can be started" in line for line in said) < 4)
    leagues.play(store, 1, said)
    assert [outcome for outcome, _ in outcomes(store, league)] == [*["released"] * 4, "stored"], "none counts as failed"
    [first, *_] = [line for line in said if "no bot can be started" in line]
    assert first.startswith("batch 1 of cambio came to no result: no bot can be started: samples/")
    assert first.endswith("; it rests, for 60 s at most")
    assert "suspended" not in states(store, league).values()
    assert is_sound(store, league)


def test_a_bot_beside_which_sample_bots_do_not_start_is_tried_alone(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    leagues.submit_file(store, "town/jay", SAMPLES["cautious"].path)
    LeagueScheduler(store, store.where, league).update()
    numbers = {entry.submission[0]: entry.number for entry in Leagues(store).entries(league.id)}
    Batches(store).void_unplayed(league.id, 0)
    Leagues(store).change_entry(league.id, numbers["town/jay"], "standing", "test")
    lease = LeagueScheduler.lease

    def hampered(scheduler: LeagueScheduler, *args: Any, **named: Any) -> Leased | None:
        leased = lease(scheduler, *args, **named)
        if leased is None or numbers["club/owl"] not in leased.row.entries:
            return leased
        field = tuple(
            structs.replace(bot, command=("/bin/false",)) if bot.name.startswith("samples/") else bot
            for bot in leased.definition.field
        )
        return leased._replace(definition=structs.replace(leased.definition, field=field))

    monkeypatch.setattr(LeagueScheduler, "lease", hampered)
    monkeypatch.setattr(LeagueDefinition, "seconds_of", lambda *_: 0.1)
    while not (trials := [row for row in Batches(store).of(league.id) if row.kind == "trial"]):
        leagues.play(store, 6)
    assert {numbers["club/owl"], numbers["town/jay"]} <= {entry for row in trials for entry in row.entries}
    tried = [outcomes(store, league, row.number) for row in Batches(store).of(league.id) if row.failed == 3]
    assert tried, "each of its attempts counted once others were stored"
    for outcome, reason in chain(*tried):
        assert outcome in ("failed", "released")
        assert not reason or reason.startswith("a sample bot could not be started: samples/")
    assert states(store, league)["town/jay@1"] == "standing"


class Refuses(Local):
    """Its first referees say that they cannot go on."""

    times = 4

    async def play(self, work: Work, jobs: int) -> None:
        for _ in range(self.times):
            unit = await work.backlog.wait()
            assert unit is not None
            work.lost({unit.number: unit}, RefereeGone(REFUSED, ": no program can be started: Too many open files"))
        await super().play(work, jobs)


def test_a_referee_that_cannot_go_on_costs_its_batch_no_attempt(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unfit_batches, "REST_SECONDS", 0.01)
    said: list[str] = []
    leagues.play(store, 1, said, executor=Refuses())
    assert [outcome for outcome, _ in outcomes(store, league)] == [*["released"] * 4, "stored"]
    reason = "a referee process could not go on with it: no program can be started: Too many open files"
    assert said[0] == f"batch 1 of cambio came to no result: {reason}; it rests, for 60 s at most"


def test_a_batch_whose_bot_is_gone_is_void_and_nobody_is_on_trial_for_it(store: Store, league: LeagueRow) -> None:
    leagues.submit_file(store, "town/jay", SAMPLES["cautious"].path)
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    held = Batches(store).lease(league.id, "killed", 0, 2**60)
    assert held is not None
    assert len(held.entries) > 2
    close_account(store, "club", "ann")
    Batches(store).give_back_all("killed")
    successor = LeagueScheduler(store, store.where, league)
    assert successor.lease("next", 1, 2**60, ()) is None
    row = Batches(store).get(league.id, held.number)
    assert row is not None
    assert row.state == "void"
    assert Batches(store).void(league.id) == [], "all of its bots but one would be tried for nothing"
    assert [outcome for outcome, _ in outcomes(store, league, held.number)] == ["expired", "released"]
    leagues.play(store, 1)
    assert is_sound(store, league)


def test_a_machine_that_cannot_confine_bots_waits_and_suspends_nobody(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(_: Hosting) -> Confinement:
        raise HostingError("whether bubblewrap works here cannot be found out now")

    said: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(Hosting, "confinement", short)
        [scheduler] = find_leagues(store, store.where, Hosting(trusted=True), said.append, set())
        assert not scheduler.update()
    assert said == ["the league cambio draws nothing for 30 s: whether bubblewrap works here cannot be found out now"]
    assert "suspended" not in states(store, league).values()
    assert LeagueScheduler(store, store.where, league, Hosting(trusted=True)).update(), "once it is repaired"


def test_a_machine_that_can_start_no_sample_bot_waits(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, said = EntryBots.find, list[str]()

    def gone(bots: EntryBots, entry: EntryRow) -> Entrant:
        if entry.is_anchor and Batches(store).of(league.id):
            raise CannotStart(entry, FieldError("its interpreter is gone"))
        return find(bots, entry)

    monkeypatch.setattr(EntryBots, "find", gone)
    scheduler = LeagueScheduler(store, store.where, league, None, said.append)
    assert scheduler.update()
    assert scheduler.lease("me", 0, 2**60, ()) is None
    assert [row.state for row in Batches(store).of(league.id)] == ["waiting"]
    assert [outcome for outcome, _ in outcomes(store, league)] == ["released"]
    assert said[0].startswith("the league cambio draws nothing for 30 s: samples/")
    assert {entry.state for entry in Leagues(store).entries(league.id)} == {"standing", "placing"}
