"""The options of a tournament's clock."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from arena.cli.durations import Duration
from arena.tournament.plan.definition import (
    MODES,
    MOST_LAG_MS,
    Mode,
    TimeControl,
)


def clock_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options, handed on together as `time`."""

    @wraps(function)
    def command(
        *args: Any, move_time: int, bank: int, mode: Mode, ponder: bool, lag: int | None, slot: int, **others: Any
    ) -> Any:
        time = TimeControl(
            move_time_ms=move_time,
            bank_ms=bank,
            mode=mode,
            ponder=ponder,
            most_lag_ms=lag if lag is not None else MOST_LAG_MS if mode == "clock" else 0,
            slot_ms=slot,
        )
        return function(*args, time=time, **others)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--move-time", type=Duration(), default="1s", show_default=True, help="Time for an answer; 0: no limit."
    ),
    click.option("--bank", type=Duration(), default="10s", show_default=True, help="Reserve of a seat in each match."),
    click.option(
        "--mode",
        type=click.Choice(MODES),
        default="fast",
        show_default=True,
        help="Many matches at once, or clocks that are fair on a busy machine: one match on each core.",
    ),
    click.option("--ponder", is_flag=True, help="Mode clock: bots may think in the others' time."),
    click.option(
        "--lag",
        type=Duration(),
        help=f"Mode clock: a longer delay of ours makes a match void, it is played again  [default: {MOST_LAG_MS}ms]",
    ),
    click.option(
        "--slot",
        type=Duration(),
        default="0",
        help="Mode clock: a turn comes no sooner than this after the one before, so that nobody can tell from the "
        "delay whether the holder of a secret card was asked in between (cambio, cucco).",
    ),
)
