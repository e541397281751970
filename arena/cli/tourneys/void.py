"""`arena tourney void`: let a match count no more."""

import click

from arena.cli.options import by_option, db_option, reason_option
from arena.cli.output import echo


@click.command("void")
@click.argument("id", metavar="ID", type=click.IntRange(min=1))
@click.argument("match", metavar="MATCH", type=click.IntRange(min=1))
@reason_option
@click.option(
    "--replay/--no-replay", default=True, show_default=True, help="Play it again, with the same deal, or not."
)
@by_option
@db_option
def command(id: int, match: int, reason: str, replay: bool, by: str | None, db: str) -> None:
    """Let a match count no more.

    MATCH is its id, as in `arena matches --tourney ID`. Its record is kept apart, and goes into exports. It is played
    again by fresh processes as soon as the tournament goes on. In events of stages only matches of the last stage can
    be void, as later stages rest upon the others.
    """
    from arena.store import open_store
    from arena.tournament.control import void

    with open_store(db, write=True) as store:
        void(store, store.tournament(id), match, replay, by, reason)
    again = f"it is played again by: arena tourney resume {id} --db {db}" if replay else "it is not played again"
    echo(f"match {match} of tournament {id} is void; {again}")
