"""The subcommands of `arena league`: one file each, imported when it is called."""

from arena.cli.lazy_group import LazyGroup

COMMANDS = {
    "announce": "Announce something on the page of a league.",
    "batch": "Show a batch of a league.",
    "board": "Print the board of a league.",
    "challenge": "Have a bot play against others, unrated.",
    "close": "Close a league.",
    "create": "Create a league.",
    "divisions": "Print the divisions of a league.",
    "dates": "Set the dates of a season of a league, or print them.",
    "end-season": "End the season of a league with a final.",
    "export": "Export the ended seasons of a league to a file.",
    "extend": "Extend the deadline of a league for one owner.",
    "grant": "Grant a bot the network or devices.",
    "groups": "List the groups of a league, and say who sees them.",
    "import": "Import an exported league, to verify it.",
    "list": "List the leagues of the database.",
    "pause": "Pause a league.",
    "readmit": "Let a suspended or retired bot play again.",
    "resume": "Resume a league.",
    "retire": "Let a bot play no more in a league.",
    "revoke": "Take from a bot what it was granted.",
    "run": "Run leagues until stopped.",
    "show": "Show a league: its definition, entries and batches.",
    "verify": "Verify a league: its draws, records and secrets.",
}
"""Name to help; the command NAME is `arena.cli.leagues.NAME:command`."""


class Leagues(LazyGroup):
    """The group `arena league`."""

    helps = COMMANDS
    package = "arena.cli.leagues"
    path = "league"
