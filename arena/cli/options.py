"""The options that several commands share. Those of commands that play tournaments are in `tournament_options`.

An option that is handed on as it is, is a plain `click.option`; options that are handed on together, as one object,
are a decorator that wraps the command.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import DEFAULT_DB, remember_database
from arena.run.hosting import Hosting
from arena.values.durations import parse_duration
from referee.sandbox import MODES

if TYPE_CHECKING:
    from arena.values.rows import StoredMatch


class PathType(click.Path):
    """A path; none is empty, as that would be the current folder, which nobody means by a variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path. Raises BadParameter."""
        if value == "":
            self.fail("a path must not be empty", param, ctx)
        return super().convert(value, param, ctx)


class Text(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A text that says something."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a text. Raises BadParameter."""
        if not str(value).strip():
            self.fail("a text must not be empty", param, ctx)
        return str(value)


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A duration, as 50ms, 1s, 1.5s or 2min, in whole milliseconds; a bare number is seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the milliseconds of a text. Raises BadParameter."""
        if isinstance(value, int):
            return value
        try:
            return parse_duration(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class StoredNumber(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """The number of something in the database.

    noun: what has the number, such as "match".
    listing: the command that lists the numbers.
    """

    name = "integer"

    def __init__(self, noun: str, listing: str) -> None:
        self.noun = noun
        self._listing = listing

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of a text. Raises BadParameter."""
        text = str(value)
        if not (text.isascii() and text.isdecimal() and text.strip("0")):
            self.fail(f'"{text}" is not the number of a {self.noun}: {self._listing} lists them', param, ctx)
        try:
            return int(text)
        except ValueError:  # Python reads no numbers of thousands of digits
            self.fail(f"a {self.noun} has no number of {len(text)} digits: {self._listing} lists them", param, ctx)


MATCH_NUMBER = StoredNumber("match", "arena matches")

TOURNAMENT_NUMBER = StoredNumber("tournament", "arena tourney list")


def add_options(command: Callable[..., Any], *options: Callable[..., Any]) -> Callable[..., Any]:
    """Add options to a command; its help lists them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


db_option = click.option(
    "--db",
    metavar="PATH|URL",
    envvar="ARENA_DB",
    show_envvar=True,
    default=DEFAULT_DB,
    show_default=True,
    help="The database: a file, or postgresql://USER@HOST/NAME.",
    callback=remember_database,
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")

by_option = click.option("--by", metavar="NAME", help="Name to log as the decider  [default: the current user]")

reason_option = click.option("--reason", type=Text(), metavar="TEXT", required=True, help="Reason to log.")

optional_reason_option = click.option("--reason", metavar="TEXT", default="", help="Reason to log.")

owner_option = click.option(
    "--owner", metavar="NAME", help="Hide notes and output of other owners' bots: club owns club/owl."
)

limit_option = click.option(
    "--limit", type=click.IntRange(min=0), default=20, show_default=True, help="Most entries to list; 0: all."
)

required_games_option = click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="A game that the bot must play; repeatable  [default: all it claims]",
)

game_options = click.option(
    "-o", "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)

sandbox_option = click.option(
    "--sandbox", type=click.Choice(MODES), default="auto", show_default=True, help="Sandbox of the bots."
)

affinity_option = click.option("--affinity", is_flag=True, help="Pin each bot process to one core.")


def restrict_to_owner(match: "StoredMatch", owner: str | None) -> "StoredMatch":
    """Return the match as its `--owner` may read it; all of it for None. Raises BadParameter."""
    from arena.replay.owner_view import as_owner, seats_of

    if owner is None:
        return match
    if not seats_of(match, owner):
        players = ", ".join(dict.fromkeys(match.players))
        raise click.BadParameter(f"{owner} has no bot in match {match.id} (players: {players})", param_hint="--owner")
    return as_owner(match, owner)


def parse_game_options(texts: Sequence[str]) -> dict[str, str]:
    """Return the options of `-o NAME=VALUE`. Raises BadParameter for another form, or two values of one name."""
    values: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not name:
            raise click.BadParameter(f'"{text}" is not NAME=VALUE', param_hint="-o")
        if values.setdefault(name, value) != value:
            raise click.BadParameter(f"{name} has two values, {values[name]} and {value}: give one", param_hint="-o")
    return values


def hosting_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --sandbox and --affinity, handed on together as `hosting`."""

    @wraps(function)
    def command(*args: Any, sandbox: str, affinity: bool, **others: Any) -> Any:
        return function(*args, hosting=Hosting(sandbox, affinity), **others)

    return add_options(command, sandbox_option, affinity_option)


def rated_hosting_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --sandbox, --affinity and --trust-bots to a command whose matches are rated, handed on as `hosting`.

    The command ends with a UsageError for bots that are neither confined nor trusted.
    """

    @wraps(function)
    def command(*args: Any, sandbox: str, affinity: bool, trust_bots: bool, **others: Any) -> Any:
        if sandbox == "off" and not trust_bots:
            raise click.UsageError(
                "unconfined bots can reach the database, the cards and each other's files: "
                "--sandbox off needs --trust-bots where matches are rated"
            )
        return function(*args, hosting=Hosting(sandbox, affinity, trust_bots), **others)

    trust_option = click.option(
        "--trust-bots",
        is_flag=True,
        envvar="ARENA_TRUST_BOTS",
        show_envvar=True,
        help="Rate matches although bots are not isolated from each other.",
    )
    return add_options(command, sandbox_option, affinity_option, trust_option)
