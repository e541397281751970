"""`arena submit`: submit a bot, or a folder of bots."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.found_matches import write_findings
from arena.cli.options import Duration, db_option, json_option, required_games_option
from arena.cli.output import echo, print_progress
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.checking.acceptance import AcceptanceCheck
    from arena.checking.batch_intake import BatchEntry
    from arena.checking.intake import IntakeResult
    from arena.store import Store
    from arena.submissions.build import BuildTerms


@click.command("submit")
@click.argument("path", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="Name of the bot, such as owl or club/owl.")
@click.option(
    "--from", "source", metavar="DIR", type=click.Path(path_type=Path), help="Submit every bot in a folder instead."
)
@click.option("--owner", metavar="OWNER", help="With --from: the owner, put before each name.")
@click.option(
    "--reports",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="With --from: write a report on each bot to DIR, and the questions at which it failed.",
)
@required_games_option
@click.option("--must-beat", metavar="BOT", help="Refuse bots that do not significantly beat BOT.")
@click.option("--build-network", is_flag=True, help="Let build steps use the network.")
@click.option(
    "--build-time", type=Duration(), default="10min", show_default=True, help="Time limit of each build step."
)
@json_option
@db_option
def command(
    path: Path | None,
    name: str | None,
    source: Path | None,
    owner: str | None,
    reports: Path | None,
    games: tuple[str, ...],
    must_beat: str | None,
    build_network: bool,
    build_time: int,
    as_json: bool,
    db: str,
) -> None:
    """Submit a bot, or a folder of bots.

    PATH is a folder with a bot.toml, such a file by another name, a Python file or a program. It is packed, built in
    the sandbox if its bot.toml has build steps, checked as `arena check` does, and stored; then it plays under its name
    in tournaments. A stored bot never changes: submitting the same name again makes the next version, club/owl@2.

    \b
        arena submit ./mybot --name club/owl
        arena submit --from class/ --owner class --reports reports/ --must-beat random

    With --from, each folder and file in DIR is submitted under its own name.

    Exit code 0: accepted, or submitted before, 1: refused, 2: there is nothing to check.
    """
    from arena.checking.acceptance import AcceptanceCheck
    from arena.checking.bot_check import CheckSettings
    from arena.store import open_store
    from arena.submissions.build import BuildTerms
    from arena.submissions.roster import Roster
    from referee.engine import registry

    if (path is None) == (source is None):
        raise click.UsageError("name the PATH of a bot, or a folder of bots with --from")
    if source is None and (owner is not None or reports is not None):
        raise click.UsageError("--owner and --reports need --from")
    if source is not None and name is not None:
        raise click.UsageError("--name needs a PATH: with --from each bot is named after its folder or file")
    with open_store(db, create=True) as store:
        rules = tuple(registry.game(game) for game in games)
        examine = AcceptanceCheck(CheckSettings(rules), print_progress, must_beat, Roster(db, store.submissions.all()))
        intake = _Intake(store, BuildTerms(build_network, build_time / 1000), examine)
        if path is not None:
            accepted = intake.one(path, name, as_json)
        else:
            assert source is not None
            accepted = intake.many(source, owner, reports, as_json)
    raise SystemExit(0 if accepted else 1)


class _Intake:
    """Submits bots to a database."""

    def __init__(self, store: "Store", terms: "BuildTerms", examine: "AcceptanceCheck") -> None:
        self._store = store
        self._terms = terms
        self._examine = examine

    def one(self, path: Path, name: str | None, as_json: bool) -> bool:
        """Submit one bot, print the verdict, and return whether it was accepted."""
        from arena.checking.intake import check_name_is_free, submit
        from arena.cli.check import print_report
        from arena.submissions.candidate import read_candidate
        from arena.submissions.names import name_for

        title = check_name_is_free(name_for(path) if name is None else name)
        verdict = submit(self._store, read_candidate(path), title, self._terms, self._examine)
        if as_json:
            echo(json_text(_object(title, verdict.sentence, verdict)))
        else:
            if verdict.report is not None:
                print_report(verdict.report)
            echo(f"{title} {verdict.sentence}")
        return verdict.row is not None

    def many(self, source: Path, owner: str | None, reports: Path | None, as_json: bool) -> bool:
        """Submit every bot in a folder, print a line for each, and return whether all were accepted."""
        from arena.checking.batch_intake import submit_folder

        if reports is not None:
            reports.mkdir(parents=True, exist_ok=True)
        submissions = []
        for hand_in in submit_folder(self._store, source, owner, self._terms, self._examine):
            if reports is not None:
                (reports / f"{hand_in.file}.txt").write_text(_page(hand_in))
                if hand_in.verdict is not None and hand_in.verdict.report is not None:
                    write_findings(hand_in.verdict.report.found, reports, f"{hand_in.file}-")
            submissions.append(_object(hand_in.name, hand_in.sentence, hand_in.verdict))
            if not as_json:
                echo(f"{hand_in.name} {hand_in.sentence.splitlines()[0]}")
        if as_json:
            echo(json_text({"submissions": submissions}))
        return all(submission["accepted"] for submission in submissions)


def _object(name: str, sentence: str, verdict: "IntakeResult | None") -> dict[str, Any]:
    """Return what --json prints of one bot."""
    row = verdict.row if verdict is not None else None
    report = verdict.report if verdict is not None else None
    return {
        "name": name,
        "accepted": row is not None,
        "version": row.version if row is not None else None,
        "new": verdict is not None and verdict.is_new,
        "sha256": row.content if row is not None else None,
        "sentence": sentence,
        "report": report.to_json() if report is not None else None,
    }


def _page(hand_in: "BatchEntry") -> str:
    """Return the report file of one bot."""
    from arena.cli.check import lines

    page = [f"{hand_in.name} {hand_in.sentence}"]
    if hand_in.verdict is not None and hand_in.verdict.report is not None:
        page += ["", *lines(hand_in.verdict.report)]
    return "\n".join(page) + "\n"
