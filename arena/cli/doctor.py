"""`arena doctor`: check that this machine can run tournaments."""

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.values.texts import json_text

MARKS = {"good": "ok", "less": "LESS", "broken": "BROKEN"}


@click.command("doctor")
@json_option
@db_option
def command(as_json: bool, db: str) -> None:
    """Check that this machine can run tournaments.

    Checks versions, cores, disk and database; the sandbox, by starting a bot in it; and the build tools of other
    languages. After each problem, the next line says how to fix it.

    Exit code 0: arena works, perhaps with limits, 1: something that it needs is broken.
    """
    from arena.cli.doctor_checks import run_checks

    results = []
    for result in run_checks(db):
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
