"""Games found by the entry point group `arena.games`; ours come by the same door as anybody's.

A package that is broken is told in a sentence that names it, when its game is asked for, and stands in nobody's way.
An entry point whose name ends in ":*" is a family of games (see `referee.engine.family`), which is loaded when one of
them is asked for.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import Distribution, EntryPoint, entry_points

from referee.engine.errors import BrokenGame, EngineError, UnknownGame
from referee.engine.family import ALL, SEPARATOR, GameFamily
from referee.engine.game import Game
from referee.engine.near import did_you_mean
from referee.engine.options import Options

GROUP = "arena.games"
OWN = "botarena-rules"
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
    """Return the names of all installed games, sorted; those of broken packages too, and none of families."""
    return sorted({point.name for point in _points() if not point.name.endswith(ALL)})


def family_names() -> list[str]:
    """Return the names of all installed families of games, sorted; those of broken packages too. Loads none."""
    return sorted({point.name.removesuffix(ALL) for point in _points() if point.name.endswith(ALL)})


def is_listed(name: str) -> bool:
    """Tell whether a game of that name is installed, or a family lists it.

    For names that anybody may send: no game is made for them. A game of a family with parameters is not listed.
    """
    prefix, separator, rest = name.partition(SEPARATOR)
    if not separator:
        return name in names()
    try:
        return rest in family(prefix).games()
    except (UnknownGame, BrokenGame):
        return False


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


def game(name: str) -> Game:
    """Return the game of that name. One of a family may have another name itself, in canonical spelling.

    Raises UnknownGame with the near miss, and BrokenGame where its package does not give a game.
    """
    prefix, separator, rest = name.partition(SEPARATOR)
    return _game_of_family(prefix, rest) if separator else _game(name)


@cache
def family(name: str) -> GameFamily:
    """Return the family of games of that name (without the colon). Raises UnknownGame or BrokenGame, as `game` does."""
    point = _only(name, name + ALL, f'there is no family of games "{name}"', family_names())
    loaded = _load(point)
    if not isinstance(loaded, GameFamily):
        kind = type(loaded).__name__
        raise BrokenGame(f"{_source(point)}: it is of the type {kind}, no GameFamily of referee.engine.family")
    if (called := getattr(loaded, "name", None)) != name:
        raise BrokenGame(f'{_source(point)}: `{type(loaded).__name__}.name` is {called!r}; it must be "{name}"')
    return loaded


@cache
def _game(name: str) -> Game:
    return _loaded(_only(name, name, f'there is no game "{name}"', [*names(), *family_names()]))


@lru_cache(256)
def _game_of_family(prefix: str, rest: str) -> Game:
    games = family(prefix)
    try:
        made: object = games.game(rest)
    except EngineError:
        raise
    except Exception as error:  # whatever a package of somebody else's does
        what = f"{type(error).__name__}: {error}"
        raise BrokenGame(f'the family of games "{prefix}" is broken: its game "{rest}" raises {what}') from error
    if not isinstance(made, Game) or not str(getattr(made, "name", "")).startswith(prefix + SEPARATOR):
        raise BrokenGame(f'the family of games "{prefix}" is broken: for "{rest}" it returns {made!r}')
    if wrong := _undeclared(made, made.name):
        raise BrokenGame(f'the family of games "{prefix}" is broken: {wrong}')
    return made


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


def _only(name: str, point_name: str, unknown: str, known: list[str]) -> EntryPoint:
    """Return the entry point of that name.

    unknown, known: what is said, and what there is, where there is none.

    Raises UnknownGame, and BrokenGame where several packages register it.
    """
    found = _found(point_name)
    if not found:
        raise UnknownGame(f"{unknown}{_hint(name, known)}")
    first, *others = found
    if others and _package(first) != OWN:
        packages = " and ".join(sorted(map(_package, found)))
        raise BrokenGame(f'the game "{name}" is registered by the packages {packages}: uninstall all but one of them')
    return first


def _hint(name: str, known: list[str]) -> str:
    if name in known:  # a family, asked for as a game
        return f": it is a family of games; add the name of one (list them: arena games {name})"
    return f"{did_you_mean(name, known)} (installed: {', '.join(known) or 'none'})"


def _found(name: str) -> list[EntryPoint]:
    """Return the entry points of that name, ours first."""
    found = (point for point in _points() if point.name == name)
    return sorted(found, key=lambda point: (_package(point) != OWN, _package(point)))


def _load(point: EntryPoint) -> object:
    """Return what an entry point stands for. Raises BrokenGame."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:  # whatever a module of somebody else's does when it is imported
        raise BrokenGame(f"{_source(point)}: loading it raises {type(error).__name__}: {error}") from error


def _loaded(point: EntryPoint) -> Game:
    """Return the game that an entry point stands for. Raises BrokenGame."""
    loaded = _load(point)
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
    return _package_name(point.dist) if point.dist is not None else "unknown"


@cache
def _package_name(distribution: Distribution) -> str:
    """Return its name, for which its whole description is parsed, long texts included."""
    return distribution.name


def _source(point: EntryPoint) -> str:
    """Say which package registers what."""
    return f'the game "{point.name}" of the package {_package(point)} is broken (entry point {point.value})'
