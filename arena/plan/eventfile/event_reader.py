"""An event file as the definition of a tournament, with what does not belong to the definition."""

from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from arena.packs.roster import Roster
from arena.plan.definition_builder import define
from arena.plan.eventfile.errors import EventError
from arena.plan.eventfile.field_table import read_field
from arena.plan.eventfile.setting_table import keys_of, read_settings
from arena.plan.field import samples
from arena.values import stop_rule
from arena.values.definition import Definition, Settings, TimeControl
from arena.values.errors import RatingError
from arena.values.near_path import did_you_mean_path
from arena.values.stop_rule import Kind, StopRule
from referee.engine.registry import game as game_named
from referee.engine.toml import TomlTable, read_table

KEYS = ("game", *keys_of(Settings), "options", "schedule", "time", "stop", "seed", "executor", "bot")


@dataclass(frozen=True, slots=True)
class EventFile:
    """What an event file says.

    seed, jobs: not part of the definition.
    """

    definition: Definition
    """The definition of the tournament."""
    seed: int | None = None
    """The number of a development seed; None: the secret is drawn."""
    jobs: int | None = None
    """The number of referee processes; None: one per core."""


def read_event(path: Path, roster: Roster) -> EventFile:
    """Return what the event file at `path` says; relative paths in it count from its folder.

    roster: the submitted bots.

    Raises EventError with the key that is wrong; FieldError, PlanError or EngineError where bots, schedule or game do
    not fit.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        hint = did_you_mean_path(path) if isinstance(error, FileNotFoundError) else ""
        raise EventError(f"{path} cannot be read: {error.strerror}{hint}") from None
    top = read_table(content, EventError, str(path))
    top.check_keys(KEYS)
    rules = game_named(top.text("game"))
    options = rules.options.parse(_options(top.table("options")))
    bots = top.tables("bot")
    if not bots:
        raise top.mistake("bot", 'is missing: name two bots or more, each below a line [[bot]] as bot = "NAME"')
    schedule, seed, executor = top.table("schedule"), top.table("seed"), top.table("executor")
    schedule.check_keys(keys_of(Settings, "schedule"))
    seed.check_keys(("number",))
    executor.check_keys(("jobs",))
    settings = Settings.choose(read_settings(top, Settings) | read_settings(schedule, Settings))
    time = top.table("time")
    time.check_keys(keys_of(TimeControl, "time"))
    with chdir(path.parent):
        field = read_field(bots, samples(rules.name), roster, rules.name)
    definition = define(
        rules,
        options,
        field,
        settings,
        time=TimeControl.choose(read_settings(time, TimeControl)),
        stop=_stop(top.table("stop")),
    )
    number = seed.integer("number", least=0) if "number" in seed else None
    return EventFile(definition, number, executor.integer("jobs", 0, 1) or None)


def _options(table: TomlTable) -> dict[str, Any]:
    """Return the options of a game. Raises EventError for a value of a type that no option has."""
    for name, value in table.values.items():
        if not isinstance(value, str | int | bool):
            raise table.mismatch(name, "a text in quotes, a whole number, true or false")
    return dict(table.values)


def _stop(table: TomlTable) -> StopRule | None:
    keys = keys_of(StopRule, "stop")
    table.check_keys(keys)
    if "kind" not in table:
        for key in keys:
            if key in table:
                raise table.mistake(key, f"needs a stop.kind, one of {', '.join(get_args(Kind))}")
        return None
    chosen = read_settings(table, StopRule)
    table.check_keys(stop_rule.keys_of(chosen["kind"]))
    for key in ("elo0", "elo1"):
        if chosen["kind"] == "sprt" and key not in table:
            raise table.mismatch(key, "a number")
    try:
        return StopRule(**chosen)
    except RatingError as error:
        raise table.mistake("kind", f"sprt cannot be used: {error}") from None
