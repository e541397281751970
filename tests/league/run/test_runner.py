"""Leagues that are played by real referees and bots."""

import gc
import re
import signal
import sqlite3
import subprocess
import sys
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.bots.hand_ins import HandIns
from arena.league.control import close, pause
from arena.league.results.batch_report import report_batch
from arena.league.results.board import load_board
from arena.league.results.league_sums import LeagueSums
from arena.league.run import live_matches, runner
from arena.league.run.backlog import LeagueBacklog
from arena.league.run.batch_pace import BatchPace
from arena.league.run.batch_play import BatchPlay
from arena.league.run.entry_bots import CannotStart, EntryBots
from arena.league.run.live_matches import LiveMatch, LiveMatches
from arena.league.run.runner import LeagueRun, LeagueRunner, run_leagues
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import EntryRow, LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.packs.manifest import Manifest
from arena.ratings.ranking import fit_ranking
from arena.ratings.tally import Tally
from arena.record.match_verification import check_match
from arena.run.hosting import Hosting
from arena.run.work_units import WorkUnit
from arena.store import Store, open_store
from arena.store.engine.worker_name import worker_name
from arena.values.definition import Entrant
from arena.values.errors import ArenaError
from arena.values.result import Result
from arena.values.server_log import Notice
from sample_bots import SAMPLES
from tests import leagues
from tests.tournament.processes import Watched, descendants, wait_until

pytestmark = pytest.mark.usefixtures("in_process")

TRUSTED = Hosting(trusted=True)

RUN = """
import sys
from arena.league.run.scheduler import LeagueScheduler
from arena.league.run.runner import LeagueRunner, run_leagues
from arena.league.store.leagues import Leagues
from arena.store import open_store
from arena.packs.manifest import Manifest
from arena.values.definition import Entrant
from arena.run.hosting import Hosting

with open_store(sys.argv[1], write=True) as store:
    schedulers = [LeagueScheduler(store, sys.argv[1], league) for league in Leagues(store).all()]
    say = lambda line: print(line, flush=True)
    run_leagues(LeagueRunner(store, schedulers, Hosting(trusted=True), say), 2)
"""

CRASHES = """
from arena.sdk import Bot

class Crashes(Bot):
    def choose(self, question):
        raise SystemExit(3)

Crashes().run()
"""


THINKS = """
import time
from arena.sdk import Bot

class Thinks(Bot):
    def choose(self, question):
        began = time.process_time()
        while time.process_time() < began + 0.002:
            pass
        return question.legal[0]

Thinks().run()
"""


GETS_READY = """
import time
from arena.sdk import Bot

class GetsReady(Bot):
    wants_ready = True

    def match_started(self, match):
        while time.process_time() < 0.5:
            pass

    def choose(self, question):
        return question.legal[0]

GetsReady().run()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with open_store(path, create=True) as opened:
        yield opened


def play(store: Store, batches: int | None, lines: list[str] | None = None, jobs: int = 1) -> LeagueRun:
    schedulers = [LeagueScheduler(store, store.where, league) for league in Leagues(store).all()]
    say = (lines if lines is not None else []).append
    checks_here = HandIns(store).checks_here
    runner = LeagueRunner(store, schedulers, TRUSTED, say, most_batches=batches, checks_here=checks_here)
    return run_leagues(runner, jobs)


def results(store: Store, league: LeagueRow) -> list[Result]:
    """The stored matches as results between entries, each batch with deals of its own."""
    found = []
    for batch in Batches(store).of(league.id):
        if batch.state == "stored":
            for id in range(batch.first_match, batch.first_match + batch.matches):
                row = store.match(id).row
                entries = [(str(batch.entries[seat.entrant]),) for seat in row.seats]
                deal = batch.number * 1000 + row.deal
                scores, ranks = (seat.score for seat in row.seats), (seat.rank for seat in row.seats)
                found.append(Result(deal, tuple(entries), tuple(ranks), tuple(scores)))
    return found


def wait_for_results(store: Store, process: "subprocess.Popen[Any]") -> None:
    """Wait until a process has stored results."""
    known = Leagues(store).named("cambio").results
    wait_until(process, lambda: Leagues(store).named("cambio").results > known)


def check_whole(store: Store, league: LeagueRow) -> None:
    """Check that each batch is stored whole or not at all, each only once, and that all of it follows."""
    assert list(league_problems(store, Leagues(store).named(league.name))) == []


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_the_time_to_get_ready_is_kept_with_the_sums_of_a_batch(store: Store, tmp_path: Path) -> None:
    league = leagues.cambio(store)
    bot = tmp_path / "owl.py"
    bot.write_text(GETS_READY)
    leagues.submit_file(store, "club/owl", bot)
    play(store, 1)
    [owl] = (entry.number for entry in Leagues(store).entries(league.id) if not entry.is_anchor)
    [(_, _, packed)] = Batches(store).sums(league.id)
    ready_us = LeagueSums().add(packed).ready_us
    assert list(ready_us) == [owl]
    assert 50_000 < ready_us[owl] < 60_000_000
    assert list(league_problems(store, league)) == []


@pytest.mark.promise
@pytest.mark.usefixtures("with_processes")
def test_a_league_plays_and_is_rated(store: Store) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    done = play(store, 3, jobs=2)
    assert done.batches >= 3
    check_whole(store, league)

    kinds = [batch.kind for batch in reversed(Batches(store).of(league.id)) if batch.state == "stored"]
    assert kinds[0] == "placement"
    matches = results(store, league)
    assert len(matches) == done.matches
    for batch in Batches(store).of(league.id):
        if batch.state == "stored":
            match = store.match(batch.first_match + batch.matches - 1)
            assert check_match(match).wrong == ()
            assert {seat.player for seat in match.row.seats} <= set(range(len(batch.entries)))
            assert match.row.phase < 2, "phases are counted in each batch"

    board = load_board(store, "cambio")
    assert board.matches == len(matches)
    ranking = fit_ranking(Tally(matches))
    elo = {int(row.bot): row.elo for row in ranking.rows}
    anchors = [row.entry.number for row in board.rows if row.entry.is_anchor]
    zero = sum(elo[number] for number in anchors) / len(anchors)
    shown = {row.entry.number: row.elo for row in board.rows}
    assert shown == pytest.approx({number: value - zero for number, value in elo.items()}, abs=0.01)
    [owl] = [row for row in board.rows if row.entry.name == "club/owl@1"]
    assert owl.entry.owner == "club"
    assert owl.deals == sum((str(owl.entry.number),) in match.teams for match in matches) // 2


def test_a_watched_league_tells_of_matches_under_way(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "WATCH_SECONDS", 1000.0)
    monkeypatch.setattr("referee.phase.WATCHED_SECONDS", -1.0)
    monkeypatch.setattr("referee.service.WATCH_SECONDS", 0.0)
    monkeypatch.setattr("referee.service.REPORT_SECONDS", 0.001)
    monkeypatch.setattr(live_matches, "is_shown", lambda play: True)
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path)
    seen: list[LiveMatch] = []

    class Noted(LiveMatches):
        def note(self, *what: Any) -> None:
            super().note(*what)
            seen.extend(self.of(league.id))

    def watch(*, wanted: bool) -> None:
        seen.clear()
        live = Noted()
        live.want(1e9 if wanted else 0)
        schedulers = [LeagueScheduler(store, store.where, league)]
        lines: list[str] = []
        run_leagues(LeagueRunner(store, schedulers, TRUSTED, lines.append, most_batches=1, live=live), 1)

    watch(wanted=False)
    assert not seen
    watch(wanted=True)
    assert seen
    batches = {batch.number: batch for batch in Batches(store).of(league.id)}
    for match in seen:
        record = store.match(batches[match.batch].first_match + match.row.number).row
        assert record.seed == match.row.seed
        assert record.answers.startswith(match.row.answers)
        assert [seat.entrant for seat in record.seats] == [seat.entrant for seat in match.row.seats]


def test_what_is_stored_needs_no_garbage_collection(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is thousands of matches with their notes; the collector may not come by for many minutes."""
    begun: list[weakref.ref[BatchPlay]] = []
    alive: list[int] = []

    class Watched(BatchPlay):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            alive.append(sum(each() is not None for each in begun))
            begun.append(weakref.ref(self))

    monkeypatch.setattr(runner, "BatchPlay", Watched)
    leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    gc.disable()
    try:
        play(store, 6)
    finally:
        gc.enable()
    assert len(begun) >= 6
    assert max(alive) <= 3


def test_a_limited_run_begins_no_more_batches_than_it_is_to_store(store: Store) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    assert play(store, 3, jobs=2).batches == 3
    begun = [
        number for row in Batches(store).of(league.id) for number in Batches(store).attempts(league.id, row.number)
    ]
    assert len(begun) == 3


def test_nothing_is_played_for_sample_bots_alone(store: Store) -> None:
    league = leagues.cambio(store)
    [scheduler] = [LeagueScheduler(store, store.where, league)]
    assert not scheduler.update()
    leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path)
    assert scheduler.update()
    [batch] = Batches(store).of(league.id)
    assert (batch.kind, batch.state) == ("placement", "waiting")
    assert not scheduler.update(), "until it is placed"


@pytest.mark.processes
@pytest.mark.usefixtures("with_processes")
def test_a_bot_whose_processes_fail_is_suspended(store: Store, tmp_path: Path) -> None:
    league = leagues.cambio(store)
    (tmp_path / "crashes.py").write_text(CRASHES)
    leagues.submit_file(store, "club/owl", tmp_path / "crashes.py")
    leagues.submit_file(store, "town/jay", SAMPLES["cautious"].path)
    play(store, 1)
    [owl] = [entry for entry in Leagues(store).entries(league.id) if entry.name == "club/owl@1"]
    assert owl.state == "suspended"
    assert re.fullmatch(r"its processes failed \d times in rotation [12] of a batch", owl.reason)
    assert store.process_failures.listed(), "its owner can see why"
    check_whole(store, league)


def test_an_entry_that_uses_up_its_time_in_a_batch_is_suspended(
    store: Store, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = leagues.cambio(store)
    (tmp_path / "thinks.py").write_text(THINKS)
    leagues.submit_file(store, "club/owl", tmp_path / "thinks.py")
    anchors = {entry.number for entry in Leagues(store).entries(league.id)}

    def pace(_: object, entries: Sequence[int], *_more: object) -> BatchPace:
        return BatchPace(20.0, thinking_ms=tuple(int(entry not in anchors) for entry in entries))

    monkeypatch.setattr(BatchPace, "of", pace)
    play(store, 1)
    [owl] = [entry for entry in Leagues(store).entries(league.id) if entry.name == "club/owl@1"]
    assert owl.state == "suspended"
    assert re.fullmatch(r"it took longer than a bot may for all its answers in rotation [12] of a batch", owl.reason)
    [batch] = [row for row in Batches(store).of(league.id) if row.state == "stored"]
    faults = {fault.kind for row in store.batch_records(batch.event) for fault in row.faults}
    assert faults == {"withdrawn"}
    assert any("for all its answers" in failure.row.sentence for failure in store.process_failures.listed())
    check_whole(store, league)


@pytest.mark.promise
def test_a_run_that_is_killed_goes_on_where_it_was(store: Store, path: Path) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE) as process:
            wait_for_results(store, process)
            below = Watched(descendants(process.pid))
            process.kill()
            process.wait()
        assert below.survivors() == []
        check_whole(store, league)
    before = Leagues(store).named("cambio").results
    assert (more := play(store, 2).batches) >= 2
    check_whole(store, league)
    assert Leagues(store).named("cambio").results == before + more
    numbers = [batch.number for batch in Batches(store).of(league.id)]
    assert numbers == list(range(len(numbers), 0, -1))


@pytest.mark.processes
def test_a_referee_that_dies_costs_its_batch_an_attempt(store: Store, path: Path) -> None:
    league = leagues.cambio(store, deals=30)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE, text=True) as process:
        wait_until(process, lambda: any(batch.state == "leased" for batch in Batches(store).of(league.id)))
        for pid in wait_until(process, lambda: _playing(process.pid)):
            subprocess.run(["kill", "-KILL", str(pid)], check=False)
        wait_until(
            process,
            lambda: any(
                attempt.outcome in ("failed", "released")  # released: it died before it was ready
                for batch in Batches(store).of(league.id)
                for attempt in Batches(store).attempts(league.id, batch.number)
            ),
        )
        wait_for_results(store, process)
        process.terminate()
        assert process.wait() == 0
    check_whole(store, league)
    assert all(batch.state != "leased" for batch in Batches(store).of(league.id)), "given back in good order"


def _playing(root: int) -> list[int]:
    """Return the referees below a process that have started bots."""
    return [pid for pid in descendants(root) if _is_referee(pid) and descendants(pid)]


def _is_referee(pid: int) -> bool:
    try:
        return b"referee" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


def test_a_batch_that_ends_its_referees_is_tried_with_each_entry_alone(store: Store, path: Path) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    for kind in ("placement", "trial"):
        [waiting] = [batch for batch in Batches(store).unplayed(league.id) if batch.kind == kind]
        _make_void(path, waiting.number)
        scheduler.update()
        assert Batches(store).void(league.id) == []
    [owl] = [entry for entry in Leagues(store).entries(league.id) if entry.name == "club/owl@1"]
    assert owl.state == "suspended"
    assert "in which it met sample bots alone, came to no result" in owl.reason


@pytest.mark.parametrize(("who", "is_tried"), [("club", True), ("arena", True), ("ann", False)])
def test_a_retired_entry_is_tried_too_unless_an_organiser_retired_it(
    store: Store, path: Path, who: str, is_tried: bool
) -> None:
    league, scheduler, owl = _retired_in_a_void_batch(store, path, who)
    scheduler.update()
    assert [row.kind for row in Batches(store).unplayed(league.id)] == ["trial"] * is_tried
    for row in Batches(store).unplayed(league.id):
        _make_void(path, row.number)
    scheduler.update()
    state = "suspended" if is_tried else "retired"
    assert Leagues(store).entries(league.id)[owl.number - 1].state == state
    assert Batches(store).void(league.id) == []


def test_a_retired_entry_that_cannot_be_started_is_not_tried_for_ever(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league, scheduler, owl = _retired_in_a_void_batch(store, path, "club")
    find = EntryBots.find
    monkeypatch.setattr(EntryBots, "find", lambda bots, entry: _gone(entry) if entry == owl else find(bots, entry))
    scheduler.update()
    scheduler.update()
    assert Leagues(store).entries(league.id)[owl.number - 1].state == "suspended"
    assert Batches(store).void(league.id) == []


@pytest.mark.parametrize("is_barred", [True, False])
def test_a_retired_entry_of_a_version_that_plays_no_more_is_not_tried(
    store: Store, path: Path, is_barred: bool
) -> None:
    league, scheduler, owl = _retired_in_a_void_batch(store, path, "arena")
    if is_barred:
        store.submissions.retire("club/owl", [1])
    else:
        leagues.submit_file(store, "club/owl", SAMPLES["cautious"].path)
    scheduler.update()
    assert "trial" not in [row.kind for row in Batches(store).unplayed(league.id)]
    assert Leagues(store).entries(league.id)[owl.number - 1].state == "retired"
    assert Batches(store).void(league.id) == []


def _retired_in_a_void_batch(store: Store, path: Path, who: str) -> tuple[LeagueRow, LeagueScheduler, EntryRow]:
    """Return a league, its scheduler, and its entry of club/owl, which is retired by somebody and in a void batch."""
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    scheduler = LeagueScheduler(store, store.where, league)
    scheduler.update()
    [waiting] = Batches(store).unplayed(league.id)
    [number] = [entry.number for entry in Leagues(store).entries(league.id) if entry.name == "club/owl@1"]
    Leagues(store).change_entry(league.id, number, "retired", who)
    _make_void(path, waiting.number)
    return league, scheduler, Leagues(store).entries(league.id)[number - 1]


def _gone(entry: EntryRow) -> Entrant:
    raise CannotStart(entry, ArenaError("its files are gone"))


def _make_void(path: Path, batch: int) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE batches SET state = 'void' WHERE number = ?", [batch])


@pytest.mark.parametrize(("checks", "most"), [(0, 2), (2, 1), (5, 1)])
def test_a_core_is_left_to_each_check_of_a_hand_in(
    store: Store, monkeypatch: pytest.MonkeyPatch, checks: int, most: int
) -> None:
    leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    for number in range(checks):
        HandIns(store).receive("club", f"club/bot{number}", "bot.py", b"pass")
        assert HandIns(store).claim(worker_name(), 1000) is not None
    out = 0
    take = LeagueBacklog.take

    async def counted(backlog: LeagueBacklog) -> WorkUnit | None:
        nonlocal out
        unit = await take(backlog)
        out = max(out, backlog._out)
        return unit

    monkeypatch.setattr(LeagueBacklog, "take", counted)
    assert play(store, 1, jobs=3).batches == 1
    assert (out == most) if checks else (out >= most)


def test_a_paused_league_begins_nothing(store: Store) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    pause(store, "cambio", "ann", "lunch")
    scheduler = LeagueScheduler(store, store.where, league)
    assert not scheduler.update()
    assert scheduler.lease("me", 0, 10, ()) is None
    assert not scheduler.is_over


def test_a_server_forgets_leagues_that_are_closed(store: Store) -> None:
    kept, closed = leagues.cambio(store), leagues.cambio(store, "autumn")
    close(store, closed.name, "ann", "")
    schedulers = [LeagueScheduler(store, store.where, league) for league in Leagues(store).all()]
    looks = iter(range(9))

    def beat() -> None:
        if next(looks, None) is None or len(served._schedulers) < 2:
            served._stop()

    served = LeagueRunner(store, schedulers, TRUSTED, print, find=lambda: (), stops_on_signals=False, beat=beat)
    run_leagues(served, 1)
    assert set(served._schedulers) == {kept.id}


@pytest.mark.parametrize("is_new", [False, True])
def test_a_server_says_which_leagues_it_runs(store: Store, is_new: bool) -> None:
    league = leagues.cambio(store)
    schedulers = [LeagueScheduler(store, store.where, league)]
    found, known = (iter([schedulers]), ()) if is_new else (iter([]), schedulers)
    said = list[str]()

    def beat() -> None:
        if served._schedulers:
            served._stop()

    served = LeagueRunner(store, known, TRUSTED, said.append, find=lambda: next(found, []), beat=beat)
    run_leagues(served, 1)
    assert set(served._schedulers) == {league.id}
    [notice] = said
    assert isinstance(notice, Notice)
    assert (str(notice), notice.event) == ("running cambio", "league_run")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_ctrl_c_lets_the_batches_under_way_end(store: Store, number: signal.Signals) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    said = list[str]()
    is_sent = False

    def beat() -> None:
        nonlocal is_sent
        if run._work.plays and not is_sent:
            is_sent = True
            signal.raise_signal(number)

    schedulers = [LeagueScheduler(store, store.where, league)]
    run = LeagueRunner(store, schedulers, TRUSTED, said.append, beat=beat)
    done = run_leagues(run, 1)
    states = [batch.state for batch in Batches(store).of(league.id)]
    assert done.stopped == number
    if number == signal.SIGINT:
        assert said.count(runner.FINISHING) == 1
        assert done.batches == states.count("stored") >= 1
    else:
        assert runner.FINISHING not in said
    assert set(states) <= {"stored", "waiting"}, "none is held"
    check_whole(store, league)


def test_a_challenge_is_played_last_and_changes_no_rating(store: Store) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    leagues.submit_file(store, "town/jay", SAMPLES["random"].path)
    play(store, 2)
    number = leagues.challenge(store, "club/owl", "town/jay", deals=4)
    batch = Batches(store).get(league.id, number)
    assert batch is not None
    assert (batch.kind, batch.state) == ("challenge", "waiting")
    assert Batches(store).unplayed(league.id)[-1].number == number
    play(store, 9)  # those that waited before it, and four that may overtake it
    report = report_batch(store, league, number)
    assert report.batch.state == "stored", "others do not overtake it for ever"
    assert report.batch.result is None
    assert {"club/owl@1", "town/jay@1"} <= {entry.name for entry in report.entries.values()}
    assert report.ratings[0].deals > 0
    check_whole(store, league)


def test_an_entry_that_this_machine_cannot_start_is_suspended_and_the_others_play_on(store: Store) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    pack = leagues.pack(SAMPLES["counter"].path)
    store.submissions.add("town/jay", pack, pack, Manifest("java", ("no-such-program",)).to_json(), {"steps": []})
    assert play(store, 1).batches >= 1
    states = {entry.name: (entry.state, entry.reason) for entry in Leagues(store).entries(league.id)}
    assert states["town/jay@1"][0] == "suspended"
    assert states["town/jay@1"][1].startswith("town/jay@1 cannot be started: ")
    assert states["club/owl@1"][0] in ("placing", "standing")


def test_tables_as_large_as_a_batch_place_newcomers_too(store: Store) -> None:
    league = leagues.cambio(store, seats=8)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    leagues.submit_file(store, "town/jay", SAMPLES["counter"].path)
    scheduler = LeagueScheduler(store, store.where, league)
    assert scheduler.update()
    [batch] = Batches(store).of(league.id)
    assert (batch.kind, len(batch.entries)) == ("placement", 8)
