"""`arena accounts invite` and `import`: let many people have accounts."""

import csv
import io
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.errors import ArenaError
from arena.texts import csv_value, json_text

role_option = click.option(
    "--role",
    type=click.Choice(["author", "organiser"]),
    default="author",
    show_default=True,
    help="What the account may do.",
)


class InvitationError(ArenaError):
    """An account that cannot be made."""


@click.command("invite")
@click.argument("name", metavar="[NAME]", required=False)
@role_option
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True, help="Days until it expires.")
@click.option("--url", metavar="URL", default="http://127.0.0.1:8000", show_default=True, help="Where the pages are.")
@json_option
@db_option
def invite(name: str | None, role: str, days: int, url: str, as_json: bool, db: str) -> None:
    """Print a link that makes an account, once.

    Whoever opens it gets the account NAME, or chooses a name, and sees its token.
    """
    from arena.remote.tokens import new_token, token_hash
    from arena.store import open_store
    from arena.submissions.names import check_account_name

    secret = new_token()
    expires = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
    with open_store(db, create=True) as store:
        if name is not None and any(row.name == check_account_name(name) for row in store.accounts.all()):
            raise InvitationError(f"{name} has an account: reset its token with `arena accounts reset {name}`")
        store.invitations.add(name or "", role, token_hash(secret), expires)
    link = f"{url.rstrip('/')}/invitations/{secret}"
    if as_json:
        echo(json_text({"name": name, "role": role, "link": link, "expires": expires}))
        return
    echo(link)
    echo(f"This link makes one account, until {expires}, and is not shown again.", err=True)


@click.command("import")
@click.argument("roster", metavar="ROSTER.CSV", type=click.Path(path_type=Path))
@role_option
@click.option(
    "--tokens", metavar="FILE", required=True, type=click.Path(path_type=Path), help="New file for the tokens, as CSV."
)
@db_option
def import_(roster: Path, role: str, tokens: Path, db: str) -> None:
    """Create an account for each row of a CSV file.

    Its column "name" names the accounts; "Müller, Jörg" becomes muller-jorg. Names that have an account are left alone.
    The tokens are written to a new file that only you can read.
    """
    from arena.remote.tokens import new_token, token_hash
    from arena.store import open_store

    names = _names(roster)
    made: list[tuple[str, str, str]] = []
    try:
        tokens.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(tokens, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InvitationError(f"{tokens} cannot be made: {error.strerror}; name a new file") from None
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
    """Return account names, with the names from which they were made. Raises InvitationError or OwnersError."""
    from arena.submissions.names import word_from
    from arena.submissions.owners_file import read_csv

    lines = [line for line in read_csv(roster) if any(line)]
    titles = [title.casefold() for title in lines[0]] if lines else []
    if "name" not in titles:
        raise InvitationError(f'{roster} has no column "name": its first row must name the columns')
    place = titles.index("name")
    names: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        text = line[place] if place < len(line) else ""
        word = word_from(text)
        if not word:
            raise InvitationError(f'{roster}, row {number}: no account can be named "{text}": use letters from a to z')
        if word in names:
            raise InvitationError(
                f'{roster}, row {number}: "{text}" and "{names[word]}" both become {word}: change one'
            )
        names[word] = text
    if not names:
        raise InvitationError(f"{roster} has no row below its titles")
    return names
