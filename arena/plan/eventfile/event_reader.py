"""An event file as the definition of a tournament, with what does not belong to the definition."""

from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field

from arena.packs.roster import Roster
from arena.plan.definition_builder import define
from arena.plan.eventfile.errors import EventError
from arena.plan.eventfile.field_table import BotTable, read_field
from arena.plan.eventfile.setting_table import chosen, keys_of, setting_fields
from arena.plan.field import samples
from arena.values import stop_rule
from arena.values.checking import Text, read_toml
from arena.values.definition import Definition, Settings, TimeControl
from arena.values.errors import RatingError
from arena.values.near_path import did_you_mean_path
from arena.values.settings import MOST, Stored
from arena.values.stop_rule import Kind, StopRule
from referee.engine.registry import game as game_named
from referee.engine.toml import TomlTable, read_table


class Seed(Struct, frozen=True, forbid_unknown_fields=True):
    """For development only."""

    number: Annotated[int, Meta(description="Anybody can compute the deals.", ge=0, le=MOST)] | UnsetType = UNSET


class Execution(Struct, frozen=True, forbid_unknown_fields=True):
    """How it is run."""

    jobs: Annotated[int, Meta(description="Referee processes.", ge=1, le=MOST)] | UnsetType = UNSET


def _table(name: str, kind: type[Stored]) -> tuple[str, Any, Any]:
    """Return the field of a table of settings."""
    said = defstruct(name, setting_fields(kind, name), frozen=True, forbid_unknown_fields=True)
    return name, said, field(default_factory=said)


EventTables = defstruct(
    "EventTables",
    [
        ("game", Text),
        *setting_fields(Settings),
        ("options", Mapping[str, str | int | bool], field(default_factory=dict)),
        _table("schedule", Settings),
        _table("time", TimeControl),
        _table("stop", StopRule),
        ("seed", Seed, Seed()),
        ("executor", Execution, Execution()),
        ("bot", tuple[BotTable, ...], ()),  # type: ignore[valid-type]  # a struct that is made
    ],
    frozen=True,
    forbid_unknown_fields=True,
)
"""The tables of an event file, with its keys."""


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
    said: Any = read_toml(top, EventTables)
    rules = game_named(said.game)
    options = rules.options.parse(said.options)
    if not said.bot:
        raise top.mistake("bot", 'is missing: name two bots or more, each below a line [[bot]] as bot = "NAME"')
    settings = Settings.choose(chosen(said, Settings) | chosen(said.schedule, Settings, "schedule"))
    with chdir(path.parent):
        bots = read_field(top.tables("bot"), said.bot, samples(rules.name), roster, rules.name)
    definition = define(
        rules,
        options,
        bots,
        settings,
        time=TimeControl.choose(chosen(said.time, TimeControl, "time")),
        stop=_stop(top.table("stop"), chosen(said.stop, StopRule, "stop")),
    )
    seed, jobs = said.seed.number, said.executor.jobs
    return EventFile(definition, None if seed is UNSET else seed, None if jobs is UNSET else jobs)


def _stop(table: TomlTable, said: Mapping[str, Any]) -> StopRule | None:
    """Return the stop rule of a table.

    said: its settings that the table holds.
    """
    if "kind" not in table:
        for key in keys_of(StopRule, "stop"):
            if key in table:
                raise table.mistake(key, f"needs a stop.kind, one of {', '.join(get_args(Kind))}")
        return None
    table.check_keys(stop_rule.keys_of(said["kind"]))
    for key in ("elo0", "elo1"):
        if said["kind"] == "sprt" and key not in table:
            raise table.mismatch(key, "a number")
    try:
        return StopRule.choose(said)
    except RatingError as error:
        raise table.mistake("kind", f"sprt cannot be used: {error}") from None
