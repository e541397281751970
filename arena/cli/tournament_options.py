"""How a tournament is told while it is played and at its end: the options that all commands have that play one."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.store.failure_rows import ProcessFailureRow
    from arena.store.rows import MatchRow
    from arena.tournament.run.runner import Watcher


@dataclass(frozen=True, slots=True)
class Telling:
    """What the user wants to be told.

    as_json: one JSON object instead of the table. live: the ranking is drawn while matches are played. events: a file
    to which a line of JSON is added for all that happens; "-": they are all that is printed; None: none are.
    """

    as_json: bool = False
    live: bool = False
    events: str | None = None


def telling_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command these options, and the `Telling` as its argument `telling`."""

    def told(as_json: bool, live: bool, events: str | None, **rest: Any) -> Any:
        if as_json and events == "-":
            raise click.UsageError("--json and --events - exclude each other: the last event has the ranking")
        if live and not sys.stderr.isatty():
            raise click.UsageError("--live draws on a terminal, and stderr is none: --events FILE is for programs")
        return function(telling=Telling(as_json, live, events), **rest)

    told.__doc__ = function.__doc__
    told.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
    for option in reversed(_OPTIONS):
        told = option(told)
    return told


_OPTIONS = (
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table."),
    click.option("--live", is_flag=True, help="Draw the ranking while matches are played."),
    click.option("--events", metavar="FILE", help="Add a line of JSON to FILE (-: stdout) for all that happens."),
)


class Watchers:
    """Several watchers as one."""

    def __init__(self, watchers: Sequence["Watcher"]) -> None:
        self._watchers = watchers

    def stored(self, rows: Sequence["MatchRow"]) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.stored(rows)

    def failed(self, rows: Sequence["ProcessFailureRow"]) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.failed(rows)

    def say(self, line: str) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.say(line)

    def stands(self, how: str) -> None:
        """Tell all."""
        for watcher in self._watchers:
            watcher.stands(how)
