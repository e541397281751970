"""The entry point: the family of all games of OpenSpiel."""

from collections.abc import Mapping

from referee.engine.family import GameFamily
from referee.engine.game import Game


class OpenSpiel(GameFamily):
    """Makes the games of OpenSpiel by their names, with parameters where there are any: `kuhn_poker(players=3)`."""

    name = "openspiel"
    title = "sequential games of OpenSpiel, such as openspiel:leduc_poker or openspiel:kuhn_poker(players=3)"

    def game(self, name: str) -> Game:
        from botarena_openspiel.game import make_game

        return make_game(name)

    def games(self) -> Mapping[str, str]:
        from botarena_openspiel.loading import playable_games

        return playable_games()


OPENSPIEL = OpenSpiel()
