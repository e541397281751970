"""`arena league batch`: show a batch of a league."""

from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo, table_text
from arena.values.text_table import Column, text_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.league.results.batch_report import BatchReport


@click.command("batch")
@click.argument("name", metavar="NAME")
@click.argument("number", metavar="NUMBER", type=click.IntRange(min=1))
@json_option
@db_option
def command(name: str, number: int, as_json: bool, db: str) -> None:
    """Show a batch of a league.

    The Elo is that of this batch alone, with a mean of 0. "beats" is the probability of being better than the bot in
    each column, as far as this batch can tell.
    """
    from arena.league.results.batch_report import report_batch
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    with open_store(db) as store, store.snapshot():
        report = report_batch(store, Leagues(store).named(name, practice=True), number)
    if as_json:
        echo(json_text(_object(report)))
        return
    for line in _lines(report):
        echo(line)


def _object(report: "BatchReport") -> dict[str, Any]:
    batch = report.batch
    return {
        "batch": batch.number,
        "kind": batch.kind,
        "state": batch.state,
        "first_match": batch.first_match,
        "matches": batch.matches,
        "seconds": batch.seconds,
        "attempts": [
            {"attempt": attempt.attempt, "runner": attempt.runner, "began": attempt.began, "ended": attempt.ended,
             "outcome": attempt.outcome, "reason": attempt.reason}
            for attempt in report.attempts
        ],
        "entries": [
            {"entry": entry.number, "bot": entry.name, "grants": list(report.grants.get(entry.number, ()))}
            for entry in report.entries.values()
        ],
        "ratings": [
            {"bot": report.entries[row.entry].name, "elo": round(row.elo, 2), "bound": row.bound,
             "ci95": None if row.ci95 is None else round(row.ci95, 2), "deals": row.deals,
             "beats": {
                 report.entries[other.entry].name: round(report.los[row.entry, other.entry], 4)
                 for other in report.ratings
                 if report.los is not None and (row.entry, other.entry) in report.los
             }}
            for row in report.ratings
        ],
        "repeats": None if report.repeats is None else report.repeats.to_json(),
    }  # fmt: skip


def _lines(report: "BatchReport") -> list[str]:
    from arena.league.results.batch_report import void_reason
    from arena.ratings.elo_text import elo_text

    batch = report.batch
    last = batch.first_match + batch.matches - 1
    lines = [f"Batch {batch.number}: {batch.kind}, {batch.state}, matches {batch.first_match} to {last}"]
    if batch.state == "void":
        lines.append(f"void: {void_reason(batch, report.attempts)}")
    lines += [
        f"attempt {attempt.attempt} of {attempt.runner}, from {attempt.began}: {attempt.outcome or 'under way'}"
        f"{': ' + attempt.reason if attempt.reason else ''}"
        for attempt in report.attempts
    ]
    lines += [f"{report.entries[entry].name} is granted {', '.join(words)}" for entry, words in report.grants.items()]
    values = _object(report)["ratings"]
    if not values:
        return [*lines, f"entries: {', '.join(entry.name for entry in report.entries.values())}"]
    names = [value["bot"] for value in values]
    rows = [
        (
            place,
            value["bot"],
            elo_text(value["elo"], value["bound"]),
            "-" if value["ci95"] is None else f"{value['ci95']:.0f}",
            value["deals"],
            *(f"{100 * value['beats'][name]:.0f} %" if name in value["beats"] else "-" for name in names),
        )
        for place, value in enumerate(values, 1)
    ]
    columns = [Column(""), text_column("bot"), Column("Elo"), Column("± 95 %"), Column("deals")]
    columns += [Column(f"beats {place}") for place in range(1, len(names) + 1)]
    notes = report.repeats.notes if report.repeats is not None else ()
    return [*lines, "", table_text(columns, rows, heads=2), *(["", *notes] if notes else [])]
