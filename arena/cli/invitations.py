"""Print how to start the bot of an attached seat."""

from typing import TYPE_CHECKING

from arena.cli.output import print_progress

if TYPE_CHECKING:
    from referee.v1.work_pb2 import Invitation


def print_invitation(invitation: "Invitation") -> None:
    """Print how to start the bot of an attached seat."""
    if invitation.gone:
        print_progress(
            f"the bot of seat {invitation.player} is gone ({invitation.gone}); restart it with this environment:"
        )
    else:
        print_progress(f"seat {invitation.player} waits for its bot; start it with this environment:")
    print_progress(f"ARENA_ADDRESS={invitation.address} ARENA_TOKEN={invitation.token}")
