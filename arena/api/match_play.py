"""Plays single matches."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import trio

from arena.api.background import StopRequest, wait_for, wait_for_async
from arena.api.databases import Database, temporary_unless
from arena.api.errors import library_errors
from arena.api.field import Bots, Field, find_field
from arena.api.grants import Grants, Secrets, read_secrets, with_grants
from arena.api.in_process import InProcessBots
from arena.api.match import Match
from arena.api.progress import log_line
from arena.api.settings import (
    Clocks,
    Duration,
    GameOptions,
    StartTimes,
    bot_clocks,
    check_seed,
    game_options,
    start_times,
    time_control,
)
from arena.plan.bot_clocks import with_clocks
from arena.plan.start_times import with_start_times
from arena.run.exception_groups import unwrap_group
from arena.run.hosting import Hosting
from arena.run.referee_process import EarlyReferees
from arena.run.single_match import Single, keep, single
from arena.store import open_store
from referee.engine.registry import game as game_named
from referee.process.awake_clock import run_awake
from referee.v1.work_pb2 import Invitation


def play(
    game: str,
    bots: Bots,
    *,
    options: GameOptions | None = None,
    seed: int | None = None,
    move_time: Duration = 1.0,
    bank: Duration = 10.0,
    fischer: bool = False,
    clocks: Clocks | None = None,
    start: Duration | StartTimes = 10.0,
    ready: Duration = 10.0,
    grants: Grants | None = None,
    secrets: Secrets | None = None,
    db: Database | None = None,
) -> Match:
    """Play one match and return it.

    The bots take the seats in the order given, and the rules, the clock and the record are those of `arena match`.
    Matches are no experiment: `tournament` plays every deal in all rotations, and rates.

    game: its id, such as "cambio".
    bots: a list, or a dict by name. A text is a bot as on the command line: a sample bot ("random"), a submitted bot
        ("club/owl"), the path of a program, or a command line; it plays in a sandboxed process. A function that takes a
        `Question` and returns a move, or a class with such a method `choose` (a subclass of `Bot`, usually), is an
        in-process bot: it plays in a thread of this process, unconfined.
    options: of the game, by name: {"chips": 10}.
    seed: derives the deal from a number from 0; None: from chance.
    move_time: for each answer, in seconds or as text ("500ms"); 0 is no limit, for a debugger.
    bank: extra time of each seat for the whole match, likewise.
    fischer: add what an answer leaves of the move time to the bank: a clock of `bank` with increments of `move_time`.
    clocks: of single bots, instead of that of all (time odds): {"owl": {"move_time": "200ms", "bank": 5}}; "increment"
        in the place of "move_time" makes a clock with increments.
    start: from the start of a process to its hello, for all bots or for single ones: {"owl": "60s"}.
    ready: before each match, for bots that ask for it (`wants_ready`), whose clock does not run then; 0 is no limit.
    grants: what single bots in processes get beyond others: {"owl": ["network", "device:/dev/nvidia0"]}.
    secrets: environment variables that single bots in processes get, with their values: {"owl": ["LLM_API_KEY"]}. They
        are stored nowhere.
    db: where the match is stored: a file, made if it does not exist, or a PostgreSQL URL. None: nowhere.

    Raises ArenaError with a sentence for whatever cannot be played, and what an in-process bot raises. Ctrl-C ends all
    processes first.
    """
    return wait_for(_prepare(**locals()))


async def play_async(
    game: str,
    bots: Bots,
    *,
    options: GameOptions | None = None,
    seed: int | None = None,
    move_time: Duration = 1.0,
    bank: Duration = 10.0,
    fischer: bool = False,
    clocks: Clocks | None = None,
    start: Duration | StartTimes = 10.0,
    ready: Duration = 10.0,
    grants: Grants | None = None,
    secrets: Secrets | None = None,
    db: Database | None = None,
) -> Match:
    """Play one match as `play`, in a coroutine of asyncio or trio, which may be cancelled."""
    return await wait_for_async(_prepare(**locals()))


def _prepare(
    game: str,
    bots: Bots,
    options: GameOptions | None,
    seed: int | None,
    move_time: Duration,
    bank: Duration,
    fischer: bool,
    clocks: Clocks | None,
    start: Duration | StartTimes,
    ready: Duration,
    grants: Grants | None,
    secrets: Secrets | None,
    db: Database | None,
) -> Callable[[StopRequest], Match]:
    """Check what can be checked at once, and return what plays the match."""
    with library_errors():
        rules = game_named(game)
        playing = game_options(rules, options)
        field = with_grants(find_field(bots, game, db), grants)
        rules.check(playing, len(field.entrants))
        usual, times = start_times(start)
        timed = with_clocks(with_start_times(field.entrants, times), bot_clocks(clocks))
        field = replace(field, entrants=timed)
        clock = time_control(move_time, bank, fischer, usual, ready)
        hosting = Hosting(secrets=read_secrets(secrets))
    match = partial(
        single, rules, playing, field.entrants, seed=check_seed(seed), time=clock, hosting=hosting, say=log_line
    )
    return partial(_play, match, field, db)


def _play(match: Callable[..., Awaitable[Single]], field: Field, db: Database | None, stop: StopRequest) -> Match:
    with library_errors(), EarlyReferees([None]) as early, InProcessBots(field.in_process, stop.make) as bots:

        def invite(invitation: Invitation) -> None:
            bots.connect(field.entrants[invitation.player].name, invitation.address, invitation.token)

        played = run_awake(_until_stopped, partial(match, invite=invite, early=early), stop)
        if bots.failure is not None:
            raise bots.failure
        if played is None:
            raise KeyboardInterrupt
        with temporary_unless(db) as where, open_store(where, create=True) as store:
            return Match(keep(store, played, log_line))


async def _until_stopped(match: Callable[[], Awaitable[Single]], stop: StopRequest) -> Single | None:
    """Play the match; return None if it was stopped."""
    played = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stop.wait, lambda _: nursery.cancel_scope.cancel())
            played = await match()
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None
    return played
