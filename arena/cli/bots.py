"""`arena bots`: list submitted bots, show one, or retire it."""

from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import read_rows
from arena.cli.lazy_group import CommandGroup
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_table
from arena.packs.errors import SubmissionError
from arena.packs.names import split_version
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text
from referee.engine.near import did_you_mean

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.people.submissions import SubmissionRow

COLUMNS = (
    text_column("bot"),
    Column("version"),
    word_column("language", drop=3),
    text_column("games"),
    Column("files", drop=1),
    Column("KiB", drop=2),
    word_column("submitted", drop=4),
    word_column("state"),
)


@click.group("bots", cls=CommandGroup, invoke_without_command=True)
@click.option(
    "--all", "every", is_flag=True, help="List all versions, also those that are retired or for practice alone."
)
@json_option
@db_option
@click.pass_context
def command(ctx: click.Context, every: bool, as_json: bool, db: str) -> None:
    """List submitted bots, show one, or retire it.

    Without a command, list the newest version of each, as `arena bots list` does. `arena submit` submits one.
    """
    if ctx.invoked_subcommand is None:
        _list(every, as_json, db)


@command.command("list")
@click.option(
    "--all", "every", is_flag=True, help="List all versions, also those that are retired or for practice alone."
)
@json_option
@db_option
def list_(every: bool, as_json: bool, db: str) -> None:
    """List submitted bots."""
    _list(every, as_json, db)


@command.command("show")
@click.argument("name", metavar="NAME")
@json_option
@db_option
def show(name: str, as_json: bool, db: str) -> None:
    """Show a submitted bot: its bot.toml, its files, and the check that accepted it.

    NAME is its newest version, NAME@2 its second.
    """
    from arena.packs.pack import Pack
    from arena.store import open_store

    with open_store(db) as store:
        versions = _chosen(store, name)
        row = versions[-1]
        files = [
            (file.path, len(file.content)) for file in Pack.from_bytes(store.submissions.archive(row.content)).files
        ]
    if as_json:
        listed = [{"path": path, "bytes": size} for path, size in files]
        echo(json_text(_object(row) | {"files": listed, "report": row.report}))
        return
    echo(
        f"{row.title}, submitted {row.created}"
        + (f", retired {row.retired}" if row.retired else "")
        + (", for practice alone" if row.practice_only else "")
    )
    echo(f"content {row.content}")
    if row.source != row.content:
        echo(f"source  {row.source}")
    echo()
    for key, value in row.manifest.items():
        if value and key != "limits":
            echo(f"{key}: {' '.join(value) if isinstance(value, list) else value}")
    for key, value in row.manifest["limits"].items():
        if value is not None:
            echo(f"{key}: {value}")
    echo()
    for path, size in files:
        echo(f"{size:>10,}  {path}")
    echo()
    for step in row.report["steps"]:
        echo(f"{step['number']:>3}. {step['verdict']:<8}{step['title']}: {step['sentence']}")


@command.command("retire")
@click.argument("name", metavar="NAME")
@click.option("--back", is_flag=True, help="Reinstate the bot instead.")
@json_option
@db_option
def retire(name: str, back: bool, as_json: bool, db: str) -> None:
    """Retire a submitted bot: keep it out of new tournaments.

    NAME is all its versions, NAME@2 the second alone. Tournaments that have begun keep it, and all its matches stay.
    """
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    with open_store(db, write=True) as store:
        rows = _chosen(store, name)
        store.submissions.retire(rows[-1].name, [row.version for row in rows], back=back)
        rows = _chosen(store, name)
        entries = Leagues(store).entries_of(rows[-1].name, rows[-1].version) if back else []
    if as_json:
        echo(json_text({"bots": [_object(row) for row in rows]}))
        return
    echo(f"{name} is reinstated" if back else f"{name} is retired; reinstate it with: arena bots retire {name} --back")
    for entry in entries:
        if entry.state == "retired":
            again = f"arena league readmit {entry.league} {rows[-1].name}"
            echo(f"{rows[-1].title} stays retired in the league {entry.league} until: {again}")


@command.command("enter")
@click.argument("name", metavar="NAME@VERSION")
@db_option
def enter(name: str, db: str) -> None:
    """Let a version that was submitted for practice alone enter leagues and tournaments.

    It counts as received now, and takes the place of the version that plays. At a server, owners use
    `arena practice enter`.
    """
    from arena.league.practice.control import let_enter
    from arena.store import open_store

    with open_store(db, write=True) as store:
        let_enter(store, None, name)
    echo(f"{name} may enter leagues and tournaments")


def _list(every: bool, as_json: bool, db: str) -> None:
    from arena.store import hide_password

    rows = read_rows(db, lambda store: store.submissions.all(practice=True) if every else store.submissions.newest())
    if as_json:
        echo(json_text({"bots": [_object(row) for row in rows]}))
        return
    if not rows:
        echo(f"{hide_password(db)} has no submitted bots; submit one with: arena submit PATH --name NAME", err=True)
        return
    print_table(COLUMNS, [_line(row) for row in rows])


def _line(row: "SubmissionRow") -> tuple[str, ...]:
    return (
        row.name,
        str(row.version),
        row.manifest["language"],
        ", ".join(row.manifest["games"]) or "any",
        str(row.files),
        f"{row.bytes / 1024:.1f}",
        row.created[:10],
        "retired" if row.retired else "practises" if row.practice_only else "plays",
    )


def _object(row: "SubmissionRow") -> dict[str, Any]:
    """Return what --json prints of one version."""
    return {
        "name": row.name,
        "version": row.version,
        "manifest": row.manifest,
        "content": row.content,
        "source": row.source,
        "files": row.files,
        "bytes": row.bytes,
        "created": row.created,
        "retired": row.retired,
        "practice_only": row.practice_only,
    }


def _chosen(store: "Store", name: str) -> "list[SubmissionRow]":
    """Return the versions that a name means, all of them without a version. Raises SubmissionError."""
    bot, version = split_version(name) or (name, None)
    rows = store.submissions.versions(bot)
    if not rows:
        hint = did_you_mean(bot, {row.name for row in store.submissions.all()})
        raise SubmissionError(f"{store.where} has no submitted bot {bot}{hint}")
    if version is not None and version > len(rows):
        raise SubmissionError(f"{bot} has the versions 1 to {len(rows)}, not {version}")
    return rows if version is None else [rows[version - 1]]
