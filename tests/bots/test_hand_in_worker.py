"""Hand-ins checked by a worker: real bots in real processes, some of which are killed."""

import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec import structs

from arena.bots import hand_in_worker, hand_ins
from arena.bots.check_processes import core_shares
from arena.bots.hand_in_check import HandInOutcome, HandInTask, warn_of_slowness
from arena.bots.hand_in_limits import LeagueLimits, most_generous
from arena.bots.hand_in_rows import Claim, HandInRow, HandInStep
from arena.bots.hand_in_worker import CORES_OF_CHECK, HandInWorker, usual_jobs
from arena.bots.hand_ins import HandIns
from arena.bots.rejudging import Rejudging
from arena.bots.report import Report
from arena.league.control import close, create
from arena.league.plan.definition import define_league
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.server.hand_ins.league_limits import league_limits
from arena.store import Store, StoreUnavailable, open_store
from arena.store.engine.worker_name import worker_name
from arena.values.definition import TimeControl
from arena.values.server_log import Notice, configure
from referee.engine.registry import game
from tests import leagues
from tests.uploads import MANIFEST, PLAYS_HYPP, RANDOM, zipped

pytestmark = pytest.mark.usefixtures("forked_checks")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "a.db", create=True) as opened:
        yield opened


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def worker(store: Store, said: list[str]) -> HandInWorker:
    return HandInWorker(store, Hosting(), BuildTerms(seconds=1.5), said.append)


def hand_in(store: Store, content: bytes = PLAYS_HYPP, file: str = "owl.zip", name: str = "club/owl") -> int:
    return HandIns(store).receive("club", name, file, content)


def checked(store: Store, worker: HandInWorker, id: int) -> HandInRow:
    assert worker.check_next()
    row = HandIns(store).find(id)
    assert row.is_finished
    return row


def at_check(store: Store, monkeypatch: pytest.MonkeyPatch, act: Callable[[Claim], object]) -> None:
    """Do something whenever a check begins, before that is stored."""
    begin = HandIns(store).begin_check

    def acted(_: HandIns, claim: Claim, games: tuple[str, ...]) -> bool:
        act(claim)
        return begin(claim, games)

    monkeypatch.setattr(HandIns, "begin_check", acted)


@pytest.mark.promise
def test_a_bot_that_plays_is_accepted_and_each_step_is_stored(store: Store, worker: HandInWorker) -> None:
    id = hand_in(store)
    row = checked(store, worker, id)
    assert (row.state, row.version, row.attempt, row.died) == ("accepted", 1, 1, 0)
    assert row.sentence.startswith("is accepted as version 1: club/owl@1, ")
    assert row.games == ("hypp",), "as its manifest names them"
    assert row.steps[0] == ("unpacks", "passed", f"2 files, {len(MANIFEST) + len(RANDOM):,} bytes")
    [stored] = store.submissions.all()
    titles = [step["title"] for step in stored.report["steps"]]
    assert [step.title for step in row.steps] == ["unpacks", *titles]
    assert HandIns(store).report(id) == stored.report | {"found": []}
    again = checked(store, worker, hand_in(store))
    assert (again.state, again.version) == ("accepted", 1)
    assert again.sentence.startswith("is unchanged since version 1")
    assert not worker.check_next()


@pytest.mark.processes
def test_an_accepted_version_is_checked_again_as_it_plays(
    store: Store, worker: HandInWorker, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    id = hand_in(store)
    checked(store, worker, id)
    [version] = store.submissions.all()
    Rejudging(store).rejudge([id], "ann", "mended")
    row = checked(store, worker, id)
    assert (row.state, row.version, said) == ("accepted", 1, [])
    assert row.sentence == "plays as version 1, and has passed its check again"
    assert row.steps[0] == ("unpacks", "passed", "2 files of version 1, as it plays")
    assert [step.title for step in row.steps][-1] == "quiet"

    Rejudging(store).rejudge([id], "ann", "starts were not timed")
    monkeypatch.setattr(worker, "_limits", TimeControl(start_time_ms=1))
    row = checked(store, worker, id)
    words = "plays on as version 1; checked again, it would be refused now: "
    assert (row.state, row.version, row.sentence[: len(words)]) == ("accepted", 1, words)
    [notice] = said
    assert isinstance(notice, Notice)
    assert (notice.event, notice) == ("recheck_failed", f"hand-in {id}: club/owl {row.sentence}")
    assert store.submissions.all() == [version], "with the report of the check that accepted it"
    report = HandIns(store).report(id)
    assert report is not None
    assert "failed" in [step["verdict"] for step in report["steps"]]


@pytest.mark.processes
def test_it_must_play_the_games_that_it_is_handed_in_for(store: Store, worker: HandInWorker) -> None:
    id = HandIns(store).receive("club", "club/owl", "owl.py", RANDOM, games=("hypp",), league=1)
    row = checked(store, worker, id)
    assert row.state == "accepted"
    assert [step.title for step in row.steps if step.title.startswith("plays ")] == ["plays hypp"]


@pytest.mark.processes
def test_a_refused_bot_has_its_findings_and_nothing_of_it_is_stored(store: Store, worker: HandInWorker) -> None:
    wrong = (
        "from arena.sdk import Bot\nclass Wrong(Bot):\n    games = ('hypp',)\n"
        "    def choose(self, question): return 'fly'\nWrong().run()\n"
    )
    id = hand_in(store, wrong.encode(), "owl.py")
    row = checked(store, worker, id)
    assert row.state == "refused"
    assert row.sentence.startswith("is refused: first answer: ")
    report = HandIns(store).report(id)
    assert report is not None
    [found] = report["found"]
    assert (found["step"], found["name"], found["log"]) == ("first answer", "1-first-answer", None)
    assert '"hypp"' in found["question"]
    assert store.submissions.all() == []


@pytest.mark.processes
def test_a_hand_in_has_the_time_to_start_that_a_league_of_its_game_grants(store: Store) -> None:
    hypp = game("hypp")
    worker = HandInWorker(
        store,
        Hosting(),
        BuildTerms(seconds=1.5),
        print,
        limits=TimeControl(start_time_ms=1),
        league_limits=league_limits,
    )
    row = checked(store, worker, hand_in(store))
    assert row.state == "refused"
    assert "hello within 0.001 s" in row.sentence
    create(store, "hypp", define_league(hypp, hypp.options()), "", "ann")
    assert checked(store, worker, hand_in(store)).state == "accepted"


def test_leagues_that_are_open_grant_what_their_definitions_say(store: Store) -> None:
    leagues.cambio(store, "one")
    two = leagues.cambio(store, "two")
    limits = tuple(LeagueLimits("cambio", TimeControl(), name, 0) for name in ("one", "two"))
    assert league_limits(store, None) == limits
    assert league_limits(store, two.id) == limits[1:], "it is handed in for this one"
    close(store, "one", "ann", "")
    assert len(league_limits(store, None)) == 1
    leagues.change_definition(store, "two", newer=1)
    assert league_limits(store, None) == (), "of another version of arena"


def test_the_most_generous_league_counts() -> None:
    granted = (
        LeagueLimits("hypp", TimeControl(start_time_ms=60_000, ready_time_ms=5_000), "one", 0),
        LeagueLimits("cambio", TimeControl(start_time_ms=5_000, ready_time_ms=0), "two", 0),
    )
    usual = TimeControl(memory_bytes=1)
    assert most_generous(usual, (), ("hypp",)) == usual
    assert most_generous(usual, granted, ("hypp",)) == structs.replace(usual, start_time_ms=60_000)
    assert most_generous(usual, granted, ("cambio",)) == structs.replace(usual, ready_time_ms=0)
    assert most_generous(usual, granted, ()) == structs.replace(usual, start_time_ms=60_000, ready_time_ms=0)


def test_who_takes_too_long_for_a_league_is_warned(store: Store) -> None:
    quick = leagues.cambio(store, "quick", thinking=2)
    leagues.cambio(store, "patient")
    report = Report("owl", charged_us={"cambio": 2_000_000})
    warn_of_slowness(report, league_limits(store, None))
    assert report.steps == []
    report.charged_us["cambio"] += 1
    report.charged_us["hypp"] = 9_000_000
    warn_of_slowness(report, league_limits(store, None))
    [step] = report.steps
    sentence = "it takes 2.0 s for its answers in a match, and 2 s may be taken: the league does not enter it"
    assert (step.title, step.verdict, step.sentence) == (f"enters {quick.name}", "warned", sentence)
    assert report.passed


BOMB = zipped({"bot.toml": MANIFEST, "zeros": bytes(64 << 20)})


@pytest.mark.processes
@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("owl.exe", b"x", "send a Python file"),
        ("owl.zip", b"no zip", "the zip file cannot be read"),
        ("owl.zip", BOMB, "its files are more than 32 MiB together"),
        (
            "owl.zip",
            zipped({"bot.toml": MANIFEST + b'build = ["sleep", "600"]', "main.py": RANDOM}),
            "the build (sleep 600) took longer than 1.5 s",
        ),
        (
            "owl.zip",
            zipped({"bot.toml": MANIFEST + b'build = ["yes", "flood"]', "main.py": RANDOM}),
            "the build (yes flood) took longer than 1.5 s",
        ),
    ],
)
def test_a_hand_in_that_is_no_bot_holds_nobody_up(
    store: Store, worker: HandInWorker, file: str, content: bytes, sentence: str
) -> None:
    id, other = hand_in(store, content, file), hand_in(store, name="club/fox")
    row = checked(store, worker, id)
    assert row.state == "refused"
    assert sentence in row.sentence
    assert len(row.sentence) < 20_000
    assert HandIns(store).claim("elsewhere:0:1:1", 60.0) is not None, "the next can be checked"
    assert not HandIns(store).find(other).is_finished


@pytest.mark.processes
@pytest.mark.usefixtures("spawned_checks")
@pytest.mark.parametrize(
    ("changed", "mistake"),
    [({"content": None}, "TypeError"), ({"cores": (10**6,)}, "OSError")],
    ids=["in the check", "before the check"],
)
def test_a_mistake_of_ours_is_a_line_of_the_servers_log(
    capfd: pytest.CaptureFixture[str], changed: dict[str, Any], mistake: str
) -> None:
    cores = tuple(os.sched_getaffinity(0))
    task = HandInTask(
        "club/owl", "owl.zip", PLAYS_HYPP, (), None, BuildTerms(), Hosting(trusted=True), cores, log="json"
    )
    with hand_in_worker._process(replace(task, **changed)) as (process, pipe):
        outcome = None
        with suppress(EOFError):
            outcome = pipe.recv()
            while isinstance(outcome, HandInStep):
                outcome = pipe.recv()
        process.join()
        assert (outcome is None) == (process.exitcode == 1)
    (line,) = capfd.readouterr().err.splitlines()
    assert json.loads(line)["event"] == "bug"
    assert mistake in json.loads(line)["traceback"]


def test_a_worker_tells_its_checks_how_the_server_logs(
    store: Store, worker: HandInWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[HandInTask] = []

    @contextmanager
    def note(task: HandInTask) -> Iterator[Any]:
        tasks.append(task)
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(hand_in_worker, "_process", note)
    configure("json", io.StringIO())
    hand_in(store)
    with pytest.raises(KeyboardInterrupt):
        worker.check_next()
    assert [task.log for task in tasks] == ["json"]


class SilentPipe:
    """The pipe of a check that says nothing; whoever looks at it waits for ten seconds of a clock."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.until = 2000.0
        self.stop = Event()

    def current_time(self) -> float:
        return self.now

    def poll(self, seconds: float) -> bool:
        self.now += 10
        if self.now >= self.until:
            self.stop.set()
        return False


@pytest.mark.parametrize("busy", [2, 1])
def test_a_slow_check_on_the_worker_for_quick_ones_gives_way_if_no_other_is_free(
    store: Store, monkeypatch: pytest.MonkeyPatch, busy: int
) -> None:
    worker = HandInWorker(store, Hosting(), BuildTerms(), print, jobs=2)
    pipe = SilentPipe()
    monkeypatch.setattr(worker, "_clock", pipe)
    monkeypatch.setattr(worker, "_stopped", pipe.stop)
    id, other = hand_in(store), hand_in(store, name="club/fox")
    claimed = HandIns(store).claim(worker_name(), 60.0, quick=True)
    assert claimed is not None
    with ExitStack() as stack:
        for _ in range(busy):
            stack.enter_context(worker._counted())
        follow: Any = worker._follow
        assert follow(claimed, None, pipe, quick=True) is None
    row = HandIns(store).find(id)
    assert (row.state, row.died, row.abandoned) == ("received", 0, 0)
    assert pipe.now == (1120.0 if busy == 2 else pipe.until), "the other worker takes the quick one if it is free"
    following = HandIns(store).claim(worker_name(), 60.0, quick=True)
    assert following is not None
    assert following.row.id == (other if busy == 2 else id)


def test_a_hand_in_for_which_the_server_is_too_busy_is_tried_again_also_after_a_restart(
    store: Store, worker: HandInWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand_in_worker, "_process", lambda task: nullcontext((None, None)))
    monkeypatch.setattr(HandInWorker, "_follow", lambda *_, **__: HandInOutcome("busy", "the machine was too busy"))
    monkeypatch.setattr(hand_ins, "BUSY_PAUSES", (0.0, 0.0, 0.0, 0.0))
    id = hand_in(store)
    for busy in (1, 2, 3, 4):
        assert worker.check_next()
        row = HandIns(store).find(id)
        assert (row.state, row.busy) == ("received", busy)
        worker = HandInWorker(store, Hosting(), BuildTerms(), print)
    row = checked(store, worker, id)
    assert (row.state, row.busy, row.version) == ("failed", 5, None)
    assert row.sentence.startswith("could not be checked in 5 attempts, which says nothing of the bot: the machine was")


def kill_checkers(claim: Claim) -> None:
    for child in multiprocessing.active_children():
        child.kill()


@pytest.mark.processes
@pytest.mark.usefixtures("spawned_checks")
def test_a_check_that_ends_its_process_three_times_is_refused(
    store: Store, worker: HandInWorker, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what is killed removes no files
    monkeypatch.setattr("arena.bots.hand_ins.INTERRUPTED_PAUSES", (0.0,))
    id = hand_in(store)
    at_check(store, monkeypatch, kill_checkers)
    for died in (1, 2, 3):
        assert worker.check_next()
        assert HandIns(store).find(id).died == died
    row = HandIns(store).find(id)
    assert (row.state, row.attempt) == ("refused", 3)
    assert "its check ended the checker 3 times" in row.sentence
    assert said == ["the process that checks hand-in 1 (club/owl) ended with exit code -9"] * 3
    assert not worker.check_next()
    assert store.submissions.all() == []


@pytest.mark.processes
def test_a_cancelled_check_is_ended(store: Store, worker: HandInWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    id = hand_in(store)
    at_check(store, monkeypatch, lambda claim: HandIns(store).cancel(claim.hand_in))
    assert checked(store, worker, id).state == "cancelled"
    assert multiprocessing.active_children() == []
    assert store.submissions.all() == []


@pytest.mark.processes
def test_a_worker_that_is_stopped_returns_its_hand_in(
    store: Store, worker: HandInWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = hand_in(store)
    with monkeypatch.context() as patched:
        at_check(store, patched, lambda claim: worker.close())
        assert worker.check_next()
    row = HandIns(store).find(id)
    assert (row.state, row.abandoned, row.attempt, row.steps) == ("received", 0, 1, ())
    other = HandInWorker(store, Hosting(), BuildTerms(), print)
    assert checked(store, other, id).state == "accepted"


@pytest.mark.processes
def test_a_database_that_cannot_be_used_delays_an_outcome_and_loses_none(
    store: Store, worker: HandInWorker, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, failures = HandIns(store).finish, iter(range(2))

    def unavailable(_: HandIns, *arguments: Any) -> bool:
        if next(failures, None) is not None:
            raise StoreUnavailable("the database is locked", ": wait")
        return finish(*arguments)

    monkeypatch.setattr(HandIns, "finish", unavailable)
    monkeypatch.setattr(hand_in_worker, "POLL_SECONDS", 0.0)
    assert checked(store, worker, hand_in(store, b"x", "owl.exe")).state == "refused"
    assert said == ["the database is locked; hand-ins wait until it can be used again"]


PROGRAM = """
import sys, threading
from arena.bots.check_processes import core_shares
from arena.bots.hand_in_worker import CORES_OF_CHECK, HandInWorker, usual_jobs
from arena.bots.report import Report
from arena.bots.hand_ins import HandIns
from arena.store import open_store
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting

store = open_store(sys.argv[1])

def tell(word, function):
    def told(*arguments):
        print(word, flush=True)
        return function(*arguments)
    return told

HandIns.begin_check = tell("checking", HandIns.begin_check)
HandIns.accept = tell("storing", HandIns.accept)
HandInWorker(store, Hosting(), BuildTerms(), print, jobs=2).start()
threading.Event().wait()
"""


def killed_at(database: str, word: str) -> None:
    """Run a worker as a program, and kill it as soon as it says a word."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM, database], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert f"{word}\n" in program.stdout
        os.kill(program.pid, signal.SIGKILL)


@pytest.mark.processes
def test_after_kill_9_nothing_is_lost_and_nothing_is_there_twice(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bots.hand_ins.INTERRUPTED_PAUSES", (0.0,))
    with open_store(database, create=True) as store:
        first, second = hand_in(store), hand_in(store, name="club/fox")
        killed_at(database, "checking")
        killed_at(database, "storing")
        worker = HandInWorker(store, Hosting(), BuildTerms(), print)
        while worker.check_next():
            pass
        rows = [HandIns(store).find(id) for id in (first, second)]
        assert [row.state for row in rows] == ["accepted", "accepted"]
        assert sum(row.abandoned for row in rows) >= 1
        assert sorted(row.title for row in store.submissions.all()) == ["club/fox@1", "club/owl@1"]


@pytest.mark.processes
@pytest.mark.usefixtures("spawned_checks")
def test_a_check_that_is_ended_while_it_starts_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    task = HandInTask("club/owl", "owl.zip", PLAYS_HYPP, (), None, BuildTerms(), Hosting(trusted=True), (0,))
    with hand_in_worker._process(task):
        pass  # it is still in the middle of its imports
    assert capfd.readouterr().err == ""
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, set())


def test_quick_checks_pass_slow_ones_on_two_cores_too() -> None:
    assert [usual_jobs(cores) for cores in (1, 2, 4, 8)] == [2, 2, 2, 4]


@pytest.mark.parametrize(("cores", "jobs", "size"), [(1, 2, 1), (2, 2, 2), (3, 2, 3), (4, 2, 2), (8, 4, 2), (8, 1, 8)])
def test_a_check_has_two_cores_at_least_of_its_own_or_all(
    monkeypatch: pytest.MonkeyPatch, cores: int, jobs: int, size: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    shares = core_shares(jobs, CORES_OF_CHECK)
    assert [len(share) for share in shares] == [size] * jobs
    assert set().union(*shares) == set(range(cores))


def test_a_check_that_ends_just_as_it_is_interrupted_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Mock(pid=12345)
    process.is_alive.return_value = True
    context = Mock()
    context.Pipe.return_value = Mock(), Mock()
    context.Process.return_value = process
    monkeypatch.setattr(hand_in_worker, "get_context", lambda _: context)
    monkeypatch.setattr(os, "kill", Mock(side_effect=ProcessLookupError))
    with hand_in_worker._process(Mock()):
        pass
    process.close.assert_called_once_with()
