"""Dates of leagues: set and changed, held against hand-ins, openings and ends, and verified."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest
from click.testing import CliRunner

from arena.bots import hand_ins
from arena.bots.hand_ins import HandIns
from arena.cli import main
from arena.league.account_closing import close_account
from arena.league.control import LeagueError, close, end_season
from arena.league.dates import control
from arena.league.dates.control import GivenDates, extend, set_dates
from arena.league.dates.verification import date_problems
from arena.league.run.league_entries import LeagueEntries
from arena.league.run.scheduler import CHECKS_FOR, LeagueScheduler
from arena.league.store import seasons
from arena.league.store.batches import Batches
from arena.league.store.league_dates import NO_DATES, has_unchecked
from arena.league.store.league_entries import EnteredLate
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.league.verification import league_problems
from arena.store import Store, open_store
from arena.store.people import submissions
from arena.store.people.submissions import SubmissionRow
from arena.values.given_time import TimeError
from sample_bots import SAMPLES
from tests import leagues
from tests.postgres import Server

pytestmark = pytest.mark.usefixtures("in_process")

OPENS, DEADLINE, ENDS = ("2027-03-01T08:00:00+00:00", "2027-03-10T18:00:00+00:00", "2027-03-11T18:00:00+00:00")
DATES = GivenDates(opens=OPENS, deadline=DEADLINE, ends=ENDS, timezone="Europe/Berlin")


class Clock:
    """The clock of the machine and of the database."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = "2027-02-28T12:00:00+00:00"
        for module in (hand_ins, submissions, seasons, control):
            monkeypatch.setattr(module, "database_time", lambda _connection: self.now)

    def at(self, moment: str, **later: float) -> datetime:
        """Set it to so much after a moment."""
        at = datetime.fromisoformat(moment) + timedelta(**later)
        self.now = at.isoformat(timespec="seconds")
        return at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store, clock: Clock) -> LeagueRow:
    """A league with all dates."""
    made = leagues.cambio(store)
    set_dates(store, made.name, DATES, "ann")
    return made


def submit(store: Store, name: str, received: str | None = None) -> SubmissionRow:
    """Store a version of a bot that was received at a moment, by default now."""
    source, manifest = leagues.pack(SAMPLES["counter"].path), {"games": ["cambio"], "run": ["bot.py"]}
    stored = leagues.submit_file(store, name, SAMPLES["counter"].path)
    assert (source.sha256, manifest["games"]) == (stored.content, ["cambio"])
    if received is not None:
        with closing(sqlite3.connect(store.where)) as connection, connection:
            connection.execute("UPDATE submissions SET received = ? WHERE name = ? AND version = ?",
                               (received, name, stored.version))  # fmt: skip
    return store.submissions.version(name, stored.version)


def entered(store: Store, league: LeagueRow) -> list[str]:
    """Have what counts enter, and return the bots that are active."""
    LeagueScheduler(store, store.where, league).update()
    return [entry.name for entry in Leagues(store).entries(league.id) if entry.is_active and not entry.is_anchor]


def hides_now(store: Store, league: LeagueRow) -> list[str | None]:
    return [Seasons(store).hides(league.id, season.number) for season in Leagues(store).seasons(league.id)]


def test_since_when_a_board_is_hidden_is_a_decision_of_its_season(store: Store, league: LeagueRow) -> None:
    assert hides_now(store, league) == [None]
    hides = "2027-03-11T08:00:00+00:00"
    set_dates(store, league.name, GivenDates(hides="2027-03-11T09:00"), "ann")
    assert hides_now(store, league) == [hides]
    assert Leagues(store).dates(league.id).hides == hides
    of_next = GivenDates(hides="2027-04-11T09:00Z", timezone="Europe/Berlin")
    set_dates(store, league.name, of_next, "ann", season=2)
    assert hides_now(store, league) == [hides], "the next one has not begun"
    with pytest.raises(LeagueError, match="the season begins after that"):
        set_dates(store, league.name, GivenDates(hides="2027-02-27T09:00Z"), "ann", season=2)
    end_season(store, league.name, top=None, deals=None, closes=False, by="ann", reason="")
    leagues.end_frozen_season(store, league)
    assert hides_now(store, league) == [hides, "2027-04-11T09:00:00+00:00"]
    assert list(league_problems(store, league)) == []
    with closing(sqlite3.connect(store.where)) as connection, connection:
        connection.execute("UPDATE seasons SET hides = NULL WHERE number = 2")
    said = "its board is hidden since None in season 2, and by its log since 2027-04-11T09:00:00+00:00"
    assert said in list(league_problems(store, Leagues(store).named(league.name)))


@pytest.mark.parametrize("second", [-1, 0, 1])
def test_what_is_received_before_the_second_of_the_deadline_counts(
    store: Store, league: LeagueRow, clock: Clock, second: int
) -> None:
    clock.at(DEADLINE, seconds=second)
    number = HandIns(store).receive("club", "club/owl", "owl.py", b"")
    clock.at(DEADLINE, days=1)
    row = submit(store, "club/owl", HandIns(store).find(number).created)
    assert entered(store, league) == ([row.title] if second < 0 else [])
    if second >= 0:
        with pytest.raises(EnteredLate, match="club/owl@1 was received after the deadline"):
            Leagues(store).enter(league.id, leagues.entry(row), "arena")


def test_a_clock_that_is_set_back_reopens_no_deadline(store: Store, league: LeagueRow, clock: Clock) -> None:
    def receive(owner: str) -> str:
        return HandIns(store).find(HandIns(store).receive(owner, f"{owner}/owl", "owl.py", b"")).created

    clock.at(DEADLINE)
    assert receive("club") == DEADLINE
    clock.at(DEADLINE, minutes=-30)
    assert receive("town") == DEADLINE
    clock.at(DEADLINE, days=-3)
    assert receive("fox") == "2027-03-07T18:00:00+00:00", "what was that far ahead was wrong, and makes nobody late"


def test_of_versions_the_newest_in_time_plays_and_later_ones_wait_for_the_next_season(
    store: Store, league: LeagueRow, clock: Clock
) -> None:
    submit(store, "club/owl", "2027-03-01T08:00:00+00:00")
    submit(store, "club/owl", "2027-03-10T17:59:59+00:00")
    submit(store, "club/owl", DEADLINE)
    submit(store, "fox/hen", DEADLINE)
    clock.at(DEADLINE, hours=1)
    assert entered(store, league) == ["club/owl@2"], "nothing had entered before, as if the server had been down"
    assert entered(store, league) == ["club/owl@2"]
    end_season(store, league.name, top=None, deals=None, closes=False, by="ann", reason="")
    leagues.end_frozen_season(store, league)
    assert entered(store, league) == ["club/owl@3", "fox/hen@1"]
    assert list(date_problems(Leagues(store).signed_log(league.id))) == []


def test_an_extension_is_for_one_owner_and_may_be_taken_back(store: Store, league: LeagueRow, clock: Clock) -> None:
    for owner in ("club", "fox"):
        submit(store, f"{owner}/owl", "2027-03-10T19:00:00+00:00")
    clock.at(DEADLINE, hours=2)
    assert entered(store, league) == []
    extend(store, league.name, "fox", "2027-03-11T12:00", "ann", "was ill")
    assert Leagues(store).dates(league.id).extensions == {"fox": "2027-03-11T11:00:00+00:00"}, (
        "as clocks in Berlin show"
    )
    assert entered(store, league) == ["fox/owl@1"]
    extend(store, league.name, "fox", "none", "ann")
    submit(store, "fox/owl", "2027-03-10T19:30:00+00:00")
    assert entered(store, league) == ["fox/owl@1"], "what has entered stays"
    rows = Leagues(store).log(league.id, "extend")
    assert [(row.who, row.details["owner"], row.reason) for row in rows] == [
        ("ann", "fox", "was ill"),
        ("ann", "fox", ""),
    ]
    assert list(date_problems(Leagues(store).signed_log(league.id))) == []


@pytest.mark.parametrize(
    ("owner", "until", "said"),
    [
        ("nobody", "2027-03-11T12:00", "nobody is called nobody"),
        ("club", "2027-02-01T12:00", "is not in the future"),
        ("club", "2027-03-10T12:00", "is not after the deadline"),
        ("club", "2027-03-12T12:00", "is after the end of the season"),
    ],
)
def test_an_extension_that_means_nothing_is_refused(
    store: Store, league: LeagueRow, owner: str, until: str, said: str
) -> None:
    submit(store, "club/owl")
    with pytest.raises(LeagueError, match=said):
        extend(store, league.name, owner, until, "ann")
    assert Leagues(store).log(league.id, "extend") == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (GivenDates(deadline=OPENS), "the deadline, .*, is not after the opening"),
        (GivenDates(ends="2027-03-10T18:00Z"), "the end of the season, .*, is not after the deadline"),
        (GivenDates(deadline="2027-02-28T12:00Z", opens="none"), "is not in the future"),
        (GivenDates(ends="2029-03-10T18:00Z"), "the season has secrets until"),
        (
            GivenDates(hides="2027-03-01T07:00Z"),
            "the moment from which .* is not after the opening",
        ),
        (
            GivenDates(hides="2027-03-12T07:00Z"),
            "the end of the season, .* is not after the moment",
        ),
        (
            GivenDates(hides="2020-03-10T18:00Z", opens="none"),
            "the board cannot be hidden since",
        ),
        (GivenDates(), "no date is given"),
    ],
)
def test_dates_that_contradict_each_other_are_refused(
    store: Store, league: LeagueRow, given: GivenDates, said: str
) -> None:
    before = Leagues(store).dates(league.id)
    with pytest.raises(LeagueError, match=said):
        set_dates(store, league.name, given, "ann")
    assert Leagues(store).dates(league.id) == before


def test_dates_of_the_next_season_may_be_set_and_those_of_one_at_its_end_not(store: Store, league: LeagueRow) -> None:
    later = GivenDates(opens="2027-04-01T08:00Z")
    set_dates(store, league.name, later, "ann", season=2)
    with pytest.raises(LeagueError, match="only the newest season"):
        set_dates(store, league.name, later, "ann", season=3)
    end_season(store, league.name, top=None, deals=None, closes=False, by="ann", reason="")
    with pytest.raises(LeagueError, match="season 1 of the league cambio is at its end"):
        set_dates(store, league.name, later, "ann")
    with pytest.raises(LeagueError, match="is at its end"):
        extend(store, league.name, "club", "2027-03-11T12:00", "ann")
    leagues.end_frozen_season(store, league)
    assert Leagues(store).dates(league.id).opens == "2027-04-01T08:00:00+00:00"
    with pytest.raises(TimeError):
        set_dates(store, league.name, GivenDates(opens="soon"), "ann")
    close(store, league.name, "ann", "")
    with pytest.raises(LeagueError, match="is closed, for ever"):
        set_dates(store, league.name, later, "ann")


def test_nothing_is_played_before_the_opening(store: Store, league: LeagueRow, clock: Clock) -> None:
    for name in ("club/owl", "fox/hen"):
        submit(store, name)
    scheduler = LeagueScheduler(store, store.where, league)
    assert entered(store, league) == ["club/owl@1", "fox/hen@1"], "they are entered"
    assert Batches(store).of(league.id) == []
    with pytest.raises(LeagueError, match=r"the league cambio opens at 2027-03-01 09:00 Europe/Berlin \(UTC\+01:00\)"):
        leagues.challenge(store, "club/owl", "fox/hen")
    new = leagues.batch((1, 2))
    assert not Batches(store).add(league.id, new, 1), "below the scheduler of a runner whose clock is ahead"
    clock.at(OPENS)
    assert Batches(store).add(league.id, new, 1)
    with pytest.raises(LeagueError, match="season 1 of the league cambio is played already, so its opening stays"):
        set_dates(store, league.name, GivenDates(opens="2027-03-02T08:00Z"), "ann")
    assert scheduler.name == "cambio"


def test_a_season_ends_at_its_date_and_waits_for_checks_of_bots_received_in_time(
    store: Store, league: LeagueRow, clock: Clock
) -> None:
    clock.at(DEADLINE, seconds=-1)
    waiting = HandIns(store).receive("club", "club/owl", "owl.py", b"")
    clock.at(DEADLINE)
    HandIns(store).receive("fox", "fox/hen", "hen.py", b"")
    scheduler, season = LeagueScheduler(store, store.where, league), Leagues(store).seasons(league.id)[0]
    scheduler._entries.read()
    end = datetime.fromisoformat(ENDS)
    scheduler._is_checking = has_unchecked(store, scheduler._entries.dates)
    assert not scheduler._is_due(season, end - timedelta(seconds=1))
    assert not scheduler._is_due(season, end)
    assert scheduler._is_due(season, end + CHECKS_FOR), "for ever it does not wait"
    HandIns(store).cancel(waiting)
    scheduler._is_checking = has_unchecked(store, scheduler._entries.dates)
    assert scheduler._is_due(season, end)
    set_dates(store, league.name, GivenDates(ends="2027-03-12T18:00Z"), "ann")
    scheduler._freeze(season)
    assert Leagues(store).seasons(league.id)[0].frozen is None, "the end was put off at this very moment"


def test_two_organisers_at_the_same_moment_leave_one_of_both_dates(store: Store, league: LeagueRow) -> None:
    begun = Barrier(2)

    def decide(day: int) -> None:
        begun.wait(60)
        with suppress(LeagueError):
            set_dates(store, league.name, GivenDates(ends=f"2027-03-{day}T18:00Z"), "ann")

    threads = [Thread(target=decide, args=(day,)) for day in (14, 15)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = Leagues(store).log(league.id, "dates")
    assert len(rows) == 3
    assert Leagues(store).dates(league.id).ends == rows[-1].details["ends"]
    assert list(league_problems(store, Leagues(store).named(league.name), replay=False)) == []


@pytest.mark.parametrize("kind", ["late", "early"])
def test_a_league_that_did_not_keep_to_its_dates_is_found(
    store: Store, league: LeagueRow, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    row = submit(store, "club/owl", DEADLINE)
    if kind == "late":
        takes = "arena.league.store.league_dates.LeagueDates.takes"
        with monkeypatch.context() as patched:
            patched.setattr(takes, lambda *_: True)
            Leagues(store).enter(league.id, leagues.entry(row), "arena")
        said = f"club/owl@1 entered season 1, and was received at {DEADLINE}, after its deadline"
    else:
        LeagueScheduler(store, store.where, league)._freeze(Leagues(store).seasons(league.id)[0])
        scheduler = LeagueScheduler(store, store.where, league)
        scheduler._entries.read()
        scheduler._freeze(Leagues(store).seasons(league.id)[0])
        said = f", before its end at {ENDS}"
    problems = list(league_problems(store, Leagues(store).named(league.name), replay=False))
    assert [said in problem for problem in problems] == [True]


def test_owners_are_told_and_a_closed_account_is_named_no_more(store: Store, league: LeagueRow, clock: Clock) -> None:
    store.accounts.add("club", "author", "0" * 64)
    submit(store, "club/owl")
    assert entered(store, league) == ["club/owl@1"]
    set_dates(store, league.name, GivenDates(ends="2027-03-12T18:00Z"), "ann")
    extend(store, league.name, "club", "2027-03-12T18:00Z", "ann")
    with closing(sqlite3.connect(store.where)) as connection:
        told = connection.execute("SELECT kind, account FROM outbox WHERE kind LIKE '%dates' OR kind LIKE '%extended'")
        assert told.fetchall() == [("league.dates", "club"), ("deadline.extended", "club")]
    close_account(store, "club")
    [row] = Leagues(store).log(league.id, "extend")
    assert "club" not in str(row.details)
    assert list(league_problems(store, Leagues(store).named(league.name), replay=False)) == []


def test_a_clock_without_dates_changes_nothing(store: Store) -> None:
    made = leagues.cambio(store)
    submit(store, "club/owl", datetime.now(UTC).isoformat(timespec="seconds"))
    assert entered(store, made) == ["club/owl@1"]
    assert Leagues(store).dates(made.id) == NO_DATES


def test_a_bot_that_is_accepted_as_the_season_ends_enters_it(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = leagues.cambio(store)
    begin = datetime.now(UTC)
    clock.now = (begin - timedelta(hours=3)).isoformat(timespec="seconds")
    deadline, ends = ((begin - timedelta(minutes=minutes)).isoformat(timespec="seconds") for minutes in (60, 30))
    set_dates(store, made.name, GivenDates(deadline=deadline, ends=ends), "ann")
    waiting = HandIns(store).receive("club", "club/owl", "owl.py", b"")
    scheduler, enter = LeagueScheduler(store, store.where, made), LeagueEntries.enter_submissions

    def accept_after(entries: LeagueEntries, *, is_frozen: bool) -> None:
        enter(entries, is_frozen=is_frozen)
        if HandIns(store).find(waiting).state == "received":
            HandIns(store).cancel(waiting)
            submit(store, "club/owl", HandIns(store).find(waiting).created)

    monkeypatch.setattr(LeagueEntries, "enter_submissions", accept_after)
    scheduler.update()
    assert Leagues(store).seasons(made.id)[0].frozen is None
    scheduler.update()
    assert Leagues(store).seasons(made.id)[0].frozen is not None
    assert "club/owl@1" in {entry.name for entry in Leagues(store).entries(made.id)}


@pytest.mark.toolchain
def test_dates_are_held_against_the_clock_of_a_server(postgres: Server) -> None:
    with open_store(postgres.database(), create=True) as store:
        made = leagues.cambio(store)
        now = datetime.fromisoformat(store.submissions.now())
        assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)
        assert now.isoformat(timespec="seconds") == now.astimezone(UTC).isoformat()
        set_dates(store, made.name, GivenDates(deadline=f"{now.date() + timedelta(days=9)}T18:00Z"), "ann")
        assert entered(store, made) == []
        submit_file = leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        assert entered(store, made) == [submit_file.title]
        extend(store, made.name, "club", f"{now.date() + timedelta(days=10)}T18:00Z", "ann")
        assert list(league_problems(store, Leagues(store).named(made.name), replay=False)) == []


def test_the_printed_log_tells_since_when_a_board_is_hidden(store: Store, league: LeagueRow) -> None:
    set_dates(store, league.name, GivenDates(hides="2027-03-11T09:00"), "ann")
    printed = CliRunner().invoke(main, ["league", "show", league.name, "--log", "--db", store.where]).output
    assert "hides 2027-03-11T08:00:00+00:00" in printed
    assert "board is hidden from: 2027-03-11 09:00 Europe/Berlin" in printed
