"""Adjudication by Syzygy tablebases, which say how a position with few pieces ends if both sides play well.

What tables say must be the same on every machine and in years. So the rules name the number of pieces up to which games
are adjudicated, and a machine must have all tables up to that number: those of WDL, `*.rtbw`, in the folders that the
environment variable ARENA_CHESS_TABLEBASES lists, with colons between them.

Source: when tables are asked, and what their answers mean, is as in fastchess (`-tb`, `-tbpieces`, `-tbignore50`,
`-tbadjudicate`).
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

import chess
import chess.syzygy

from referee.engine.errors import OptionError

FOLDERS = "ARENA_CHESS_TABLEBASES"

_MAGIC = b"\x71\xe8\x23\x5d"
"""How a file of WDL begins."""

FEWEST = 3
"""Pieces of the smallest tables, kings and pawns included."""


class Tables(Protocol):
    """Tells how positions end, as `chess.syzygy.Tablebase` does."""

    def probe_wdl(self, board: chess.Board) -> int:
        """Return 2 where the side to move wins, -2 where it loses, 0 for a draw.

        1 and -1: won and lost, but for the rule of fifty moves.
        """


class TablebaseRule(NamedTuple):
    """When a game is ended by tables."""

    tables: Tables
    """The tables, up to `pieces` pieces."""
    pieces: int
    """The most pieces, kings and pawns included, with which a game is adjudicated."""
    wins: bool = True
    """Whether games are ended that a side wins."""
    draws: bool = True
    """Whether games are ended that nobody wins."""
    ignores_fifty: bool = False
    """Whether a side wins that can do so only without the rule of fifty moves."""

    def value(self, board: chess.Board) -> int | None:
        """Return how a game is ended: 1, the side to move wins, -1, it loses, 0, a draw; None: it is not.

        Tables know positions after a capture or a pawn's move, and none with a right to castle.
        """
        if board.halfmove_clock or board.castling_rights or chess.popcount(board.occupied) > self.pieces:
            return None
        value = self.tables.probe_wdl(board)
        if abs(value) == 1 and not self.ignores_fifty:
            value = 0
        if not (self.wins if value else self.draws):
            return None
        return (value > 0) - (value < 0)


def load_tables(pieces: int) -> Tables:
    """Return the tables of this machine. Raises OptionError where it does not have all up to so many pieces."""
    return _load_tables(os.environ.get(FOLDERS, ""), pieces)


@lru_cache(4)
def _load_tables(folders: str, pieces: int) -> Tables:
    tables = chess.syzygy.Tablebase()
    for folder in filter(None, folders.split(os.pathsep)):
        try:
            tables.add_directory(folder, load_dtz=False)
        except OSError as error:
            raise OptionError(f"{FOLDERS} names {folder}, which cannot be read: {error.strerror}") from None
    needed = set(chess.syzygy.tablenames(piece_count=pieces))
    if lacking := sorted(needed - tables.wdl.keys(), key=lambda name: (len(name), name)):
        where = f"has {len(needed) - len(lacking)} of" if len(lacking) < len(needed) else "has none of"
        raise OptionError(
            f"this machine {where} the {len(needed)} Syzygy tables of up to {pieces} pieces; the first that it lacks "
            f"is {lacking[0]}.rtbw: name the folders with all of them in {FOLDERS}, or choose fewer tablebase_pieces"
        )
    for name in needed:
        _check(Path(tables.wdl[name].path))
    return tables


def _check(path: Path) -> None:
    """Raise OptionError for a file that is no table, or not all of one."""
    with path.open("rb") as file:
        magic = file.read(len(_MAGIC))
    if magic != _MAGIC or path.stat().st_size % 64 != 16:
        raise OptionError(f"{path} is no Syzygy table of WDL, or not all of one: copy it anew")
