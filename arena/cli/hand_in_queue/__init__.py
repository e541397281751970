"""The subcommands of `arena hand-ins`: one file each, imported when it is called."""

from arena.cli.lazy_group import LazyGroup

COMMANDS = {
    "check": "Check hand-ins until stopped.",
    "list": "List hand-ins, the newest first.",
    "rejudge": "Check hand-ins again.",
}
"""Name to help; the command NAME is `arena.cli.hand_in_queue.NAME:command`."""


class HandInCommands(LazyGroup):
    """The group `arena hand-ins`."""

    helps = COMMANDS
    package = "arena.cli.hand_in_queue"
    path = "hand-ins"
