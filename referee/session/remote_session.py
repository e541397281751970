"""The session of a remote bot: it dials by way of arena, has a clock, and may lose its connection.

What its messages take on the network is charged like its thinking.
"""

from collections.abc import Callable

import trio

from referee.connection.endpoints import Endpoint, Endpoints
from referee.match.faults import FaultKind
from referee.process.awake_clock import awake_clock
from referee.session.player import BotPlayer
from referee.session.session import BotSession
from referee.v1.work_pb2 import Invitation

LATE_SECONDS = 30.0
"""How long after a pause of the machine a connection may be lost for it: longer than gRPC's keepalive takes."""


class RemoteSession(BotSession):
    """A session without a process of ours; the bot has to dial in time, and its clock runs.

    A bot that loses its connection is asked its open questions again in the next session, and has failed unless this
    machine stood still meanwhile: its bot may have taken it for dead. One that does not dial in
    time has failed to start, and is withdrawn after several times like any bot (`referee.session.crash_attribution`).
    """

    def __init__(
        self,
        player: BotPlayer,
        game: str,
        endpoints: Endpoints,
        endpoint: Endpoint,
        invitation: Invitation,
        invite: Callable[[Invitation], None],
        dial_seconds: float,
    ) -> None:
        super().__init__(player, game, endpoints)
        self._endpoint = endpoint
        self._invitation = invitation
        self._invite = invite
        self._dial_seconds = dial_seconds

    async def run(self) -> None:
        """Send the invitation, and watch the bot's clock until it leaves or is no longer needed."""
        self._endpoint.expect(self)
        self._invite(self._invitation)
        clock = awake_clock()
        stood = clock.stood if clock is not None else 0.0
        with trio.move_on_after(self._dial_seconds):
            await self.settled.wait()
        if not self.is_welcomed:
            self.fail(FaultKind.START, f"it was not connected within {self._dial_seconds:g} s")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.player.watch_clock, self.endpoints.grpc.flush)
            await self.over.wait()
            nursery.cancel_scope.cancel()
        if self.fault is not None:
            kind, sentence = self.fault
            if kind is FaultKind.CRASH and clock and clock.stood > stood and clock.stood_within(LATE_SECONDS):
                self.player.keep_questions()
            elif kind is FaultKind.CRASH:
                self.player.lose_connection(f"its connection was lost: {sentence}", self.failure)
            else:
                self.player.process_failed(kind, sentence, self.failure)
            self.endpoints.grpc.flush()
