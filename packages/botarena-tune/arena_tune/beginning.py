"""Settles a run before its first iteration, and stores it."""

from dataclasses import dataclass

from msgspec.structs import replace

from arena.cli.tournament_options import RefereeOptions
from arena.plan.definition_builder import define
from arena.plan.schedule import Plan
from arena.plan.secret import new_secret
from arena.run.hosting import Hosting
from arena.store import open_store
from arena.values.definition import Settings, TimeControl
from arena.values.settings import MOST
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter
from arena_tune.plan import SPSA, TunePlan
from arena_tune.spsa import usual_rate
from arena_tune.stored_runs import TuneRuns
from arena_tune.tuned_bot import find_tuned_bot
from referee.engine.game import Game
from referee.engine.options import Options
from referee.sandbox.cpu_supply import usable_cores


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run as its author wants it. None: as usual."""

    bot: str
    """The bot as it was named."""
    game: Game
    options: Options
    settings: Settings
    """Of the tournaments that its iterations are; its rounds follow from the numbers below."""
    time: TimeControl
    declared: tuple[Parameter, ...]
    """The parameters of the command line and of files."""
    iterations: int
    deals: int
    """Of an iteration."""
    rate: float | None
    side_by_side: int | None
    seed: int | None
    search: str = SPSA


def begin(new: NewRun, db: str, referees: RefereeOptions, hosting: Hosting) -> int:
    """Store a run, and return its number. Raises ArenaError or EngineError for whatever cannot be played."""
    bot = find_tuned_bot(new.bot, new.game.name, db, new.declared)
    rounds = new.iterations * new.deals
    if rounds > MOST:
        raise TuneError(f"{new.iterations:,} iterations of {new.deals:,} deals are more than {MOST:,} deals")
    field = tuple(replace(bot.entrant, name=f"{bot.entrant.name}{sign}") for sign in "+-")
    settings = replace(new.settings, rounds=rounds, block=new.deals)
    definition = define(new.game, new.options, field, settings, time=new.time)
    referees.check(definition, hosting)
    hosting.check_rated_mode(definition.field)
    secret = new_secret(new.seed)
    schedule = Plan.of(definition, secret)
    side_by_side = new.side_by_side or -(-(referees.jobs or usable_cores()) // schedule.rotations) + 1
    plan = TunePlan(
        bot=new.bot,
        parameters=bot.parameters,
        iterations=new.iterations,
        search=new.search,
        side_by_side=min(side_by_side, new.iterations),
        rate=new.rate or usual_rate(schedule.matches),
        manifest=bot.manifest,
    )
    with open_store(db, create=True, write=True) as store:
        return TuneRuns(store).add(new.game.name, definition, plan, secret, new.seed)
