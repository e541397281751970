"""The bridge to UCI engines: what an engine is told, and what becomes of its answers."""

import sys
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from botarena_chess.clock import left_of_bank
from botarena_chess.engine import Engine, Reply
from botarena_chess.info import Info, read_info
from botarena_chess.process import EngineFailed
from botarena_chess.uci import UciBot

from arena.sdk.match import SeatClock

STUB = (sys.executable, str(Path(__file__).parent / "stub_engine.py"))
START = f"fen {chess.STARTING_FEN}"


@pytest.mark.parametrize(
    ("kind", "move", "score"),
    [("sound", "a2a3", ""), ("even", "a2a3", "cp 0"), ("lost", "a2a3", "cp -900"), ("illegal", "(none)", ""),
     ("garbage", "", "")],
)  # fmt: skip
def test_what_an_engine_answers(kind: str, move: str, score: str) -> None:
    engine = Engine((*STUB, kind), {"Hash": "1"})
    assert engine.name == f"Stub {kind}"
    engine.new_game()
    reply = engine.search(START, "nodes 1")
    assert (reply.move, reply.info.score) == (move, score)
    engine.quit()


def test_an_engine_is_told_which_game_is_played() -> None:
    engine = Engine((*STUB, "variants"), {})
    assert engine.variants == ("chess", "chess960", "crazyhouse")
    engine.new_game("crazyhouse")
    held = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[N] w KQkq - 0 1"
    assert engine.search(held, "nodes 1").move == "N@a3"
    engine.new_game("chess960")
    castled = "fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1"
    assert engine.search(castled, "nodes 1").move == "e8d7"
    engine.new_game("chess")
    assert engine.search(START, "nodes 1").move == "a2a3"
    with pytest.raises(EngineFailed, match="does not play atomic: by its options it plays chess, chess960, crazyhouse"):
        engine.new_game("atomic")
    engine.quit()


def test_an_engine_of_chess_alone_is_told_nothing() -> None:
    engine = Engine((*STUB, "sound"), {})
    assert engine.variants == ("chess",)
    engine.new_game("chess")
    with pytest.raises(EngineFailed, match="does not play chess960: by its options it plays chess$"):
        engine.new_game("chess960")
    engine.quit()


def test_an_engine_thinks_in_the_other_side_s_time() -> None:
    engine = Engine((*STUB, "ponder"), {})
    assert engine.search(START, "nodes 1").ponder == "e7e5"
    engine.begin_pondering(f"{START} moves a2a3 e7e5", "nodes 1")
    assert engine.ponder_hit().move == "a1a2"
    engine.begin_pondering(f"{START} moves a2a3 e7e5", "nodes 1")
    engine.stop_pondering()
    assert engine.search(START, "nodes 1").move == "a2a3"
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

    name = "Recorder"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.pondered: list[str] = []
        self.games = 0

    def new_game(self, variant: str) -> None:
        self.games += 1
        self.variant = variant

    limit = Engine.limit

    def search(self, position: str, limit: str) -> Reply:
        self.asked.append((position, limit))
        return Reply("e2e4", Info("cp 7", depth=3, nodes=40), "c7c5")

    def begin_pondering(self, position: str, limit: str) -> None:
        self.pondered.append(f"{position} | {limit}")

    def ponder_hit(self) -> Reply:
        self.pondered.append("hit")
        return Reply("g1f3", Info("cp 9"))

    def stop_pondering(self) -> None:
        self.pondered.append("stop")

    def quit(self) -> None:
        self.pondered.append("quit")


def uci_bot(*engines: Recorder, own: str = "", now: Iterator[float] | None = None, **options: bool) -> UciBot:
    """Return a bot that starts these engines, one after the other, with a clock that stands still or shows `now`."""
    left: Any = iter(engines)
    clock = now or repeat(0.0)
    return UciBot(lambda: next(left), own, margin=20, now=lambda: next(clock), **options)


def question(moves: str = "d2d4 d7d5", seat: int = 0, move: int = 100, bank: int = 2000, **more: Any) -> Any:
    own = SeatClock(move, 2000, more.pop("fischer", False))
    clocks = [more.pop("other", own)] * 2
    clocks[seat] = own
    match = SimpleNamespace(number=1, game="chess", seat=seat, clocks=clocks, **own._asdict())
    board = chess.Board()
    for word in moves.split():
        board.push(chess.Move.from_uci(word))
    view = SimpleNamespace(
        start=chess.STARTING_FEN, moves=tuple(moves.split()), seat=seat, fen=board.fen(), variant="chess"
    )
    said: list[str] = []
    return SimpleNamespace(match=match, view=view, bank_ms=bank, say=said.append, note=said.append, said=said)


@pytest.mark.parametrize(
    ("own", "move", "bank", "limit"),
    [
        ("nodes 5", 1000, 1000, "nodes 5"),
        ("", 0, 0, "movetime 100"),
        ("", 500, 0, "movetime 480"),
        ("", 10, 0, "movetime 1"),
        ("", 100, 2000, "wtime 2080 btime 2100 winc 100 binc 100"),
    ],
)
def test_an_engine_is_told_the_clock(own: str, move: int, bank: int, limit: str) -> None:
    engine = Recorder()
    bot = uci_bot(engine, own=own)
    bot.match_started(question(move=move).match)
    asked = question(move=move, bank=bank)
    assert bot.choose(asked) == "e2e4"
    assert engine.asked == [(f"{START} moves d2d4 d7d5", limit)]
    assert asked.said == ["cp 7", "info score cp 7 depth 3 nodes 40"]


@pytest.mark.parametrize(("fischer", "other"), [(False, 1600), (True, 1600)])
def test_the_other_side_s_clock_is_reckoned(fischer: bool, other: int) -> None:
    """Black answers at 10 s, and is asked again once White has thought for 0.6 s, where a move has 0.1 s."""
    engine = Recorder()
    bot = uci_bot(engine, now=iter([9.0, 10.0, 10.6, 11.0]))
    first = question("d2d4", seat=1, fischer=fischer)
    bot.match_started(first.match)
    bot.choose(first)
    bot.choose(question("d2d4 e2e4 c2c4", seat=1, fischer=fischer))
    assert [limit for _, limit in engine.asked] == [
        "wtime 2100 btime 2080 winc 100 binc 100",
        f"wtime {other} btime 2080 winc 100 binc 100",
    ]


@pytest.mark.parametrize(
    ("other", "first", "later"),
    [
        (SeatClock(1000, 5000, True), "wtime 6000 btime 2080 winc 1000 binc 100", "wtime 6400"),
        (SeatClock(500, 5000, False), "wtime 5500 btime 2080 winc 500 binc 100", "wtime 5400"),
        (SeatClock(0, 0, False), "wtime 2080 btime 2080 winc 100 binc 100", "wtime 2080"),
    ],
)
def test_the_other_side_has_another_clock(other: SeatClock, first: str, later: str) -> None:
    """White thinks for 0.6 s."""
    engine = Recorder()
    bot = uci_bot(engine, now=iter([9.0, 10.0, 10.6, 11.0]))
    asked = question("d2d4", seat=1, other=other)
    bot.match_started(asked.match)
    bot.choose(asked)
    bot.choose(question("d2d4 e2e4 c2c4", seat=1, other=other))
    (_, one), (_, two) = engine.asked
    assert one == first
    assert two.startswith(f"{later} ")


def test_what_a_quick_move_leaves_is_added_with_an_increment_alone() -> None:
    assert left_of_bank(2000, 100, 0.04, is_fischer=True) == 2060
    assert left_of_bank(2000, 100, 0.04, is_fischer=False) == 2000
    assert left_of_bank(2000, 100, 5.0, is_fischer=True) == 0


def test_an_engine_ponders_on_the_move_that_it_expects() -> None:
    engine = Recorder()
    bot = uci_bot(engine, now=iter([1.0, 1.3, 2.0, 2.0, 3.0, 3.0]), ponder=True)
    bot.match_started(question().match)
    assert bot.choose(question("d2d4 d7d5")) == "e2e4"
    expected = f"{START} moves d2d4 d7d5 e2e4 c7c5"
    assert engine.pondered == [f"{expected} | wtime 1880 btime 2100 winc 100 binc 100"], "0.3 s were spent"
    assert bot.choose(question("d2d4 d7d5 e2e4 c7c5")) == "g1f3"
    assert engine.pondered[1:] == ["hit"]
    assert bot.choose(question("d2d4 d7d5 e2e4 c7c5 g1f3 b8c6")) == "e2e4"
    assert len(engine.asked) == 2


def test_a_thought_on_another_move_is_ended() -> None:
    engine = Recorder()
    bot = uci_bot(engine, ponder=True)
    bot.match_started(question().match)
    bot.choose(question("d2d4 d7d5"))
    bot.choose(question("d2d4 d7d5 c2c4 g8f6"))
    bot.match_started(question().match)
    assert [word for word in engine.pondered if word in ("hit", "stop")] == ["stop", "stop"]


def test_an_engine_is_started_anew_for_each_game_if_asked() -> None:
    first, second = Recorder(), Recorder()
    bot = uci_bot(first, second, restart=True)
    bot.match_started(question().match)
    assert first.pondered == []
    bot.match_started(question().match)
    assert first.pondered == ["quit"]
    bot.choose(question())
    assert (len(first.asked), len(second.asked), second.games) == (0, 1, 1)


def test_an_engine_prepares_for_each_game_before_its_clock_runs() -> None:
    engine = Recorder()
    bot = uci_bot(engine)
    assert bot.wants_ready
    for _ in range(2):
        bot.match_started(question().match)
    assert engine.games == 2


@pytest.mark.parametrize(
    ("said", "info"),
    [
        ("info depth 9 seldepth 12 score cp 20 nodes 77 nps 5 time 14 pv e2e4 e7e5",
         Info("cp 20", 9, 12, 14, 77, ("e2e4", "e7e5"))),
        ("info depth 9 multipv 1 score mate -3 pv a7a8q", Info("mate -3", 9, pv=("a7a8q",))),
        ("info depth 9 multipv 2 score cp -950 pv e2e4", Info()),
        ("info string classical score cp -950", Info()),
        ("info depth 9 score cp 20 wdl 10 900 90 string score cp -950 depth 3", Info("cp 20", 9)),
        ("info depth 10 score cp -900 upperbound nodes 3", Info()),
        ("info score cp -900 lowerbound depth 10", Info()),
        ("info pv e2e4 e7e5 score cp 12", Info("cp 12", pv=("e2e4", "e7e5"))),
        ("info score", Info()),
        ("info depth 1 score elephant 3 nodes", Info(depth=1)),
        ("info depth x score cp 1.5 nodes -3 pv O-O", Info()),
        ("info depth 99999999999999999999 score cp 99999999 multipv", Info()),
        ("info currmove e2e4 currmovenumber 1", Info()),
    ],
)  # fmt: skip
def test_what_an_engine_says_of_its_main_line(said: str, info: Info) -> None:
    assert read_info(said.split()) == info


def test_the_last_that_was_said_counts_and_a_line_can_be_read_again() -> None:
    first, second = (read_info(line.split()) for line in ("info depth 9 score cp 3 nodes 5", "info depth 10 nodes 9"))
    joined = first.joined(second)
    assert joined == Info("cp 3", 10, nodes=9)
    assert read_info(joined.line().split()) == joined
    assert Info().line() == ""
