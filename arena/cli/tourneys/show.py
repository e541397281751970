"""`arena tourney show`: all that is known of a tournament before its matches."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.settings import SETTINGS
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.rows import Tournament


@click.command("show", context_settings=SETTINGS)
@click.argument("id", metavar="[ID]", required=False, type=click.IntRange(min=1))
@click.option("--toml", is_flag=True, help="Print an event file for `arena tourney run` instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def command(id: int | None, toml: bool, as_json: bool, db: str) -> None:
    """Show a tournament: its definition, hashes, field and progress.

    Shows tournament ID, or the latest. The secret, from which all deals follow, is shown once it is finished.
    """
    from arena.store import open_store

    if toml and as_json:
        raise click.UsageError("--toml and --json exclude each other")
    with open_store(db) as store:
        tournament = store.latest() if id is None else store.tournament(id)
        if toml:
            echo(_event_file(tournament), nl=False)
            return
        told = _object(store, tournament)
    if as_json:
        echo(json_text(told))
        return
    for line in _lines(told):
        echo(line)


def _event_file(tournament: "Tournament") -> str:
    from arena.eventfile.writer import event_text
    from arena.tournament.plan.definition import Definition

    head = f"# Tournament {tournament.id}, begun {tournament.created}; definition hash {tournament.definition_hash}\n\n"
    return head + event_text(Definition.from_json(tournament.definition), tournament.seed)


def _object(store: "Store", tournament: "Tournament") -> dict[str, Any]:
    """Return what --json prints."""
    from arena.tournament.results.progress import state_of
    from arena.tournament.results.summaries import summary

    assert tournament.id is not None
    sums = summary(store, tournament)
    efforts, sat = sums.efforts, sums.meetings.sittings(len(tournament.entrants))
    failures = store.process_failures.counts(tournament.id)
    plan = tournament.definition
    late = [entry.details["bot"] for entry in store.decisions(tournament.id) if entry.kind == "enter"]
    field = [*plan["field"], *late] if "field" in plan else [{} for _ in tournament.entrants]
    return {
        "tournament": tournament.id,
        "state": state_of(store, tournament),
        "game": tournament.game,
        "options": tournament.options,
        "definition": {key: value for key, value in plan.items() if key not in ("field", "game", "options")},
        "definition_hash": tournament.definition_hash,
        "seed_hash": tournament.secret_hash,
        "secret": tournament.secret.hex() if tournament.finished else None,
        "seed": tournament.seed,
        "entropy": tournament.entropy,
        "versions": tournament.versions,
        "created": tournament.created,
        "finished": tournament.finished,
        "matches": store.count(tournament.id),
        "planned": tournament.matches,
        "field": [
            {
                "bot": entrant.name,
                "version": bot.get("submission", ""),
                "sha256": entrant.sha256,
                "matches": efforts[place].matches if place in efforts else 0,
                "withdrawn": entrant.withdrawn,
                "process_failures": failures.get(place, {}),
            }
            for place, (entrant, bot) in enumerate(zip(tournament.entrants, field, strict=True))
        ],
        "meetings": sat.meetings,
        "successors": sat.successors,
    }


def _lines(told: dict[str, Any]) -> Iterator[str]:
    from tabulate import tabulate

    from arena.cli.matrix import matrix_text

    options = " ".join(f"{name}={value}" for name, value in sorted(told["options"].items()))
    yield f"tournament {told['tournament']}: {told['game']}{' with ' + options if options else ''}, {told['state']}"
    yield f"{told['matches']:,} of {told['planned']:,} matches, begun {told['created']}" + (
        f", finished {told['finished']}" if told["finished"] else ""
    )
    yield f"definition hash {told['definition_hash']}"
    yield f"seed hash       {told['seed_hash']}"
    yield f"secret          {told['secret'] or 'is shown once the tournament is finished'}"
    if told["seed"] is not None:
        yield f"                from --seed {told['seed']}, for development"
    if told["definition"].get("entropy"):
        yield f"entropy         {told['entropy'] or 'is awaited'}"
    yield f"made by {', '.join(f'{name} {version}' for name, version in sorted(told['versions'].items()))}"
    yield ""
    yield from (f"{key}: {_value(value)}" for key, value in told["definition"].items() if value not in (None, [], 0))
    yield ""
    rows = [
        (bot["bot"], bot["version"] or "-", bot["sha256"][:16], f"{bot['matches']:,}", bot["withdrawn"] or "plays")
        for bot in told["field"]
    ]
    yield tabulate(rows, ("bot", "version", "sha256", "seats held", "state"), "simple", disable_numparse=True)
    if failures := _failures(told):
        yield f"processes that failed: {failures}; `arena failures --tourney {told['tournament']}` lists them"
    if told["matches"]:
        yield ""
        yield "matches in which two bots have met"
        yield matrix_text([bot["bot"] for bot in told["field"]], told["meetings"])
    if told["matches"] and told["definition"].get("seats", 0) > 2:
        yield ""
        yield "how often the bot of the column sat right after that of the row"
        yield matrix_text([bot["bot"] for bot in told["field"]], told["successors"])


def _failures(told: dict[str, Any]) -> str:
    """Return how many processes of each bot failed, and how; empty where none did."""
    counts = ((bot["bot"], bot["process_failures"]) for bot in told["field"])
    return "; ".join(
        f"{name} {', '.join(f'{kind} {count}' for kind, count in kinds.items())}" for name, kinds in counts if kinds
    )


def _value(value: Any) -> str:
    """Return a value of the definition in one line."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
