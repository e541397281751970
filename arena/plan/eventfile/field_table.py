"""The field of an event file.

[[bot]]
bot = "club/owl@3"           # whatever --bots takes
name = "owl"                 # under which it is shown; absent: as with --bots
sha256 = "9f86d0..."         # refused where its files have another fingerprint; absent: taken as they are
grants = ["network"]         # what it is granted beyond other bots
start = "60s"                # from the start of its process to its hello; absent: as for all bots
move = "200ms"               # its own move time, and its own bank: time odds; absent: as for all bots
bank = "5s"

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
from pathlib import Path
from typing import Any

from msgspec import UNSET, UnsetType, defstruct
from msgspec.structs import replace

from arena.packs.program_check import check_file, check_program
from arena.packs.roster import Roster
from arena.plan.bot_clocks import check_clock
from arena.plan.eventfile.setting_table import chosen, setting_fields
from arena.plan.field import find_bots, fingerprint, make_names_unique
from arena.plan.grants import parse_grants
from arena.values.checking import Text
from arena.values.definition import OWN_CLOCK, Entrant
from arena.values.tournament_errors import FieldError, PlanError
from referee.engine.toml import TomlTable

BotTable = defstruct(
    "BotTable",
    [("bot", Text | UnsetType, UNSET), *setting_fields(Entrant, "bot")],
    frozen=True,
    forbid_unknown_fields=True,
)
"""A table [[bot]], with its keys."""

OF_ANY_BOT = ("name", "sha256", "grants", "start", "move", "bank", "increment")
"""The keys of a bot that is named by `bot` too; the others spell one out."""


def read_field(
    tables: Sequence[TomlTable],
    said: Sequence[Any],
    samples: Mapping[str, Path],
    roster: Roster,
    game: str,
) -> tuple[Entrant, ...]:
    """Return the field of the tables [[bot]]; relative paths count from the current folder.

    said: what they say, as `BotTable`.

    Raises EventError for what is no bot or two bots of one name, FieldError for a bot that cannot be started.
    """
    field: list[Entrant] = []
    names: set[str] = set()
    for table, keys in zip(tables, said, strict=True):
        values = chosen(keys, Entrant, "bot")
        bot = _spelt_out(table, values) if "command" in table else _named(table, samples, roster, game)
        if "name" in values:
            bot = replace(bot, name=values["name"])
            if bot.name in names:
                raise table.mistake("name", f'is "{bot.name}", the name of another bot')
            names.add(bot.name)
        if "sha256" in values and values["sha256"].lower() != bot.sha256:
            raise table.mismatch("sha256", f"{bot.sha256}, the fingerprint of the files of {bot.name}")
        if "grants" in values:
            bot = replace(bot, grants=_grants(table, values["grants"]))
        bot = replace(bot, **{name: values[name] for name in ("start_time_ms", *OWN_CLOCK) if name in values})
        try:
            check_clock(bot)
        except PlanError as error:
            raise table.mistake("increment", f"cannot be used: {error}") from None
        field.append(bot)
    return make_names_unique(field)


def _grants(table: TomlTable, grants: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return parse_grants(grants)
    except FieldError as error:
        raise table.mistake("grants", f"is wrong: {error}") from None


def _named(table: TomlTable, samples: Mapping[str, Path], roster: Roster, game: str) -> Entrant:
    for key in table:
        if key != "bot" and key not in OF_ANY_BOT:
            raise table.mistake(key, "needs command; for a bot that is named by `bot` its manifest says it")
    if "bot" not in table:
        raise table.mismatch("bot", "a text in quotes")
    (bot,) = find_bots([table.values["bot"]], samples, roster, game=game)
    return bot


def _spelt_out(table: TomlTable, said: Mapping[str, Any]) -> Entrant:
    """Return a bot that is described in full.

    said: the settings that its table holds.
    """
    if "bot" in table:
        raise table.mistake("bot", "cannot be combined with command: give one of them")
    command, name = said["command"], said.get("name", "")
    if not command:
        raise table.mistake("command", "is empty: its first text is the program")
    if not name:
        raise table.mismatch("name", "a text in quotes")
    folder = Path(said.get("folder", ".")).absolute()
    if problem := check_program(folder / command[0]):
        raise FieldError(f"the program {command[0]} of {name} {problem}")
    paths = tuple(str(Path(file).absolute()) for file in said.get("files", ()))
    for path in paths:
        if problem := check_file(Path(path)):
            raise FieldError(f"{path}, a file of {name}, {problem}")
    if not name.isprintable() or len(name) > 64:
        raise table.mismatch("name", "a text of up to 64 printable characters")
    properties = {"folder": str(folder), "files": paths, "sha256": fingerprint(paths)}
    return Entrant(**{**said, **properties})
