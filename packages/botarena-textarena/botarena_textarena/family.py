"""The entry point: the family of all games of TextArena."""

from collections.abc import Mapping

from referee.engine.family import GameFamily
from referee.engine.game import Game


class TextArena(GameFamily):
    """Makes the games of TextArena by their names there, such as `TicTacToe-v0`."""

    name = "textarena"
    title = "games of TextArena that are played with words, such as textarena:SimpleNegotiation-v0"

    def game(self, name: str) -> Game:
        from botarena_textarena.game import make_game

        return make_game(name)

    def games(self) -> Mapping[str, str]:
        from botarena_textarena.loading import playable_games

        return playable_games()


TEXTARENA = TextArena()
