"""The bridge to UCI engines: what an engine is told, and what becomes of its answers."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from botarena_chess.engine import Engine, EngineFailed
from botarena_chess.uci import UciBot

STUB = (sys.executable, str(Path(__file__).parent / "stub_engine.py"))
START = f"fen {chess.STARTING_FEN}"


@pytest.mark.parametrize(
    ("kind", "move", "score"),
    [("sound", "a2a3", ""), ("even", "a2a3", "cp 0"), ("lost", "a2a3", "cp -900"), ("illegal", "(none)", ""),
     ("garbage", "", "elephant 3")],
)  # fmt: skip
def test_what_an_engine_answers(kind: str, move: str, score: str) -> None:
    engine = Engine((*STUB, kind), {"Hash": "1"})
    assert engine.name == f"Stub {kind}"
    engine.new_game()
    assert engine.search(START, "nodes 1") == (move, score)
    engine.quit()


def test_an_engine_that_ends_is_said_to() -> None:
    engine = Engine((*STUB, "crash"), {})
    for _ in range(2):
        engine.search(START, "nodes 1")
    with pytest.raises(EngineFailed, match="the engine Stub crash exited with code 3"):
        engine.search(START, "nodes 1")
    engine.quit()


def test_a_program_that_cannot_be_started() -> None:
    with pytest.raises(EngineFailed, match="cannot be started: No such file"):
        Engine(("/no/such/engine",), {})


class Recorder:
    """Stands for an engine: keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.games = 0

    def new_game(self) -> None:
        self.games += 1

    def search(self, position: str, limit: str) -> Any:
        self.asked.append((position, limit))
        return SimpleNamespace(move="e2e4", score="cp 7")


@pytest.mark.parametrize(
    ("own", "move", "bank", "limit"),
    [
        ("nodes 5", 1000, 1000, "nodes 5"),
        ("", 0, 0, "movetime 100"),
        ("", 500, 0, "movetime 480"),
        ("", 10, 0, "movetime 1"),
        ("", 100, 2000, "wtime 2080 btime 2080 winc 100 binc 100"),
    ],
)
def test_an_engine_is_told_the_clock(own: str, move: int, bank: int, limit: str) -> None:
    engine, said = Recorder(), []
    bot = UciBot(engine, own, margin=20)  # type: ignore[arg-type]
    view = SimpleNamespace(start=chess.STARTING_FEN, moves=("d2d4", "d7d5"))
    match: Any = SimpleNamespace(number=1, move_time_ms=move)
    for _ in range(3):
        question: Any = SimpleNamespace(match=match, view=view, bank_ms=bank, say=said.append)
        assert bot.choose(question) == "e2e4"
    assert set(engine.asked) == {(f"{START} moves d2d4 d7d5", limit)}
    assert engine.games == 0
    assert said == ["cp 7"] * 3


def test_an_engine_prepares_for_each_game_before_its_clock_runs() -> None:
    engine = Recorder()
    bot = UciBot(engine, "", margin=20)  # type: ignore[arg-type]
    assert bot.wants_ready
    for number in (1, 2):
        match: Any = SimpleNamespace(number=number)
        bot.match_started(match)
    assert engine.games == 2
