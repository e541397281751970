"""What if: a stored match played on from another move, by the bots of the match or by sample bots in their place.

The result is a match like a stored one, but it is not stored.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import trio

from arena.packs.errors import SubmissionError
from arena.packs.roster import Roster
from arena.plan.field import find_bots, make_names_unique, samples
from arena.plan.match_prefix import bot_of_seat
from arena.run.exception_groups import unwrap_group
from arena.run.hosting import Hosting
from arena.run.single_match import Single, single
from arena.values.definition import Entrant, TimeControl
from arena.values.rows import (
    DecisionRow,
    EntrantRow,
    FaultRow,
    MatchRow,
    NewEvent,
    NoteRow,
    SingleMatchRow,
    StoredMatch,
    utc_now,
)
from arena.values.tournament_errors import FieldError, PlanError, RefereeError
from arena_insight.match_branch import MatchBranch
from referee.engine import registry
from referee.process.awake_clock import run_awake
from sample_bots import SAMPLES

POLL_SECONDS = 0.2
"""Between two looks whether anybody still waits for a match."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A match that was played on from another move."""

    match: StoredMatch
    branch: MatchBranch


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays on."""

    bots: tuple[Entrant, ...]
    """The bot in each seat."""
    names: tuple[str, ...]
    """The names of the seats as they are shown; a stand-in is named with the bot of the match."""


def table_of(match: StoredMatch, log: Iterable[DecisionRow], roster: Roster, may_ask: Callable[[str], bool]) -> Table:
    """Return who plays a match on: its own bots where that is allowed and possible, else sample bots.

    A bot that no longer exists, or that arena did not start, has a sample bot in its place, too.

    log: the log of its tournament.
    may_ask: tells whether a bot of that name, if it is no sample bot, may be asked.
    """
    game = match.event.game
    bots: list[Entrant] = []
    names: list[str] = []
    decisions = list(log)
    for seat, name in enumerate(match.players):
        bot = _own_bot(match, seat, decisions, roster) if may_ask(name) else None
        sample = name.partition("#")[0]
        if bot is None and sample not in samples(game):
            sample = stand_in(game)
            name = f"{sample} for {name}"
        bots.append(bot or find_bots([sample], samples(game))[0])
        names.append(name)
    return Table(make_names_unique(bots), tuple(names))


def _own_bot(match: StoredMatch, seat: int, log: Iterable[DecisionRow], roster: Roster) -> Entrant | None:
    """Return the bot that held a seat; None if it cannot be started."""
    try:
        return bot_of_seat(match, seat, log, roster)
    except (PlanError, FieldError, SubmissionError):
        return None


def stand_in(game: str) -> str:
    """Return the name of the sample bot that plays for a bot that is not asked: the first one made for the game."""
    return next((name for name, sample in SAMPLES.items() if game in sample.games), "random")


def play_what_if(
    match: StoredMatch,
    branch: MatchBranch,
    table: Table,
    hosting: Hosting,
    limit: float | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> WhatIf:
    """Play a match on from another move, in a referee of its own.

    match: as the reader may see it, from whose record the notes and times of the answers before come.
    limit: the time limit in seconds.
    is_cancelled: tells, in this thread, whether nobody waits for it any more; the bots are ended then.

    Raises RefereeError if no referee can play it, not within the limit, or if it was cancelled; HostingError.
    """
    played = run_awake(partial(_play, match, branch, table, hosting, limit, is_cancelled))
    row = _with_recorded(played.match, match.row, branch)
    event = _event(played.frame, table.names)
    outputs = {
        seat: output for output in played.outputs for seat, held in enumerate(row.seats) if held.player == output.player
    }
    return WhatIf(StoredMatch(match.id, event, row, frozenset(), outputs, played.failures), branch)


async def _play(
    match: StoredMatch,
    branch: MatchBranch,
    table: Table,
    hosting: Hosting,
    limit: float | None,
    is_cancelled: Callable[[], bool],
) -> Single:
    game = registry.game(match.event.game)
    options = game.options.parse(match.event.options)
    clock = match.event.definition.time
    time = TimeControl(clock.move_time_ms, clock.bank_ms, fischer=clock.fischer)
    play = partial(single, game, options, table.bots, opening=branch.prefix, time=time, hosting=hosting)
    with trio.move_on_after(float("inf") if limit is None else limit):
        if (played := await _unless(is_cancelled, partial(play, say=lambda line: None))) is not None:
            return played
        raise RefereeError("the match was not played to its end, as its request was cancelled")
    raise RefereeError(
        f"the bots did not finish the match within {limit:.0f} s: try a later move, or `arena replay --what-if`"
    )


async def _unless(is_cancelled: Callable[[], bool], play: Callable[[], Awaitable[Single]]) -> Single | None:
    """Play a match; return None if it was cancelled."""
    played: Single | None = None

    async def watch() -> None:
        while not is_cancelled():
            await trio.sleep(POLL_SECONDS)
        nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            played = await play()
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None
    return played


def _event(frame: NewEvent, names: tuple[str, ...]) -> SingleMatchRow:
    now = utc_now()
    entrants = tuple(
        EntrantRow(name, bot.command, bot.folder, bot.sha256) for name, bot in zip(names, frame.entrants, strict=True)
    )
    return SingleMatchRow(
        key=0,
        game=frame.game,
        options=frame.options,
        behaviour=frame.behaviour,
        definition_text=frame.definition_text,
        definition_hash=frame.definition_hash,
        secret=frame.secret,
        secret_hash=frame.secret_hash,
        seed=frame.seed,
        versions=frame.versions,
        entrants=entrants,
        first_match=0,
        matches=1,
        created=now,
        finished=now,
    )


def _with_recorded(row: MatchRow, record: MatchRow, branch: MatchBranch) -> MatchRow:
    """Return a record with the times, notes and faults of the answers that are those of the record before."""
    times = bytearray(row.times)
    notes: list[NoteRow] = []
    faults: list[FaultRow] = []
    for ply, recorded in enumerate(branch.plies):
        if ply == branch.ply:
            notes.append(NoteRow(branch.seat, ply, f"what if: the record has {branch.recorded}"))
            continue
        if recorded < len(record.times):
            times[ply] = record.times[recorded]
        notes += [note._replace(ply=ply) for note in record.notes if note.ply == recorded]
        faults += [replace(fault, ply=ply, forfeit=False) for fault in record.faults if fault.ply == recorded]
    return replace(row, times=bytes(times), notes=(*notes, *row.notes), faults=(*faults, *row.faults))
