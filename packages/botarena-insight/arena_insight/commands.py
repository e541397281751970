"""The commands of the package, as data."""

from arena.hooks.commands import PluginCommand

ANALYSE = PluginCommand(
    "Estimate the chances to win throughout a stored match.", "arena_insight.analyse_command:command"
)
LEAGUE_WHY = PluginCommand("Report why a bot loses in a league.", "arena_insight.league_why:command")
TOURNAMENT_WHY = PluginCommand("Report why a bot loses in a tournament.", "arena_insight.tournament_why:command")
