"""`arena verify`: verify the records of stored matches by replaying them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from arena.cli.options import MATCH_NUMBER, TOURNAMENT_NUMBER, db_option, json_option
from arena.cli.output import echo
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.record.match_verification import VerificationResult
    from arena.store import Store


@click.command("verify")
@click.argument("ids", metavar="[ID]...", nargs=-1, type=MATCH_NUMBER)
@click.option("--all", "every", is_flag=True, help="Verify all stored matches of a tournament.")
@click.option(
    "--tourney", type=TOURNAMENT_NUMBER, metavar="N", help="With --all: the tournament  [default: the latest]"
)
@click.option("--hash", "published", metavar="HEX", help="The seed hash published at the start.")
@json_option
@db_option
def command(
    ids: tuple[int, ...], every: bool, tourney: int | None, published: str | None, as_json: bool, db: str
) -> None:
    """Verify the records of stored matches by replaying them.

    The seed and the answers of a match must lead to the same events, scores and ranks; a seat that failed must have
    played its default move; the seed must follow from the tournament's secret, and the secret must have the hash
    published at the start.

    Exit code 0: all records are true, 1: at least one is not, 2: there is no such match.
    """
    if every == bool(ids):
        raise click.UsageError("name matches by ID, or verify all of a tournament with --all")
    if tourney is not None and not every:
        raise click.UsageError("--tourney needs --all")
    from arena.record.match_verification import error_count_text
    from arena.store import open_store

    checked: list[tuple[str, VerificationResult]] = []
    with open_store(db) as store:
        for subject, verdict in _verdicts(store, ids, every, tourney, published):
            checked.append((subject, verdict))
            if not as_json:
                _print(subject, verdict, quiet=every or not subject.startswith("match"))
    wrong = sum(bool(verdict.wrong) for _, verdict in checked)
    matches = sum(subject.startswith("match") for subject, _ in checked)
    if as_json:
        results = [
            {"subject": subject, "wrong": verdict.wrong, "remarks": verdict.remarks}
            for subject, verdict in checked
            if verdict.wrong or verdict.remarks or not every
        ]
        echo(json_text({"matches": matches, "wrong": wrong, "checked": results}))
    elif every:
        echo(f"{matches} matches checked: {error_count_text(wrong)}")
    raise SystemExit(1 if wrong else 0)


def _verdicts(
    store: "Store", ids: tuple[int, ...], every: bool, tourney: int | None, published: str | None
) -> "Iterator[tuple[str, VerificationResult]]":
    """Yield the subject and verdict of each check: every match, and every tournament before its first match."""
    from arena.record.match_verification import check_event, check_match

    events: set[int] = set()
    if every:
        tournament = store.tournament(tourney)
        events.add(tournament.key)
        yield f"tournament {tournament.id}", check_event(tournament, published, store.decisions(tournament.id))
        ids = tuple(store.match_ids(tournament.id))
    for id in ids:
        match = store.match(id)
        if match.event.key not in events:
            events.add(match.event.key)
            name = f"secret of match {id}" if match.tournament_id is None else f"tournament {match.tournament_id}"
            yield name, check_event(match.event, published, store.decisions_of(match))
        yield f"match {id}", check_match(match)


def _print(subject: str, verdict: "VerificationResult", quiet: bool) -> None:
    """Print one verdict; where `quiet`, only what is wrong."""
    for remark in verdict.remarks:
        echo(f"{subject}: {remark}", err=True)
    for sentence in verdict.wrong:
        echo(f"{subject}: {sentence}")
    if not verdict.wrong and not quiet:
        echo(f"{subject}: true")
