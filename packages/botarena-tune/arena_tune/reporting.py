"""Plays a run for a command, says how it goes, and prints what became of the parameters."""

import statistics
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
from arena_tune.parameters import texts
from arena_tune.plan import SPSA, TunePlan
from arena_tune.runner import TuneResult, play
from arena_tune.spsa import late
from arena_tune.stored_runs import StoredRun, TuneRuns
from arena_tune.tuned_bot import check_unchanged
from referee.engine.registry import game as game_named

SPREAD = Column("spread")
COLUMNS = (
    text_column("parameter"),
    Column("start"),
    Column("now"),
    SPREAD,
    Column("min"),
    Column("max"),
    Column("step", drop=1),
)

SPREAD_NOTE = (
    "now: the mean of the last quarter of the iterations; spread: their standard",
    "deviation, which is how far chance moves a value, and no confidence interval.",
)
BEST_NOTE = ("now: the candidate with the best result, which owes a part of that to chance.",)


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
                result = play(store, run, executor, referees.jobs or room, hosting, print_progress, progress, limit)
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
            f"run {run.id} began with version {run.definition.behaviour} of the rules of {run.game}, and this is "
            f"version {rules.behaviour}: begin a new run"
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
    course = run.course()
    done = len(run.iterations)
    lines = [
        f"run {run.id}: {run.game}, {plan.bot}",
        f"{plan.search}, {done:,} of {plan.iterations:,} iterations of {deals:,} {'deal' if deals == 1 else 'deals'}, "
        + _how(run),
    ]
    if faults:
        lines.append(f"{faults:,} faults: `arena match` with the values below shows why")
    columns = [column for column in COLUMNS if column != SPREAD or plan.search == SPSA]
    lines += ["", table_text(columns, _rows(run, course))]
    if course.path:
        lines += ["", *(SPREAD_NOTE if plan.search == SPSA else BEST_NOTE)]
        lines.append(f"Whether the bot is stronger, a tournament tells: arena tune verify {run.id}")
    return lines


def _how(run: StoredRun) -> str:
    """Return how a run is played, in a few words."""
    plan = run.plan
    how = f"rate {plan.rate:.3g}" if plan.search == SPSA else f"against {run.definition.field[1].name}"
    return how if run.player is None else f"{how}, played by {run.player}"


def _rows(run: StoredRun, course: Course) -> list[list[str]]:
    rows = []
    spreads = late_spreads(run, course)
    for each, now, spread in zip(run.plan.parameters, course.tuned, spreads, strict=True):
        rows.append(
            [
                each.name,
                each.text(each.start),
                each.text(now),
                *([] if run.plan.search != SPSA else ["" if spread is None else f"{spread:.3g}"]),
                *(f"{number:.6g}" for number in (each.least, each.most, each.step)),
            ]
        )
    return rows


def late_spreads(run: StoredRun, course: Course) -> list[float | None]:
    """Return the standard deviation of each parameter over the last quarter of the iterations; None where none is."""
    values = late(course.path) if course.path and run.plan.search == SPSA else ()
    if len(values) < 2:
        return [None] * len(run.plan.parameters)
    return [statistics.stdev(each) for each in zip(*values, strict=True)]


def run_json(run: StoredRun) -> dict[str, Any]:
    """Return a run as JSON values."""
    course = run.course()
    plan = run.plan
    parameters = []
    for each, now, spread in zip(plan.parameters, course.tuned, late_spreads(run, course), strict=True):
        parameters.append(
            {
                "name": each.name,
                "type": "int" if each.is_integer else "float",
                "start": each.played(each.start),
                "now": each.played(now),
                "unrounded": now,
                "spread": spread,
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
        "path": [list(values) for values in course.path],
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
