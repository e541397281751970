"""The options --sprt and --until-separated: what may end a tournament before its last round."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from arena.tournament.plan.stop_rule import StopRule, parse_sprt


def stop_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options, handed on together as `stop`: a StopRule, or None.

    The command ends with a UsageError where both are given, a PlanError or RatingError for a test that makes no sense.
    """

    @wraps(function)
    def command(*args: Any, sprt: str | None, until_separated: bool, **others: Any) -> Any:
        if sprt is not None and until_separated:
            raise click.UsageError("--sprt and --until-separated exclude each other")
        stop = parse_sprt(sprt) if sprt is not None else StopRule("separated") if until_separated else None
        return function(*args, stop=stop, **others)

    for option in (
        click.option(
            "--until-separated",
            is_flag=True,
            help="Stop once all neighbours of the ranking are told apart at 95 %.",
        ),
        click.option(
            "--sprt",
            metavar="elo0=E,elo1=E",
            help="Stop once the first bot is known to be elo1, or only elo0, better than the second.",
        ),
    ):
        command = option(command)
    return command
