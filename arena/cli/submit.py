"""`arena submit`: submit a bot, or a folder of bots."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.build_network import build_network_option, may_use_network
from arena.cli.client_options import client_options, open_server
from arena.cli.options import Duration, PointInTime, db_option, json_option, required_games_option
from arena.cli.output import echo, print_progress
from arena.cli.tournament_options import limit_options
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.cli.submit_folder import CheckOptions
    from arena.tournament.plan.definition import TimeControl


@click.command("submit")
@click.argument("path", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="Name of the bot, such as owl or club/owl.")
@click.option(
    "--from", "source", metavar="DIR", type=click.Path(path_type=Path), help="Submit every bot in a folder instead."
)
@click.option("--owner", metavar="OWNER", help="With --from: the owner of all bots, put before each name.")
@click.option(
    "--owners",
    metavar="folders|FILE",
    help="With --from: owners by the names of folders and files (DIR/OWNER/BOT), or by a CSV file.",
)
@click.option(
    "--deadline", type=PointInTime(), help="With --from: refuse what is handed in later, such as 2026-05-01T18:00."
)
@click.option("--jobs", type=click.IntRange(min=1), help="With --from: bots to check at a time  [default: cores]")
@click.option(
    "--reports",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="With --from: write a report on each bot to DIR, and the questions at which it failed.",
)
@click.option(
    "--include",
    metavar="PATH",
    multiple=True,
    help="Pack this file of the bot's folder though it looks like a secret, is large, or would be left out.",
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
    source: Path | None,
    owner: str | None,
    owners: str | None,
    deadline: datetime | None,
    jobs: int | None,
    reports: Path | None,
    include: tuple[str, ...],
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
    """Submit a bot, or a folder of bots.

    PATH is a folder with a bot.toml, such a file by another name, a Python file or a program. It is packed, built in
    the sandbox if its bot.toml has build steps, checked as `arena check` does, and stored; then it plays under its name
    in tournaments. A stored bot never changes: submitting the same name again makes the next version, club/owl@2.

    What arena itself wrote into the folder (its database, exports), caches and build products are left out; what is
    left out is printed. A file that looks like a secret (a private key, .env), or of 32 MB or more, has to be named
    with --include.

    \b
        arena submit ./mybot --name club/owl
        arena submit --from class/ --owners folders --reports reports/ --must-beat random
        arena submit --from class/ --owners owners.csv --deadline 2026-05-01T18:00

    With --from, each folder, Python file, program and archive (.zip, .tar, .tar.gz) in DIR is a bot; other files are
    ignored. With --owners folders, each is an owner's: a bot, or a folder of bots; downloads of Moodle and Canvas are
    understood. A CSV file has the columns folder and owner, and may have name and handed_in. Bots are checked side by
    side, and stored as they pass. Near-copies are reported, not refused. The same command submits what is new since.

    With --to, the bot is packed here and handed in at the arena of that address, and the steps of its check are printed
    as they come. A name without an owner gets that of your account. `arena login` stores your token.

    \b
        arena login https://arena.example.org
        arena submit ./mybot --to https://arena.example.org

    Exit code 0: accepted, or submitted before, 1: refused, 2: there is nothing to check.
    """
    from arena.cli.submit_folder import CheckOptions, FolderOptions, submit_folder
    from arena.cli.submit_remote import submit_remote
    from arena.submissions.build import BuildTerms

    if server is not None:
        bot = _check_remote(path)
        raise SystemExit(submit_remote(bot, name, include, open_server(server, token_file, insecure), as_json))
    if (path is None) == (source is None):
        raise click.UsageError("name the PATH of a bot, or a folder of bots with --from")
    if source is None:
        given = {"--owner": owner, "--owners": owners, "--deadline": deadline, "--jobs": jobs, "--reports": reports}
        if named := [name for name, value in given.items() if value is not None]:
            raise click.UsageError(f"{' and '.join(named)} {'needs' if len(named) == 1 else 'need'} --from")
    elif name is not None:
        raise click.UsageError("--name needs a PATH: with --from each bot is named after its folder or file")
    if owner is not None and owners is not None:
        raise click.UsageError("--owner and --owners exclude each other: give all bots one owner, or each its own")
    check = CheckOptions(games, must_beat, BuildTerms(bool(build_network), build_time / 1000), limits)
    if path is not None:
        accepted = _submit_one(path, name, include, db, check, build_network, as_json)
    else:
        assert source is not None
        accepted = submit_folder(
            FolderOptions(source, owner, owners, deadline, jobs, reports, include), db, check, as_json
        )
    raise SystemExit(0 if accepted else 1)


def _check_remote(path: Path | None) -> Path:
    """Return the path of the bot for a server. Raises UsageError without one, or for options of other uses."""
    context = click.get_current_context()
    known = {"path", "name", "include", "server", "token_file", "insecure", "as_json"}
    for param in context.command.params:
        given = context.get_parameter_source(param.name or "")
        if param.name not in known and given is not None and given.name == "COMMANDLINE":
            raise click.UsageError(f"{param.opts[-1]} and --to exclude each other: the server decides what it checks")
    if path is None:
        raise click.UsageError("--to needs the PATH of a bot")
    return path


def _submit_one(
    path: Path,
    name: str | None,
    include: Sequence[str],
    db: str,
    options: "CheckOptions",
    build_network: bool | None,
    as_json: bool,
) -> bool:
    """Submit one bot, print the verdict, and return whether it was accepted."""
    from arena.checking.intake import check_name_is_free, submit
    from arena.cli.check import print_report
    from arena.cli.submit_folder import submission_values
    from arena.store import open_store
    from arena.submissions.candidate import read_candidate
    from arena.submissions.names import name_for

    with open_store(db, create=True) as store:
        examine = options.make_check(store, db)()
        title = check_name_is_free(name_for(path) if name is None else name)
        candidate = read_candidate(path, include)
        print_progress(candidate.packed)
        candidate.refuse_unexpected(include)
        terms = replace(options.terms, network=may_use_network(candidate, build_network))
        verdict = submit(store, candidate, title, terms, examine)
    if as_json:
        echo(json_text(submission_values(title, verdict.sentence, verdict)))
    else:
        if verdict.report is not None:
            print_report(verdict.report)
        echo(f"{title} {verdict.sentence}")
    return verdict.row is not None
