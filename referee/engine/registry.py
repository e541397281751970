"""Games found by the entry point group `arena.games`; ours come by the same door as anybody's.

A package that is broken is told in a sentence that names it, when its game is asked for, and stands in nobody's way.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from referee.engine.errors import BrokenGame, UnknownGame
from referee.engine.game import Game
from referee.engine.near import did_you_mean
from referee.engine.options import Options

GROUP = "arena.games"
OWN = "botarena"
"""The distribution of this file: another one that registers the name of one of its games is the broken one."""

_KINDS: Mapping[str, tuple[type, str]] = {
    "title": (str, "a line of text"),
    "unit": (str, "a word"),
    "behaviour": (int, "a whole number"),
    "recommended": (int, "a whole number"),
    "seats": (tuple, "the fewest and the most seats"),
    "lines": (tuple, "a tuple of lines"),
    "message": (str, '"module:Message"'),
    "moves": (str, "the grammar of the moves"),
}
"""What each game must say of itself, so that a list of all games does not fail for one of them."""


def names() -> list[str]:
    """Return the names of all installed games, sorted; those of broken packages too."""
    return sorted({point.name for point in _points()})


def installed() -> tuple[list[Game], list[str]]:
    """Return the installed games, sorted by name, and a sentence for each entry point that gives none."""
    games: list[Game] = []
    broken: list[str] = []
    for name in names():
        try:
            games.append(game(name))
        except BrokenGame as error:
            broken.append(str(error))
        else:
            _, *others = _found(name)
            broken += [f"{_source(other)}: the name is taken by a game of arena itself" for other in others]
    return games, broken


@cache
def game(name: str) -> Game:
    """Return the game of that name.

    Raises UnknownGame with the near miss, and BrokenGame where its package does not give a game.
    """
    found = _found(name)
    if not found:
        hint = did_you_mean(name, names())
        raise UnknownGame(f'there is no game "{name}"{hint} (installed: {", ".join(names())})')
    first, *others = found
    if others and _package(first) != OWN:
        packages = " and ".join(sorted(map(_package, found)))
        raise BrokenGame(f'the game "{name}" is registered by the packages {packages}: uninstall all but one of them')
    return _loaded(first)


def in_units(name: str, score: float) -> float:
    """Return a stored score of the game of that name in its unit; as it is where no such game is installed."""
    try:
        return game(name).in_units(score)
    except (UnknownGame, BrokenGame):
        return score


@cache
def _points() -> tuple[EntryPoint, ...]:
    """Return the entry points of the group, looked for once: a file of every installed package is read for them."""
    return tuple(entry_points(group=GROUP))


def _found(name: str) -> list[EntryPoint]:
    """Return the entry points of that name, ours first."""
    found = (point for point in _points() if point.name == name)
    return sorted(found, key=lambda point: (_package(point) != OWN, _package(point)))


def _loaded(point: EntryPoint) -> Game:
    """Return the game that an entry point stands for. Raises BrokenGame."""
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:  # whatever a module of somebody else's does when it is imported
        raise BrokenGame(f"{_source(point)}: loading it raises {type(error).__name__}: {error}") from error
    if isinstance(loaded, type) and issubclass(loaded, Game):
        raise BrokenGame(f"{_source(point)}: it is the class {loaded.__name__}; register an instance of it")
    if not isinstance(loaded, Game):
        raise BrokenGame(f"{_source(point)}: it is of the type {type(loaded).__name__}, no Game of referee.engine.game")
    if wrong := _undeclared(loaded, point.name):
        raise BrokenGame(f"{_source(point)}: {wrong}")
    return loaded


def _undeclared(loaded: Game, name: str) -> str:
    """Say what a game does not tell of itself as it must; "" where nothing is missing."""
    if getattr(loaded, "name", None) != name:
        called = getattr(loaded, "name", None)
        return f'`{type(loaded).__name__}.name` is {called!r}; it must be "{name}", the name of the entry point'
    for attribute, (kind, what) in _KINDS.items():
        if not isinstance(value := getattr(loaded, attribute, None), kind):
            return f"`{type(loaded).__name__}.{attribute}` is {value!r}; it must be {what}"
    options = getattr(loaded, "options", None)
    if not (isinstance(options, type) and issubclass(options, Options)):
        return f"`{type(loaded).__name__}.options` is {options!r}; it must be a dataclass of options"
    if type(loaded).start is Game.start:
        return f"`{type(loaded).__name__}.start` is missing"
    return ""


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"


def _source(point: EntryPoint) -> str:
    """Say which package registers what."""
    return f'the game "{point.name}" of the package {_package(point)} is broken (entry point {point.value})'
