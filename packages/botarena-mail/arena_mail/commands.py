"""The command of the package, as data."""

from arena.hooks.commands import PluginCommand

MAIL = PluginCommand("Choose what mail accounts get, and see what was sent.", "arena_mail.cli:command")
