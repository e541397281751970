"""`arena accounts import`: accounts of the people of a class."""

import csv
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from arena.cli.account_invitations import role_option
from arena.cli.options import PathType, db_option
from arena.cli.output import echo
from arena.values.texts import csv_value
from arena_classroom.errors import RosterError
from arena_classroom.roster import Change, changes, read_roster, store_changes


@click.command("import")
@click.argument("roster", metavar="ROSTER.CSV", type=PathType(path_type=Path))
@role_option
@click.option("--tokens", metavar="FILE", type=PathType(path_type=Path), help="New file for the tokens, as CSV.")
@click.option("--dry-run", is_flag=True, help="Say what would be stored, and store nothing.")
@db_option
def command(roster: Path, role: str, tokens: Path | None, dry_run: bool, db: str) -> None:
    """Create or update accounts from a CSV file.

    Its columns are "name" (or "first name" and "last name"), and as many of "account", "email", "id", "group" and
    "team" as you have. "Müller, Jörg" becomes the account muller-jorg, unless "account" has another name; names are
    stored as display names. Teams are made where there are none of their names.

    The same command again, with the same accounts, updates what has changed and says so; empty cells change nothing.
    Nothing is stored if any row is wrong. The tokens of new accounts are written to a new file that only you can read.
    """
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store

    read = read_roster(roster)
    if read.ignored:
        echo(f"columns that are ignored: {', '.join(read.ignored)}", err=True)
    with open_store(db, create=not dry_run, write=not dry_run) as store:
        if dry_run:
            with store.read() as connection:
                _tell(changes(connection, read, role), len(read.rows), "would be ")
            return
        secrets: dict[str, str] = {}
        is_written = False
        try:
            with store.write(numbers=True) as connection:
                found = changes(connection, read, role)
                secrets = {change.row.account: new_token() for change in found if change.is_new}
                if secrets and tokens is None:
                    raise RosterError(
                        f"accounts that are new: {len(secrets)}; name a new file for their tokens (--tokens)"
                    )
                if tokens is not None and secrets:
                    _write_tokens(tokens, found, secrets)
                    is_written = True
                hashes = {name: token_hash(secret) for name, secret in secrets.items()}
                store_changes(connection, read, found, role, hashes)
        except BaseException:
            if is_written and tokens is not None:
                tokens.unlink(missing_ok=True)  # these tokens are of no account
            raise
    _tell(found, len(read.rows))
    if is_written:
        echo(f"tokens: {tokens}", err=True)


def _tell(found: Sequence[Change], rows: int, would: str = "") -> None:
    """Print what is changed."""
    for change in found:
        echo(change.sentence)
    made = sum(change.is_new for change in found)
    echo(f"accounts {would}created: {made}, {would}changed: {len(found) - made}, as they were: {rows - len(found)}")


def _write_tokens(path: Path, found: Sequence[Change], secrets: Mapping[str, str]) -> None:
    """Write the tokens of new accounts, before these are stored: so each account has a token that somebody has."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(("name", "account", "email", "token"))
    for change in found:
        row = change.row
        if row.account in secrets:
            cells = (row.text, row.account, row.details.get("email", ""), secrets[row.account])
            writer.writerow(map(csv_value, cells))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", newline="", encoding="utf-8") as file:
            file.write(lines.getvalue())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise RosterError(f"{path} cannot be made: {error.strerror}; name a new file") from None
