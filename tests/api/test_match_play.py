"""Single matches of the library, with real referees, beside real bot processes."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from arena.api import ArenaError, play, play_async
from arena.api.field import BotSpec
from arena.api.in_process import InProcessBots, _interrupt
from arena.record.match_verification import check_match
from arena.store import open_store
from arena.values.tournament_errors import PlanError
from tests.api.bots import SHORT, Drawer, Plain, broken, cheat, endless, first, interrupter, patient


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith(("bot ", "arena"))]


@pytest.mark.promise
def test_functions_classes_and_programs_play_a_match(tmp_path: Path) -> None:
    database = tmp_path / "arena.db"
    bots: dict[str, BotSpec] = {"mine": first, "theirs": "random", "drawn": Drawer, "plain": Plain, "waits": patient}
    match = play("cambio", bots, seed=1, options=SHORT, db=database)
    assert match.players == ("mine", "theirs", "drawn", "plain", "waits")
    assert all(match.decisions)
    assert match.faults == ((),) * 5
    assert sorted(match.ranks)[0] == 1
    assert "drawn" in match.replay.text(seat=2)
    with open_store(database) as store:
        stored = store.match(match.id)
        assert not check_match(stored).wrong
        assert [bot.in_process for bot in stored.event.definition.field] == [True, False, *[True] * 3]
    assert not threads()


@pytest.mark.processes
def test_what_a_bot_raises_reaches_its_author_with_its_traceback(
    remaining_processes: Callable[[], dict[int, str]],
) -> None:
    with pytest.raises(KeyError, match="not ") as caught:
        play("cambio", [broken, "random"], options=SHORT, seed=1)
    assert caught.traceback[-1].name == "broken"
    assert caught.value.__notes__ == ["raised by the in-process bot broken, in its thread"]
    assert not threads()
    assert not remaining_processes()


@pytest.mark.processes
def test_a_thread_that_is_ended_while_it_tells_of_an_error_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    told, fail = [], InProcessBots._fail

    def interrupted_once(bots: InProcessBots, name: str, error: BaseException) -> None:
        told.append(error)
        if len(told) == 1:
            _interrupt(threading.current_thread())
        fail(bots, name, error)

    monkeypatch.setattr(InProcessBots, "_fail", interrupted_once)
    with pytest.raises(KeyError, match="not "):  # of the thread that takes its place
        play("cambio", [broken, "random"], options=SHORT, seed=1)
    assert len(told) > 1


@pytest.mark.promise
def test_illegal_moves_are_faults_as_of_any_bot(capfd: pytest.CaptureFixture[str]) -> None:
    match = play("cambio", [cheat, first], options=SHORT, seed=1)
    assert set(match.faults[0]) == {"illegal"}
    assert match.faults[1] == ()
    assert "cheat.choose returned 'win', not a legal move" in capfd.readouterr().err


@pytest.mark.promise
def test_the_clock_of_a_bot_runs_and_one_that_never_answers_does_not_stay() -> None:
    match = play("cambio", [endless, first], options=SHORT, seed=1, move_time="20ms", bank=0)
    assert "timeout" in match.faults[0]
    for thread in threading.enumerate():
        if thread.name == "bot endless":
            thread.join(30)
    assert not threads()


@pytest.mark.promise
def test_ctrl_c_ends_all_processes(remaining_processes: Callable[[], dict[int, str]]) -> None:
    with pytest.raises(KeyboardInterrupt):
        play("cambio", [interrupter, "random"], options=SHORT, seed=1)  # a deal in which each is asked
    assert not remaining_processes()


@pytest.mark.processes
async def test_it_is_played_within_trio_and_may_be_cancelled(remaining_processes: Callable[[], dict[int, str]]) -> None:
    one = await play_async("cambio", [first, Drawer], options=SHORT, seed=7)
    other = play("cambio", [first, Drawer], options=SHORT, seed=7)
    assert (one.scores, one.seed, one.decisions) == (other.scores, other.seed, other.decisions)
    with trio.CancelScope() as scope:
        scope.cancel()
        await play_async("cambio", [first, "random"], options=SHORT)
    assert scope.cancelled_caught
    assert not remaining_processes()


@pytest.mark.processes
def test_it_is_played_within_asyncio_and_may_be_cancelled(remaining_processes: Callable[[], dict[int, str]]) -> None:
    async def main() -> None:
        one, other = await asyncio.gather(
            play_async("cambio", [first, Drawer], options=SHORT), play_async("cambio", [Drawer, first], options=SHORT)
        )
        assert (one.players, other.players) == (("first", "Drawer"), ("Drawer", "first"))
        task = asyncio.ensure_future(play_async("cambio", [endless, "random"], options=SHORT, move_time=0))
        await asyncio.wait([task], timeout=0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not remaining_processes()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("game", "changes", "sentence"),
    [
        ("canbio", {}, "cambio"),
        ("cambio", {"options": {"chip": 3}}, "chips"),
        ("cambio", {"bots": [first]}, "2"),
        ("cambio", {"seed": -1}, "a seed is a whole number from 0, not -1"),
        ("cambio", {"move_time": "soon"}, "move_time: 'soon' is not a duration"),
        ("cambio", {"move_time": -1.0}, "move_time: '-1.000000' is not a duration"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(game: str, changes: dict[str, object], sentence: str) -> None:
    arguments = {"bots": [first, "random"]} | changes
    with pytest.raises(ArenaError, match=sentence):
        play(game, **arguments)  # type: ignore[arg-type]


def test_a_seed_that_is_wrong_is_a_plan_error() -> None:
    with pytest.raises(PlanError):
        play("cambio", [first, first], seed=-5)
