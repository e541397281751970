"""The commands of the package, as data."""

from arena.hooks.commands import PluginCommand

IMPORT = PluginCommand("Create or update accounts from a CSV file.", "arena_classroom.import_roster:command")
GRADES = PluginCommand("Print grades of students for a gradebook.", "arena_classroom.export_grades:command")
