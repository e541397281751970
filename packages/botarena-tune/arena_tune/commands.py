"""The command of the package, as data."""

from arena.hooks.commands import PluginCommand

TUNE = PluginCommand("Tune the parameters of a bot by playing it against itself.", "arena_tune.cli:command")
