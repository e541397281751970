"""The commands below `arena tourney`: one file each, imported when it is called."""

from arena.cli.lazy import LazyGroup

COMMANDS = {
    "export": "Write a tournament with all its matches to a file.",
    "import": "Take in a tournament that was exported.",
    "list": "List the tournaments of the database.",
    "resume": "Go on with a tournament.",
    "run": "Run the tournament that a file defines.",
    "show": "Show a tournament: its definition, hashes, field and progress.",
    "verify": "Play all matches of a tournament again by the rules and check its records.",
}
"""Name to help; the command NAME is `arena.cli.tourneys.NAME:command`."""


class Tourneys(LazyGroup):
    """A group that also runs by itself."""

    helps = COMMANDS
    package = "arena.cli.tourneys"
