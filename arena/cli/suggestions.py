"""What a shell offers for the values of arguments and options: games, bots, leagues, matches and tournaments.

The metavar of a parameter, its type or its command say what it takes, so that commands need not know of it. Stored
names are read from an SQLite file directly: the libraries of `arena.store` take longer to import than a shell may wait.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from arena.cli.options import StoredNumber

NEWEST = 30
"""How many numbers are offered."""

Finder = Callable[[click.Context], Iterable[tuple[str, str]]]
"""Returns values with a line about each."""


class SuggestedText(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A type of whose values a shell offers what `find` returns.

    separator: what stands between several values in one word.
    """

    def __init__(
        self,
        type_: click.ParamType,  # type: ignore[type-arg]
        find: Finder,
        *,
        or_file: bool = False,
        separator: str = "",
    ) -> None:
        self.name = type_.name
        self._type = type_
        self._find = find
        self._or_file = or_file
        self._separator = separator

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value as the type itself does. Raises BadParameter."""
        return self._type.convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the values that begin with a word; paths where none does and paths are values too."""
        before, _, last = incomplete.rpartition(self._separator) if self._separator else ("", "", incomplete)
        start = before + self._separator if before else ""
        items = [
            CompletionItem(f"{start}{value}", help=about) for value, about in self._find(ctx) if value.startswith(last)
        ]
        return items or ([CompletionItem(incomplete, type="file")] if self._or_file else [])


def suggest_values(command: click.Command, words: str) -> None:
    """Have a shell offer values for the parameters of a command and of those below it.

    words: the command, as it is typed below `arena`.
    """
    for parameter in command.params:
        if (kind := _kind(parameter, words)) is not None:
            parameter.type = kind
    if isinstance(command, click.Group) and not hasattr(command, "helps"):
        for below in command.commands.values():
            suggest_values(below, words)


def _kind(parameter: click.Parameter, words: str) -> SuggestedText | None:
    """Return the type of a parameter with what a shell offers for it; None where that is nothing."""
    kind = parameter.type
    if isinstance(kind, StoredNumber):
        find = {"match": match_numbers, "tournament": tournament_numbers}.get(kind.noun)
        return SuggestedText(kind, find) if find else None
    if isinstance(kind, SuggestedText):
        return kind
    metavar = (parameter.metavar or "").strip("[].")
    if metavar == "GAME":
        return SuggestedText(kind, games)
    if metavar in ("BOT", "BOT BOT", "BOT FILE"):
        return SuggestedText(kind, bots, or_file=True)
    if metavar == "BOT,BOT":
        return SuggestedText(kind, bots, or_file=True, separator=",")
    if metavar == "NAME" and parameter.name in ("name", "names"):
        if words.startswith("league "):
            return SuggestedText(kind, leagues)
        if words == "bots":
            return SuggestedText(kind, submitted_bots)
    return None


def games(_: click.Context) -> list[tuple[str, str]]:
    """Return the ids of the installed games, which are not imported."""
    return [(name, "") for name in sorted({point.name for point in entry_points(group="arena.games")})]


def bots(context: click.Context) -> list[tuple[str, str]]:
    """Return the sample bots that play the game of the line, and the submitted bots."""
    from arena.plan.field import samples

    return [(name, "a sample bot") for name in samples(context.params.get("game"))] + submitted_bots(context)


def submitted_bots(context: click.Context) -> list[tuple[str, str]]:
    """Return the names of the submitted bots that are not retired."""
    rows = _rows(context, "SELECT DISTINCT name FROM submissions WHERE retired IS NULL ORDER BY name")
    return [(str(name), "a submitted bot") for (name,) in rows]


def leagues(context: click.Context) -> list[tuple[str, str]]:
    """Return the names of the leagues."""
    return [(str(name), f"{game}, {state}") for name, game, state in _rows(context, _LEAGUES)]


def match_numbers(context: click.Context) -> list[tuple[str, str]]:
    """Return the numbers of the newest matches."""
    return [(str(number), str(game)) for number, game in _rows(context, _MATCHES, NEWEST)]


def tournament_numbers(context: click.Context) -> list[tuple[str, str]]:
    """Return the numbers of the newest tournaments."""
    return [(str(number), f"{game}, {created}") for number, game, created in _rows(context, _TOURNAMENTS, NEWEST)]


_LEAGUES = "SELECT name, game, state FROM leagues ORDER BY name"

_MATCHES = "SELECT m.id, e.game FROM matches m JOIN events e ON e.id = m.event_id ORDER BY m.id DESC LIMIT ?"

_TOURNAMENTS = """
SELECT tournament, game, substr(created, 1, 10) FROM events WHERE tournament IS NOT NULL
ORDER BY tournament DESC LIMIT ?
"""


def _rows(context: click.Context, query: str, *values: int) -> Sequence[tuple[object, ...]]:
    """Return the rows of a query; none where the line's database is no SQLite file that can be read."""
    database = context.params.get("db")
    if not isinstance(database, str) or "://" in database or not Path(database).is_file():
        return []
    try:
        with closing(
            sqlite3.connect(f"{Path(database).absolute().as_uri()}?mode=ro", uri=True, timeout=0.1)
        ) as connection:
            return connection.execute(query, values).fetchall()
    except sqlite3.Error:
        return []
