"""The options --watch and --watch-delay: what the live pages of leagues show."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal

import click

from arena.cli.options import Duration, add_options

if TYPE_CHECKING:
    from arena.server.watch.watched_league import Watching

What = Literal["off", "stored", "settled", "all"]

LONGEST_DELAY = 3_600_000
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What may be watched of leagues."""

    what: What = "settled"
    delay: float = 0.0
    """Seconds after which a move of a match under way is shown."""

    def watching(self) -> "Watching | None":
        """Return what may be watched; None: leagues have no live page."""
        from arena.league.run.live_matches import LiveMatches
        from arena.server.watch.watched_league import Watching

        if self.what == "off":
            return None
        if self.what == "stored":
            return Watching()
        return Watching(LiveMatches(self.delay), everybody_sees_all=self.what == "all")


def watch_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --watch and --watch-delay, handed on together as `watch`."""

    @wraps(function)
    def command(*args: Any, what: What, watch_delay: int, **others: Any) -> Any:
        if watch_delay > LONGEST_DELAY:
            raise click.UsageError("--watch-delay is an hour at most")
        if watch_delay and what in ("off", "stored"):
            raise click.UsageError(f"--watch-delay is about matches under way, which --watch {what} does not show")
        return function(*args, watch=WatchOptions(what, watch_delay / 1000), **others)

    return add_options(
        command,
        click.option(
            "--watch",
            "what",
            type=click.Choice(["off", "stored", "settled", "all"]),
            default="settled",
            show_default=True,
            help="What live pages of leagues show: matches of stored batches; matches under way too whose deals nobody "
            "plays later (organisers see all); or all to everybody. off: no such pages.",
        ),
        click.option(
            "--watch-delay",
            metavar="TIME",
            type=Duration(),
            default="0",
            show_default=True,
            help="Show moves of matches under way so much later.",
        ),
    )


no_watch_option = click.option("--no-watch", is_flag=True, help="Leagues have no live pages.")
