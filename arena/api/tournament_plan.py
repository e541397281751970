"""What is settled before a tournament is played: from the parameters of the library, or from the database."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import click

from arena.api.databases import Database
from arena.api.field import Bots, NewBot, find_field
from arena.api.grants import Grants, Secrets, read_secrets, with_grants
from arena.api.settings import (
    Clocks,
    Duration,
    GameOptions,
    StartTimes,
    bot_clocks,
    check_choice,
    check_seed,
    game_options,
    start_times,
    time_control,
)
from arena.packs.roster import Roster
from arena.plan.bot_clocks import with_clocks
from arena.plan.definition_builder import define
from arena.plan.entropy import check_entropy_known
from arena.plan.formats import format_of
from arena.plan.new_event import new_event
from arena.plan.secret import new_secret
from arena.plan.start_times import with_start_times
from arena.results.stored_tournament import StoredTournament
from arena.run.hosting import Hosting
from arena.store import open_store
from arena.values.definition import ROTATIONS, SCHEDULES, Definition, Mode, Rotations, Schedule, Settings
from arena.values.rows import NewEvent
from arena.values.stop_rule import StopRule, parse_sprt
from arena.values.tournament_errors import HostingError, PlanError
from referee.engine.registry import game as game_named
from referee.sandbox.cpu_supply import usable_cores


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament that can be played: what it is, and how it is played here."""

    definition: Definition
    """The definition, with the bots as they lie on this machine."""
    in_process: Mapping[str, NewBot]
    """By name, what makes each in-process bot."""
    event: NewEvent | int
    """The tournament itself; the number of one that is stored already."""
    left: int
    """The number of matches that are not stored yet."""
    hosting: Hosting
    jobs: int
    """The number of referee processes."""


def plan_new(
    game: str,
    bots: Bots,
    rounds: int,
    seats: int | None,
    options: GameOptions | None,
    seed: int | None,
    schedule: Schedule,
    challengers: int | None,
    stages: int,
    rotations: Rotations,
    sprt: str | None,
    until_separated: bool,
    move_time: Duration,
    bank: Duration,
    fischer: bool,
    clocks: Clocks | None,
    start: Duration | StartTimes,
    ready: Duration,
    mode: Mode,
    grants: Grants | None,
    secrets: Secrets | None,
    jobs: int | None,
    trust_bots: bool | None,
    db: Database | None,
) -> TournamentPlan:
    """Return a new tournament; parameters as in `arena.api.tournament`. Raises ArenaError or EngineError."""
    check_choice("schedule", schedule, SCHEDULES)
    check_choice("rotations", rotations, ROTATIONS)
    hosting = Hosting(trusted=_is_trusted(trust_bots), secrets=read_secrets(secrets))
    rules = game_named(game)
    field = with_grants(find_field(bots, game, db), grants)
    if len(field.entrants) < 2:
        raise PlanError("a tournament needs at least 2 bots: add another one, or name one twice in a list")
    usual, times = start_times(start)
    settings = Settings(
        rounds=rounds,
        seats=seats or 0,
        schedule=schedule,
        challengers=challengers or 0,
        stages=stages,
        rotations=rotations,
    )
    definition = define(
        rules,
        game_options(rules, options),
        with_clocks(with_start_times(field.entrants, times), bot_clocks(clocks)),
        settings,
        time=time_control(move_time, bank, fischer, usual, ready, mode),
        stop=_stop_rule(sprt, until_separated),
    )
    confinement = hosting.check_rated_mode(definition.field)
    number = check_seed(seed)
    secret = new_secret(number)
    matches = format_of(definition, secret).matches
    event = new_event(definition, secret, number, matches, confinement)
    return TournamentPlan(definition, field.in_process, event, matches, hosting, _checked_jobs(jobs, definition))


def plan_resumed(
    db: Database, tournament: int, bots: Bots, secrets: Secrets | None, jobs: int | None, trust_bots: bool | None
) -> TournamentPlan:
    """Return a stored tournament; parameters as in `arena.api.resume_tournament`. Raises ArenaError or EngineError."""
    hosting = Hosting(trusted=_is_trusted(trust_bots), secrets=read_secrets(secrets))
    with open_store(str(db), write=True) as store:
        stored = StoredTournament.load(store, tournament)
        field = find_field(bots, stored.game, db)
        fingerprints = {bot.name: bot.sha256 for bot in field.entrants if bot.in_process}
        definition = stored.resumable_definition(Roster(str(db), store.submissions.all()), fingerprints)
        if remote := ", ".join(bot.name for bot in definition.field if bot.remote):
            raise PlanError(f"tournament {stored.id} has remote bots ({remote}): resume it with `arena tourney resume`")
        check_entropy_known(stored.row)
        hosting.check_rated_mode(definition.field)
        left = stored.row.matches - store.count(stored.id)
    return TournamentPlan(definition, field.in_process, stored.id, left, hosting, _checked_jobs(jobs, definition))


def _is_trusted(trust_bots: bool | None) -> bool:
    """Return whether programs are trusted; without a word of the caller the environment says it, as to commands.

    Raises HostingError if it says neither yes nor no.
    """
    if trust_bots is not None:
        return trust_bots
    text = os.environ.get("ARENA_TRUST_BOTS")
    try:
        return bool(text) and click.BOOL.convert(text, None, None)
    except click.BadParameter as error:
        raise HostingError(f"the environment variable ARENA_TRUST_BOTS: {error.message}") from None


def _stop_rule(sprt: str | None, until_separated: bool) -> StopRule | None:
    if sprt is not None and until_separated:
        raise PlanError("sprt and until_separated exclude each other")
    return StopRule("separated", control="familywise") if until_separated else parse_sprt(sprt) if sprt else None


def _checked_jobs(jobs: int | None, definition: Definition) -> int:
    """Return how many referees play. Raises PlanError where clocks could not be fair with so many."""
    if jobs is None:
        # One referee keeps one interpreter busy; with two its threads wait for each other, and all takes longer.
        return 1 if all(bot.in_process for bot in definition.field) else usable_cores()
    if jobs < 1:
        raise PlanError(f"jobs is at least 1, not {jobs}")
    if definition.time.mode == "clock" and jobs > usable_cores():
        raise PlanError(f"mode clock plays one match per core: use jobs={usable_cores()} or fewer, not {jobs}")
    return jobs
