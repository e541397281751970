"""The command of the package, as data."""

from arena.hooks.commands import PluginCommand

IMPORT = PluginCommand("Create an account for each row of a CSV file.", "arena_classroom.roster:command")
