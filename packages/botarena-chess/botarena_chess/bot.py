"""What the adapters of engines have in common: the games they play, and the command line of each."""

import signal
import sys
from collections.abc import Callable
from typing import NamedTuple

from arena.sdk import Bot, Match, Question
from botarena_chess.clock import OtherClock, left_of_bank
from botarena_chess.process import EngineFailed, EngineProcess
from botarena_chess.v1.chess_pb2 import ChessView

DEFAULT_MOVE_MS = 100
"""The time for a move in a match without a clock."""


class Clocks(NamedTuple):
    """The clocks as an engine is told them, in milliseconds."""

    mine: int
    """What it has; 0 where there is no bank."""
    other: int
    """What the other side has."""
    move: int
    """What each move adds to its own; without a bank the time for the move."""
    other_move: int = 0
    """What each move adds to the other side's."""


def other_clock(match: Match) -> OtherClock:
    """Return the clock of the other side as a match begins, which may be another one than the own."""
    other = match.clocks[1 - match.seat]
    return OtherClock(other.bank_ms, other.move_time_ms, is_fischer=other.fischer)


def clocks_of(question: "Question[ChessView]", other: OtherClock, margin: int, spent: float = 0.0) -> Clocks:
    """Return the clocks of a question.

    other: the clock of the other side.
    margin: milliseconds that the engine is not told it has.
    spent: seconds that will have been charged.
    """
    move = question.match.move_time_ms
    if not move:
        return Clocks(0, 0, DEFAULT_MOVE_MS)
    if not question.bank_ms:
        return Clocks(0, 0, max(1, move - margin))
    bank = left_of_bank(question.bank_ms, move, spent, is_fischer=question.match.fischer)
    mine = max(1, bank + move - margin)
    if not other.move_ms:  # It has no limit, for which engines have no word: then it is told to have as much.
        return Clocks(mine, mine, move, move)
    return Clocks(mine, max(1, other.bank_ms + other.move_ms), move, other.move_ms)


def tell_where(engine: EngineProcess) -> None:
    """Have this process say what it waits for when a referee asks a bot that hangs where it is, by SIGQUIT."""
    signal.signal(signal.SIGQUIT, lambda *_: print(engine.whereabouts, file=sys.stderr, flush=True))


class EngineBot(Bot[ChessView]):
    """One engine, which plays one match after the other."""

    matches_at_once = 1
    wants_ready = True


def run_bot(make: "Callable[[], tuple[EngineBot, str, tuple[str, ...]]]") -> None:
    """Play with a bot, or say in a sentence why its engine cannot.

    make: returns the bot, the name of its engine, and the games that it plays.
    """
    try:
        bot, name, games = make()
        type(bot).name, type(bot).games = name, games
        bot.run()
    except EngineFailed as error:
        print(error, file=sys.stderr)
        sys.exit(1)
