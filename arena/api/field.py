"""The field as callers of the library name it: bots in text as on the command line, functions and classes."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike, fspath
from typing import Any

from msgspec.structs import replace

from arena.api.databases import Database
from arena.packs.roster import Roster, open_roster
from arena.plan.field import find_bots, make_names_unique, samples
from arena.sdk import Bot, Move, Question
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError

BotSpec = str | PathLike[str] | Callable[[Question[Any]], Move | Awaitable[Move]] | type | Bot[Any]
"""A bot: text as on the command line (a sample bot, a submitted bot, a path, a command line), a function that takes a
question and returns a move, a class with a method `choose` like that (a `Bot`, usually), or an instance of `Bot`."""

Bots = Mapping[str, BotSpec] | Sequence[BotSpec]
"""The bots by the names that they play under, or without names."""

NewBot = Callable[[], Bot[Any]]
"""Returns the bot that plays one phase in one seat."""

_NAME_CHARACTERS = 64


class _FunctionBot(Bot[Any]):
    """A bot whose `choose` is a function; its class has the function's name, which messages to its author mention."""

    def __init__(self, choose: Callable[[Question[Any]], Any]) -> None:
        self.choose = choose  # type: ignore[method-assign,assignment]  # called without an indirection


@dataclass(frozen=True, slots=True)
class Field:
    """The bots of a tournament or match, and how its in-process bots are made."""

    entrants: tuple[Entrant, ...]
    in_process: Mapping[str, NewBot]
    """By name, what makes each in-process bot."""


def find_field(bots: Bots, game: str, db: Database | None) -> Field:
    """Return the field.

    db: the database with submitted bots; None: there are none.

    Raises FieldError for the first bot that is unknown, cannot be started, or does not play the game.
    """
    if isinstance(bots, str) or not isinstance(bots, Mapping | Sequence):
        raise FieldError(f"bots is a dict of names and bots, or a list of bots, not {bots!r:.80}")
    roster = Roster() if db is None else open_roster(str(db))
    named = list(bots.items()) if isinstance(bots, Mapping) else [("", bot) for bot in bots]
    entrants, makers = [], []
    for name, bot in named:
        entrant, new_bot = _find_bot(bot, game, roster)
        entrants.append(replace(entrant, name=_checked_name(name)) if isinstance(bots, Mapping) else entrant)
        makers.append(new_bot)
    field = make_names_unique(entrants)
    in_process = {entrant.name: new_bot for entrant, new_bot in zip(field, makers, strict=True) if new_bot is not None}
    return Field(field, in_process)


def _checked_name(name: object) -> str:
    if isinstance(name, str) and name.strip() and name.isprintable() and len(name) <= _NAME_CHARACTERS:
        return name
    raise FieldError(f"{name!r:.80} cannot name a bot: use a text of 1 to {_NAME_CHARACTERS} printable characters")


def _find_bot(bot: BotSpec, game: str, roster: Roster) -> tuple[Entrant, NewBot | None]:
    """Return a bot, and how it is made if it is in-process."""
    if isinstance(bot, str | PathLike):
        (entrant,) = find_bots([fspath(bot)], samples(game), roster, game=game)
        return entrant, None
    if isinstance(bot, Bot):
        return _entrant(type(bot), bot, game), lambda: bot
    if isinstance(bot, type):
        if not callable(getattr(bot, "choose", None)):
            raise FieldError(f"the class {bot.__name__} has no method choose(self, question): write one")
        new_bot: Any = bot
        return _entrant(bot, bot, game), bot if issubclass(bot, Bot) else lambda: _function_bot(new_bot().choose, bot)
    if callable(bot):
        return _entrant(bot, None, game), lambda: _function_bot(bot, bot)
    raise FieldError(f"{bot!r:.80} is no bot: give a function, a class, or a text as `arena tourney --bots` takes it")


def _function_bot(choose: Callable[[Question[Any]], Any], named: Any) -> Bot[Any]:
    bot: Bot[Any] = type(_name_of(named), (_FunctionBot,), {})(choose)
    return bot


def _name_of(bot: Any) -> str:
    """Return the name of a function or class, or that of an object's class."""
    name = getattr(bot, "__name__", type(bot).__name__)
    return "lambda" if name == "<lambda>" else name[:_NAME_CHARACTERS]


def _entrant(source: Any, bot: Any, game: str) -> Entrant:
    """Return an in-process bot.

    source: the function or class that answers for it.
    bot: what says which games it plays, if anything.
    """
    games: tuple[str, ...] = tuple(getattr(bot, "games", ()))
    name = getattr(bot, "name", "") or _name_of(source)
    if games and game not in games:
        raise FieldError(f"{name} plays only {', '.join(games)}, not {game}")
    at_once = getattr(bot, "matches_at_once", 0)
    return Entrant(name, (), "", (), _fingerprint(source), matches_at_once=at_once, games=games, in_process=True)


def _fingerprint(source: Any) -> str:
    """Return the SHA-256, in hex, of the source of a function or class, or of its name where that is not known."""
    try:
        text = inspect.getsource(source)
    except (OSError, TypeError):
        text = getattr(source, "__qualname__", type(source).__qualname__)
    return sha256(text.encode()).hexdigest()
