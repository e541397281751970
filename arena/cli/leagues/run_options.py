"""The options --quiet, --keep-notes and --archives, of commands that run leagues."""

from pathlib import Path
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


class _NewFolder(click.Path):
    """A folder, which is made if it does not exist."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the folder. Raises BadParameter if it cannot be made or written to."""
        try:
            Path(value).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.fail(f"the folder {value} cannot be made: {error.strerror}", param, ctx)
        return super().convert(value, param, ctx)


archives_option = click.option(
    "--archives",
    metavar="FOLDER",
    type=_NewFolder(file_okay=False, writable=True, path_type=Path),
    help="Write a file of each season that ends, LEAGUE-season-N.jsonl, as `arena league export` does.",
)
