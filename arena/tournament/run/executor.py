"""Where referees work: on this machine (`Local`), or wherever else something keeps the same promise.

No result depends on it, as long as bots draw chance from their own seed.
"""

import os
from collections.abc import Callable
from typing import Protocol

import trio

from arena.tournament.errors import RefereeError
from arena.tournament.run.dispatcher import InHand, Work
from arena.tournament.run.referees import (
    Referee,
    RefereeGone,
    cores,
    running,
)
from arena.tournament.run.work_units import Unit
from referee.v1.work_pb2 import WorkResponse


class Executor(Protocol):
    """Has units played by referees."""

    def room(self) -> int:
        """Return how many referees can work at the same time."""

    async def play(self, work: Work, jobs: int) -> None:
        """Have up to `jobs` referees play all units of `work`; return once none is left.

        Whatever a referee says goes to `work.take` as it comes, and what it had in hand to `work.lost` where it dies.
        When cancelled, it ends all referees and their bots before it returns.
        """


Invite = Callable[[str, str, str], None]
"""Is told by what name a remote bot is waited for, at what address and with what token."""


class Local:
    """Referee processes of this machine, each on a core of its own where there are enough.

    invite: brings remote bots to a referee, which then has one unit at a time.
    """

    def __init__(self, invite: Invite | None = None) -> None:
        self._invite = invite

    def room(self) -> int:
        return len(os.sched_getaffinity(0))

    async def play(self, work: Work, jobs: int) -> None:
        async with trio.open_nursery() as nursery:
            async with trio.open_nursery() as slots:
                for core in cores(jobs):
                    slots.start_soon(self._slot, nursery, core, work)
            nursery.cancel_scope.cancel()

    async def _slot(self, nursery: trio.Nursery, core: int | None, work: Work) -> None:
        """Keep one referee at work, and replace it where it dies."""
        while unit := await work.backlog.wait():
            in_hand = {unit.number: unit}
            try:
                async with running(nursery, core, work.say) as referee:
                    await self._employ(referee, in_hand, work)
            except RefereeGone as gone:
                work.lost(in_hand, str(gone))
            except RefereeError as error:
                return work.fail(error)

    async def _employ(self, referee: Referee, in_hand: InHand, work: Work) -> None:
        """Give a referee units until there are none. Raises RefereeGone where it ends before."""
        for unit in in_hand.values():
            referee.play(work.message(unit))
        async for response in referee.messages:
            self._pass_on(response, in_hand, work)
            await work.take(response, in_hand)
            if response.error:
                referee.last_words.append(response.error)
                break
            more = None
            if not in_hand:
                more = await work.backlog.wait()
                if more is None:
                    return
            elif self._invite is None and len(in_hand) == 1 and _nearly_done(next(iter(in_hand.values())), work):
                more = await work.backlog.take()
            if more is not None:
                in_hand[more.number] = more
                referee.play(work.message(more))
        raise RefereeGone(await referee.why())

    def _pass_on(self, response: WorkResponse, in_hand: InHand, work: Work) -> None:
        """Let the remote bots know that are waited for."""
        for invitation in response.invitations:
            entrant = list(in_hand[invitation.phase].players)[invitation.player].entrant
            if self._invite is not None:
                self._invite(work.definition.field[entrant].remote, invitation.address, invitation.token)


def _nearly_done(unit: Unit, work: Work) -> bool:
    """Tell whether the next unit should be at hand, as most matches left are under way or their records on the way."""
    return len(unit.left) <= 4 * work.definition.matches_at_once
