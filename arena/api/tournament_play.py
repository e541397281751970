"""Plays tournaments."""

from collections.abc import Callable
from functools import partial
from typing import Any

from arena.api.background import StopRequest, wait_for, wait_for_async
from arena.api.databases import Database, new_temporary_database
from arena.api.errors import library_errors
from arena.api.field import Bots
from arena.api.grants import Grants, Secrets
from arena.api.in_process import InProcessBots
from arena.api.progress import ProgressReport, open_watcher
from arena.api.results import Results
from arena.api.settings import Clocks, Duration, GameOptions, StartTimes
from arena.api.tournament_plan import TournamentPlan, plan_new, plan_resumed
from arena.results.stored_tournament import StoredTournament
from arena.run.exception_groups import unwrap_group
from arena.run.executor import Local
from arena.run.referee_process import EarlyReferees, cores
from arena.run.runner import run
from arena.store import open_store
from arena.values.definition import Mode, Rotations, Schedule


def tournament(
    game: str,
    bots: Bots,
    *,
    rounds: int = 100,
    seats: int | None = None,
    options: GameOptions | None = None,
    seed: int | None = None,
    schedule: Schedule = "round-robin",
    challengers: int | None = None,
    stages: int = 0,
    rotations: Rotations = "cycle",
    sprt: str | None = None,
    until_separated: bool = False,
    move_time: Duration = 1.0,
    bank: Duration = 10.0,
    fischer: bool = False,
    clocks: Clocks | None = None,
    start: Duration | StartTimes = 10.0,
    ready: Duration = 10.0,
    mode: Mode = "fast",
    grants: Grants | None = None,
    secrets: Secrets | None = None,
    jobs: int | None = None,
    trust_bots: bool | None = None,
    db: Database | None = None,
    progress: ProgressReport = True,
) -> Results:
    """Play a tournament, rate the bots, and return the results.

    It is the tournament of `arena tourney`, by the same referees, schedule, clock and records, and the parameters are
    its options; docs/tournaments.md explains them.

    game: its id, such as "cambio".
    bots: a dict by name, or a list. A text is a bot as on the command line: a sample bot ("random"), a submitted bot
        ("club/owl"), the path of a program, or a command line; it plays in sandboxed processes, new ones for each
        rotation. A function that takes a `Question` and returns a move, or a class with such a method `choose` (a
        subclass of `Bot`, usually), is an in-process bot: it plays in threads of this process, unconfined. A class is
        instantiated where a program would be started.
    rounds: how many deals each table plays, in all rotations.
    seats: at a table. None: as many as the game recommends and the field fills.
    options: of the game, by name: {"chips": 10}.
    seed: derives the deals from a number from 0; the results say that they are for development. None: a random secret.
    schedule: "round-robin", "gauntlet", "swiss", "knockout" or "ladder".
    challengers: gauntlet and ladder: how many of the first bots challenge the others. None: one.
    stages: swiss: their number.
    rotations: of each deal: "cycle", "all" or "none".
    sprt: stop once a sequential test of the first two bots is decided: "elo0=0,elo1=10".
    until_separated: stop once all neighbours in the ranking are separated at 95 %.
    move_time: for each answer, in seconds or as text ("500ms"); 0 is no limit.
    bank: extra time of each seat for a whole match, likewise.
    fischer: add what an answer leaves of the move time to the bank: a clock of `bank` with increments of `move_time`.
    clocks: of single bots, instead of that of all (time odds): {"owl": {"move_time": "200ms", "bank": 5}}; "increment"
        in the place of "move_time" makes a clock with increments.
    start: from the start of a process to its hello, for all bots or for single ones: {"owl": "60s"}.
    ready: before each match, for bots that ask for it (`wants_ready`), whose clock does not run then; 0 is no limit.
    mode: "fast" plays many matches at once; "clock" one per core with fair clocks, for programs only.
    grants: what single bots in processes get beyond others: {"owl": ["network", "device:/dev/nvidia0"]}. They are
        stored with the tournament, and its tables show them.
    secrets: environment variables that single bots in processes get, with their values: {"owl": ["LLM_API_KEY"]}. They
        are stored nowhere, and given again when the tournament is resumed.
    jobs: referee processes. None: one per core; a single one if all bots are in-process.
    trust_bots: rate matches although programs are not isolated from each other on this machine. None: what the
        environment variable ARENA_TRUST_BOTS says.
    db: where the tournament is stored: a file, made if it does not exist, or a PostgreSQL URL. None: a temporary file
        that is removed with the results.
    progress: True shows it on stderr, False nowhere; a function is called with (stored matches, all matches).

    Raises ArenaError with a sentence for whatever cannot be played, and what an in-process bot raises. Ctrl-C ends all
    processes first; the matches that have ended are stored in `db`.
    """
    return wait_for(_prepare(**locals()))


async def tournament_async(
    game: str,
    bots: Bots,
    *,
    rounds: int = 100,
    seats: int | None = None,
    options: GameOptions | None = None,
    seed: int | None = None,
    schedule: Schedule = "round-robin",
    challengers: int | None = None,
    stages: int = 0,
    rotations: Rotations = "cycle",
    sprt: str | None = None,
    until_separated: bool = False,
    move_time: Duration = 1.0,
    bank: Duration = 10.0,
    fischer: bool = False,
    clocks: Clocks | None = None,
    start: Duration | StartTimes = 10.0,
    ready: Duration = 10.0,
    mode: Mode = "fast",
    grants: Grants | None = None,
    secrets: Secrets | None = None,
    jobs: int | None = None,
    trust_bots: bool | None = None,
    db: Database | None = None,
    progress: ProgressReport = True,
) -> Results:
    """Play a tournament as `tournament`, in a coroutine of asyncio or trio, which may be cancelled."""
    return await wait_for_async(_prepare(**locals()))


def resume_tournament(
    db: Database,
    tournament: int,
    bots: Bots = (),
    *,
    secrets: Secrets | None = None,
    jobs: int | None = None,
    trust_bots: bool | None = None,
    progress: ProgressReport = True,
) -> Results:
    """Play the matches of a stored tournament that are missing, and return the results.

    db, tournament: its database and number.
    bots: its in-process bots, by the names and with the source that they began with; all others are found by
        themselves.
    secrets, jobs, trust_bots, progress: as in `tournament`.

    Raises ArenaError with a sentence if there is no such tournament, or its rules or bots have changed, and what an
    in-process bot raises.
    """
    return wait_for(_prepare_resumed(**locals()))


async def resume_tournament_async(
    db: Database,
    tournament: int,
    bots: Bots = (),
    *,
    secrets: Secrets | None = None,
    jobs: int | None = None,
    trust_bots: bool | None = None,
    progress: ProgressReport = True,
) -> Results:
    """Resume a tournament as `resume_tournament`, in a coroutine of asyncio or trio, which may be cancelled."""
    return await wait_for_async(_prepare_resumed(**locals()))


def _prepare_resumed(*, db: Database, progress: ProgressReport, **parameters: Any) -> Callable[[StopRequest], Results]:
    """Check all that can be checked before anything is started, and return what plays the rest of a tournament."""
    with library_errors():
        plan = plan_resumed(db, **parameters)
    return partial(_play, plan, db, progress)


def _prepare(*, progress: ProgressReport, **parameters: Any) -> Callable[[StopRequest], Results]:
    """Check all that can be checked before anything is started, and return what plays the tournament."""
    with library_errors():
        plan = plan_new(**parameters)
    return partial(_play, plan, parameters["db"], progress)


def _play(plan: TournamentPlan, db: Database | None, progress: ProgressReport, stop: StopRequest) -> Results:
    """Play it in the thread of `stop`."""
    where, remove = (str(db), None) if db is not None else new_temporary_database()
    try:
        with library_errors():
            number = _play_stored(plan, where, progress, stop)
            return Results(where, number, remove)
    except BaseException:
        if remove is not None:
            remove()
        raise


def _play_stored(plan: TournamentPlan, where: str, progress: ProgressReport, stop: StopRequest) -> int:
    """Play it in a database, and return its number there."""
    with (
        EarlyReferees(cores(plan.jobs), plan.left) as early,
        open_store(where, create=True, write=True) as store,
        InProcessBots(plan.in_process, stop.make) as bots,
        open_watcher(progress, plan.left) as watcher,
    ):
        number = plan.event if isinstance(plan.event, int) else store.add_tournament(plan.event)
        stored = StoredTournament.load(store, number)
        executor = Local(early=early, connect=bots.connect)
        try:
            run(stored, plan.definition, plan.jobs, watcher, plan.hosting, executor=executor, stop_source=stop.wait)
        except BaseExceptionGroup as group:  # what a function that reports progress has raised
            raise unwrap_group(group) from None
        if bots.failure is not None:
            raise bots.failure
        return number
