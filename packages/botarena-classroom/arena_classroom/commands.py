"""The commands of the package, as data."""

from arena.hooks.commands import PluginCommand

IMPORT = PluginCommand("Create or update accounts from a CSV file.", "arena_classroom.import_roster:command")
