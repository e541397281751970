"""A USI engine of shogi as a bot, as it is.

    python -m botarena_chess.usi --option USI_Hash=64 /usr/bin/engine

It plays `--game chess:shogi`, and what else its option UCI_Variant names. Positions and moves are translated: files are
counted from the right, ranks are letters from above (7g7f, P*5e), and a position is written as SFEN. Source: "The
Universal Shogi Interface" by T. Romstad, and the notes of the Shogidokoro GUI.
"""

import re
from collections import Counter

from botarena_chess.bot import Clocks
from botarena_chess.engine import Engine, Reply
from botarena_chess.uci import UciBot, engine_command
from botarena_chess.v1.chess_pb2 import ChessView
from botarena_chess.variants.fen import counters, placement

SHOGI = "shogi"

HELD = "RBGSNLP"
"""The order of pieces in hand in SFEN."""

_MOVE = re.compile(r"(?:(\+?[A-Z])\*|(\d{1,2})([a-l]))(\d{1,2})([a-l])(\+|=)?")
_OURS = re.compile(r"(?:(\+?[A-Z])@|([a-l])(\d{1,2}))([a-l])(\d{1,2})([+-]?)")


class UsiEngine(Engine):
    """A running USI engine."""

    HELLO, NEW_GAME = "usi", "usinewgame"
    ALONE = SHOGI

    def limit(self, clocks: Clocks, seat: int) -> str:
        """Return what follows `go`: Black of USI is the side that moves first."""
        if not clocks.mine:
            return f"btime 0 wtime 0 byoyomi {clocks.move}"
        mine, other = (clocks.mine, clocks.move), (clocks.other, clocks.other_move)
        (black, black_more), (white, white_more) = (other, mine) if seat else (mine, other)
        return f"btime {black} wtime {white} binc {black_more} winc {white_more}"


class UsiBot(UciBot):
    """One engine, which plays one match after the other."""

    def position(self, view: ChessView, moves: tuple[str, ...]) -> str:
        files, ranks = _size(view.start)
        told = " ".join(to_usi(move, files, ranks) for move in moves)
        return f"sfen {sfen(view.start)}{' moves ' if told else ''}{told}"

    def translated(self, view: ChessView, reply: Reply) -> Reply:
        files, ranks = _size(view.start)
        info = reply.info._replace(pv=tuple(from_usi(move, files, ranks) for move in reply.info.pv))
        return Reply(from_usi(reply.move, files, ranks), info, from_usi(reply.ponder, files, ranks))


def _size(fen: str) -> tuple[int, int]:
    rows = placement(fen).rows
    return len(rows[0]), len(rows)


def sfen(fen: str) -> str:
    """Return a position as SFEN."""
    board, side, *_ = fen.split()
    held = Counter("".join(placement(fen).hands))
    order = sorted(held, key=lambda letter: (letter.islower(), HELD.find(letter.upper()), letter))
    hands = "".join(f"{held[letter] if held[letter] > 1 else ''}{letter}" for letter in order)
    ply = 2 * counters(fen)[1] - (1 if side == "w" else 0)
    return f"{board.partition('[')[0]} {'b' if side == 'w' else 'w'} {hands or '-'} {ply}"


def to_usi(move: str, files: int, ranks: int) -> str:
    """Return a move of UCI's notation in USI's, on a board with so many files and ranks."""
    found = _OURS.fullmatch(move)
    if found is None:
        return move
    dropped, file, rank, to_file, to_rank, promoted = found.groups()

    def square(file: str, rank: str) -> str:
        return f"{files - (ord(file) - ord('a'))}{chr(ord('a') + ranks - int(rank))}"

    begin = f"{dropped}*" if dropped else square(file, rank)
    return f"{begin}{square(to_file, to_rank)}{promoted if promoted == '+' else ''}"


def from_usi(move: str, files: int, ranks: int) -> str:
    """Return a move of USI's notation in UCI's; what is none as it is."""
    found = _MOVE.fullmatch(move)
    if found is None:
        return move
    dropped, file, rank, to_file, to_rank, promoted = found.groups()

    def square(file: str, rank: str) -> str:
        return f"{chr(ord('a') + files - int(file))}{ranks - (ord(rank) - ord('a'))}" if int(file) <= files else "?"

    begin = f"{dropped}@" if dropped else square(file, rank)
    return f"{begin}{square(to_file, to_rank)}{'+' if promoted == '+' else ''}"


main = engine_command(UsiEngine, UsiBot, "USI")

if __name__ == "__main__":
    main()
