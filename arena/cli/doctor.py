"""`arena doctor`: whether this machine is fit for tournaments."""

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.settings import SETTINGS
from arena.texts import json_text

MARKS = {"good": "ok", "less": "LESS", "broken": "BROKEN"}


@click.command("doctor", context_settings=SETTINGS)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
@db_option
def command(as_json: bool, db: str) -> None:
    """Look whether this machine is fit for tournaments.

    Versions, cores, disk and database; what bots are confined by, and one of them started so; what bots of other
    languages are built with. Where something is not as it should be, the next line says how to mend it.

    Exit code 0: arena works, perhaps less well, 1: something that it needs is broken.
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
        told = {"works": not broken, "broken": broken, "less": less, "findings": [each.to_json() for each in findings]}
        echo(json_text(told))
    else:
        echo()
        if broken:
            echo(f"arena does not work here: mend {', '.join(broken)}")
        else:
            echo(f"arena works here{', less well for want of ' + ', '.join(less) if less else ''}")
    raise SystemExit(1 if broken else 0)
