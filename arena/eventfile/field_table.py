"""The field of an event file.

[[bot]]
bot = "club/owl@3"           # whatever --bots takes
name = "owl"                 # under which it is shown; absent: as with --bots
sha256 = "9f86d0..."         # refused where its files have another fingerprint; absent: taken as they are
grants = ["network"]         # what it is granted beyond other bots
start = "60s"                # from the start of its process to its hello; absent: as for all bots

[[bot]]                      # all of it spelt out
name = "heron"
command = ["/usr/bin/node", "heron.js"]
folder = "/srv/bots/heron"
files = ["/srv/bots/heron/heron.js"]
memory_mb = 128
matches_at_once = 16
games = ["cambio"]
author = "club"
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena.durations import parse_duration
from arena.submissions.program_check import check_file, check_program
from arena.submissions.roster import Roster
from arena.tournament.errors import FieldError
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.field import find_bots, fingerprint, make_names_unique
from arena.tournament.plan.grants import parse_grants
from referee.engine.toml import TomlTable

SPELT_OUT = ("command", "folder", "files", "memory_mb", "matches_at_once", "games", "author")
KEYS = ("bot", "name", "sha256", "grants", "start", *SPELT_OUT)

MEBIBYTE = 1024 * 1024


def read_field(
    tables: Sequence[TomlTable], samples: Mapping[str, Path], roster: Roster, game: str
) -> tuple[Entrant, ...]:
    """Return the field of the tables [[bot]]; relative paths count from the current folder.

    Raises EventError for what is no bot or two bots of one name, FieldError for a bot that cannot be started.
    """
    field: list[Entrant] = []
    names: set[str] = set()
    for table in tables:
        table.check_keys(KEYS)
        bot = _spelt_out(table) if "command" in table else _named(table, samples, roster, game)
        if "name" in table:
            bot = replace(bot, name=table.text("name"))
            if bot.name in names:
                raise table.mistake("name", f'is "{bot.name}", the name of another bot')
            names.add(bot.name)
        if "sha256" in table and table.text("sha256").lower() != bot.sha256:
            raise table.mismatch("sha256", f"{bot.sha256}, the fingerprint of the files of {bot.name}")
        if "grants" in table:
            bot = replace(bot, grants=_grants(table))
        if "start" in table:
            bot = replace(bot, start_time_ms=read_duration(table, "start", least=1))
        field.append(bot)
    return make_names_unique(field)


def read_duration(table: TomlTable, key: str, least: int = 0) -> int:
    """Return a duration in milliseconds, written as "1s", "50ms" or a number of seconds. least: in milliseconds.

    Raises EventError for anything else.
    """
    value = table.values[key]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    try:
        duration = parse_duration(str(value) if is_number else table.text(key))
    except ValueError:
        raise table.mismatch(key, 'a duration, like "50ms", "1s", "1.5s" or "2min", or a number of seconds') from None
    if duration < least:
        raise table.mismatch(key, f"at least {least}ms")
    return duration


def _grants(table: TomlTable) -> tuple[str, ...]:
    try:
        return parse_grants(table.texts("grants"))
    except FieldError as error:
        raise table.mistake("grants", f"is wrong: {error}") from None


def _named(table: TomlTable, samples: Mapping[str, Path], roster: Roster, game: str) -> Entrant:
    for key in SPELT_OUT:
        if key in table:
            raise table.mistake(key, "needs command; for a bot that is named by `bot` its manifest says it")
    (bot,) = find_bots([table.text("bot")], samples, roster, game=game)
    return bot


def _spelt_out(table: TomlTable) -> Entrant:
    if "bot" in table:
        raise table.mistake("bot", "cannot be combined with command: give one of them")
    command, files = table.texts("command"), table.texts("files")
    if not command:
        raise table.mistake("command", "is empty: its first text is the program")
    name = table.text("name")
    folder = Path(table.text("folder", ".")).absolute()
    if problem := check_program(folder / command[0]):
        raise FieldError(f"the program {command[0]} of {name} {problem}")
    paths = tuple(str(Path(file).absolute()) for file in files)
    for path in paths:
        if problem := check_file(Path(path)):
            raise FieldError(f"{path}, a file of {name}, {problem}")
    if not name.isprintable() or len(name) > 64:
        raise table.mismatch("name", "a text of up to 64 printable characters")
    return Entrant(
        name=name,
        command=command,
        folder=str(folder),
        files=paths,
        sha256=fingerprint(paths),
        memory_bytes=table.integer("memory_mb", 0, 16) * MEBIBYTE,
        matches_at_once=table.integer("matches_at_once", 0, 1),
        games=table.texts("games"),
        author=table.text("author") if "author" in table else "",
    )
