"""An event file as the definition of a tournament, with what does not belong to the definition."""

from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from arena.eventfile.errors import EventError
from arena.eventfile.field_table import MEBIBYTE, read_duration, read_field
from arena.near_path import did_you_mean_path
from arena.ratings.errors import RatingError
from arena.submissions.roster import Roster
from arena.tournament.plan.definition import (
    DEFAULT_MAX_LAG_MS,
    MATCHES_AT_ONCE,
    MODES,
    ROTATIONS,
    SAME_AUTHOR,
    SCHEDULES,
    TEAMS,
    Definition,
    TimeControl,
)
from arena.tournament.plan.definition_builder import define
from arena.tournament.plan.field import samples
from arena.tournament.plan.stop_rule import ERROR_CONTROLS, Kind, StopRule
from arena.tournament.plan.tie_break import parse_tie_break
from referee.engine.registry import game as game_named
from referee.engine.toml import TomlTable, read_table

KEYS = ("game", "entropy", "options", "schedule", "time", "stop", "seed", "executor", "bot")

_SCHEDULE = (
    *("kind", "rounds", "seats", "rotations", "teams", "challengers", "stages", "tie_break", "same_author", "names"),
    *("block", "matches_at_once"),
)
_TIME = ("move", "bank", "start", "ready", "memory_mb", "strikes", "mode", "ponder", "lag", "slot", "fischer")
_SPRT = ("kind", "elo0", "elo1", "alpha", "beta")
_STOP = (*_SPRT, "control")


@dataclass(frozen=True, slots=True)
class EventFile:
    """What an event file says.

    definition: of the tournament. seed: for development; None: the secret is drawn. jobs: referee processes; None: one
    per core. Neither of the two is part of the definition.
    """

    definition: Definition
    seed: int | None = None
    jobs: int | None = None


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
    schedule.check_keys(_SCHEDULE)
    seed.check_keys(("number",))
    executor.check_keys(("jobs",))
    kind = schedule.word("kind", SCHEDULES, "round-robin")
    with chdir(path.parent):
        field = read_field(bots, samples(rules.name), roster, rules.name)
    definition = define(
        rules,
        options,
        field,
        rounds=schedule.integer("rounds", 100, 1),
        seats=schedule.integer("seats", 0, 1) or None,
        teams=schedule.word("teams", TEAMS, "one"),
        time=_time(top.table("time")),
        stop=_stop(top.table("stop")),
        schedule=kind,
        challengers=schedule.integer("challengers", 1 if kind in ("gauntlet", "ladder") else 0, 0),
        stages=schedule.integer("stages", 0, 0),
        rotations=schedule.word("rotations", ROTATIONS, "cycle"),
        block=schedule.integer("block", 0, 1) or None,
        matches_at_once=schedule.integer("matches_at_once", MATCHES_AT_ONCE, 1),
        tie_break=parse_tie_break(",".join(ties)) if (ties := schedule.texts("tie_break")) else (),
        same_author=schedule.word("same_author", SAME_AUTHOR, "any"),
        names=schedule.flag("names"),
        entropy=top.text("entropy") if "entropy" in top else "",
    )
    number = seed.integer("number", least=0) if "number" in seed else None
    return EventFile(definition, number, executor.integer("jobs", 0, 1) or None)


def _options(table: TomlTable) -> dict[str, Any]:
    """Return the options of a game. Raises EventError for a value of a type that no option has."""
    for name, value in table.values.items():
        if not isinstance(value, str | int | bool):
            raise table.mismatch(name, "a text in quotes, a whole number, true or false")
    return dict(table.values)


def _duration(table: TomlTable, key: str, default: int, least: int = 0) -> int:
    """Return a duration in milliseconds."""
    return read_duration(table, key, least) if key in table else default


def _time(table: TomlTable) -> TimeControl:
    table.check_keys(_TIME)
    default = TimeControl()
    mode = table.word("mode", MODES, default.mode)
    return TimeControl(
        move_time_ms=_duration(table, "move", default.move_time_ms),
        bank_ms=_duration(table, "bank", default.bank_ms),
        start_time_ms=_duration(table, "start", default.start_time_ms, 1),
        memory_bytes=table.integer("memory_mb", default.memory_bytes // MEBIBYTE, 16) * MEBIBYTE,
        strikes=table.integer("strikes", default.strikes, 1),
        mode=mode,
        ponder=table.flag("ponder"),
        most_lag_ms=_duration(table, "lag", DEFAULT_MAX_LAG_MS if mode == "clock" else 0),
        slot_ms=_duration(table, "slot", 0),
        fischer=table.flag("fischer"),
        ready_time_ms=_duration(table, "ready", default.ready_time_ms),
    )


def _stop(table: TomlTable) -> StopRule | None:
    table.check_keys(_STOP)
    if "kind" not in table:
        for key in _STOP[1:]:
            if key in table:
                raise table.mistake(key, f"needs a stop.kind, one of {', '.join(get_args(Kind))}")
        return None
    kind = table.word("kind", get_args(Kind), "sprt")
    if kind != "sprt":
        table.check_keys(("kind", "control"))
        return StopRule(kind, control=table.word("control", ERROR_CONTROLS, "familywise"))
    table.check_keys(_SPRT)
    elo0, elo1 = table.number("elo0"), table.number("elo1")
    try:
        return StopRule(kind, elo0, elo1, table.number("alpha", 0.05), table.number("beta", 0.05))
    except RatingError as error:
        raise table.mistake("kind", f"sprt cannot be used: {error}") from None
