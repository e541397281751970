"""`arena tourney verify`: play all matches of a tournament again and check its records."""

import os
from time import monotonic

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.cli.progress import LINE_SECONDS, duration
from arena.texts import json_text


@click.command("verify")
@click.argument("id", metavar="[ID]", required=False, type=click.IntRange(min=1))
@click.option("--hash", "seed_hash", metavar="HEX", help="The seed hash that was published at the start.")
@click.option(
    "--definition-hash", "definition_hash", metavar="HEX", help="The definition hash that was published at the start."
)
@click.option("--entropy", metavar="TEXT", help="The public value that was mixed into the secret.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes that check matches  [default: one per core]")
@json_option
@db_option
def command(
    id: int | None,
    seed_hash: str | None,
    definition_hash: str | None,
    entropy: str | None,
    jobs: int | None,
    as_json: bool,
    db: str,
) -> None:
    """Play all matches of a tournament again by the rules and check its records.

    Checks tournament ID, or the latest: its secret and its definition have the hashes that were published at the
    start; every match is one of the schedule, with the bots in the seats and the deal that it says, and none is
    missing of a tournament that is finished; its seed follows from the secret, and from the entropy where that was
    mixed in before the first match; its answers lead by the rules to the stored events, scores and ranks; a seat that
    failed played its default moves; and the summaries, from which rankings are made, are the sums of the matches.

    Exit code 0: all is true, 1: something is not, 2: there is no such tournament.
    """
    from arena.replay.verification import in_all
    from arena.store import open_store
    from arena.tournament.results.verification import check

    wrong: list[dict[str, str]] = []
    remarks: dict[str, None] = {}
    matches = 0
    with open_store(db) as store:
        tournament = store.latest() if id is None else store.tournament(id)
        progress = _Progress(store.count(tournament.id or 0))
        cores = jobs or len(os.sched_getaffinity(0))
        for part in check(store, tournament, seed_hash, definition_hash, entropy, where=db, jobs=cores):
            matches += part.matches
            progress.tell(matches)
            for subject, verdict in part.found:
                for sentence in verdict.wrong:
                    wrong.append({"subject": subject, "sentence": sentence})
                    if not as_json:
                        echo(f"{subject}: {sentence}")
                for remark in verdict.remarks:
                    if not as_json and remark not in remarks:
                        echo(f"{subject}: {remark}", err=True)
                    remarks[remark] = None
    if as_json:
        found = {"tournament": tournament.id, "matches": matches, "wrong": wrong, "remarks": list(remarks)}
        echo(json_text(found))
    else:
        echo(f"tournament {tournament.id}: {matches:,} matches checked, {in_all(len(wrong))}")
    raise SystemExit(1 if wrong else 0)


class _Progress:
    """A line on stderr now and then, of how far it is. total: the matches."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._began = self._told = monotonic()

    def tell(self, matches: int) -> None:
        """Learn how many matches have been checked."""
        now = monotonic()
        if matches and now - self._told >= LINE_SECONDS:
            self._told = now
            speed = matches / (now - self._began)
            left = duration((self._total - matches) / speed)
            echo(f"{matches:,} of {self._total:,} matches checked, {speed:,.0f} matches/s, {left} left", err=True)
