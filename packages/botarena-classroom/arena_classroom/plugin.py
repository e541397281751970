"""What the package adds to arena."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arena.hooks.specifications import CommandPart, hookimpl

if TYPE_CHECKING:
    from arena.cli.submission import Submission


@hookimpl
def arena_command(command: str) -> CommandPart | None:
    """Let `arena submit` take a folder of bots."""
    if command != "submit":
        return None
    from arena_classroom.options import HELP, submit_options

    return CommandPart(submit_options(), HELP)


@hookimpl
def arena_submit(options: Mapping[str, Any], submission: "Submission") -> bool | None:
    """Submit the folder that the options name."""
    from arena_classroom.submit_folder import submit_given

    return submit_given(options, submission)
