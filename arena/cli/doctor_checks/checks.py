"""All checks of the machine, in the order of the report."""

from collections.abc import Iterator

from arena.cli.doctor_checks import isolation, languages, machine
from arena.cli.doctor_checks.check_result import CheckResult


def run_checks(db: str) -> Iterator[CheckResult]:
    """Check this machine. Call it in the main thread: it starts a bot.

    db: the database, as in --db.
    """
    yield machine.python()
    yield machine.libraries()
    yield machine.packages()
    yield machine.rules()
    yield machine.codec()
    yield machine.chance()
    yield machine.cores()
    yield machine.pauses()
    yield machine.disk()
    yield machine.database(db)
    confining = (isolation.bubblewrap, isolation.groups, isolation.seccomp, isolation.landlock, isolation.limits)
    sound = True
    for check in confining:
        result = check()
        sound = sound and result.verdict == "good"
        yield result
    yield isolation.bot(sound=sound)
    yield from languages.all_languages()
