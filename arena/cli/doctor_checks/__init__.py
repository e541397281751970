"""Check that this machine can run tournaments, and say how to fix what is missing.

check_result    the result of one check, with a remedy
checks     all checks, in the order of the report
isolation  what bots are sandboxed with
machine    versions, cores, disk space, the database
serving    what `arena serve` needs beside that
languages  the programs that build bots in other languages
"""

from arena.cli.doctor_checks.check_result import CheckResult
from arena.cli.doctor_checks.checks import run_checks

__all__ = ["CheckResult", "run_checks"]
