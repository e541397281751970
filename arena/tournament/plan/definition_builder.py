"""Builds a definition from an organiser's choices: fills in defaults and checks that it can be played."""

from contextlib import suppress

from arena.tournament.errors import PlanError
from arena.tournament.plan.authors import check_author_separation
from arena.tournament.plan.definition import (
    BLOCK,
    MATCHES_AT_ONCE,
    Definition,
    Entrant,
    Rotations,
    SameAuthor,
    Schedule,
    Teams,
    TimeControl,
)
from arena.tournament.plan.entropy import parse_entropy
from arena.tournament.plan.start_times import check_start_time
from arena.tournament.plan.stop_rule import BLOCK as STOP_BLOCK
from arena.tournament.plan.stop_rule import StopRule
from arena.tournament.plan.tie_break import DECISIVE_RULES, KNOCKOUT_TIE_BREAK, TieBreak
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.options import Options

MAX_COUNT = 2**31 - 1
"""Limit of rounds, stages, and rounds of a block: deal numbers have 31 bits."""


def define(
    game: Game,
    options: Options,
    field: tuple[Entrant, ...],
    *,
    rounds: int,
    seats: int | None = None,
    teams: Teams = "one",
    time: TimeControl | None = None,
    stop: StopRule | None = None,
    schedule: Schedule = "round-robin",
    challengers: int = 0,
    stages: int = 0,
    rotations: Rotations = "cycle",
    block: int | None = None,
    matches_at_once: int = MATCHES_AT_ONCE,
    tie_break: tuple[TieBreak, ...] = (),
    same_author: SameAuthor = "any",
    names: bool = False,
    entropy: str = "",
) -> Definition:
    """Return the definition of a tournament.

    seats: by default the recommended number, or fewer if the field is smaller.

    Raises:
        PlanError: fewer than two bots, no rounds, mixed teams in a game without teams, or a schedule that cannot be
            played with these settings.
        SeatsError, OptionError: the game has no such table or option.
    """
    if time is not None:
        check_time_control(time)
    if rounds < 1:
        raise PlanError(f"a tournament has at least 1 round, not {rounds}")
    for name, number in (("rounds", rounds), ("stages", stages), ("rounds of a block", block or 0)):
        if number > MAX_COUNT:
            raise PlanError(f"there are at most {MAX_COUNT:,} {name}, not {number}")
    if len(field) < 2:
        bot = field[0].name if field else "random"
        raise PlanError(
            f"a tournament needs at least 2 bots, not {len(field)}: "
            f'name another one, or "{bot},{bot}" to play a bot against itself'
        )
    if seats is None:
        seats = _default_seats(game, options, len(field))
    game.check(options, seats)
    team_of = game.teams(options, seats)
    has_teams = len(set(team_of)) < seats
    if not has_teams and teams == "mixed":
        raise PlanError(
            f"{game.name} has no teams at tables of {seats}: leave out --teams, "
            "or see `arena games` for games and tables with teams"
        )
    definition = Definition(
        game=game.name,
        options=options.given(),
        behaviour=game.behaviour,
        rounds=rounds,
        seats=seats,
        field=field,
        time=time or TimeControl(),
        teams=teams,
        team_of=team_of if has_teams else (),
        block=block or (BLOCK if stop is None else STOP_BLOCK),
        matches_at_once=1 if time is not None and time.mode == "clock" else matches_at_once,
        stop=stop,
        schedule=schedule,
        challengers=challengers,
        stages=stages,
        rotations=rotations,
        tie_break=_complete_tie_break(schedule, tie_break),
        same_author=same_author,
        names=names,
        entropy=parse_entropy(entropy) if entropy else "",
    )
    _check_schedule(definition)
    _check_tie_break(definition)
    check_author_separation(definition, field, _table_size(definition))
    _check_remote(definition)
    _check_in_process(definition)
    return definition


def check_time_control(time: TimeControl) -> None:
    """Raise PlanError for a clock whose settings contradict each other."""
    if time.fischer and not time.move_time_ms:
        raise PlanError("--fischer adds what is left of the move time to the bank: it needs a --move-time")
    if time.mode == "fast" and (time.ponder or time.most_lag_ms or time.slot_ms):
        raise PlanError("--ponder, --lag and --slot keep clocks fair: they need --mode clock")
    check_start_time(time.start_time_ms)


def _complete_tie_break(schedule: Schedule, rules: tuple[TieBreak, ...]) -> tuple[TieBreak, ...]:
    """Return the tie-break rules; in a knockout the last rule must leave no ties, because somebody has to advance."""
    if schedule != "knockout":
        return rules
    rules = rules or KNOCKOUT_TIE_BREAK
    return rules if rules[-1] in DECISIVE_RULES else (*rules, "seed")


def _check_tie_break(definition: Definition) -> None:
    """Raise PlanError if the tie-break rules do not suit the schedule or each other."""
    if definition.tie_break and definition.schedule == "ladder":
        raise PlanError("on a ladder a challenger that ties goes below: leave out --tie-break")
    if definition.tie_break and definition.teams == "mixed":
        raise PlanError("points of mixed teams belong to several bots and cannot place one: leave out --tie-break")
    if "strength" in definition.tie_break and definition.schedule == "knockout":
        raise PlanError(
            "at a table of a knockout all bots have met the same opponents, so strength separates none: "
            "leave it out of --tie-break"
        )
    for rule in definition.tie_break[:-1]:
        if rule in DECISIVE_RULES:
            raise PlanError(f"{rule} leaves no ties, so no rule can follow it in --tie-break")


def _table_size(definition: Definition) -> int:
    """Return the number of bots at a table."""
    return definition.seats if definition.teams == "mixed" or not definition.team_of else len(set(definition.team_of))


def _check_schedule(definition: Definition) -> None:
    """Raise PlanError if the schedule cannot be played with these settings."""
    table_size = _table_size(definition)
    bots, has_challengers = len(definition.field), definition.schedule in ("gauntlet", "ladder")
    if definition.stop is not None and definition.schedule != "round-robin":
        raise PlanError(f"--sprt and --until-separated need a round-robin, not a {definition.schedule}")
    if definition.teams == "mixed" and definition.schedule != "round-robin":
        raise PlanError(f"--teams mixed needs a round-robin, not a {definition.schedule}")
    if has_challengers and not 1 <= definition.challengers < bots:
        raise PlanError(
            f"a {definition.schedule} has 1 to {bots - 1} challengers in a field of {bots}, "
            f"not {definition.challengers}: --challengers says how many of the first --bots they are"
        )
    if definition.challengers and not has_challengers:
        raise PlanError(f"a {definition.schedule} has no challengers: they need --schedule gauntlet or ladder")
    if definition.schedule == "swiss" and definition.stages < 1:
        raise PlanError(f"a swiss has at least 1 stage, not {definition.stages}: set their number with --stages")
    if definition.stages and definition.schedule != "swiss":
        raise PlanError(f"the stages of a {definition.schedule} follow from its field; only a swiss takes --stages")
    if definition.schedule in ("swiss", "knockout") and bots < table_size:
        raise PlanError(
            f"a {definition.schedule} at tables of {table_size} needs at least {table_size} bots, not {bots}"
        )


def _check_remote(definition: Definition) -> None:
    """Raise PlanError if a remote bot would meet a deal twice or see two hands of it.

    Its process runs on another machine, so arena cannot replace it by a fresh one.
    """
    remote = ", ".join(bot.name for bot in definition.field if bot.remote)
    if not remote:
        return
    if definition.rotations != "none":
        raise PlanError(
            f"a remote bot ({remote}) could remember a deal, so it must be played only once: --rotations none"
        )
    if definition.schedule == "gauntlet":
        raise PlanError(f"a gauntlet plays a deal at several tables, which a remote bot ({remote}) must not see")
    is_whole_team = bool(definition.team_of) and definition.teams == "one"
    if is_whole_team or len(definition.field) < definition.seats:
        raise PlanError(
            f"a remote bot ({remote}) may hold only one seat of a table, or it would see several hands: name at "
            f"least {definition.seats} bots{', and --teams mixed' if is_whole_team else ''}"
        )
    tokens = [bot.remote for bot in definition.field if bot.remote]
    if len(set(tokens)) < len(tokens):
        raise PlanError(f"a remote bot can be entered only once ({remote})")


def _check_in_process(definition: Definition) -> None:
    """Raise PlanError if in-process bots play in mode clock, where the CPU time of each process is its bot's."""
    names = ", ".join(bot.name for bot in definition.field if bot.in_process)
    if names and definition.time.mode == "clock":
        raise PlanError(
            f"an in-process bot ({names}) shares its process with others, so its clock cannot be fair: play in mode "
            "fast, or write the bot to a file of its own"
        )


def _default_seats(game: Game, options: Options, bots: int) -> int:
    """Return the largest table up to the recommended size that the bots fill, with one bot for each team.

    If they fill none, return the smallest table of the game.
    """
    fewest, most = game.seats[0], min(game.recommended, game.most_seats(options))
    for seats in range(most, fewest, -1):
        with suppress(EngineError):
            game.check(options, seats)
            if len(set(game.teams(options, seats))) <= bots:
                return seats
    return fewest
