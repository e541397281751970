"""The options --practice-cpu and --practice-every: what practice leagues may take of a server."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import Duration, add_options

if TYPE_CHECKING:
    from arena.league.run.practice_turns import PracticeTerms


@dataclass(frozen=True, slots=True)
class PracticeOptions:
    """What practice leagues may take."""

    cpu_ms: int = 0
    """Milliseconds of a core on each day."""
    every: int = 0
    """As in `PracticeTerms`."""

    def terms(self) -> "PracticeTerms":
        """Return it as a run and the pages take it."""
        from arena.league.run.practice_turns import PracticeTerms

        return PracticeTerms(self.cpu_ms / 1000, self.every)


def practice_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --practice-cpu and --practice-every, handed on together as `practice`."""

    @wraps(function)
    def command(*args: Any, practice_cpu: int, practice_every: int, **others: Any) -> Any:
        if practice_every and not practice_cpu:
            raise click.UsageError("--practice-every needs --practice-cpu: without it nothing of practice is played")
        return function(*args, practice=PracticeOptions(practice_cpu, practice_every), **others)

    return add_options(
        command,
        click.option(
            "--practice-cpu",
            metavar="TIME",
            type=Duration(),
            default="0",
            show_default=True,
            help="CPU time that practice leagues of authors may take on a day (UTC), as 60min; 0: none is played.",
        ),
        click.option(
            "--practice-every",
            metavar="NUMBER",
            type=click.IntRange(0, 1_000_000),
            default=0,
            show_default=True,
            help="After so many batches of leagues one of practice may be played, though leagues have more to play; 0: "
            "practice has idle time alone.",
        ),
    )
