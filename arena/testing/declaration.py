"""The declaration of a game: its name, table of lines, presets and other class attributes."""

import dataclasses
import re

from arena.testing.violation import BrokenPromise
from referee.engine.errors import EngineError, SeatsError
from referee.engine.game import Game
from referee.engine.options import Options

PROMISE = "A game declares what users and tools need: a name, a title, options, seats, lines, moves, presets."

NAME = r"[a-z][a-z0-9_-]*(:[!-~]+( [!-~]+)*)?"
"""The name of a game; after a colon that of a game in a family, which may have parameters."""


def check_declaration(game: Game) -> None:
    """Check the declaration of a game. Raises BrokenPromise."""
    for fault in _faults(game):
        raise BrokenPromise(PROMISE, fault, type(game).__name__, f"check_declaration({game.name})")


def _faults(game: Game) -> list[str]:
    fewest, most = game.seats
    wrong = [
        f"`{name}` is {value!r}, not {kind}"
        for name, value, right, kind in (
            ("name", game.name, bool(re.fullmatch(NAME, game.name)), "lower case without blanks"),
            ("title", game.title, bool(game.title.strip()) and game.title.isprintable(), "a line of text"),
            ("unit", game.unit, bool(game.unit.strip()), "a word"),
            ("behaviour", game.behaviour, type(game.behaviour) is int and game.behaviour > 0, "1 or more"),
            ("options", game.options, issubclass(game.options, Options), "a dataclass of options"),
            ("scale", game.scale, type(game.scale) is int and game.scale > 0, "1 or more"),
            ("seats", game.seats, 1 <= fewest <= most, "the fewest and the most"),
            ("recommended", game.recommended, fewest <= game.recommended <= most, f"from {fewest} to {most}"),
            ("message", game.message, game.message.count(":") == 1, '"module:Message"'),
            ("moves", game.moves, bool(game.moves.strip()), "the grammar of the moves"),
        )
        if not right
    ]
    wrong += [f"line {n} of the log has no meaning" for n, line in enumerate(game.lines) if not line.meaning.strip()]
    return wrong + _presets(game) + _seats(game)


def _presets(game: Game) -> list[str]:
    if next(iter(game.presets), "") != "default" or game.presets["default"]:
        return ['the first of `presets` must be "default", without options']
    wrong = [f'the preset "{name}" cannot be a file name' for name in game.presets if not re.fullmatch(r"\w+", name)]
    for name, values in game.presets.items():
        try:
            options = game.options.parse(values)
        except EngineError as error:
            wrong.append(f'the preset "{name}": {error}')
            continue
        if not game.tables(options):
            wrong.append(f'the preset "{name}" cannot be played by any number of seats')
        if game.options.parse(options.given()) != options:
            wrong.append(f'the preset "{name}" is not the same after `given` and `parse`')
    return wrong or _untried(game)


def _untried(game: Game) -> list[str]:
    """Return a sentence for each value of a switch or choice that no preset has."""
    tried = [game.options.parse(values) for values in game.presets.values()]
    return [
        f"no preset has the option {rule.name}={str(value).lower()}: each optional rule must be in one of them"
        for rule in dataclasses.fields(game.options)
        for value in rule.metadata["choices"] or ((False, True) if isinstance(rule.default, bool) else ())
        if all(getattr(options, rule.name) != value for options in tried)
    ]


def _seats(game: Game) -> list[str]:
    fewest, most = game.seats
    wrong = []
    for seats in (0, fewest - 1, most + 1):
        try:
            game.check(game.options(), seats)
        except SeatsError:
            continue
        wrong.append(f"`check` lets {seats} seats play, but `seats` is {game.seats}")
    return wrong
