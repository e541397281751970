"""`arena tourney verify`: verify the records of a tournament by replaying its matches."""

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option, json_option
from arena.cli.output import echo
from arena.cli.verify_progress import VerifyProgress
from arena.values.texts import json_text


@click.command("verify")
@click.argument("id", metavar="[ID]", required=False, type=TOURNAMENT_NUMBER)
@click.option("--hash", "seed_hash", metavar="HEX", help="The seed hash published at the start.")
@click.option("--definition-hash", "definition_hash", metavar="HEX", help="The definition hash published at the start.")
@click.option("--log-hash", "log_hash", metavar="HEX", help="The log hash published at the end.")
@click.option("--entropy", metavar="TEXT", help="The public value mixed into the secret.")
@click.option("--jobs", type=click.IntRange(min=1), help="Verifying processes  [default: one per core]")
@json_option
@db_option
def command(
    id: int | None,
    seed_hash: str | None,
    definition_hash: str | None,
    log_hash: str | None,
    entropy: str | None,
    jobs: int | None,
    as_json: bool,
    db: str,
) -> None:
    """Verify the records of a tournament by replaying its matches.

    Verifies tournament ID, or the latest: its secret and definition have the hashes published at the start; every match
    is in the schedule, with the scheduled bots, seats and deal, and a finished tournament misses none; each seed
    follows from the secret, and from the entropy if that was mixed in before the first match; the answers lead by the
    rules to the stored events, scores and ranks; a seat that failed played its default moves, and faults, decisions and
    charged times fit the answers; the field, and who was withdrawn, are those of the definition and the log; and the
    summaries that rankings are computed from are the sums of the matches. What nothing proves is listed at the end.

    Exit code 0: all records are true, 1: at least one is not, 2: there is no such tournament.
    """
    from arena.record.match_verification import error_count_text
    from arena.record.unverified import UNVERIFIED_OF_TOURNAMENTS, unverified_text
    from arena.results.stored_tournament import StoredTournament
    from arena.results.verification import check
    from arena.store import open_store
    from referee.sandbox.cpu_supply import usable_cores

    wrong: list[dict[str, str]] = []
    remarks: dict[str, None] = {}
    matches = 0
    with open_store(db) as store:
        tournament = StoredTournament.load(store, id)
        progress = VerifyProgress(store.count(tournament.id))
        cores = jobs or usable_cores()
        checked = check(
            tournament,
            seed_hash,
            definition_hash,
            entropy,
            log_hash=None if log_hash is None else log_hash.lower(),
            where=db,
            jobs=cores,
        )
        for part in checked:
            matches += part.matches
            progress.update(matches)
            for subject, verdict in part.findings:
                for sentence in verdict.wrong:
                    wrong.append({"subject": subject, "sentence": sentence})
                    if not as_json:
                        echo(f"{subject}: {sentence}")
                for remark in verdict.remarks:
                    if not as_json and remark not in remarks:
                        echo(f"{subject}: {remark}", err=True)
                    remarks[remark] = None
    if as_json:
        result = {"tournament": tournament.id, "matches": matches, "wrong": wrong, "remarks": list(remarks)}
        result["unverified"] = list(UNVERIFIED_OF_TOURNAMENTS)
        echo(json_text(result))
    else:
        echo(f"tournament {tournament.id}: {matches:,} matches checked, {error_count_text(len(wrong))}")
        echo(unverified_text(UNVERIFIED_OF_TOURNAMENTS), err=True)
    raise SystemExit(1 if wrong else 0)
