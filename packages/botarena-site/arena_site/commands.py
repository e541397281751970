"""The command of the package, as data."""

from arena.hooks.commands import PluginCommand

SITE = PluginCommand("Write a tournament as a folder of static pages.", "arena_site.cli:command")
