"""The options --quiet and --keep-notes, of commands that run leagues."""

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.league.run.quiet_hours import QuietHours


class _QuietHours(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    name = "hours"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "QuietHours":
        """Return the hours of a text. Raises BadParameter."""
        from arena.league.run.quiet_hours import parse_quiet_hours

        try:
            return parse_quiet_hours(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


quiet_option = click.option(
    "--quiet",
    metavar="FROM-TO",
    type=_QuietHours(),
    help="Hours of each day in which no batch begins, such as 22:00-07:00, in the time zone of this machine.",
)

keep_notes_option = click.option(
    "--keep-notes",
    "note_days",
    metavar="DAYS",
    type=click.IntRange(0, 36_500),
    default=30,
    show_default=True,
    help="Delete notes and output of bots so many days after their batch; 0: never.",
)
