"""`arena submit`: hand in a bot, or a folder of bots."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.database import db_option
from arena.cli.durations import Duration
from arena.cli.echo import echo
from arena.cli.settings import SETTINGS
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.checking.acceptance import AcceptanceCheck
    from arena.checking.batch_intake import BatchEntry
    from arena.checking.intake import IntakeResult
    from arena.store import Store
    from arena.submissions.build import BuildTerms


@click.command("submit", context_settings=SETTINGS)
@click.argument("path", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="What it is called, such as owl or club/owl.")
@click.option(
    "--from", "source", metavar="DIR", type=click.Path(path_type=Path), help="Submit everything in a folder instead."
)
@click.option("--owner", metavar="OWNER", help="With --from: before the slash of each name.")
@click.option(
    "--reports", metavar="DIR", type=click.Path(path_type=Path), help="With --from: write a report for each bot there."
)
@click.option("--game", "games", multiple=True, metavar="GAME", help="A game it must play  [default: all it claims]")
@click.option("--must-beat", metavar="BOT", help="Refuse a bot that does not surely beat this one.")
@click.option("--build-network", is_flag=True, help="Let build steps use the network.")
@click.option(
    "--build-time", type=Duration(), default="10min", show_default=True, help="How long a build step may take."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
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
    """Hand in a bot, or a folder of bots.

    PATH is a folder with a bot.toml, such a file by another name, a Python file or a program. It is packed, built in
    the sandbox where its bot.toml says so, and checked as by `arena check`; then it is stored, and plays under its
    name in tournaments. What is stored never changes: the same name again makes the next version, club/owl@2.

    \b
        arena submit ./mybot --name club/owl
        arena submit --from class/ --owner class --reports reports/ --must-beat random

    With --from each folder and file in DIR is submitted under its own name.

    Exit code 0: accepted, or known already, 1: refused, 2: there is nothing that could be checked.
    """
    from arena.checking.acceptance import AcceptanceCheck
    from arena.checking.check import CheckSettings
    from arena.cli.check import say
    from arena.store import open_store
    from arena.submissions.build import BuildTerms
    from arena.submissions.roster import Roster
    from referee.engine import registry

    if (path is None) == (source is None):
        raise click.UsageError("name the bot's PATH, or a folder of bots with --from")
    if source is None and (owner is not None or reports is not None):
        raise click.UsageError("--owner and --reports go with --from")
    if source is not None and name is not None:
        raise click.UsageError("--name goes with a PATH; with --from each bot is named like its folder or file")
    with open_store(db, create=True) as store:
        rules = tuple(registry.game(game) for game in games)
        examine = AcceptanceCheck(CheckSettings(rules), say, must_beat, Roster(db, store.submissions.all()))
        desk = _Desk(store, BuildTerms(build_network, build_time / 1000), examine)
        if path is not None:
            accepted = desk.one(path, name, as_json)
        else:
            assert source is not None
            accepted = desk.many(source, owner, reports, as_json)
    raise SystemExit(0 if accepted else 1)


class _Desk:
    """Where bots are handed in."""

    def __init__(self, store: "Store", terms: "BuildTerms", examine: "AcceptanceCheck") -> None:
        self._store = store
        self._terms = terms
        self._examine = examine

    def one(self, path: Path, name: str | None, as_json: bool) -> bool:
        """Take one bot, tell what became of it, and return whether it was accepted."""
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
        """Take everything in a folder, a line for each, and return whether all were accepted."""
        from arena.checking.batch_intake import submit_folder

        if reports is not None:
            reports.mkdir(parents=True, exist_ok=True)
        told = []
        for hand_in in submit_folder(self._store, source, owner, self._terms, self._examine):
            if reports is not None:
                (reports / f"{hand_in.file}.txt").write_text(_page(hand_in))
            told.append(_object(hand_in.name, hand_in.sentence, hand_in.verdict))
            if not as_json:
                echo(f"{hand_in.name} {hand_in.sentence.splitlines()[0]}")
        if as_json:
            echo(json_text({"submissions": told}))
        return all(each["accepted"] for each in told)


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

    told = [f"{hand_in.name} {hand_in.sentence}"]
    if hand_in.verdict is not None and hand_in.verdict.report is not None:
        told += ["", *lines(hand_in.verdict.report)]
    return "\n".join(told) + "\n"
