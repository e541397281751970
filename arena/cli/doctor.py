"""`arena doctor`: check that this machine can run tournaments."""

import click

from arena.cli.options import db_option, json_option
from arena.cli.output import echo
from arena.texts import json_text

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
    from arena.doctor import run_checks

    findings = []
    for finding in run_checks(db):
        findings.append(finding)
        if not as_json:
            echo(f"{MARKS[finding.verdict]:<8}{finding.name + ':':<13}{finding.sentence}")
            if finding.remedy:
                echo(f"{'':<21}-> {finding.remedy}")
    broken = [finding.name for finding in findings if finding.verdict == "broken"]
    less = [finding.name for finding in findings if finding.verdict == "less"]
    if as_json:
        result = {
            "works": not broken,
            "broken": broken,
            "less": less,
            "findings": [finding.to_json() for finding in findings],
        }
        echo(json_text(result))
    else:
        echo()
        if broken:
            echo(f"arena does not work here: fix {', '.join(broken)}")
        else:
            echo(f"arena works here{', less well for want of ' + ', '.join(less) if less else ''}")
    raise SystemExit(1 if broken else 0)
