"""The options of `arena submit` for a folder of bots."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from arena.cli.options import PathType
from arena_classroom.owners_file import parse_time

HELP = """\b
    arena submit --from class/ --owners folders --reports reports/ --must-beat random
    arena submit --from class/ --owners owners.csv --deadline 2026-05-01T18:00

With --from, each folder, Python file, program and archive (.zip, .tar, .tar.gz) in DIR is a bot; other files are
ignored. With --owners folders, each is an owner's: a bot, or a folder of bots; downloads of Moodle and Canvas are
understood. A CSV file has the columns folder and owner, and may have name and handed_in. Bots are checked side by
side, and stored as they pass. Near-copies are reported, not refused. The same command submits what is new since."""


class PointInTime(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """A point in time, as 2026-05-01T18:00 or with a time zone 2026-05-01T18:00+02:00."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the point in time of a text. Raises BadParameter."""
        if isinstance(value, datetime):
            return value
        try:
            return parse_time(str(value))
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a point in time: write 2026-05-01T18:00 or 2026-05-01T18:00+02:00", param, ctx)


def submit_options() -> Sequence[click.Option]:
    """Return the options."""
    return [
        click.Option(
            ["--from", "source"],
            metavar="DIR",
            type=PathType(path_type=Path),
            help="Submit every bot in a folder instead.",
        ),
        click.Option(["--owner"], metavar="OWNER", help="With --from: the owner of all bots, put before each name."),
        click.Option(
            ["--owners"],
            metavar="folders|FILE",
            help="With --from: owners by the names of folders and files (DIR/OWNER/BOT), or by a CSV file.",
        ),
        click.Option(
            ["--deadline"],
            type=PointInTime(),
            help="With --from: refuse what is handed in later, such as 2026-05-01T18:00.",
        ),
        click.Option(
            ["--jobs"],
            type=click.IntRange(min=1),
            help="With --from: bots to check at a time  [default: cores]",
        ),
        click.Option(
            ["--reports"],
            metavar="DIR",
            type=PathType(path_type=Path),
            help="With --from: write a report on each bot to DIR, and the questions at which it failed.",
        ),
    ]
