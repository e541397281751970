"""The batches under way as the work of an executor: several of them may be with one referee.

To an executor they look like one stage of a tournament that never ends. Referees stay, so a batch costs no start of
one.
"""

from collections.abc import Awaitable, Callable
from logging import WARNING
from typing import Protocol

import trio

from arena.league.run.backlog import LeagueBacklog
from arena.league.run.batch_play import MASK, SHIFT, BatchPlay
from arena.run.dispatcher import Assigned
from arena.run.hosting import Hosting
from arena.run.referees import REFUSED, RefereeGone
from arena.run.work_units import WorkUnit
from arena.values.definition import Definition
from arena.values.errors import ArenaError
from arena.values.server_log import log_event
from arena.values.tournament_errors import RefereeError
from referee.v1.work_pb2 import Phase, WorkResponse


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
    ) -> None:
        self.backlog = backlog
        self.hosting = hosting
        self._ended = ended
        self._say = say
        self._fail = fail

    def say(self, line: str, /) -> None:
        """Print a line for people."""
        self._say(line)

    def fail(self, error: ArenaError, /) -> None:
        """End the run."""
        self._fail(error)

    def definition_of(self, unit: WorkUnit) -> Definition:
        """Return the definition of a unit's batch."""
        return self._play_of(unit.number).work.definition

    def overlaps(self, unit: WorkUnit) -> bool:
        """Return whether a referee may have its next unit before it has ended this one: not behind a slow one."""
        return not self._play_of(unit.number).is_slow

    def message(self, unit: WorkUnit) -> Phase:
        """Return the message that makes a referee play what is left of a unit."""
        play = self._play_of(unit.number)
        play.begin(unit.number, trio.current_time())
        message = play.work.message(unit)
        for order in message.matches:
            order.match |= play.slot << SHIFT
        return message

    async def take(self, response: WorkResponse, assigned: Assigned) -> None:
        """Take the matches of a response off the units assigned, and store the batches that are complete."""
        for slot, part in _by_batch(response).items():
            play = self.plays[slot]
            of_batch = {number: unit for number, unit in assigned.items() if number >> SHIFT == slot}
            await play.work.take(part, of_batch)
            now = trio.current_time()
            for end in part.ends:
                unit = assigned.pop(end.phase)
                play.end(end.phase, now, is_played=not unit.left)  # one with void matches is in the backlog again
                if (following := next(iter(assigned), None)) is not None:
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

    async def close_failed(self) -> None:
        """Give back the batches that have failed."""
        for play in list(self.plays.values()):
            await self._close(play)

    def abandon(self) -> list[BatchPlay]:
        """Drop all batches, as no referee plays any more; return those that were neither stored nor given back."""
        plays = [play for play in self.plays.values() if not play.is_closed]
        self.backlog.drop()
        return plays

    async def _close(self, play: BatchPlay) -> None:
        if (play.is_complete or play.failed) and not play.is_closing:
            play.is_closing = True
            await self._ended(play)
            play.is_closed = True
        if play.is_closed and not play.is_out:
            self.plays.pop(play.slot, None)

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
    for end in response.ends:
        part(end.phase >> SHIFT).ends.add().CopyFrom(end)
    return parts
