"""The command of the package, as data."""

from arena.hooks.commands import PluginCommand

WEBHOOKS = PluginCommand(
    "Tell the owners of bots what happens, by requests to their servers.", "arena_webhooks.cli:command"
)
