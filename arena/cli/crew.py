"""The options --jobs and --executor, of commands that play tournaments."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.store import Store
    from arena.tournament.plan.definition import Definition
    from arena.tournament.run.executor import Executor

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Crew:
    """The referees that somebody asked for: how many at a time (None: as many as there is room for), and where."""

    jobs: int | None
    executor: str = LOCAL

    def check(self, definition: "Definition") -> None:
        """Raise UsageError where a tournament cannot be played there."""
        if self.executor == LOCAL:
            return
        if definition.time.mode == "clock":
            raise click.UsageError(
                "--mode clock gives each match a core that nothing else uses, which nodes of a cluster cannot promise: "
                "play it with --executor local"
            )
        if remote := ", ".join(bot.remote for bot in definition.field if bot.remote):
            raise click.UsageError(f"{remote} dials this machine, not the nodes of a cluster: play --executor local")


def crew_options(function: Callable[..., Any], default: str = "one per core") -> Callable[..., Any]:
    """Add the options, handed on together as `crew`. default: how many referees there are where nobody says."""

    @wraps(function)
    def command(*args: Any, jobs: int | None, executor: str, **others: Any) -> Any:
        return function(*args, crew=Crew(jobs, executor), **others)

    with_executor = click.option(
        "--executor",
        metavar="local|ray[:ADDRESS]",
        default=LOCAL,
        show_default=True,
        callback=_checked,
        help="Where referees work: here, or on the nodes of a Ray cluster (HOST:PORT).",
    )(command)
    return click.option("--jobs", type=click.IntRange(min=1), help=f"Referee processes  [default: {default}]")(
        with_executor
    )


def _checked(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    if text == LOCAL or text.partition(":")[0] == "ray":
        return text
    raise click.BadParameter(f'"{text}" is neither local nor ray nor ray:HOST:PORT')


@contextmanager
def manned(crew: Crew, store: "Store") -> "Iterator[tuple[Executor | None, int]]":
    """Have the executor at hand (None: this machine), and how many referees can work there.

    Raises ExecutorError where there is no such cluster.
    """
    if crew.executor == LOCAL:
        from arena.tournament.run.executor import Local

        yield None, Local().room()
        return
    from arena.tournament.run.ray_cluster import ray_cluster

    with ray_cluster(crew.executor.partition(":")[2] or None, store) as cluster:
        yield cluster, cluster.room()
