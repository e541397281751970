"""A bot that somebody else starts: a person's terminal, or a program in a debugger."""

from collections.abc import Callable

from referee.connection.endpoints import Door, Endpoint
from referee.session.player import Player
from referee.session.session import Life
from referee.v1.work_pb2 import Invitation


class AttachedLife(Life):
    """A life without a process of ours: it begins with an invitation, and who goes may come back.

    No clock runs, neither for the hello nor for answers (`Player.move_time` is 0). Where the bot goes too
    early that is nobody's fault: `invitation.gone` keeps the reason for the next life, which is asked again what this
    one left open.
    """

    def __init__(
        self,
        player: Player,
        game: str,
        door: Door,
        endpoint: Endpoint,
        invitation: Invitation,
        invite: Callable[[Invitation], None],
    ) -> None:
        super().__init__(player, game, door)
        self._endpoint = endpoint
        self._invitation = invitation
        self._invite = invite

    async def run(self) -> None:
        """Invite whoever will hold the player's seats, and wait until the bot goes or is no longer needed."""
        self._endpoint.expect(self)
        self._invite(self._invitation)
        await self.over.wait()
        if self.fault is not None:
            _, self._invitation.gone = self.fault
            self.player.left()
