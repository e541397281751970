"""Builds a definition from an organiser's choices: fills in defaults and checks that it can be played."""

from collections.abc import Callable
from contextlib import suppress

from msgspec import structs

from arena.plan.author_separation import check_author_separation
from arena.plan.entropy import parse_entropy
from arena.plan.formats import KINDS, ScheduleKind
from arena.plan.start_times import check_start_time
from arena.plan.tie_break import DECISIVE_RULES, KNOCKOUT_TIE_BREAK
from arena.values.definition import BLOCK, Definition, Entrant, Settings, TieBreak, TimeControl
from arena.values.settings import MOST
from arena.values.stop_rule import BLOCK as STOP_BLOCK
from arena.values.stop_rule import StopRule
from arena.values.tournament_errors import PlanError
from referee.engine.errors import EngineError
from referee.engine.game import Game
from referee.engine.options import Options

_USUAL = Settings()

_USUAL_TIME = TimeControl()


def define(
    game: Game,
    options: Options,
    field: tuple[Entrant, ...],
    settings: Settings = _USUAL,
    *,
    time: TimeControl = _USUAL_TIME,
    stop: StopRule | None = None,
) -> Definition:
    """Return the definition of a tournament.

    Raises:
        PlanError: fewer than two bots, no rounds, mixed teams in a game without teams, or a schedule that cannot be
            played with these settings.
        SeatsError, OptionError: the game has no such table or option.
    """
    check_time_control(time)
    rounds = settings.rounds
    if rounds < 1:
        raise PlanError(f"a tournament has at least 1 round, not {rounds}")
    for name, number in (("rounds", rounds), ("stages", settings.stages), ("rounds of a block", settings.block)):
        if number > MOST:
            raise PlanError(f"there are at most {MOST:,} {name}, not {number}")
    if len(field) < 2:
        bot = field[0].name if field else "random"
        raise PlanError(
            f"a tournament needs at least 2 bots, not {len(field)}: "
            f'name another one, or "{bot},{bot}" to play a bot against itself'
        )
    seats = settings.seats or _default_seats(game, options, len(field))
    game.check(options, seats)
    team_of = game.teams(options, seats)
    has_teams = len(set(team_of)) < seats
    if not has_teams and settings.teams == "mixed":
        raise PlanError(
            f"{game.name} has no teams at tables of {seats}: leave out --teams, "
            "or see `arena games` for games and tables with teams"
        )
    kind = KINDS[settings.schedule]
    chosen = structs.asdict(settings) | {
        "seats": seats,
        "block": settings.block or (BLOCK if stop is None else STOP_BLOCK),
        "matches_at_once": 1 if time.mode == "clock" else settings.matches_at_once,
        "challengers": settings.challengers or int(kind.has_challengers),
        "tie_break": _complete_tie_break(kind, settings.tie_break),
        "entropy": parse_entropy(settings.entropy) if settings.entropy else "",
    }
    definition = Definition(
        game=game.name,
        options=options.given(),
        behaviour=game.behaviour,
        field=field,
        time=time.of_game(game),
        team_of=team_of if has_teams else (),
        stop=stop,
        **chosen,
    )
    _check_schedule(definition, kind)
    _check_tie_break(definition, kind)
    check_author_separation(definition, field, _table_size(definition))
    _check_remote(definition, kind)
    _check_in_process(definition)
    return definition


def check_time_control(time: TimeControl) -> None:
    """Raise PlanError for a clock whose settings contradict each other."""
    if time.fischer and not time.move_time_ms:
        raise PlanError("--fischer adds what is left of the move time to the bank: it needs a --move-time")
    if time.mode == "fast" and (time.ponder or time.most_lag_ms or time.slot_ms):
        raise PlanError("--ponder, --lag and --slot keep clocks fair: they need --mode clock")
    check_start_time(time.start_time_ms)
    if time.remote_ms < 1:
        raise PlanError("no bot connects in no time: give --reconnect at least 1ms, such as 30s")


def _complete_tie_break(kind: ScheduleKind, rules: tuple[TieBreak, ...]) -> tuple[TieBreak, ...]:
    """Return the tie-break rules; where each table needs a winner the last one must leave no ties."""
    if not kind.needs_winners:
        return rules
    rules = rules or KNOCKOUT_TIE_BREAK
    return rules if rules[-1] in DECISIVE_RULES else (*rules, "seed")


def _check_tie_break(definition: Definition, kind: ScheduleKind) -> None:
    """Raise PlanError if the tie-break rules do not suit the schedule or each other."""
    if definition.tie_break and not kind.breaks_ties:
        raise PlanError(f"on a {definition.schedule} a challenger that ties goes below: leave out --tie-break")
    if definition.tie_break and definition.teams == "mixed":
        raise PlanError("points of mixed teams belong to several bots and cannot place one: leave out --tie-break")
    if "strength" in definition.tie_break and not kind.strength_tells:
        raise PlanError(
            f"at a table of a {definition.schedule} all bots have met the same opponents, so strength separates none: "
            "leave it out of --tie-break"
        )
    if len(set(definition.tie_break)) < len(definition.tie_break):
        raise PlanError(f"--tie-break {','.join(definition.tie_break)} repeats a rule: name each at most once")
    for rule in definition.tie_break[:-1]:
        if rule in DECISIVE_RULES:
            raise PlanError(f"{rule} leaves no ties, so no rule can follow it in --tie-break")


def _table_size(definition: Definition) -> int:
    """Return the number of bots at a table."""
    return definition.seats if definition.teams == "mixed" or not definition.team_of else len(set(definition.team_of))


def _check_schedule(definition: Definition, kind: ScheduleKind) -> None:
    """Raise PlanError if the schedule cannot be played with these settings."""
    table_size = _table_size(definition)
    bots = len(definition.field)
    if definition.stop is not None and not kind.stops_early:
        having = _having(lambda kind: kind.stops_early)
        raise PlanError(f"--sprt and --until-separated need a {having}, not a {definition.schedule}")
    if definition.teams == "mixed" and not kind.mixes_teams:
        having = _having(lambda kind: kind.mixes_teams)
        raise PlanError(f"--teams mixed needs a {having}, not a {definition.schedule}")
    if kind.has_challengers and not 1 <= definition.challengers < bots:
        raise PlanError(
            f"a {definition.schedule} has 1 to {bots - 1} challengers in a field of {bots}, "
            f"not {definition.challengers}: --challengers says how many of the first --bots they are"
        )
    if definition.challengers and not kind.has_challengers:
        having = _having(lambda kind: kind.has_challengers)
        raise PlanError(f"a {definition.schedule} has no challengers: they need --schedule {having}")
    if kind.counts_stages and definition.stages < 1:
        raise PlanError(
            f"a {definition.schedule} has at least 1 stage, not {definition.stages}: set their number with --stages"
        )
    if definition.stages and not kind.counts_stages:
        having = _having(lambda kind: kind.counts_stages)
        raise PlanError(f"the stages of a {definition.schedule} follow from its field; only a {having} takes --stages")
    if kind.needs_full_table and bots < table_size:
        raise PlanError(
            f"a {definition.schedule} at tables of {table_size} needs at least {table_size} bots, not {bots}"
        )
    if definition.same_author == "apart" and not kind.separates_authors:
        raise PlanError(f"the pairings of a {definition.schedule} are fixed: leave out --same-author apart")


def _having(trait: Callable[[ScheduleKind], bool]) -> str:
    """Return the names of the schedules that have a trait, for an error."""
    return " or ".join(name for name, kind in KINDS.items() if trait(kind))


def _check_remote(definition: Definition, kind: ScheduleKind) -> None:
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
    if kind.repeats_deals:
        raise PlanError(
            f"a {definition.schedule} plays a deal at several tables, which a remote bot ({remote}) must not see"
        )
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
