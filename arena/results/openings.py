"""From which openings the matches of a game begin, by their seeds."""

from collections.abc import Callable, Mapping

from referee.engine.chance import Chance
from referee.engine.errors import EngineError
from referee.engine.registry import game as find_game

OpeningOf = Callable[[bytes, int], str]
"""Returns the opening of a match with a seed and a number of seats; empty where all matches begin alike."""


def find_openings(name: str, options: Mapping[str, str]) -> OpeningOf | None:
    """Return what tells the openings of a game with options.

    None where chance deals, so that every deal is an experiment of its own, and where this machine has not got the
    game, or what its options name, such as a book.
    """
    try:
        return _openings(name, options)
    except EngineError:
        return None


def knows_openings(name: str, options: Mapping[str, str]) -> bool:
    """Return whether this machine can tell the openings of a game, if it has any."""
    try:
        _openings(name, options)
    except EngineError:
        return False
    return True


def _openings(name: str, options: Mapping[str, str]) -> OpeningOf | None:
    """As `find_openings`, but raises EngineError where the game, or what its options name, is missing."""
    game = find_game(name)
    parsed = game.options.parse(options)
    if game.opening(parsed, game.recommended, Chance(bytes(32))) is None:
        return None
    return lambda seed, seats: game.opening(parsed, seats, Chance(seed)) or ""
