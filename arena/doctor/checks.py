"""All checks of the machine, in the order of the report."""

from collections.abc import Iterator

from arena.doctor import isolation, languages, machine
from arena.doctor.check_result import CheckResult


def run_checks(db: str) -> Iterator[CheckResult]:
    """Check this machine. db: the database, as in --db. Call it in the main thread: it starts a bot."""
    yield machine.python()
    yield machine.libraries()
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
