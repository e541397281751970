"""Positions and rules of variants, by Fairy-Stockfish (pyffish).

Repetitions and what they mean (perpetual check in shogi, perpetual chase in xiangqi) need the moves that led to a
position; all else follows from its FEN. So moves are kept since the last that cannot be taken back; in games in which
pieces are dropped, since the start.

A call of pyffish takes 1.6 ms whatever it is asked, as it prepares the pieces of the variant anew. So it is asked
nothing that cannot have changed: whether material suffices, while no piece has come or gone; whether a game may end by
repetition or by its length, before a position has come again or moves are many.
"""

import re
from collections.abc import Mapping
from functools import cache, cached_property
from io import StringIO
from typing import Any, Self

import chess.pgn
import pyffish

from botarena_chess.movetext import main_line
from botarena_chess.opening import Opening
from botarena_chess.rules import DRAWN, WON, End
from botarena_chess.standard import STANDARD, TAG, pgn_title
from botarena_chess.variants.fen import completed, counters, diagram, split_line
from botarena_chess.variants.names import COUNTING, ENDINGS, JANGGI, sides_of

FEWEST_QUIET = 20
"""Moves of both sides without progress before which no game ends by them."""

_CHECKS = re.compile(r"[+#]+$")
_NO_PIECE = re.compile(r"[0-9/\[\]-]")


class FairyPosition:
    """A position of a variant.

    fen: as Fairy-Stockfish writes it.
    """

    __slots__ = ("_base", "_fen", "_insufficient", "_material", "_moves", "_rules", "_seen")

    def __init__(self, rules: "FairyRules", fen: str) -> None:
        self._rules = rules
        self._fen = self._base = fen
        self._moves: tuple[str, ...] = ()
        self._seen: tuple[str, ...] = (_key(fen),)
        self._material, self._insufficient = "", False

    @property
    def seat(self) -> int:
        return 0 if self._fen.split(" ", 2)[1] == "w" else 1

    @property
    def number(self) -> int:
        return counters(self._fen)[1]

    @property
    def quiet(self) -> int:
        return counters(self._fen)[0]

    def fen(self) -> str:
        return self._fen

    def diagram(self) -> str:
        return diagram(self._fen)

    def legal(self) -> tuple[str, ...]:
        # In janggi a position may not be repeated, which only the moves tell.
        start = (self._base, list(self._moves)) if self._rules.name in JANGGI else (self._fen, [])
        return tuple(sorted(pyffish.legal_moves(self._rules.name, *start)))

    def allows(self, move: str) -> bool:
        return move in self.legal()

    def written(self, move: str) -> str:
        return str(pyffish.get_san(self._rules.name, self._fen, move))

    def read(self, written: str) -> str:
        legal = self.legal()
        if written in legal:
            return written
        plain = _CHECKS.sub("", written)
        found = [move for move in legal if _CHECKS.sub("", self.written(move)) == plain]
        if len(found) != 1:
            raise ValueError(f'"{written}" is {"not one move alone" if found else "no legal move"} in {self._fen}')
        return found[0]

    def push(self, move: str) -> None:
        self._fen = pyffish.get_fen(self._rules.name, self._fen, [move])
        if not self._rules.drops and not self.quiet:
            self._base, self._moves, self._seen = self._fen, (), (_key(self._fen),)
        else:
            self._moves += (move,)
            self._seen += (_key(self._fen),)

    def play(self, move: str) -> str:
        written = self.written(move)
        self.push(move)
        return written

    def end(self, legal: tuple[str, ...]) -> End | None:
        name, sides, seat, fen = self._rules.name, self._rules.sides, self.seat, self._fen
        is_over, value = pyffish.is_immediate_game_end(name, fen, [])
        if is_over:
            if not value:
                return End(DRAWN, "a draw by the rules of the game")
            winner = seat if value > 0 else 1 - seat
            return End(WON[winner], f"{sides[winner]} {ENDINGS.get(name, 'wins by the rules of the game')}")
        if not legal:
            value = pyffish.game_result(name, fen, [])
            if not value:
                return End(DRAWN, "stalemate")
            winner = seat if value > 0 else 1 - seat
            if winner != seat and pyffish.gives_check(name, fen, []):
                return End(WON[winner], f"{sides[winner]} mates")
            return End(WON[winner], f"{sides[winner]} wins, as {sides[seat]} has no move")
        if self._is_insufficient():
            return End(DRAWN, "neither side can win")
        return self._optional_end()

    def _is_insufficient(self) -> bool:
        """Return whether neither side has the material to win."""
        material = "".join(sorted(_NO_PIECE.sub("", self._fen.partition(" ")[0])))
        if material != self._material:
            self._material = material
            self._insufficient = all(pyffish.has_insufficient_material(self._rules.name, self._fen, []))
        return self._insufficient

    def _optional_end(self) -> End | None:
        """Return how the game ends by repetition, or by the number of moves without progress; None where it goes on."""
        is_repeated = self._seen[-1] in self._seen[:-1]
        if not (is_repeated or self.quiet >= FEWEST_QUIET or self._rules.name in COUNTING):
            return None
        is_over, value = pyffish.is_optional_game_end(self._rules.name, self._base, list(self._moves))
        if not is_over:
            return None
        sides, seat = self._rules.sides, self.seat
        if not value:
            moves = f"{self.quiet // 2} moves of each side without progress"
            return End(DRAWN, "the position is repeated" if is_repeated else moves)
        winner = seat if value > 0 else 1 - seat
        if is_repeated:
            return End(WON[winner], f"{sides[winner]} wins, as {sides[1 - winner]} repeats what it may not")
        return End(WON[winner], f"{sides[winner]} wins by the rules of the game")

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        for name in FairyPosition.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


def _key(fen: str) -> str:
    return fen.rsplit(" ", 2)[0]


class FairyRules:
    """The rules of a variant.

    name: as Fairy-Stockfish calls it, one of `variants`.
    """

    takes_polyglot = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.sides = sides_of(name)
        self.usual = str(pyffish.get_fen(name, pyffish.start_fen(name), []))
        self.drops = bool(pyffish.captures_to_hand(name)) or "[" in self.usual

    @cached_property
    def books(self) -> Mapping[str, tuple[bytes, str]]:
        return {STANDARD: (f'{self.usual} id "the usual position";'.encode(), ".epd")}

    def begin(self, opening: Opening) -> FairyPosition:
        position = FairyPosition(self, opening.fen)
        for move in opening.moves:
            position.push(move)
        return position

    def read_position(self, line: str) -> Opening:
        fen, title = split_line(line)
        return self._checked(Opening(title, self._read_fen(fen), ()))

    def read_game(self, text: str) -> Opening:
        headers: Any = chess.pgn.read_headers(StringIO(text))
        fen = self._read_fen(headers["FEN"]) if "FEN" in headers else self.usual
        return self._checked(
            Opening(pgn_title(headers), fen, tuple(main_line(FairyPosition(self, fen), TAG.sub("", text))))
        )

    def _read_fen(self, fen: str) -> str:
        """Return a FEN as Fairy-Stockfish writes it. Raises ValueError for a position that is none of the variant."""
        whole = completed(fen, self.usual)
        if pyffish.validate_fen(whole, self.name) != pyffish.FEN_OK:
            raise ValueError(f"the position is not possible in {self.name}: {fen}")
        return str(pyffish.get_fen(self.name, whole, []))

    def _checked(self, opening: Opening) -> Opening:
        """Return an opening after which the game goes on. Raises ValueError for another."""
        position = self.begin(opening)
        if position.end(position.legal()):
            raise ValueError("the game is over after the opening")
        return opening


@cache
def variants() -> frozenset[str]:
    """Return the names of all variants that the installed pyffish knows."""
    return frozenset(map(str, pyffish.variants()))


@cache
def rules_of(name: str) -> FairyRules:
    """Return the rules of a variant, one of `variants`."""
    return FairyRules(name)
