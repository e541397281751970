"""The header of a tournament's table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.ratings.stopped_estimate import StoppedEstimate
    from arena.store.rows import ContentionRow, TournamentRow, VerdictRow
    from arena.store.stored_definition import StoredDefinition
    from arena.tournament.plan.multi_stage import Placing


def tournament_header(
    tournament: "TournamentRow",
    matches: int,
    decisions: int,
    seconds: float | None = None,
    verdict: "VerdictRow | None" = None,
    placing: "Placing | None" = None,
    contention: "ContentionRow | None" = None,
    undecided: str = "",
    estimate: "StoppedEstimate | None" = None,
) -> Iterator[str]:
    """Yield the lines: what was played, how, and from which seed.

    matches, decisions: the stored ones. seconds: their duration, where all were played just now. verdict: what ended
    the tournament early. placing: the final places. contention: referee delays and the matches void for them.
    undecided: the state of a test that has not ended it. estimate: the difference of the bots of a test.
    """
    plan = tournament.definition
    options = " ".join(f"{name}={value}" for name, value in sorted(tournament.options.items()))
    speed = f", {decisions / seconds:,.0f} decisions/s" if seconds and decisions else ""
    yield (
        f"Tournament {tournament.id}: {tournament.game}{' with ' + options if options else ''}, "
        f"{tournament.rounds} rounds at tables of {plan.seats}{_teams(plan)}{_schedule(plan)}, "
        f"{matches:,} of {tournament.matches:,} matches, {decisions:,} decisions{speed}"
    )
    yield f"{_mode(plan, contention)}; seed hash {tournament.secret_hash}"
    if announced := plan.entropy:
        yield f"Entropy {'is awaited' if tournament.entropy is None else tournament.entropy} ({announced})"
    if remote := [bot["name"] for bot in plan.field if bot.get("remote")]:
        yield f"Remote bots, whose machines and programs are unknown here: {', '.join(remote)}"
    if verdict is not None:
        yield f"Ended early: {verdict.sentence}; {verdict.matches:,} matches are rated"
    if undecided:
        yield f"Not decided: {undecided}"
    if plan.stop and verdict is None and tournament.finished is not None:
        further = f"arena tourney resume {tournament.id} --rounds {2 * tournament.rounds}"
        yield f"The last round is over and settled nothing; {further} goes on"
    if estimate is not None:
        one, other = tournament.names[:2]
        yield f"Corrected for the stopping of the test, {one} against {other}: {estimate} (the table is not corrected)"
    if placing is not None:
        yield f"Placing: {'; '.join(_places(placing))}"
    if tournament.seed is not None:
        yield f"Development seed {tournament.seed}: bots could guess the cards, so this ranking proves nothing"


LARGE = 10_000
"""The number of matches from which compiled rules are worth the time to compile them."""


def slow_parts(matches: int) -> Iterator[str]:
    """Yield a line for each part of this installation that could be faster. matches: how many are to be played."""
    from referee.build_info import chance_name, codec_name, compiled

    if codec_name() == "pure":
        yield "the codec runs in Python, not in C, and matches take longer; `arena doctor` says how to change that"
    elif chance_name() == "pure":
        yield "all chance is drawn in Python, not in C, and matches take longer; `arena doctor` says how to change that"
    if matches >= LARGE and not compiled():
        yield "the rules are interpreted; compiled ones, of `make fast`, are 2.5 times as fast"


def _mode(plan: "StoredDefinition", contention: "ContentionRow | None") -> str:
    """Return the mode of the clocks."""
    clock = plan.clock
    if clock is None or clock.mode == "fast":
        return f"Mode fast, up to {plan.matches_at_once} matches at once"
    mode = f"Mode clock, one match on each core, {'with' if clock.ponder else 'without'} pondering"
    if clock.slot_ms:
        mode += f", a slot of {clock.slot_ms} ms before each turn"
    if contention is None:
        return mode
    return f"{mode}; referee delay at most {contention.lag_us / 1000:.1f} ms, {contention.void} matches void"


def _places(placing: "Placing") -> Iterator[str]:
    first = 1
    for bots in placing:
        yield f"{first}{f'-{first + len(bots) - 1}' if len(bots) > 1 else ''} {', '.join(bots)}"
        first += len(bots)


def _schedule(plan: "StoredDefinition") -> str:
    """Return the schedule, unless it is a round-robin."""
    return f", {plan.schedule}" if plan.schedule != "round-robin" else ""


def _teams(plan: "StoredDefinition") -> str:
    """Return the teams, in games that have them."""
    if not plan.team_of:
        return ""
    teams = len(set(plan.team_of))
    return f" in {teams} mixed teams" if plan.teams == "mixed" else f" in {teams} teams, one bot each"
