"""`arena site`: write a tournament as a folder of static pages."""

import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from arena.cli.options import TOURNAMENT_NUMBER, PathType, db_option
from arena.cli.output import echo, print_progress
from arena.values.installing import how_to_install

INTERESTING, ALL = "interesting", "all"


class Matches(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """Which matches have their replay in a site: interesting, all, or a number."""

    name = "matches"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        """Return how many of the newest; None for those worth a look. Raises BadParameter."""
        text = str(value)
        if text == INTERESTING:
            return None
        if text == ALL:
            return sys.maxsize
        if text.isascii() and text.isdecimal() and len(text) <= 9:
            return int(text)
        self.fail(f'"{text}" is not {INTERESTING}, {ALL} or a number', param, ctx)


def _url(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Return an address without a slash at its end. Raises BadParameter."""
    if value is None:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise click.BadParameter(f'"{value}" is not an address such as https://example.org/cup', ctx, param)
    return value.rstrip("/")


@click.command("site")
@click.argument("id", metavar="[ID]", required=False, type=TOURNAMENT_NUMBER)
@click.option(
    "--to", "folder", metavar="DIR", required=True, type=PathType(path_type=Path), help="Folder to write into."
)
@click.option(
    "--matches",
    metavar="WHICH",
    type=Matches(),
    default=INTERESTING,
    show_default=True,
    help="Matches with a replay: interesting, all, or the number of the newest.",
)
@click.option(
    "--url", metavar="URL", callback=_url, help="Where the site will be, for absolute links in its feed and previews."
)
@click.option("--unfinished", is_flag=True, help="Write the ranking of an unfinished tournament, without replays.")
@db_option
def command(id: int | None, folder: Path, matches: int | None, url: str | None, unfinished: bool, db: str) -> None:
    """Write a tournament as a folder of static pages.

    Writes tournament ID, or the latest: its ranking, crosstable and decisions, a page for each bot, a list of matches
    and their replays, a preview picture and an Atom feed. Any web host serves the folder, at any address, and a browser
    opens it from a disk. Links are relative, and nothing is loaded from elsewhere.

    The site shows what a visitor of `arena web --public` sees: no notes, no output of bots.

    Interesting matches are upsets, faults, and the best bots' highest and lowest scores, and newest ones up to 40
    in all. A replay takes 10 to 300 kB.

    An earlier site in DIR is replaced; other files in it stay.
    """
    from rich.filesize import decimal as byte_size

    from arena.store import open_store
    from arena_site.builder import SiteOptions, write_site

    with open_store(db) as store:
        number = store.tournament(id).id
        written = write_site(store, number, folder, SiteOptions(matches, url, unfinished), _progress)
    echo(f"tournament {number}: {written.files:,} files, {byte_size(written.bytes)}, in {folder}", err=True)
    if written.replays:
        mean = byte_size(sum(written.replays) // len(written.replays))
        echo(f"{len(written.replays):,} replays of {mean} on average: open {folder / 'index.html'}", err=True)
    if written.unreadable:
        echo(f"{written.unreadable:,} matches are left out: their records do not fit the installed rules", err=True)
    if not written.pictures:
        share = how_to_install("botarena[share]")
        echo(f"the pages have no preview picture; for one: {share}", err=True)
    elif "png" not in written.pictures:
        png = how_to_install("botarena[png]")
        echo(f"the preview picture is SVG, which few messengers show; for PNG: {png}", err=True)


def _progress(done: int, wanted: int) -> None:
    """Tell how far it is, now and then: replays take half a second each."""
    if done % 50 == 0 and done < wanted:
        print_progress(f"{done:,} of {wanted:,} replays written")
