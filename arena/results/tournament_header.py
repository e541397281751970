"""The header of a tournament's table."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from arena.plan.formats import KINDS
from arena.plan.multi_stage import MultiStage, Placing
from arena.plan.stage_names import by_exit, out_in
from arena.values.texts import shell_line

if TYPE_CHECKING:
    from arena.language.message import Message
    from arena.results.standings import Standings
    from arena.results.stored_tournament import StoredTournament
    from arena.values.definition import Definition
    from arena.values.rows import ContentionRow


def tournament_header(
    tournament: "StoredTournament", result: "Standings", seconds: float | None = None
) -> Iterator[str]:
    """Yield the lines: what was played, how, and from which seed.

    result: the ranking, and how it came about.
    seconds: the duration, where all matches were played just now.
    """
    row = tournament.row
    plan, verdict = row.definition, result.verdict
    options = " ".join(f"{name}={value}" for name, value in sorted(row.options.items()))
    speed = f", {result.decisions / seconds:,.0f} decisions/s" if seconds and result.decisions else ""
    yield (
        f"Tournament {row.id}: {row.game}{' with ' + options if options else ''}, "
        f"{row.rounds} rounds{_per_stage(plan)} at tables of {plan.seats}{_teams(plan)}{_schedule(plan)}, "
        f"{result.matches:,} of {row.matches:,} matches, {result.decisions:,} decisions{speed}"
    )
    yield f"{_mode(plan, result.contention)}; seed hash {row.secret_hash}"
    if announced := plan.entropy:
        yield f"Entropy {'is awaited' if row.entropy is None else row.entropy} ({announced})"
    if remote := [bot.name for bot in plan.field if bot.remote]:
        yield f"Remote bots, whose machines and programs are unknown here: {', '.join(remote)}"
    if in_process := [bot.name for bot in plan.field if bot.in_process]:
        yield f"In-process bots, unconfined in the program that began the tournament: {', '.join(in_process)}"
    if plan.odds:
        clocks = "; ".join(f"{plan.field[place].name} {clock}" for place, clock in plan.odds.items())
        yield f"Time odds: {clocks}"
    if verdict is not None:
        yield f"Ended early: {verdict.sentence}; {verdict.matches:,} matches are rated"
    if result.undecided:
        yield f"Not decided: {result.undecided}"
    if plan.stop and verdict is None and row.finished is not None:
        words = ("arena", "tourney", "resume", row.id, "--rounds", 2 * row.rounds, "--db", tournament.store.where)
        further = shell_line(*words)
        yield f"The last round is over and settled nothing; play on with: {further}"
    if result.estimate is not None:
        one, other = tournament.names[:2]
        yield (
            f"Corrected for the stopping of the test, {one} against {other}: {result.estimate} "
            "(the table is not corrected)"
        )
    if result.placing is not None:
        yield f"Placing: {'; '.join(_places(result.placing, result.exits))}"
    elif (stage := tournament.stage) is not None:
        yield f"Stage: {stage}" + "".join(
            f"; {out_in(exit)}: {', '.join(bots)}" for exit, bots in by_exit(result.exits)
        )
    if row.seed is not None:
        yield f"Development seed {row.seed}: bots could guess the cards, so this ranking proves nothing"


def _mode(plan: "Definition", contention: "ContentionRow | None") -> str:
    """Return the mode of the clocks."""
    time = plan.time
    if time.mode == "fast":
        return f"Mode fast, up to {plan.matches_at_once} matches at once"
    mode = f"Mode clock, one match on each core, {'with' if time.ponder else 'without'} pondering"
    if time.slot_ms:
        mode += f", a slot of {time.slot_ms} ms before each turn"
    if contention is None:
        return mode
    return f"{mode}; referee delay at most {contention.lag_us / 1000:.1f} ms, {contention.void} matches void"


def _places(placing: "Placing", exits: "Mapping[str, Message]") -> Iterator[str]:
    first = 1
    for bots in placing:
        stage = exits.get(bots[0])
        how = f" ({out_in(stage)})" if stage is not None else ""
        yield f"{first}{f'-{first + len(bots) - 1}' if len(bots) > 1 else ''} {', '.join(bots)}{how}"
        first += len(bots)


def _schedule(plan: "Definition") -> str:
    """Return the schedule, unless it is a round-robin."""
    if plan.schedule == "round-robin":
        return ""
    return f", {plan.schedule}" + (f" of {plan.stages} stages" if KINDS[plan.schedule].counts_stages else "")


def _per_stage(plan: "Definition") -> str:
    """Return what its number of rounds is of, in a schedule of stages."""
    return " per stage" if issubclass(KINDS[plan.schedule].format, MultiStage) else ""


def _teams(plan: "Definition") -> str:
    """Return the teams, in games that have them."""
    if not plan.team_of:
        return ""
    teams = len(set(plan.team_of))
    return f" in {teams} mixed teams" if plan.teams == "mixed" else f" in {teams} teams, one bot each"
