"""Definitions from what an organiser wants: checked, with what was not said filled in."""

from contextlib import suppress

from arena.tournament.errors import PlanError
from arena.tournament.plan.authors import check_apart
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
from arena.tournament.plan.stop_rule import BLOCK as STOP_BLOCK
from arena.tournament.plan.stop_rule import StopRule
from arena.tournament.plan.tie_break import KNOCKOUT, SETTLING, TieBreak
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.options import Options

MOST = 2**31 - 1
"""Rounds, stages, and rounds of a block: deals are numbered with 31 bits."""


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
    """Return the definition of a tournament; without `seats`, tables of the recommended size or of the field's.

    Raises PlanError where there are no two bots or no round, mixed teams in a game without teams, or a schedule that
    cannot be played so; SeatsError or OptionError where the game is not played so.
    """
    if time is not None and time.mode == "fast" and (time.ponder or time.most_lag_ms or time.slot_ms):
        raise PlanError("--ponder, --lag and --slot say how clocks are kept fair: they go with --mode clock")
    if rounds < 1:
        raise PlanError(f"a tournament has at least 1 round, not {rounds}")
    for name, number in (("rounds", rounds), ("stages", stages), ("rounds of a block", block or 0)):
        if number > MOST:
            raise PlanError(f"there are at most {MOST:,} {name}, not {number}")
    if len(field) < 2:
        bot = field[0].name if field else "random"
        raise PlanError(
            f"a tournament compares at least 2 bots, not {len(field)}; "
            f'name another one, or "{bot},{bot}" to play a bot against itself'
        )
    if seats is None:
        seats = _usual_seats(game, options, len(field))
    game.check(options, seats)
    team_of = game.teams(options, seats)
    alone = len(set(team_of)) == seats
    if alone and teams == "mixed":
        raise PlanError(
            f"{game.name} has no teams at tables of {seats}, so none can be mixed: leave out --teams, "
            "or look at `arena games` for games and tables with teams"
        )
    made = Definition(
        game=game.name,
        options=options.given(),
        behaviour=game.behaviour,
        rounds=rounds,
        seats=seats,
        field=field,
        time=time or TimeControl(),
        teams=teams,
        team_of=() if alone else team_of,
        block=block or (BLOCK if stop is None else STOP_BLOCK),
        matches_at_once=1 if time is not None and time.mode == "clock" else matches_at_once,
        stop=stop,
        schedule=schedule,
        challengers=challengers,
        stages=stages,
        rotations=rotations,
        tie_break=_settled(schedule, tie_break),
        same_author=same_author,
        names=names,
        entropy=parse_entropy(entropy) if entropy else "",
    )
    _check_schedule(made)
    _check_ties(made)
    check_apart(made, field, _places(made))
    _check_remote(made)
    return made


def _settled(schedule: Schedule, rules: tuple[TieBreak, ...]) -> tuple[TieBreak, ...]:
    """Return the rules for ties; those of a knockout leave none, as somebody has to go on."""
    if schedule != "knockout":
        return rules
    rules = rules or KNOCKOUT
    return rules if rules[-1] in SETTLING else (*rules, "seed")


def _check_ties(plan: Definition) -> None:
    """Raise PlanError where the rules for ties make no sense."""
    if plan.tie_break and plan.schedule == "ladder":
        raise PlanError("on a ladder a tie goes below, so it takes no --tie-break")
    if plan.tie_break and plan.teams == "mixed":
        raise PlanError("points of mixed teams belong to several bots, so they place nobody: leave out --tie-break")
    if "strength" in plan.tie_break and plan.schedule == "knockout":
        raise PlanError(
            "at a table of a knockout all have met the same bots, so strength tells nobody apart: "
            "leave it out of --tie-break"
        )
    for rule in plan.tie_break[:-1]:
        if rule in SETTLING:
            raise PlanError(f"{rule} leaves no tie, so no rule can follow it in --tie-break")


def _places(plan: Definition) -> int:
    """Return the bots at a table."""
    return plan.seats if plan.teams == "mixed" or not plan.team_of else len(set(plan.team_of))


def _check_schedule(plan: Definition) -> None:
    """Raise PlanError where a schedule cannot be played so."""
    places = _places(plan)
    bots, challenging = len(plan.field), plan.schedule in ("gauntlet", "ladder")
    if plan.stop is not None and plan.schedule != "round-robin":
        raise PlanError(f"--sprt and --until-separated end a round-robin early, not a {plan.schedule}")
    if plan.teams == "mixed" and plan.schedule != "round-robin":
        raise PlanError(f"partners are drawn from the field in a round-robin only, not in a {plan.schedule}")
    if challenging and not 1 <= plan.challengers < bots:
        raise PlanError(
            f"a {plan.schedule} has 1 to {bots - 1} challengers in a field of {bots}, not {plan.challengers}: "
            "they are the first of --bots, and --challengers says how many"
        )
    if plan.challengers and not challenging:
        raise PlanError(f"a {plan.schedule} has no challengers; a gauntlet and a ladder have")
    if plan.schedule == "swiss" and plan.stages < 1:
        raise PlanError(f"a swiss has at least 1 stage, not {plan.stages}: --stages says how many")
    if plan.stages and plan.schedule != "swiss":
        raise PlanError(f"the stages of a {plan.schedule} follow from its field; only a swiss takes --stages")
    if plan.schedule in ("swiss", "knockout") and bots < places:
        raise PlanError(f"a {plan.schedule} at tables of {places} needs at least {places} bots, not {bots}")


def _check_remote(plan: Definition) -> None:
    """Raise PlanError where a remote bot would meet a deal twice, or see two hands of it: nothing makes it forget."""
    remote = ", ".join(bot.name for bot in plan.field if bot.remote)
    if not remote:
        return
    if plan.rotations != "none":
        raise PlanError(
            f"a remote bot ({remote}) cannot be made to forget a deal, so each is played once: --rotations none"
        )
    if plan.schedule == "gauntlet":
        raise PlanError(f"in a gauntlet a deal is played at several tables, which a remote bot ({remote}) must not see")
    if (plan.team_of and plan.teams == "one") or len(plan.field) < plan.seats:
        raise PlanError(
            f"a remote bot ({remote}) holds one seat of a table, as it would see the cards of both otherwise: name at "
            f"least {plan.seats} bots{', and --teams mixed' if plan.team_of and plan.teams == 'one' else ''}"
        )
    tokens = [bot.remote for bot in plan.field if bot.remote]
    if len(set(tokens)) < len(tokens):
        raise PlanError(f"a remote bot takes part once ({remote})")


def _usual_seats(game: Game, options: Options, bots: int) -> int:
    """Return the largest table up to the recommended size that the bots fill, each playing for one team.

    The smallest table of the game where they fill none.
    """
    fewest, most = game.seats[0], min(game.recommended, game.most_seats(options))
    for seats in range(most, fewest, -1):
        with suppress(EngineError):
            game.check(options, seats)
            if len(set(game.teams(options, seats))) <= bots:
                return seats
    return fewest
