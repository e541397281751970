"""A variant as a game of arena."""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, ClassVar

from botarena_chess.game import BoardGame, BoardOptions
from botarena_chess.openings import check_name
from botarena_chess.variants.names import title_of
from botarena_chess.variants.rules import FairyRules, rules_of

REVISION = 1
"""Raised whenever a change of this package changes any match of a variant."""


@dataclass(frozen=True, slots=True)
class VariantOptions(BoardOptions):
    """The options of a variant."""


class VariantGame(BoardGame):
    """A variant. `make_game` derives a class of it for each."""

    options = VariantOptions
    moves = "MOVE  in UCI's notation: from, to, and what a piece becomes (e2e4, e7e8q, b2b3+); P@e4 drops a piece"
    presets: ClassVar = {
        "default": {},
        "adjudicated": {"resign_moves": 3, "resign_two_sided": True, "draw_moves": 8, "order": "drawn"},
        "blitz": {"max_moves": 20, "order": "sequential"},
    }

    def check(self, options: Any, seats: int) -> None:
        check_name(options.book, self.rules)
        super().check(options, seats)


@cache
def make_game(variant: str) -> VariantGame:
    """Return a variant as a game; it must be one that pyffish knows."""
    rules: FairyRules = rules_of(variant)
    fields: dict[str, Any] = {
        "__module__": __name__,
        "name": f"chess:{variant}",
        "title": f"{title_of(variant)}, by the rules of Fairy-Stockfish",
        "behaviour": behaviour(),
        "rules": rules,
    }
    game: VariantGame = type("VariantGame", (VariantGame,), fields)()
    return game


def behaviour() -> int:
    """Return the version of the rules: pyffish's own, as any release may change them, and this package's.

    0.0.90 and revision 1 give 901.
    """
    numbers = [*(int(part) for part in version("pyffish").split(".")[:3] if part.isdigit()), 0, 0, 0][:3]
    return ((numbers[0] * 1000 + numbers[1]) * 1000 + numbers[2]) * 10 + REVISION
