"""An event file as the definition of a tournament, with what does not belong to the definition."""

from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from arena.eventfile.errors import EventError
from arena.eventfile.field_table import MEBIBYTE, read_field
from arena.eventfile.toml_table import Table
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
from arena.tournament.plan.stop_rule import Kind, StopRule
from arena.tournament.plan.tie_break import parse_tie_break
from referee.engine.registry import game as game_named
from referee.engine.toml import parse_toml

KEYS = ("game", "entropy", "options", "schedule", "time", "stop", "seed", "executor", "bot")

_SCHEDULE = (
    *("kind", "rounds", "seats", "rotations", "teams", "challengers", "stages", "tie_break", "same_author", "names"),
    *("block", "matches_at_once"),
)
_TIME = ("move", "bank", "start", "memory_mb", "strikes", "mode", "ponder", "lag", "slot")
_STOP = ("kind", "elo0", "elo1", "alpha", "beta")


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
        values = parse_toml(path.read_text("utf-8"))
    except OSError as error:
        raise EventError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise EventError(f"{path} is not a text in UTF-8") from None
    except ValueError as error:
        raise EventError(f"{path} is no TOML: {error}") from None
    top = Table(values, str(path))
    top.known(KEYS)
    rules = game_named(top.text("game"))
    options = rules.options.parse(top.options("options"))
    bots = top.tables("bot")
    if not bots:
        raise top.wrong("bot", 'is missing: name two bots or more, each below a line [[bot]] as bot = "NAME"')
    schedule, seed, executor = top.table("schedule"), top.table("seed"), top.table("executor")
    schedule.known(_SCHEDULE)
    seed.known(("number",))
    executor.known(("jobs",))
    kind = schedule.word("kind", SCHEDULES, "round-robin")
    with chdir(path.parent):
        field = read_field(bots, samples(rules.name), roster, rules.name)
    definition = define(
        rules,
        options,
        field,
        rounds=schedule.whole("rounds", 100, 1),
        seats=schedule.whole("seats", 0, 1) or None,
        teams=schedule.word("teams", TEAMS, "one"),
        time=_time(top.table("time")),
        stop=_stop(top.table("stop")),
        schedule=kind,
        challengers=schedule.whole("challengers", 1 if kind in ("gauntlet", "ladder") else 0),
        stages=schedule.whole("stages", 0),
        rotations=schedule.word("rotations", ROTATIONS, "cycle"),
        block=schedule.whole("block", 0, 1) or None,
        matches_at_once=schedule.whole("matches_at_once", MATCHES_AT_ONCE, 1),
        tie_break=parse_tie_break(",".join(ties)) if (ties := schedule.texts("tie_break")) else (),
        same_author=schedule.word("same_author", SAME_AUTHOR, "any"),
        names=schedule.flag("names"),
        entropy=top.text("entropy") if "entropy" in top else "",
    )
    number = seed.whole("number", 0) if "number" in seed else None
    return EventFile(definition, number, executor.whole("jobs", 0, 1) or None)


def _time(table: Table) -> TimeControl:
    table.known(_TIME)
    usual = TimeControl()
    mode = table.word("mode", MODES, usual.mode)
    return TimeControl(
        move_time_ms=table.duration("move", usual.move_time_ms),
        bank_ms=table.duration("bank", usual.bank_ms),
        start_time_ms=table.duration("start", usual.start_time_ms),
        memory_bytes=table.whole("memory_mb", usual.memory_bytes // MEBIBYTE, 16) * MEBIBYTE,
        strikes=table.whole("strikes", usual.strikes, 1),
        mode=mode,
        ponder=table.flag("ponder"),
        most_lag_ms=table.duration("lag", DEFAULT_MAX_LAG_MS if mode == "clock" else 0),
        slot_ms=table.duration("slot", 0),
    )


def _stop(table: Table) -> StopRule | None:
    table.known(_STOP)
    if "kind" not in table:
        for key in _STOP[1:]:
            if key in table:
                raise table.wrong(key, f"goes with a kind, one of {', '.join(get_args(Kind))}")
        return None
    kind = table.word("kind", get_args(Kind), "sprt")
    if kind != "sprt":
        table.known(("kind",))
        return StopRule(kind)
    elo0, elo1 = table.number("elo0"), table.number("elo1")
    try:
        return StopRule(kind, elo0, elo1, table.number("alpha", 0.05), table.number("beta", 0.05))
    except RatingError as error:
        raise table.wrong("kind", f"sprt makes no sense so: {error}") from None
