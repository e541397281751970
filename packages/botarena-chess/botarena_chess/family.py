"""The games beside chess: Chess960, and the variants that Fairy-Stockfish knows, `--game chess:atomic`."""

from collections.abc import Mapping
from importlib.util import find_spec

from botarena_chess.rules import Rules
from botarena_chess.variants.names import NOT_PLAYED, SAME, TITLES, title_of
from referee.engine.errors import UnknownGame
from referee.engine.family import SEPARATOR, GameFamily
from referee.engine.game import Game
from referee.engine.near import did_you_mean

CHESS, CHESS960 = "chess", "chess960"


class ChessFamily(GameFamily):
    """Chess960 and the variants. What they need is imported when one is asked for."""

    name = CHESS
    title = "Chess960, and variants by the rules of Fairy-Stockfish"

    def game(self, name: str) -> Game:
        name = SAME.get(name, name)
        if name == CHESS960:
            from botarena_chess import game

            return game.CHESS960
        self._require(name)
        from botarena_chess.variants.game import make_game

        return make_game(name)

    def games(self) -> Mapping[str, str]:
        if not has_variants():
            return {CHESS960: "Chess960"}
        from botarena_chess.variants.rules import variants

        played = sorted(variants() - NOT_PLAYED.keys() - SAME.keys())
        return {CHESS960: "Chess960"} | {variant: title_of(variant) for variant in played}

    def _require(self, name: str) -> None:
        """Raise UnknownGame for what is no variant, or cannot be played here."""
        if name in NOT_PLAYED:
            raise UnknownGame(f"there is no game chess:{name}: {name} {NOT_PLAYED[name]}")
        if not has_variants():
            from arena.values.installing import how_to_install  # slow, and this module is imported by every bot

            lacking = "is played" if name in TITLES else "would be played"
            raise UnknownGame(
                f"chess:{name} {lacking} by the rules of Fairy-Stockfish, which are not installed: "
                f"{how_to_install('botarena-chess[variants]')}"
            )
        known = self.games()
        if name not in known:
            raise UnknownGame(
                f'there is no game "chess:{name}"{did_you_mean(name, list(known))} (list them: arena games chess:)'
            )


def has_variants() -> bool:
    """Return whether the rules of Fairy-Stockfish are installed."""
    return find_spec("pyffish") is not None


def rules_of(game: str) -> Rules:
    """Return the rules of a game of this package by its name. Raises UnknownGame."""
    from botarena_chess import game as games

    if game == CHESS:
        return games.CHESS.rules
    prefix, separator, name = game.partition(SEPARATOR)
    if prefix != CHESS or not separator:
        raise UnknownGame(f'the games with opening books are chess and chess:VARIANT, as chess:atomic, not "{game}"')
    found = FAMILY.game(name)
    assert isinstance(found, games.BoardGame)
    return found.rules


def game_name(variant: str) -> str:
    """Return the name of the game that UCI_Variant or a view names so."""
    return CHESS if variant == CHESS else f"{CHESS}{SEPARATOR}{variant}"


def variant_name(game: str) -> str:
    """Return how UCI_Variant names a game of this package."""
    return game.partition(SEPARATOR)[2] or game


def rules_of_variant(variant: str) -> Rules:
    """Return the rules of the game that UCI_Variant or a view names so. Raises UnknownGame."""
    return rules_of(game_name(variant))


FAMILY = ChessFamily()
