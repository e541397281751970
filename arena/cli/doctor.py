"""`arena doctor`: check that this machine can run tournaments, and a server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.cli.package_options import package_options
from arena.values.texts import json_text

MARKS = {"good": "ok", "less": "LESS", "broken": "BROKEN"}


@click.command("doctor")
@click.option(
    "--archives",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Check the folder for the files of seasons, as of `arena serve --archives`.",
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address of --port.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Check that a server can listen on this port  [default: none]"
)
@package_options("doctor")
@json_option
@db_option
def command(
    archives: Path | None, host: str, port: int | None, packages: Mapping[str, Any], as_json: bool, db: str
) -> None:
    """Check that this machine can run tournaments, and a server.

    Checks versions, cores, disk and database; the folder into which bots are unpacked, and what else `arena serve`
    needs, for the user who asks, so ask as the user of the server; the sandbox, by starting a bot in it; and the build
    tools of other languages. After each problem, the next line says how to fix it.

    Exit code 0: arena works, perhaps with limits, 1: something that it needs is broken.
    """
    from arena.cli.doctor_checks import run_checks

    results = []
    for result in run_checks(db, archives, None if port is None else (host, port), packages):
        results.append(result)
        if not as_json:
            echo(f"{MARKS[result.verdict]:<8}{result.name + ':':<13}{result.sentence}")
            if result.remedy:
                echo(f"{'':<21}-> {result.remedy}")
    broken = [result.name for result in results if result.verdict == "broken"]
    less = [result.name for result in results if result.verdict == "less"]
    if as_json:
        report = {
            "works": not broken,
            "broken": broken,
            "less": less,
            "findings": [result.to_json() for result in results],
        }
        echo(json_text(report))
    else:
        echo()
        if broken:
            echo(f"arena does not work here: fix {', '.join(broken)}")
        else:
            echo(f"arena works here{', with limits: ' + ', '.join(less) if less else ''}")
    raise SystemExit(1 if broken else 0)
