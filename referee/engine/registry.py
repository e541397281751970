"""Games found by the entry point group `arena.games`; ours come by the same door as anybody's."""

from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points

from referee.engine.errors import UnknownGame
from referee.engine.game import Game

GROUP = "arena.games"


def names() -> list[str]:
    """Return the names of all installed games, sorted."""
    return sorted(entry_points(group=GROUP).names)


@cache
def game(name: str) -> Game:
    """Return the game of that name. Raises UnknownGame with the near miss."""
    found = entry_points(group=GROUP, name=name)
    if not found:
        near = get_close_matches(name, names(), n=1)
        hint = f'; did you mean "{near[0]}"?' if near else ""
        raise UnknownGame(f'there is no game "{name}"{hint} (installed: {", ".join(names())})')
    loaded: Game = next(iter(found)).load()
    return loaded


def in_units(name: str, score: float) -> float:
    """Return a stored score of the game of that name in its unit; as it is where no such game is installed."""
    try:
        return game(name).in_units(score)
    except UnknownGame:
        return score
