"""All checks of the machine, in the order of the report."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.cli.doctor_checks import isolation, languages, machine, serving
from arena.cli.doctor_checks.check_result import CheckResult
from arena.hooks.plugins import plugins


def run_checks(
    db: str,
    archives: Path | None = None,
    address: tuple[str, int] | None = None,
    packages: Mapping[str, Any] | None = None,
) -> Iterator[CheckResult]:
    """Check this machine. Call it in the main thread: it starts a bot.

    db: the database, as in --db.
    archives: the folder of the archives of seasons, as in --archives; None: there is none.
    address: the host and port on which a server is to listen; None: there is none.
    packages: the options of packages, by name.
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
    yield serving.user(db)
    yield machine.database(db)
    yield serving.cache()
    if archives is not None:
        yield serving.archives(archives)
    yield serving.pages()
    if address is not None:
        yield serving.port(*address)
    for results in plugins().hook.arena_doctor(options=packages or {}):
        yield from results
    confining = (isolation.bubblewrap, isolation.groups, isolation.seccomp, isolation.landlock, isolation.limits)
    sound = True
    for check in confining:
        result = check()
        sound = sound and result.verdict == "good"
        yield result
    yield isolation.bot(sound=sound)
    yield from languages.all_languages()
