"""`arena tourney show`: show a tournament."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option, json_option
from arena.cli.output import echo, matrix_text, table_text
from arena.values.definition import Clock
from arena.values.text_table import Column, text_column, word_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.results.stored_tournament import StoredTournament

FIELD = (
    text_column("bot"),
    Column("version", drop=2),
    word_column("sha256", drop=1),
    Column("seats held"),
    text_column("state"),
)


@click.command("show")
@click.argument("id", metavar="[ID]", required=False, type=TOURNAMENT_NUMBER)
@click.option("--toml", is_flag=True, help="Print an event file for `arena tourney run` instead.")
@json_option
@db_option
def command(id: int | None, toml: bool, as_json: bool, db: str) -> None:
    """Show a tournament: its definition, hashes, field and progress.

    Shows tournament ID, or the latest. The secret, which all deals follow from, is shown once it is finished.
    """
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store

    if toml and as_json:
        raise click.UsageError("--toml and --json exclude each other")
    with open_store(db) as store:
        tournament = StoredTournament.load(store, id)
        if toml:
            echo(_event_file(tournament), nl=False)
            return
        shown = _object(tournament)
    if as_json:
        echo(json_text(shown))
        return
    for line in _lines(shown):
        echo(line)


def _event_file(tournament: "StoredTournament") -> str:
    from arena.plan.eventfile.event_writer import event_text

    row = tournament.row
    head = f"# Tournament {row.id}, begun {row.created}; definition hash {row.definition_hash}\n\n"
    return head + event_text(tournament.definition, row.seed)


def _object(tournament: "StoredTournament") -> dict[str, Any]:
    """Return what --json prints."""
    from arena.values.rows import late_entrants

    row, summary = tournament.row, tournament.summary
    efforts, sittings = summary.efforts, summary.meetings.sittings(len(row.entrants))
    failures = tournament.store.process_failures.counts(row.id)
    defined = json.loads(row.definition_text)
    planned = {key: value for key, value in defined.items() if key not in ("field", "game", "options")}
    field = *row.definition.field, *late_entrants(tournament.log)
    return {
        "tournament": row.id,
        "state": tournament.state,
        "game": row.game,
        "options": row.options,
        "definition": planned,
        "definition_hash": row.definition_hash,
        "seed_hash": row.secret_hash,
        "log_entries": row.log_end.entries,
        "log_hash": row.log_end.digest,
        "secret": row.secret.hex() if row.finished else None,
        "seed": row.seed,
        "entropy": row.entropy,
        "versions": row.versions,
        "created": row.created,
        "finished": row.finished,
        "matches": tournament.store.count(row.id),
        "planned": row.matches,
        "field": [
            {
                "bot": entrant.name,
                "version": bot.submission,
                "sha256": entrant.sha256,
                "matches": efforts[place].matches if place in efforts else 0,
                "withdrawn": entrant.withdrawn,
                "process_failures": failures.get(place, {}),
                "grants": list(bot.grants),
                "clock": bot.clock(row.definition.time).to_json(),
            }
            for place, (entrant, bot) in enumerate(zip(row.entrants, field, strict=True))
        ],
        "meetings": sittings.meetings,
        "successors": sittings.successors,
    }


def _lines(shown: dict[str, Any]) -> Iterator[str]:
    options = " ".join(f"{name}={value}" for name, value in sorted(shown["options"].items()))
    yield f"tournament {shown['tournament']}: {shown['game']}{' with ' + options if options else ''}, {shown['state']}"
    yield f"{shown['matches']:,} of {shown['planned']:,} matches, begun {shown['created']}" + (
        f", finished {shown['finished']}" if shown["finished"] else ""
    )
    yield f"definition hash {shown['definition_hash']}"
    yield f"seed hash       {shown['seed_hash']}"
    if shown["log_hash"]:
        yield f"log hash        {shown['log_hash']}, after {shown['log_entries']:,} entries"
    yield f"secret          {shown['secret'] or 'is shown once the tournament is finished'}"
    if shown["seed"] is not None:
        yield f"                from --seed {shown['seed']}, for development"
    if shown["definition"].get("entropy"):
        yield f"entropy         {shown['entropy'] or 'is awaited'}"
    yield f"made by {', '.join(f'{name} {version}' for name, version in sorted(shown['versions'].items()))}"
    yield ""
    yield from (f"{key}: {_value(value)}" for key, value in shown["definition"].items() if value not in (None, [], 0))
    yield ""
    rows = [
        (bot["bot"], bot["version"] or "-", bot["sha256"][:16], f"{bot['matches']:,}", bot["withdrawn"] or "plays")
        for bot in shown["field"]
    ]
    yield table_text(FIELD, rows)
    if len({str(bot["clock"]) for bot in shown["field"]}) > 1:
        yield from (f"{bot['bot']} has the clock {Clock(**bot['clock'])}" for bot in shown["field"])
    yield from (f"{bot['bot']} is granted {', '.join(bot['grants'])}" for bot in shown["field"] if bot["grants"])
    if failures := _failures(shown):
        yield f"processes that failed: {failures}; `arena failures --tourney {shown['tournament']}` lists them"
    if shown["matches"]:
        yield ""
        yield "matches in which two bots have met"
        yield matrix_text([bot["bot"] for bot in shown["field"]], shown["meetings"])
    if shown["matches"] and shown["definition"].get("seats", 0) > 2:
        yield ""
        yield "how often the bot of the column sat right after that of the row"
        yield matrix_text([bot["bot"] for bot in shown["field"]], shown["successors"])


def _failures(shown: dict[str, Any]) -> str:
    """Return how many processes of each bot failed, by kind; empty where none did."""
    counts = ((bot["bot"], bot["process_failures"]) for bot in shown["field"])
    return "; ".join(
        f"{name} {', '.join(f'{kind} {count}' for kind, count in kinds.items())}" for name, kinds in counts if kinds
    )


def _value(value: Any) -> str:
    """Return a value of the definition in one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
