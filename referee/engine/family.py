"""Families of games: many games that one package makes on demand, by names with a common prefix.

    class OpenSpiel(GameFamily):
        name = "openspiel"
        ...

    [project.entry-points."arena.games"]
    "openspiel:*" = "botarena_openspiel.family:OPENSPIEL"

The registry asks the family for a game when a name with its prefix, such as `openspiel:leduc_poker`, is looked up. No
list of games loads the family or holds its games.
"""

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from referee.engine.game import Game

SEPARATOR = ":"
"""What separates the name of a family from the name of a game in it."""

ALL = SEPARATOR + "*"
"""What follows the name of a family in the name of its entry point."""


class GameFamily:
    """Games of one origin. To import it must be quick: what the games need is imported by its methods."""

    name: ClassVar[str]
    """The prefix of the names of its games, without the colon."""
    title: ClassVar[str]
    """The title of the family: one line for lists."""

    @abstractmethod
    def game(self, name: str) -> Game:
        """Return the game with that name in the family (without the prefix).

        Its own name begins with the prefix. It is canonical: different spellings of one game, such as other orders of
        its parameters, give games of the same name, and that name gives the same game again.

        Raises UnknownGame where the family has no such game, and for one that arena cannot play says why.
        """
        raise NotImplementedError(f"{type(self).__name__} has no `game`")

    @abstractmethod
    def games(self) -> Mapping[str, str]:
        """Return the titles of the games that need no parameters, by their names in the family."""
        raise NotImplementedError(f"{type(self).__name__} has no `games`")
