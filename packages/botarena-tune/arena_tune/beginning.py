"""Settles a run before its first iteration, and stores it."""

from dataclasses import dataclass

from msgspec.structs import replace

from arena.cli.tournament_options import RefereeOptions
from arena.packs.roster import open_roster
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, make_names_unique, samples
from arena.plan.schedule import Plan
from arena.plan.secret import new_secret
from arena.run.hosting import Hosting
from arena.store import open_store
from arena.values.definition import Entrant, Settings, TimeControl
from arena.values.settings import MOST
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter
from arena_tune.plan import GRID, SPSA, TunePlan
from arena_tune.searches import grid_size, new_search
from arena_tune.spsa import usual_rate
from arena_tune.stored_runs import TuneRuns
from arena_tune.tuned_bot import TunedBot, find_tuned_bot
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
    rate: float | None = None
    side_by_side: int | None = None
    seed: int | None = None
    search: str = SPSA
    against: str | None = None
    """The bot that candidates play."""


def begin(new: NewRun, db: str, referees: RefereeOptions, hosting: Hosting) -> int:
    """Store a run, and return its number. Raises ArenaError or EngineError for whatever cannot be played."""
    bot = find_tuned_bot(new.bot, new.game.name, db, new.declared)
    iterations = grid_size(bot.parameters, new.iterations) if new.search == GRID else new.iterations
    rounds = iterations * new.deals
    if rounds > MOST:
        raise TuneError(f"{iterations:,} iterations of {new.deals:,} deals are more than {MOST:,} deals")
    field = _field(new, bot, db)
    settings = replace(new.settings, rounds=rounds, block=new.deals)
    definition = define(new.game, new.options, field, settings, time=new.time)
    referees.check(definition, hosting)
    hosting.check_rated_mode(definition.field)
    secret = new_secret(new.seed)
    schedule = Plan.of(definition, secret)
    side_by_side = new.side_by_side or -(-(referees.jobs or usable_cores()) // schedule.rotations) + 1
    plan = TunePlan(
        bot=new.bot,
        name=bot.entrant.name,
        parameters=bot.parameters,
        iterations=iterations,
        search=new.search,
        side_by_side=min(side_by_side, iterations),
        rate=new.rate or usual_rate(schedule.matches),
        manifest=bot.manifest,
        against=new.against or "",
    )
    new_search(plan, secret)  # its library may be missing
    with open_store(db, create=True, write=True) as store:
        return TuneRuns(store).add(new.game.name, definition, plan, secret, new.seed)


def _field(new: NewRun, bot: TunedBot, db: str) -> tuple[Entrant, ...]:
    """Return both bots of each iteration, with placeholders in their commands."""
    if new.search == SPSA:
        if new.against is not None:
            raise TuneError("--search spsa plays the bot against itself: leave out --against, or take --search tpe")
        return tuple(replace(bot.entrant, name=f"{bot.entrant.name}{sign}") for sign in "+-")
    if new.rate is not None:
        raise TuneError(f"--rate is one of --search spsa: leave it out with --search {new.search}")
    if new.against is None:
        return bot.entrant, replace(bot.entrant, name=f"{bot.entrant.name}-start")
    game = new.game.name
    return make_names_unique((bot.entrant, *find_bots([new.against], samples(game), open_roster(db), game=game)))
