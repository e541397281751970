"""Commands of packages: named by entry points, described as data, and imported when they are called.

The entry points of the group `arena.commands` are named as the command is typed below `arena`, such as
"accounts webhooks", and lead to a `PluginCommand`.
"""

from typing import Any, NamedTuple

from arena.hooks.installed_entries import load, targets

GROUP = "arena.commands"


class PluginCommand(NamedTuple):
    """A command of a package, in a module that is quick to import."""

    help: str
    """The first line of the command's own help."""
    target: str
    """The command, as `module:object`."""

    def load(self) -> Any:
        """Import the command."""
        return load(self.target)


def commands_below(group: str) -> dict[str, PluginCommand]:
    """Return the commands that packages add to a group, by name.

    group: as it is typed below `arena`; empty: `arena` itself.
    """
    commands = {}
    for name, target in targets(GROUP).items():
        parent, _, last = name.rpartition(" ")
        if parent == group:
            commands[last] = load(target)
    return commands
