"""One match without a tournament: the bots sit down in the order named, once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import trio

from arena.plan.match_prefix import MatchPrefix
from arena.plan.new_event import new_event
from arena.plan.schedule import Deal, MatchPlan
from arena.plan.seating import Player
from arena.plan.secret import match_seed, new_secret
from arena.run.database_retry import DatabaseRetry
from arena.run.dispatcher import REPEATS
from arena.run.exception_groups import unwrap_group
from arena.run.hosting import USUAL, Hosting
from arena.run.record_rows import failure_row, match_row, output_rows
from arena.run.referee_process import EarlyReferees
from arena.run.referees import running
from arena.run.work_units import WorkUnit
from arena.store import Store
from arena.values.definition import Definition, Entrant, TimeControl
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow, NewEvent, OutputRow, StoredMatch
from arena.values.tournament_errors import RefereeError
from referee.engine.game import Game
from referee.engine.options import Options
from referee.process.awake_clock import run_awake
from referee.v1.work_pb2 import Invitation
from referee.wire import write_redeal

Invite = Callable[[Invitation], None]


def _nobody(invitation: Invitation) -> None:
    """Let nobody know: no bot is attached."""


@dataclass(frozen=True, slots=True)
class Single:
    """A match that was played: what `Store.add_single` takes."""

    frame: NewEvent
    match: MatchRow
    outputs: tuple[OutputRow, ...]
    failures: tuple[ProcessFailureRow, ...] = ()


def play_single(
    game: Game,
    options: Options,
    field: tuple[Entrant, ...],
    *,
    seed: int | None = None,
    time: TimeControl | None = None,
    hosting: Hosting = USUAL,
    say: Callable[[str], None],
    invite: Invite = _nobody,
    early: EarlyReferees | None = None,
) -> Single:
    """Play one match of the bots of `field`, seated in that order.

    seed: the number after --seed, or None for a random deal.
    hosting: how the bots are run.
    say: is told what the referee prints.
    invite: is told where the bots dial that are attached; `Invitation.player` is their seat.
    early: has the referee, if it was started already, on no core of its own.

    Raises SeatsError or OptionError where the game is not played so, RefereeError where no referee can play it.
    """
    return run_awake(
        partial(
            single, game, options, field, seed=seed, time=time, hosting=hosting, say=say, invite=invite, early=early
        )
    )


async def single(
    game: Game,
    options: Options,
    field: tuple[Entrant, ...],
    *,
    seed: int | None = None,
    opening: MatchPrefix | None = None,
    time: TimeControl | None = None,
    hosting: Hosting = USUAL,
    say: Callable[[str], None],
    invite: Invite = _nobody,
    early: EarlyReferees | None = None,
) -> Single:
    """Play one match, as `play_single`, under trio.

    opening: the beginning of a match from which it goes on.
    """
    game.check(options, len(field))
    definition = Definition(
        game=game.name,
        options=options.given(),
        behaviour=game.behaviour,
        rounds=1,
        seats=len(field),
        field=field,
        time=(time or TimeControl()).of_game(game),
        matches_at_once=1,
        opening=(opening.match, opening.answers) if opening else None,
        redeal=opening.redeal.to_json() if opening and opening.redeal else None,
    )
    hosting.check_grants(field)
    secret = opening.secret if opening else new_secret(seed)
    frame = new_event(definition, secret, seed, 1, hosting.check_mode())
    try:
        return Single(frame, *await _play(definition, secret, opening, hosting, say, invite, early))
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


def keep(store: Store, played: Single, say: Callable[[str], None]) -> StoredMatch:
    """Store a match that was played, and return it; a database that is locked or full is waited for.

    say: is told what people should read meanwhile.

    Raises StoreError where the database refuses, or cannot be used for an hour.
    """
    add = partial(store.add_single, played.frame, played.match, played.outputs, played.failures)
    return store.match(run_awake(DatabaseRetry(store, say).call, add))


async def _play(
    definition: Definition,
    secret: bytes,
    opening: MatchPrefix | None,
    hosting: Hosting,
    say: Callable[[str], None],
    invite: Invite,
    early: EarlyReferees | None,
) -> tuple[MatchRow, tuple[OutputRow, ...], tuple[ProcessFailureRow, ...]]:
    players = tuple(Player(seat, 0) for seat in range(definition.seats))
    deal = opening.deal if opening else 0
    plan = MatchPlan(0, Deal(deal, 0, 0, players), 0, players)
    unit = WorkUnit(0, {0: plan})
    order = unit.message(definition, secret, (), hosting)
    if opening:
        order.matches[0].opening = opening.packed
        for said in opening.says:
            order.matches[0].opening_says.add(seat=said.seat, ply=said.ply, text=said.text)
        if opening.redeal:
            write_redeal(order.matches[0], opening.redeal)
    row: MatchRow | None = None
    repeats = 0
    failures: list[ProcessFailureRow] = []
    process = early.take(None) if early is not None else None
    async with trio.open_nursery() as nursery, running(nursery, None, say, process) as referee:
        referee.play(order)
        async for response in referee.messages:
            for invitation in response.invitations:
                invite(invitation)
            failures.extend(failure_row(failure, unit) for failure in response.process_failures)
            for record in response.records:
                row = match_row(record, plan, unit, match_seed(secret, deal, definition.game))
            for end in response.ends:
                if row is not None:
                    return row, tuple(output_rows(end, unit)), tuple(failures)
                repeats += 1
                if repeats == REPEATS:
                    raise RefereeError(f"the match came to no result {REPEATS} times in a row: the machine is too busy")
                failures.clear()  # they belong to a match that is void
                referee.play(order)
            if response.error:
                raise RefereeError(f"the referee ended before the match was over: {response.error}")
        raise RefereeError("the referee ended before the match was over" + await referee.why())
