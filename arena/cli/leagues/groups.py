"""`arena league groups`: list the groups of a league, and say who sees them."""

import click

from arena.cli.options import by_option, db_option, json_option, optional_reason_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column
from arena.values.texts import json_text


@click.command("groups")
@click.argument("name", metavar="NAME")
@click.option("--show", "choice", flag_value="show", help="Let everybody choose a group on the board.")
@click.option("--hide", "choice", flag_value="hide", help="Let organisers alone choose one, as at the beginning.")
@optional_reason_option
@by_option
@json_option
@db_option
def command(name: str, choice: str | None, reason: str, by: str | None, as_json: bool, db: str) -> None:
    """List the groups of a league with their active entries.

    The group of an account, such as a class, comes from a roster (`arena accounts import`). `arena league board NAME
    --group GROUP` prints the board of one.
    """
    from arena.league.groups import are_public, groups_of, set_public
    from arena.league.results.board import load_board
    from arena.store import open_store

    with open_store(db, write=choice is not None) as store:
        if choice is not None:
            set_public(store, name, by, reason, is_public=choice == "show")
        board = load_board(store, name)
        counts, is_public = groups_of(board, store.accounts.groups()), are_public(store, board.league.id)
    if as_json:
        listed = [{"group": group, "entries": entries} for group, entries in counts.items()]
        echo(json_text({"league": name, "public": is_public, "groups": listed}))
        return
    who = "everybody sees them" if is_public else "organisers alone see them"
    if not counts:
        echo(f"the league {name} has no entries of accounts with a group; {who}")
        return
    echo(f"Groups of the league {name}; {who}\n")
    print_table((text_column("group"), Column("entries")), list(counts.items()))
