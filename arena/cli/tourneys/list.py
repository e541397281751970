"""`arena tourney list`: list the tournaments of the database."""

from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo, print_table
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.values.rows import TournamentRow

COLUMNS = (
    Column("id"),
    word_column("game"),
    text_column("schedule", drop=1),
    text_column("bots"),
    Column("matches"),
    text_column("state"),
    word_column("begun", drop=3),
    word_column("finished", drop=2),
)


@click.command("list")
@json_option
@db_option
def command(as_json: bool, db: str) -> None:
    """List the tournaments of the database.

    Newest first. `arena tourney show ID` shows one in full.
    """
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store

    with open_store(db) as store:
        lines = [
            _object(tournament, store.count(tournament.id), StoredTournament(store, tournament).state)
            for tournament in reversed(store.tournaments())
        ]
    if as_json:
        echo(json_text({"tournaments": lines}))
        return
    if not lines:
        echo(f"{store.where} has no tournaments; run one with: arena tourney --game GAME", err=True)
        return
    print_table(COLUMNS, [_row(line) for line in lines])


def _object(tournament: "TournamentRow", played: int, state: str) -> dict[str, Any]:
    return {
        "tournament": tournament.id,
        "game": tournament.game,
        "schedule": tournament.definition.schedule,
        "bots": tournament.names,
        "matches": played,
        "planned": tournament.matches,
        "state": state,
        "created": tournament.created,
        "finished": tournament.finished,
    }


def _row(line: dict[str, Any]) -> tuple[str, ...]:
    bots = line["bots"]
    field = ", ".join(bots) if len(bots) <= 4 else f"{', '.join(bots[:3])} and {len(bots) - 3} more"
    return (
        str(line["tournament"]),
        line["game"],
        line["schedule"],
        field,
        f"{line['matches']:,} of {line['planned']:,}",
        line["state"],
        _minute(line["created"]),
        _minute(line["finished"] or "") or "-",
    )


def _minute(when: str) -> str:
    """Return a time to the minute."""
    return when[:16].replace("T", " ")
