"""`arena league show`: show a league."""

from typing import TYPE_CHECKING, Any

import click

from arena.cli.leagues.dates_options import dates_json, dates_lines
from arena.cli.leagues.grant import LATER, granted_text
from arena.cli.options import db_option, json_option
from arena.cli.output import echo, table_text
from arena.values.text_table import Column, word_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.league.store.league_rows import LeagueRow
    from arena.store import Store

LATEST = 10
"""Batches that are listed."""

_PHASES = {"frozen": "frozen", "final": "its final is played", "ended": "ended"}

BATCHES = (
    Column("batch"),
    word_column("kind"),
    word_column("state"),
    Column("attempts", drop=1),
    Column("entries"),
    Column("matches"),
    Column("core time", drop=2),
    word_column("drawn", drop=3),
)


@click.command("show")
@click.argument("name", metavar="NAME")
@click.option("--log", is_flag=True, help="With the log of decisions.")
@json_option
@db_option
def command(name: str, log: bool, as_json: bool, db: str) -> None:
    """Show a league: its definition, entries and batches.

    The secret of a day is shown once the day is over and its batches are played: all deals of the day follow from it.
    Hashed with SHA-256, it gives the secret of the day before, and in the end the commitment.
    """
    from arena.league.store.leagues import Leagues
    from arena.store import open_store

    with open_store(db) as store, store.snapshot():
        values = league_json(store, Leagues(store).named(name, practice=True), log=log)
    if as_json:
        echo(json_text(values))
        return
    for line in _lines(values):
        echo(line)


def league_json(store: "Store", league: "LeagueRow", *, log: bool = False) -> dict[str, Any]:
    """Return a league as JSON values.

    log: whether to add the log of decisions.
    """
    from arena.league.grants import unmet_needs
    from arena.league.plan.definition import unplayable
    from arena.league.results.health import problem_of
    from arena.league.results.publication import published_secret
    from arena.league.store.batches import Batches
    from arena.league.store.leagues import Leagues

    seasons = []
    dates = Leagues(store).dates(league.id)
    for season in Leagues(store).seasons(league.id):
        published = published_secret(store, league.id, season)
        seasons.append(
            {
                "season": season.number,
                "first_day": season.first_day,
                "phase": season.phase,
                "frozen": season.frozen,
                "ended": season.ended,
                "commitment": season.commitment,
                "entropy": season.entropy,
                "published": None if published is None else {"day": published.day, "secret": published.secret},
            }
        )
    values: dict[str, Any] = {
        "league": league.name,
        "game": league.game,
        "state": league.state,
        "unplayable": unplayable(league.definition),
        "created": league.created,
        "definition": league.definition,
        "definition_hash": league.definition_hash,
        "log_entries": league.log_end.entries,
        "log_hash": league.log_end.digest,
        "problem": problem_of(store, league.name),
        "dates": dates_json(dates),
        "seasons": seasons,
        "entries": [
            {
                "entry": entry.number,
                "bot": entry.name,
                "owner": entry.owner,
                "anchor": entry.is_anchor,
                "state": entry.state,
                "reason": entry.reason,
                "entered": entry.entered,
                "placed": entry.placed,
                "grants": list(entry.grants.words),
                "secrets": list(entry.grants.secrets),
                "later_versions": entry.grants.later,
                "unmet_needs": list(unmet_needs(store, entry)) if entry.is_active else [],
            }
            for entry in Leagues(store).entries(league.id)
        ],
        "batches": [
            {
                "batch": row.number,
                "kind": row.kind,
                "state": row.state,
                "attempts": row.attempt,
                "entries": list(row.entries),
                "first_match": row.first_match,
                "matches": row.matches,
                "seconds": row.seconds,
                "created": row.created,
                "ended": row.ended,
            }
            for row in Batches(store).of(league.id, limit=LATEST)
        ],
    }
    if log:
        values["log"] = [
            {"number": row.number, "created": row.created, "who": row.who, "kind": row.kind, "details": row.details,
             "reason": row.reason, "digest": row.digest}
            for row in Leagues(store).log(league.id)
        ]  # fmt: skip
    return values


def _lines(values: dict[str, Any]) -> list[str]:
    from arena.league.store.league_dates import LeagueDates

    definition = values["definition"]
    options = "".join(f" {name}={value}" for name, value in sorted(definition["options"].items()))
    lines = [
        f"League {values['league']}: {values['game']}{options} at tables of {definition['seats']}, {values['state']}",
        f"definition hash {values['definition_hash']}",
        f"log hash        {values['log_hash']}, after {values['log_entries']:,} entries",
    ]
    if values["unplayable"] and values["state"] != "closed":
        lines.append(f"it cannot be played: {values['unplayable']}")
    elif values["problem"]:
        lines.append(values["problem"])
    for season in values["seasons"]:
        phase = "" if season["phase"] == "open" else f" ({_PHASES[season['phase']]})"
        since = f"season {season['season']}, from {season['first_day']}{phase}"
        lines.append(f"{since}: commitment {season['commitment']}")
        if published := season["published"]:
            lines.append(f"secret of its day {published['day'] + 1}: {published['secret']}")
    known = values["dates"]
    shown = {name: known[name] or "" for name in ("opens", "deadline", "hides", "ends", "zone")}
    lines += dates_lines(LeagueDates(**shown, extensions=known["extensions"]))
    states = [entry["state"] for entry in values["entries"]]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    lines.append(f"entries: {counts}")
    for entry in values["entries"]:
        if entry["state"] == "suspended":
            lines.append(f"  {entry['bot']} is suspended: {entry['reason']}")
        if granted := granted_text(entry["grants"], entry["secrets"]):
            versions = LATER if entry["later_versions"] else ""
            lines.append(f"  {entry['bot']} is granted {granted}{versions}")
        if entry["unmet_needs"]:
            asked = ", ".join(entry["unmet_needs"])
            lines.append(f"  {entry['bot']} asks for {asked}: arena league grant {values['league']} {entry['bot']} ...")
    rows = [
        (row["batch"], row["kind"], row["state"], row["attempts"], len(row["entries"]), f"{row['matches']:,}",
         "-" if row["seconds"] is None else f"{row['seconds']:.0f} s", row["created"][:16].replace("T", " "))
        for row in values["batches"]
    ]  # fmt: skip
    if rows:
        lines += ["", table_text(BATCHES, rows)]
    for row in values.get("log", ()):
        subject = f" {row['details']['bot']}" if "bot" in row["details"] else ""
        subject = subject or (f" entry {row['details']['entry']}" if "entry" in row["details"] else "")
        if row["kind"] in ("dates", "extend"):
            subject = _decided_dates(row["kind"], row["details"])
        reason = f": {row['reason']}" if row["reason"] else ""
        has = ""
        if "words" in row["details"]:
            has = f", which has {', '.join([*row['details']['words'], *row['details']['secrets']]) or 'nothing'} now"
        lines.append(f"{row['number']:>4} {row['created']} {row['who']} {row['kind']}{subject}{has}{reason}")
    return lines


def _decided_dates(kind: str, details: dict[str, Any]) -> str:
    """Return what a decision on dates decided, in words; moments are in UTC."""
    if kind == "extend":
        return f" {details['owner']} of season {details['season']} until {details['until'] or 'the deadline'}"
    given = [f"{name} {details[name]}" for name in ("opens", "deadline", "hides", "ends") if details.get(name)]
    return f" of season {details['season']}: {', '.join(given) or 'none'}"
