"""`arena submit`: submit a bot, here or at a server."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.build_network import build_network_option, may_use_network
from arena.cli.client_options import client_options, open_server
from arena.cli.options import Duration, PathType, db_option, json_option, required_games_option
from arena.cli.output import echo, print_progress
from arena.cli.package_options import package_options
from arena.cli.tournament_options import limit_options
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.cli.submission import Submission
    from arena.values.definition import TimeControl


@click.command("submit")
@click.argument("path", metavar="[PATH]", required=False, type=PathType(path_type=Path))
@click.option("--name", metavar="NAME", help="Name of the bot, such as owl or club/owl.")
@package_options("submit")
@click.option(
    "--include",
    metavar="PATH",
    multiple=True,
    help="Pack this file of the bot's folder though it looks like a secret, is large, or would be left out.",
)
@click.option(
    "--practice-only",
    is_flag=True,
    help="Let it practise, and enter no league or tournament until `arena practice enter` or `arena bots enter`.",
)
@required_games_option
@click.option("--must-beat", metavar="BOT", help="Refuse bots that do not significantly beat BOT.")
@limit_options()
@build_network_option
@click.option(
    "--build-time", type=Duration(), default="10min", show_default=True, help="Time limit of each build step."
)
@click.option("--to", "server", metavar="URL", help="Hand it in at a server instead, and follow its check there.")
@client_options
@json_option
@db_option
def command(
    path: Path | None,
    name: str | None,
    packages: Mapping[str, Any],
    include: tuple[str, ...],
    practice_only: bool,
    games: tuple[str, ...],
    must_beat: str | None,
    limits: "TimeControl",
    build_network: bool | None,
    build_time: int,
    server: str | None,
    token_file: Path | None,
    insecure: bool,
    as_json: bool,
    db: str,
) -> None:
    """Submit a bot.

    PATH is a folder with a bot.toml, such a file by another name, a Python file or a program. It is packed, built in
    the sandbox if its bot.toml has build steps, checked as `arena check` does, and stored; then it plays under its name
    in tournaments. A stored bot never changes: submitting the same name again makes the next version, club/owl@2.

    What arena itself wrote into the folder (its database, exports), caches and build products are left out; what is
    left out is printed. A file that looks like a secret (a private key, .env), or of 32 MB or more, has to be named
    with --include.

    \b
        arena submit ./mybot --name club/owl

    With --to, the bot is packed here and handed in at the arena of that address, and the steps of its check are printed
    as they come. A name without an owner gets that of your account. `arena login` stores your token.

    \b
        arena login https://arena.example.org
        arena submit ./mybot --to https://arena.example.org

    Exit code 0: accepted, or submitted before, 1: refused, 2: there is nothing to check.
    """
    from arena.cli.submission import CheckOptions, Submission
    from arena.cli.submit_remote import submit_remote
    from arena.hooks.plugins import plugins
    from arena.packs.build import BuildTerms

    if server is not None:
        bot = _check_remote(path)
        at = open_server(server, token_file, insecure)
        raise SystemExit(submit_remote(bot, name, include, at, as_json, practice_only=practice_only))
    check = CheckOptions(games, must_beat, BuildTerms(bool(build_network), build_time / 1000), limits)
    submission = Submission(path, name, include, check, db, as_json, practice_only)
    if practice_only and any(packages.values()):
        raise click.UsageError("--practice-only is for one bot: submit it alone")
    accepted: bool | None = plugins().hook.arena_submit(options=packages, submission=submission)
    if accepted is None:
        if path is None:
            raise click.UsageError("name the PATH of a bot")
        accepted = _submit_one(path, submission, build_network)
    raise SystemExit(0 if accepted else 1)


def _check_remote(path: Path | None) -> Path:
    """Return the path of the bot for a server. Raises UsageError without one, or for options of other uses."""
    context = click.get_current_context()
    known = {"path", "name", "include", "practice_only", "server", "token_file", "insecure", "as_json"}
    for param in context.command.params:
        given = context.get_parameter_source(param.name or "")
        if param.name not in known and given is not None and given.name == "COMMANDLINE":
            raise click.UsageError(f"{param.opts[-1]} and --to exclude each other: the server decides what it checks")
    if path is None:
        raise click.UsageError("--to needs the PATH of a bot")
    return path


def _submit_one(path: Path, submission: "Submission", build_network: bool | None) -> bool:
    """Submit one bot, print the verdict, and return whether it was accepted."""
    from arena.bots.intake import check_name_is_free, submit
    from arena.cli.check import ending
    from arena.cli.check_printer import CheckPrinter
    from arena.cli.submission import submission_values
    from arena.league.results.hand_in_notices import unplayed_notice
    from arena.league.store.leagues import Leagues
    from arena.packs.candidate import read_candidate
    from arena.packs.names import name_for
    from arena.store import open_store

    check, include = submission.check, submission.include
    with open_store(submission.db, create=True) as store, CheckPrinter(steps_aside=submission.as_json) as printer:
        examine = check.make_check(store, submission.db)(printer)
        title = check_name_is_free(name_for(path) if submission.name is None else submission.name)
        candidate = read_candidate(path, include)
        print_progress(candidate.packed)
        candidate.refuse_unexpected(include)
        terms = replace(check.terms, network=may_use_network(candidate, build_network))
        verdict = submit(store, candidate, title, terms, examine, practice_only=submission.practice_only)
        plays = verdict.row is not None and not verdict.row.practice_only
        leagues = Leagues(store).all() if plays else ()
    if submission.as_json:
        echo(json_text(submission_values(title, verdict.sentence, verdict)))
    else:
        if verdict.report is not None:
            for line in ending(verdict.report):
                echo(line)
        echo(f"{title} {verdict.sentence}")
    if notice := unplayed_notice(leagues, candidate.manifest.games):
        print_progress(notice)
    return verdict.row is not None
