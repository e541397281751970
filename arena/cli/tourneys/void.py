"""`arena tourney void`: void a match."""

import click

from arena.cli.options import MATCH_NUMBER, TOURNAMENT_NUMBER, by_option, db_option, reason_option
from arena.cli.output import echo
from arena.values.texts import shell_line


@click.command("void")
@click.argument("id", metavar="ID", type=TOURNAMENT_NUMBER)
@click.argument("match", metavar="MATCH", type=MATCH_NUMBER)
@reason_option
@click.option("--replay/--no-replay", default=True, show_default=True, help="Play the match again, with the same deal.")
@by_option
@db_option
def command(id: int, match: int, reason: str, replay: bool, by: str | None, db: str) -> None:
    """Void a match.

    MATCH is its id, as in `arena matches --tourney ID`. It no longer counts, but its record is kept and exported. It is
    played again by fresh processes when the tournament is resumed. In tournaments with stages only matches of the last
    stage can be voided, as later pairings depend on earlier results.
    """
    from arena.results.control import void
    from arena.results.stored_tournament import StoredTournament
    from arena.store import hide_password, open_store

    with open_store(db, write=True) as store:
        void(StoredTournament.load(store, id), match, replay, by, reason)
    again = shell_line("arena", "tourney", "resume", id, "--db", hide_password(db))
    sequel = f"play it again with: {again}" if replay else "it is not played again"
    echo(f"match {match} of tournament {id} is void; {sequel}")
