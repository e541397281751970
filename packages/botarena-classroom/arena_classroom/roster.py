"""`arena accounts import`: an account for each person of a class."""

import csv
import io
import os
from pathlib import Path

import click

from arena.cli.account_invitations import role_option
from arena.cli.options import PathType, db_option
from arena.cli.output import echo
from arena.packs.names import word_from
from arena.values.texts import csv_value
from arena_classroom.errors import RosterError
from arena_classroom.owners_file import listed, numbered, read_csv


@click.command("import")
@click.argument("roster", metavar="ROSTER.CSV", type=PathType(path_type=Path))
@role_option
@click.option(
    "--tokens", metavar="FILE", required=True, type=PathType(path_type=Path), help="New file for the tokens, as CSV."
)
@db_option
def command(roster: Path, role: str, tokens: Path, db: str) -> None:
    """Create an account for each row of a CSV file.

    Its column "name" names the accounts; "Müller, Jörg" becomes muller-jorg. Names that have an account are left alone.
    The tokens are written to a new file that only you can read.
    """
    from arena.run.remote.tokens import new_token, token_hash
    from arena.store import open_store

    names = _names(roster)
    made: list[tuple[str, str, str]] = []
    try:
        tokens.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(tokens, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise RosterError(f"{tokens} cannot be made: {error.strerror}; name a new file") from None
    with open(descriptor, "w", newline="") as file, open_store(db, create=True) as store:
        for name, text in names.items():
            token = new_token()
            if store.accounts.add(name, role, token_hash(token)):
                made.append((text, name, token))
                line = io.StringIO()
                csv.writer(line, lineterminator="\n").writerow(map(csv_value, made[-1]))
                file.write(("name,account,token\n" if len(made) == 1 else "") + line.getvalue())
                file.flush()
    echo(f"accounts created: {len(made)}, there already: {len(names) - len(made)}; tokens: {tokens}")


def _names(roster: Path) -> dict[str, str]:
    """Return account names, with the names from which they were made.

    Raises OwnersError for a file that is no table, RosterError with all rows that are wrong.
    """
    lines = read_csv(roster)
    top, titles = next(numbered(lines), (0, []))
    titles = [title.casefold() for title in titles]
    if "name" not in titles:
        raise RosterError(f'{roster} has no column "name": its first row must name the columns')
    place = titles.index("name")
    names: dict[str, str] = {}
    mistakes: list[str] = []
    for number, line in numbered(lines, top):
        text = line[place] if place < len(line) else ""
        word = word_from(text)
        if not word:
            mistakes.append(f'row {number}: no account can be named "{text}": use letters from a to z')
        elif word in names:
            mistakes.append(f'row {number}: "{text}" and "{names[word]}" both become {word}: change one')
        else:
            names[word] = text
    if mistakes:
        raise RosterError(f"{roster} has mistakes, so no account was created:{listed(mistakes)}")
    if not names:
        raise RosterError(f"{roster} has no row below its titles")
    return names
