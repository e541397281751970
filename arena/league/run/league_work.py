"""The batches under way as the work of an executor: several of them may be with one referee.

To an executor they look like one stage of a tournament that never ends. Referees stay, so a batch costs no start of
one.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from logging import WARNING
from typing import Protocol

import trio

from arena.league.run.backlog import LeagueBacklog
from arena.league.run.batch_play import MASK, SHIFT, BatchPlay
from arena.league.run.live_matches import LiveMatches
from arena.league.store.league_runs import BatchProgress
from arena.run.capacity import ALLOWED_BYTES
from arena.run.core_load import CoreLoad
from arena.run.dispatcher import Assigned
from arena.run.hosting import Hosting
from arena.run.referees import REFUSED, RefereeGone
from arena.run.work_units import WorkUnit
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.server_log import log_event
from arena.values.tournament_errors import RefereeError
from referee.v1.work_pb2 import Phase, WorkResponse

IDLE_SHARE = 0.3
"""The share of a core up to which bots count as waiting."""

BUSY_LOOKS = 3
"""Looks at which they take more, until they count as computing: at the first ones they may still start."""

IDLE_LOOKS = 3
"""Looks in a row at which the bots of a batch that should be over take less, until the batch counts as slow."""

GROWTH = 3
"""How many more units of a slow batch a referee gets for each that leaves the core idle."""

MOST_BESIDE = 8
"""The most units of slow batches that a referee has at a time."""

MOST_WAITED_US = 3_000_000
"""How long a process of a slow batch may have waited for a core that it shared, in microseconds, until the bots of such
batches share none any more in this run."""


class Ended(Protocol):
    """Called with a batch that is complete or has failed."""

    def __call__(self, play: BatchPlay, /) -> Awaitable[None]:
        """Store it, or give it back."""


class LeagueWork:
    """Units of several batches. On the way to a referee their matches have numbers that no two batches share."""

    def __init__(
        self,
        backlog: LeagueBacklog,
        hosting: Hosting,
        ended: Ended,
        say: Callable[[str], None],
        fail: Callable[[ArenaError], None],
        overran: Callable[[BatchPlay], None] = lambda _: None,
        live: LiveMatches | None = None,
    ) -> None:
        """Begin without a batch.

        overran: is told of each batch that takes much longer than it should.
        """
        self.backlog = backlog
        self.hosting = hosting
        self._ended = ended
        self._say = say
        self._fail = fail
        self._overran = overran
        self._looks: dict[int, int] = {}
        self._idle_looks: dict[int, int] = {}
        self._busy = set[tuple[int, int]]()
        self._live = live or LiveMatches()

    def say(self, line: str, /) -> None:
        """Print a line for people."""
        self._say(line)

    def fail(self, error: ArenaError, /) -> None:
        """End the run."""
        self._fail(error)

    def definition_of(self, unit: WorkUnit) -> Definition:
        """Return the definition of a unit's batch."""
        return self._play_of(unit.number).work.definition

    def overlaps(self, unit: WorkUnit, assigned: Assigned) -> bool:
        """Return whether a referee may have its next unit before it has ended this one: not behind a slow one.

        Nor as long as it is not known whether the bots of a slow one, which it has too, leave the core to others.
        """
        plays = map(self._play_of, assigned)
        is_open = self.backlog.has_slow and any(play.is_slow and not self._is_busy(play) for play in plays)
        return not is_open and not self._play_of(unit.number).is_slow

    @property
    def shares_cores(self) -> bool:
        """Whether referees play units beside each other."""
        return True

    async def beside(
        self, assigned: Assigned, load: CoreLoad, room: Callable[[], Awaitable[int]]
    ) -> Sequence[WorkUnit]:
        """Return more units for a referee that has slow ones alone, as bots that wait leave the core to others.

        Further units of the slow batch, as long as its bots do not compute; once these are out, or the bots do compute,
        one of another batch.
        """
        self._move_overrun(assigned)
        plays = [self._play_of(number) for number in assigned]
        if not plays or not all(play.is_slow and play.shares_core for play in plays):
            await self._look_at_late(plays, load)
            return ()
        if self.backlog.has_slow and not self._is_busy(plays[0]):
            share = await load.look()
            units = [] if share is None else await self._more_slow(share, plays[0], assigned, room)
            if units:
                load.restart()
            if units or not (plays[0].is_busy or (share is not None and share < IDLE_SHARE)):
                return units
        unit = await self.backlog.take_beside_slow()
        return () if unit is None else (unit,)

    async def _more_slow(
        self, share: float, play: BatchPlay, assigned: Assigned, room: Callable[[], Awaitable[int]]
    ) -> list[WorkUnit]:
        """Return further units of a slow batch where its bots leave the core idle.

        share: of the core, that they take.
        """
        if share >= IDLE_SHARE:
            self._looks[play.slot] = self._looks.get(play.slot, 0) + 1
            play.is_busy = self._looks[play.slot] >= BUSY_LOOKS
            return []
        most = min(GROWTH * len(assigned), MOST_BESIDE - len(assigned))
        bots = max(len(unit.players) for unit in assigned.values())
        bots_left = await room() // 2
        # The slow bot, of which nobody knows more than its limit, may need more memory than others.
        most = min(most, bots_left // bots, bots_left * ALLOWED_BYTES // play.memory_bytes)
        return [unit for _ in range(most) if (unit := await self.backlog.take_slow()) is not None]

    def _is_busy(self, play: BatchPlay) -> bool:
        """Return whether bots of a slow batch compute, here or where they shared a core before."""
        return play.is_busy or any((play.row.league, entry) in self._busy for entry in play.row.entries)

    def _move_overrun(self, assigned: Assigned) -> None:
        """Count batches as slow that take much longer than they should."""
        now = trio.current_time()
        for play in {self._play_of(number) for number in assigned}:
            if not play.is_slow and play.overruns(now):
                self._move(play)

    async def _look_at_late(self, plays: Collection[BatchPlay], load: CoreLoad) -> None:
        """Count quick batches as slow that should be over, and whose bots leave the core of a referee idle.

        A bot that has turned slow holds a referee no longer than that takes to see. What computes, or waits for a core
        on a busy machine, has the time after which a batch is slow in any case.
        """
        now = trio.current_time()
        late = {play for play in plays if not play.is_slow and play.is_late(now)}
        if not late or late != set(plays):
            load.restart()
            return
        share = await load.look(with_waits=True)
        for play in late:
            if share is not None:
                self._idle_looks[play.slot] = self._idle_looks.get(play.slot, 0) + 1 if share < IDLE_SHARE else 0
            if not play.is_slow and self._idle_looks.get(play.slot, 0) >= IDLE_LOOKS:  # another referee looks, too
                self._move(play)

    def _move(self, play: BatchPlay) -> None:
        self.backlog.move_to_slow_lane(play)
        self._overran(play)

    def message(self, unit: WorkUnit, assigned: Assigned) -> Phase:
        """Return the message that makes a referee play what is left of a unit.

        The clocks of bots that share a core with others do not run while they wait for it.
        """
        play = self._play_of(unit.number)
        play.begin(unit.number, trio.current_time())
        message = play.work.message(unit, assigned)
        is_beside = any(self._play_of(number).is_slow for number in assigned)
        message.shares_core = play.shares_core and (play.is_slow or is_beside)
        for player, its_order in zip(unit.players, message.players, strict=True):
            its_order.thinking_ms = play.pace.thinking_ms[player.entrant] if play.pace.thinking_ms else 0
        for order in message.matches:
            order.match |= play.slot << SHIFT
        return message

    async def take(self, response: WorkResponse, assigned: Assigned) -> None:
        """Take the matches of a response off the units assigned, and store the batches that are complete."""
        for slot, part in _by_batch(response).items():
            play = self.plays[slot]
            of_batch = {number: unit for number, unit in assigned.items() if number >> SHIFT == slot}
            played = play.played
            self._live.note(play, part, of_batch)
            await play.work.take(part, of_batch)
            self._live.end(play, play.played_after(played))
            now = trio.current_time()
            for end in part.ends:
                unit = assigned.pop(end.phase)
                if play.is_slow and any(player.waited_us > MOST_WAITED_US for player in end.players):
                    self._busy.update((play.row.league, entry) for entry in play.slow_entries)
                play.end(end.phase, now, is_played=not unit.left)  # one with void matches is in the backlog again
                following = next((number for number in assigned if not self._play_of(number).is_slow), None)
                if following is not None and not play.is_slow:
                    self._play_of(following).begin(following, now)
            await self._close(play)

    def lost(self, assigned: Assigned, gone: RefereeGone) -> None:
        """Fail the batches of a referee that is gone: what it played of them may be the reason.

        gone: how and why. Where the referee said itself that it cannot go on, this is for want of something on its
            machine, as far as is known.
        """
        if assigned:
            log_event("referee_died", f"a referee process {gone}", level=WARNING)
        for number in assigned:
            play = self._play_of(number)
            play.end(number, trio.current_time(), is_played=False)
            is_unfit = gone.how == REFUSED
            play.fail(RefereeError(f"a referee process {gone.how} with it{gone.why}"), is_unfit=is_unfit)
            self.backlog.finish()

    def progress(self) -> dict[int, list[BatchProgress]]:
        """Return how far the batches under way are, by league."""
        now, moment = trio.current_time(), datetime.now(UTC)
        reports: dict[int, list[BatchProgress]] = {}
        for play in self.plays.values():
            if not play.is_closed:
                left = play.seconds_left(now)
                expected = None if left is None else (moment + timedelta(seconds=left)).isoformat(timespec="seconds")
                report = BatchProgress(play.row.number, play.row.attempt, play.played, expected)
                reports.setdefault(play.row.league, []).append(report)
        return reports

    async def close_failed(self) -> None:
        """Give back the batches that have failed."""
        for play in list(self.plays.values()):
            await self._close(play)

    def abandon(self) -> list[BatchPlay]:
        """Drop all batches, as no referee plays any more; return those that were neither stored nor given back."""
        plays = [play for play in self.plays.values() if not play.is_closed]
        for play in plays:
            self._live.drop(play)
        self.backlog.drop()
        return plays

    async def _close(self, play: BatchPlay) -> None:
        if (play.is_complete or play.failed) and not play.is_closing:
            play.is_closing = True
            if play.failed:
                self._live.drop(play)
            await self._ended(play)
            play.is_closed = True
        if play.is_closed and not play.is_out:
            self.plays.pop(play.slot, None)
            self._looks.pop(play.slot, None)
            self._idle_looks.pop(play.slot, None)

    @property
    def plays(self) -> dict[int, BatchPlay]:
        """The batches under way, by slot."""
        return self.backlog.plays

    def _play_of(self, unit: int) -> BatchPlay:
        return self.plays[unit >> SHIFT]


def _by_batch(response: WorkResponse) -> dict[int, WorkResponse]:
    """Return what a referee says of each batch, with the numbers that its matches have there."""
    parts: dict[int, WorkResponse] = {}

    def part(slot: int) -> WorkResponse:
        return parts.setdefault(slot, WorkResponse())

    for record in response.records:
        copy = part(record.match >> SHIFT).records.add()
        copy.CopyFrom(record)
        copy.match &= MASK
    for failure in response.process_failures:
        noted = part(failure.phase >> SHIFT).process_failures.add()
        noted.CopyFrom(failure)
        noted.matches[:] = [match & MASK for match in failure.matches]
        if failure.HasField("guilty"):
            noted.guilty = failure.guilty & MASK
    for report in response.under_way:
        watched = part(report.match >> SHIFT).under_way.add()
        watched.CopyFrom(report)
        watched.match &= MASK
    for end in response.ends:
        part(end.phase >> SHIFT).ends.add().CopyFrom(end)
    return parts
