"""All that is looked at, in the order in which it is told."""

from collections.abc import Iterator

from arena.doctor import isolation, languages, machine
from arena.doctor.check_result import Finding


def examine(db: str) -> Iterator[Finding]:
    """Look at this machine. db: the database, as --db has it. Must be called in the main thread: it starts a bot."""
    yield machine.python()
    yield machine.libraries()
    yield machine.rules()
    yield machine.cores()
    yield machine.disk()
    yield machine.database(db)
    yield isolation.bubblewrap()
    yield isolation.groups()
    yield isolation.seccomp()
    yield isolation.landlock()
    yield isolation.limits()
    yield isolation.bot()
    yield from languages.all_languages()
