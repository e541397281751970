"""The first Ctrl-C lets matches under way end, the second one stops at once; what is stored is not played again."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from arena.results.stored_tournament import StoredTournament
from arena.run.dispatcher import Assigned, StageWork
from arena.run.runner import FINISHING, run
from arena.store import Store, open_store
from arena.values.definition import Definition, TimeControl
from referee.v1.work_pb2 import WorkResponse
from tests.tournament.processes import Watched, descendants
from tests.tournament.runs import Watcher, begin, results

Make = Callable[..., Definition]

BOT = """
import os
from arena.sdk import Bot, Question

class Held(Bot[object]):
    matches_at_once = 1

    def choose(self, question: Question[object]) -> str:
        if os.path.exists(PIPE):
            with open(PIPE) as pipe:
                pipe.read()
        return question.legal[0]

Held().run()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def short(cambio: Make) -> Definition:
    definition = cambio("random", "cautious", rounds=200)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    return replace(definition, options={"chips": "2"}, block=25, time=time, matches_at_once=1)


def interrupted(store: Store, number: int, watcher: Watcher, jobs: int = 2) -> signal.Signals | None:
    tournament = StoredTournament.load(store, number)
    return run(tournament, tournament.resumable_definition(), jobs, watcher, lets_matches_end=True).stopped


@pytest.mark.usefixtures("in_process")
def test_what_a_finished_run_leaves_is_played_later(
    store: Store, short: Definition, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parted = begin(store, short), begin(store, short)
    assert interrupted(store, whole, Watcher()) is None
    watcher, take = Watcher(), StageWork.take

    async def interrupt(self: StageWork, response: WorkResponse, assigned: Assigned) -> None:
        if response.records and not watcher.lines:
            signal.raise_signal(signal.SIGINT)
            await wait_until_finishing()
        await take(self, response, assigned)

    async def wait_until_finishing() -> None:
        while FINISHING not in watcher.lines:
            await trio.lowlevel.checkpoint()

    with monkeypatch.context() as patch:
        patch.setattr(StageWork, "take", interrupt)
        assert interrupted(store, parted, watcher) == signal.SIGINT
    assert watcher.lines.count(FINISHING) == 1
    assert 0 < watcher.matches == store.count(parted) < 400
    assert store.tournament(parted).finished is None
    assert interrupted(store, parted, Watcher()) is None
    assert results(store, parted) == results(store, whole)


@pytest.mark.usefixtures("in_process")
def test_a_tournament_whose_last_matches_were_under_way_is_over(store: Store, cambio: Make) -> None:
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    number = begin(store, replace(cambio("random", "random", rounds=1), options={"chips": "2"}, time=time))
    watcher = Watcher(lambda: os.kill(os.getpid(), signal.SIGINT))
    stopped = interrupted(store, number, watcher, 1)
    left = 2 - watcher.matches
    assert (stopped is None) == (left == 0) == (store.tournament(number).finished is not None)


@pytest.mark.usefixtures("in_process")
def test_a_finished_run_begins_no_stage(store: Store, cambio: Make) -> None:
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    definition = cambio("random", "random", "random", "random", rounds=1, seats=2)
    number = begin(store, replace(definition, schedule="knockout", options={"chips": "2"}, time=time))

    class Interrupting(Watcher):
        def stands(self, how: str) -> None:
            if "semi-final" in how.lower():
                signal.raise_signal(signal.SIGINT)

    watcher = Interrupting()
    assert interrupted(store, number, watcher) == signal.SIGINT
    assert FINISHING in watcher.lines
    assert [entry.kind for entry in store.decisions(number)].count("leg") <= 1
    assert interrupted(store, number, Watcher()) is None
    assert store.tournament(number).finished is not None


@pytest.mark.processes
@pytest.mark.parametrize(
    ("signals", "code", "finishes"),
    [((signal.SIGINT,), 130, True), ((signal.SIGINT, signal.SIGINT), 130, False), ((signal.SIGTERM,), 143, False)],
)
def test_a_tournament_that_is_interrupted(
    tmp_path: Path, signals: tuple[signal.Signals, ...], code: int, *, finishes: bool
) -> None:
    pipe, bot, db = tmp_path / "pipe", tmp_path / "held.py", tmp_path / "arena.db"
    os.mkfifo(pipe)
    bot.write_text(BOT.replace("PIPE", repr(str(pipe))))
    words = ["tourney", "--game", "cambio", "-o", "chips=2", "--rounds", "3", "--jobs", "1", "--move-time", "0"]
    words += ["--sandbox", "off", "--trust-bots", "--bots", f"{bot},random", "--db", str(db)]
    command = [sys.executable, "-m", "arena", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        with pipe.open("w"):  # opens as soon as the bot is asked
            family = Watched(descendants(process.pid))
            process.send_signal(signals[0])
            if signals[0] == signal.SIGINT:
                assert any(FINISHING in line for line in process.stderr)
            for number in signals[1:]:
                process.send_signal(number)
            if not finishes:
                process.wait()
            pipe.unlink()
        said = process.stderr.read()
        assert process.wait() == code, said
    assert "stopped early; resume with: arena tourney resume 1" in said
    assert family.survivors() == []
    with open_store(db) as store:
        # The referee may begin some more of the three matches of its phase until it hears of the end.
        assert store.count(1) in (range(1, 4) if finishes else [0])
    resumed = [sys.executable, "-m", "arena", "tourney", "resume", "1", "--sandbox", "off", "--trust-bots"]
    subprocess.run([*resumed, "--db", str(db)], check=True, capture_output=True)
    with open_store(db) as store:
        assert store.count(1) == 6
