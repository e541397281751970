"""What stands above the table of a tournament, whoever prints it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store.rows import ContentionRow, Tournament
    from arena.tournament.plan.multi_stage import Placing
    from arena.tournament.results.early_stopping import Verdict


def tournament_header(
    tournament: "Tournament",
    matches: int,
    decisions: int,
    seconds: float | None = None,
    verdict: "Verdict | None" = None,
    placing: "Placing | None" = None,
    strain: "ContentionRow | None" = None,
    undecided: str = "",
) -> Iterator[str]:
    """Yield the lines: what was played, how, and from which seed.

    matches, decisions: that are stored. seconds: that they took, where they were all played just now.
    verdict: what ended it early. placing: who came in where. strain: what the machine could not give in time.
    undecided: how a test stands that has not ended it.
    """
    plan = tournament.definition
    options = " ".join(f"{name}={value}" for name, value in sorted(tournament.options.items()))
    speed = f", {decisions / seconds:,.0f} decisions/s" if seconds and decisions else ""
    yield (
        f"Tournament {tournament.id}: {tournament.game}{' with ' + options if options else ''}, "
        f"{plan['rounds']} rounds at tables of {plan['seats']}{_teams(plan)}{_schedule(plan)}, "
        f"{matches:,} of {tournament.matches:,} matches, {decisions:,} decisions{speed}"
    )
    yield f"{_mode(plan, strain)}; seed hash {tournament.secret_hash}"
    if told := plan.get("entropy"):
        yield f"Entropy {'is awaited' if tournament.entropy is None else tournament.entropy} ({told})"
    if remote := [bot["name"] for bot in plan.get("field", ()) if bot.get("remote")]:
        yield f"Played from elsewhere, on machines and by programs that nobody here has seen: {', '.join(remote)}"
    if verdict is not None:
        yield f"Ended early: {verdict.sentence}; {verdict.matches:,} matches are rated"
    if undecided:
        yield f"Not decided: {undecided}"
    if placing is not None:
        yield f"Placing: {'; '.join(_places(placing))}"
    if tournament.seed is not None:
        yield f"Development seed {tournament.seed}: bots could guess the cards, so this ranking proves nothing"


def _mode(plan: Mapping[str, Any], strain: "ContentionRow | None") -> str:
    """Return how clocks were kept."""
    time = plan.get("time", {})
    if time.get("mode", "fast") == "fast":  # older definitions have none
        return f"Mode fast, up to {plan['matches_at_once']} matches at once"
    told = f"Mode clock, one match on each core, {'with' if time['ponder'] else 'without'} pondering"
    if slot := time.get("slot_ms"):
        told += f", a slot of {slot} ms before each turn"
    if strain is None:
        return told
    return (
        f"{told}; referees kept answers waiting for {strain.lag_us / 1000:.1f} ms at most, {strain.void} matches void"
    )


def _places(placing: "Placing") -> Iterator[str]:
    first = 1
    for bots in placing:
        yield f"{first}{f'-{first + len(bots) - 1}' if len(bots) > 1 else ''} {', '.join(bots)}"
        first += len(bots)


def _schedule(plan: Mapping[str, Any]) -> str:
    """Return who meets whom, where that is not everybody."""
    schedule = plan.get("schedule")
    return f", {schedule}" if isinstance(schedule, str) and schedule != "round-robin" else ""


def _teams(plan: Mapping[str, Any]) -> str:
    """Return who plays together, where anybody does."""
    if not plan.get("team_of"):  # older definitions have none
        return ""
    teams = len(set(plan["team_of"]))
    return f" in {teams} mixed teams" if plan["teams"] == "mixed" else f" in {teams} teams, one bot each"
