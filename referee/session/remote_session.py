"""A bot that plays from elsewhere: it dials by way of arena, has a clock, and may lose its connection."""

from collections.abc import Callable

import trio

from referee.connection.endpoints import Door, Endpoint
from referee.match.faults import Kind
from referee.session.player import Player
from referee.session.session import Life
from referee.v1.work_pb2 import Invitation


class RemoteLife(Life):
    """A life without a process of ours, which has to dial in time, and whose clock runs.

    Who has been connected and goes finds its open questions again in the next life; who does not dial in time has
    failed to start, and is withdrawn after some times in a row as anybody else (`referee.session.crash_attribution`).
    """

    def __init__(
        self,
        player: Player,
        game: str,
        door: Door,
        endpoint: Endpoint,
        invitation: Invitation,
        invite: Callable[[Invitation], None],
        seconds: float,
    ) -> None:
        super().__init__(player, game, door)
        self._endpoint = endpoint
        self._invitation = invitation
        self._invite = invite
        self._seconds = seconds

    async def run(self) -> None:
        """Invite the bot, and see to its clock until it goes or is no longer needed."""
        self._endpoint.expect(self)
        self._invite(self._invitation)
        with trio.move_on_after(self._seconds):
            await self.settled.wait()
        if not self.welcomed:
            self.fail(Kind.START, f"it was not connected within {self._seconds:g} s")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.player.watch_clock, self.door.flush)
            await self.over.wait()
            nursery.cancel_scope.cancel()
        if self.fault is not None:
            kind, sentence = self.fault
            if kind is Kind.CRASH:
                self.player.lost(f"its connection was lost: {sentence}", self.failure)
            else:
                self.player.process_failed(kind, sentence, self.failure)
            self.door.flush()
