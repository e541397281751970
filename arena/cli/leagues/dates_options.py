"""The options that give the dates of a league's season, and how these are printed."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.league.store.league_dates import LeagueDates

NAMES = {"opens": "opens", "deadline": "last hand-in counts", "hides": "board is hidden from", "ends": "ends"}
"""The dates in the order of time, and what they are called."""

_OPTIONS = (
    click.option("--opens", metavar="TIME", help="Play nothing before; bots may be handed in."),
    click.option(
        "--deadline",
        metavar="TIME",
        help="What is received before counts for the season, even if its check ends later; what comes later enters "
        "with the next season.",
    ),
    click.option(
        "--hides",
        metavar="TIME",
        help="Show visitors no later results until the season ends, or the board is revealed with none.",
    ),
    click.option("--ends", metavar="TIME", help="End the season with its final then, instead of after --season-days."),
    click.option(
        "--timezone",
        metavar="ZONE",
        help="The time zone of TIME without an offset, and in which it is shown, such as Europe/Berlin.",
    ),
)


def dates_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of dates to a command, which gets them as `dates`, a `GivenDates`."""

    @wraps(command)
    def call(
        *args: Any,
        opens: str | None,
        deadline: str | None,
        hides: str | None,
        ends: str | None,
        timezone: str | None,
        **more: Any,
    ) -> Any:
        from arena.league.dates.control import GivenDates

        given = {"opens": opens, "deadline": deadline, "hides": hides, "ends": ends, "timezone": timezone}
        dates = GivenDates(**{name: value for name, value in given.items() if value is not None})
        return command(*args, dates=dates, **more)

    for option in reversed(_OPTIONS):
        call = option(call)
    return call


def dates_json(dates: "LeagueDates") -> dict[str, Any]:
    """Return dates as JSON values; those that are not set are None."""
    values: dict[str, Any] = {name: getattr(dates, name) or None for name in (*NAMES, "zone")}
    return values | {"extensions": dict(dates.extensions)}


def dates_lines(dates: "LeagueDates") -> list[str]:
    """Return dates as lines of text, with the time zone of each."""
    from arena.values.given_time import shown_time

    known = [(words, getattr(dates, name)) for name, words in NAMES.items()]
    lines = [f"{words}: {shown_time(moment, dates.zone)}" for words, moment in known if moment]
    extended = sorted(dates.extensions.items())
    return [*lines, *(f"deadline of {owner}: {shown_time(until, dates.zone)}" for owner, until in extended)]
