"""Converts a definition to the row that the store keeps of a new tournament or single match."""

import platform

from arena import __version__
from arena.values.definition import Definition
from arena.values.rows import EntrantRow, NewEvent
from referee.engine import draws


def new_event(definition: Definition, secret: bytes, seed: int | None, matches: int, sandbox: str = "") -> NewEvent:
    """Return the row to store before the first match.

    seed: the number after --seed, if there is one.
    matches: the number of match ids to reserve.
    sandbox: how the bots are confined at the start, if known.
    """
    versions = {"arena": __version__, "chance": str(draws.VERSION), "python": platform.python_version()}
    return NewEvent(
        game=definition.game,
        options=dict(definition.options),
        behaviour=definition.behaviour,
        definition_text=definition.text,
        secret=secret,
        seed=None if seed is None else str(seed),
        versions=versions | ({"sandbox": sandbox} if sandbox else {}),
        entrants=tuple(EntrantRow(bot.name, bot.command, bot.folder, bot.sha256) for bot in definition.field),
        matches=matches,
    )
