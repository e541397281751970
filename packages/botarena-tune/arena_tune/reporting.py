"""Plays a run for a command, says how it goes, and prints what became of the parameters."""

import statistics
from collections.abc import Sequence
from time import monotonic
from typing import Any

import click

from arena.cli.output import echo, print_progress, table_text
from arena.cli.tournament_options import RefereeOptions, open_executor
from arena.run.hosting import Hosting
from arena.run.progress import LINE_SECONDS
from arena.run.referee_process import EarlyReferees
from arena.store import open_store
from arena.values.text_table import Column, text_column
from arena.values.texts import json_text, shell_line
from arena_tune.course import Course
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter, Values, texts
from arena_tune.plan import TunePlan
from arena_tune.runner import TuneResult, play
from arena_tune.stored_runs import StoredRun, TuneRuns
from arena_tune.tuned_bot import check_unchanged
from referee.engine.registry import game as game_named

COLUMNS = (
    text_column("parameter"),
    Column("start"),
    Column("now"),
    Column("spread"),
    Column("min"),
    Column("max"),
    Column("step", drop=1),
)

LATE_SHARE = 4
"""The spread is that of the last iterations, one in so many."""


def play_and_report(
    number: int, db: str, referees: RefereeOptions, hosting: Hosting, early: EarlyReferees | None, *, as_json: bool
) -> None:
    """Play the iterations of a run that are missing, and print it. Raises ArenaError for whatever cannot be played."""
    with open_store(db, write=True) as store:
        runs = TuneRuns(store)
        run = runs.load(number)
        check_playable(run)
        plan = run.plan
        matches = run.definition.rounds // run.definition.block
        print_progress(f"run {number}: {plan.iterations - len(run.iterations):,} of {matches:,} iterations to play")
        resume = shell_line("arena", "tune", "resume", number, "--db", store.where)
        try:
            with open_executor(referees, store, early) as (executor, room):
                limit = None if referees.busy_limit is None else referees.busy_limit / 1000
                progress = _Progress(plan)
                result = play(
                    store, run, executor, referees.jobs or room, hosting, print_progress, progress, limit
                )
        except BaseException:
            if (stored := len(runs.load(number).iterations)) and stored < plan.iterations:
                print_progress(f"{stored:,} iterations are stored; go on with: {resume}")
            raise
        _print_pace(result)
        run = runs.load(number)
        print_run(run, as_json=as_json)
    if result.stopped is not None:
        print_progress(f"stopped early; go on with: {resume}")
        raise click.exceptions.Exit(128 + result.stopped)


def check_playable(run: StoredRun) -> None:
    """Raise TuneError if the bot of a run or the rules of its game are not those that it began with."""
    check_unchanged(run)
    rules = game_named(run.game)
    if rules.behaviour != run.definition.behaviour:
        raise TuneError(
            f"run {run.id} began with version {run.definition.behaviour} of the rules of {run.game}, and this is version "
            f"{rules.behaviour}: begin a new run"
        )


def print_run(run: StoredRun, *, as_json: bool) -> None:
    """Print a run: a table of its parameters, or JSON."""
    if as_json:
        echo(json_text(run_json(run)))
        return
    for line in run_lines(run):
        echo(line)


def run_lines(run: StoredRun) -> list[str]:
    """Return a run as lines for people."""
    plan, deals = run.plan, run.definition.block
    faults = sum(row.faults for row in run.iterations)
    path = run.course().path
    done = len(run.iterations)
    lines = [
        f"run {run.id}: {run.game}, {plan.bot}",
        f"{plan.search}, {done:,} of {plan.iterations:,} iterations of {deals:,} {'deal' if deals == 1 else 'deals'}, "
        f"rate {plan.rate:.3g}{'' if run.player is None else f', played by {run.player}'}",
    ]
    if faults:
        lines.append(f"{faults:,} faults: `arena match` with the values below shows why")
    lines += ["", table_text(COLUMNS, _rows(plan.parameters, path)), ""]
    if path:
        lines.append("spread: the standard deviation of the value over the last quarter of the iterations. It")
        lines.append("shows how far chance moves it, and is no confidence interval; whether the bot is")
        lines.append(f"stronger, a tournament tells: arena tune verify {run.id}")
    return lines


def _rows(parameters: Sequence[Parameter], path: Sequence[Values]) -> list[list[str]]:
    rows = []
    for place, each in enumerate(parameters):
        values = [values[place] for values in path]
        now = values[-1] if values else each.start
        spread = late_spread(values)
        rows.append(
            [
                each.name,
                each.text(each.start),
                each.text(now),
                "" if spread is None else f"{spread:.3g}",
                *(f"{number:.6g}" for number in (each.least, each.most, each.step)),
            ]
        )
    return rows


def late_spread(values: Sequence[float]) -> float | None:
    """Return the standard deviation of the last quarter of some values; None where that has less than two."""
    late = values[len(values) - len(values) // LATE_SHARE :]
    return statistics.stdev(late) if len(late) > 1 else None


def run_json(run: StoredRun) -> dict[str, Any]:
    """Return a run as JSON values."""
    path = run.course().path
    plan = run.plan
    parameters = []
    for place, each in enumerate(plan.parameters):
        values = [values[place] for values in path]
        now = values[-1] if values else each.start
        parameters.append(
            {
                "name": each.name,
                "type": "int" if each.is_integer else "float",
                "start": each.played(each.start),
                "now": each.played(now),
                "unrounded": now,
                "spread": late_spread(values),
                "min": each.least,
                "max": each.most,
                "step": each.step,
                "rate": plan.rate if each.rate is None else each.rate,
            }
        )
    return {
        "run": run.id,
        "game": run.game,
        "bot": plan.bot,
        "search": plan.search,
        "created": run.created,
        "finished": run.finished,
        "iterations": plan.iterations,
        "played": len(run.iterations),
        "deals": run.definition.block,
        "side_by_side": plan.side_by_side,
        "seed": run.seed,
        "faults": sum(row.faults for row in run.iterations),
        "parameters": parameters,
        "path": [list(values) for values in path],
    }


class _Progress:
    """Prints now and then which iteration is played, and the values."""

    def __init__(self, plan: TunePlan) -> None:
        self._plan = plan
        self._printed = monotonic()

    def __call__(self, course: Course) -> None:
        if monotonic() - self._printed >= LINE_SECONDS:
            self._printed = monotonic()
            shown = list(texts(self._plan.parameters, course.values).items())[:4]
            values = ", ".join(f"{name} {text}" for name, text in shown)
            more = f" and {len(self._plan.parameters) - 4} more" if len(self._plan.parameters) > 4 else ""
            print_progress(f"iteration {len(course.path):,} of {self._plan.iterations:,}: {values}{more}")


def _print_pace(result: TuneResult) -> None:
    if result.iterations and result.seconds:
        print_progress(
            f"{result.iterations:,} iterations with {result.matches:,} matches in {result.seconds:.1f} s, "
            f"{result.matches / result.seconds:,.0f} matches/s"
        )
