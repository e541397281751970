"""The option --owner, of commands that show what bots thought and printed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from arena.store.rows import StoredMatch

Function = TypeVar("Function", bound=Callable[..., Any])


def owner_option(function: Function) -> Function:
    """Add `--owner NAME`, handed on as `owner`."""
    return click.option(
        "--owner", metavar="NAME", help="Leave out what other owners' bots noted and printed: club owns club/owl."
    )(function)


def for_owner(match: "StoredMatch", owner: str | None) -> "StoredMatch":
    """Return the match as an owner may read it, or all of it for None. Raises BadParameter for who has no bot there."""
    from arena.replay.owner_view import as_owner, seats_of

    if owner is None:
        return match
    if not seats_of(match, owner):
        sat = ", ".join(dict.fromkeys(match.players))
        raise click.BadParameter(f"no bot of {owner} sat in match {match.id} ({sat})", param_hint="--owner")
    return as_owner(match, owner)
