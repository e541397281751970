"""A UCCI engine of xiangqi as a bot, as it is.

    python -m botarena_chess.ucci /usr/bin/engine

It plays `--game chess:xiangqi`. Moves are translated: the first rank is 0. Source: "Universal Chinese Chess Protocol",
version 3, by Huang Chen.
"""

import re

from botarena_chess.bot import Clocks
from botarena_chess.engine import Engine, Reply
from botarena_chess.info import Info
from botarena_chess.uci import UciBot, engine_command
from botarena_chess.v1.chess_pb2 import ChessView

XIANGQI = "xiangqi"

_RANK = re.compile(r"(?<=[a-i])\d{1,2}")
_SCORE = re.compile(r"(\bscore )([+-]?\d{1,6})\b")
_MOVE = re.compile(r"[a-i]\d[a-i]\d")


class UcciEngine(Engine):
    """A running UCCI engine."""

    HELLO = "ucci"
    NEW_GAME = ""
    ALONE = XIANGQI

    def _set(self, name: str, value: str) -> None:
        self._send(f"setoption {name} {value}" if value else f"setoption {name}")

    def limit(self, clocks: Clocks, seat: int) -> str:
        """Return what follows `go`, in milliseconds."""
        if not clocks.mine:
            return f"time {clocks.move}"
        times = f"time {clocks.mine} increment {clocks.move}"
        return f"{times} opptime {clocks.other} oppincrement {clocks.other_move}"

    def _line(self) -> str:
        """Return the next line in the words of UCI: scores are centipawns, and there may be no best move."""
        line = super()._line()
        if line == "nobestmove":
            return "bestmove"
        return _SCORE.sub(r"\1cp \2", line) if line.startswith("info ") else line


class UcciBot(UciBot):
    """One engine, which plays one match after the other."""

    def position(self, view: ChessView, moves: tuple[str, ...]) -> str:
        told = " ".join(map(to_ucci, moves))
        return f"fen {view.start}{' moves ' if told else ''}{told}"

    def translated(self, view: ChessView, reply: Reply) -> Reply:
        info: Info = reply.info._replace(pv=tuple(map(from_ucci, reply.info.pv)))
        return Reply(from_ucci(reply.move), info, from_ucci(reply.ponder))


def to_ucci(move: str) -> str:
    """Return a move of UCI's notation in UCCI's."""
    return _RANK.sub(lambda rank: str(int(rank[0]) - 1), move)


def from_ucci(move: str) -> str:
    """Return a move of UCCI's notation in UCI's; what is none as it is."""
    return _RANK.sub(lambda rank: str(int(rank[0]) + 1), move) if _MOVE.fullmatch(move) else move


main = engine_command(UcciEngine, UcciBot, "UCCI")

if __name__ == "__main__":
    main()
