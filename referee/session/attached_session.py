"""The session of an attached bot: somebody else starts it, a person's terminal or a debugger.

Arena hands the invitation, an address and a token, to `arena play`, or prints it (`arena match --attach`).
"""

from collections.abc import Callable

from referee.connection.endpoints import Endpoint, Endpoints
from referee.session.player import BotPlayer
from referee.session.session import BotSession
from referee.v1.work_pb2 import Invitation


class AttachedSession(BotSession):
    """A session without a process of ours: it begins with an invitation, and a bot that leaves may come back.

    No clock runs, neither for the hello nor for answers (`BotPlayer.move_time` is 0). A bot that leaves early has no
    fault: `invitation.gone` tells the next session why, and the next one is asked the open questions again.
    """

    def __init__(
        self,
        player: BotPlayer,
        game: str,
        endpoints: Endpoints,
        endpoint: Endpoint,
        invitation: Invitation,
        invite: Callable[[Invitation], None],
    ) -> None:
        super().__init__(player, game, endpoints)
        self._endpoint = endpoint
        self._invitation = invitation
        self._invite = invite

    async def run(self) -> None:
        """Send the invitation, and wait until the bot leaves or is no longer needed."""
        self._endpoint.expect(self)
        self._invite(self._invitation)
        await self.over.wait()
        if self.fault is not None:
            _, self._invitation.gone = self.fault
            self.player.detach()
