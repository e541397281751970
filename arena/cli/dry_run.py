"""Print the plan of a tournament (`--dry-run`)."""

from contextlib import suppress
from typing import Any

from arena.cli.output import echo, matrix_text
from arena.plan.audit_reach import AuditReach, audit_reach, reach_text
from arena.plan.forecast import (
    MAX_SPEED_MATCHES,
    Forecast,
    estimate_duration,
    forecast,
)
from arena.run.capacity import Allocation, allocate, describe, measure_capacity
from arena.values.definition import Definition
from arena.values.texts import json_text


def show_plan(definition: Definition, seed: int | None, db: str, as_json: bool, jobs: int | None = None) -> None:
    """Print the plan of a tournament.

    jobs: how many referees play; None: one on each core of this machine.
    """
    from arena.plan.formats import format_of
    from arena.plan.secret import new_secret
    from arena.store import NoDatabase, open_store
    from referee.sandbox.cpu_supply import usable_cores

    secret = new_secret(seed)
    plan = forecast(format_of(definition, secret))
    seconds = None
    with suppress(NoDatabase), open_store(db) as store:
        pace = store.tournament_speed(definition.game, definition.seats, MAX_SPEED_MATCHES)
        seconds = estimate_duration(plan, pace, usable_cores()) if pace is not None else None
    jobs = jobs or usable_cores()
    capacity = measure_capacity()
    allocation = allocate(plan.processes, definition.seats, jobs, capacity)
    if as_json:
        echo(json_text(plan_json(definition, plan, seconds, allocation)))
    else:
        echo(plan_text(definition, plan, seconds, describe(plan.processes, jobs, allocation, capacity)))


def plan_text(definition: Definition, plan: Forecast, seconds: float | None, needs: str) -> str:
    """Return the plan for people.

    seconds: its estimated duration; None where unknown.
    needs: what it takes on this machine, as a sentence.
    """
    names = [bot.name for bot in definition.field]
    about = "" if plan.exact and definition.stop is None else "at most "
    lines = [
        f"{definition.schedule} of {len(names)} bots at tables of {definition.seats}: {about}{plan.matches:,} matches",
        f"{plan.deals:,} deals, each {_rotations(plan)} at {_tables(definition, plan)}; "
        f"{plan.processes} bot processes in each phase",
        needs,
    ]
    if seconds is not None:
        lines.append(
            f"about {_span(seconds)}, at the speed of the last tournament of {definition.game} in this database"
        )
    if definition.tie_break:
        lines.append(f"tie-breaks: {', then '.join(definition.tie_break)}")
    if definition.same_author == "apart":
        lines.append("bots of one author never share a table")
    if definition.names:
        lines.append("bots know the names of their opponents")
    lines += [f"{bot.name} is granted {', '.join(bot.grants)}" for bot in definition.field if bot.grants]
    lines += [f"{definition.field[place].name} has the clock {clock}" for place, clock in definition.odds.items()]
    if definition.entropy:
        lines.append(f"deals follow from the secret and a public value: {definition.entropy}")
    if plan.resolution is not None:
        lines.append(
            f"separates bots about {plan.resolution:.0f} Elo apart (95 %), or closer ones where deals cancel luck"
        )
    if (reach := _reach(definition, plan)) is not None:
        lines.append(reach_text(reach))
    if not plan.exact:
        lines.append(f"later stages depend on results; this shows the first, {plan.stage}")
    lines += ["", "matches in which two bots meet", matrix_text(names, plan.meetings)]
    if definition.seats > 2:
        lines += [
            "",
            "how often the bot of the column sits right after that of the row",
            matrix_text(names, plan.successors),
        ]
    return "\n".join(lines)


def plan_json(definition: Definition, plan: Forecast, seconds: float | None, allocation: Allocation) -> dict[str, Any]:
    """Return the plan as JSON values.

    allocation: how its phases are played on this machine.
    """
    reach = _reach(definition, plan)
    return {
        "schedule": definition.schedule,
        "game": definition.game,
        "seats": definition.seats,
        "tie_break": list(definition.tie_break),
        "same_author": definition.same_author,
        "names": definition.names,
        "entropy": definition.entropy,
        "bots": [bot.name for bot in definition.field],
        "grants": {bot.name: list(bot.grants) for bot in definition.field if bot.grants},
        "clocks": {definition.field[place].name: clock.to_json() for place, clock in definition.odds.items()},
        "matches": plan.matches,
        "exact": plan.exact,
        "stage": plan.stage,
        "deals": plan.deals,
        "rotations": plan.rotations,
        "tables": plan.tables,
        "processes": plan.processes,
        "referees": allocation.jobs,
        "peak_processes": allocation.peak_processes(plan.processes),
        "peak_memory_bytes": allocation.peak_bytes(plan.processes),
        "seconds": None if seconds is None else round(seconds, 1),
        "resolves": None if plan.resolution is None else round(plan.resolution, 1),
        "audit": None if reach is None else reach.to_json(),
        "meetings": plan.meetings.tolist(),
        "successors": plan.successors.tolist(),
    }


def _reach(definition: Definition, plan: Forecast) -> AuditReach | None:
    """Return what an audit will see; None where the pairings are not known before the first match."""
    authors = {number: bot.author for number, bot in enumerate(definition.field)}
    return audit_reach(plan.meetings, plan.rotations, definition.rounds, authors) if plan.exact else None


def _rotations(plan: Forecast) -> str:
    return "once" if plan.rotations == 1 else f"in {plan.rotations} rotations"


def _tables(definition: Definition, plan: Forecast) -> str:
    """Return how many tables play a deal."""
    common = definition.schedule != "round-robin" and plan.tables > 1
    return f"all {plan.tables} tables of a round" if common else "one table"


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
