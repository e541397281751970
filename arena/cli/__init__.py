"""The command line. One file per command: parse, call, print.

Commands are imported when they are called, so that `arena --help` stays quick; their one-line helps
therefore stand here (a test holds them against the commands' own).
"""

from importlib import import_module

import click

COMMANDS = {
    "bench": "Measure engine, protocol and whole tournaments on this machine.",
    "games": "List the games, or explain one with its options, moves and log.",
    "match": "Play one match, or show a stored one.",
    "matches": "List stored matches.",
    "ranking": "Rate the bots of a tournament.",
    "replay": "Print the log of a stored match, whole or as one seat saw it.",
    "scenario": "Play scenario files and check what they expect.",
    "tourney": "Run a tournament and rate the bots.",
    "verify": "Play a stored match again by the rules and check its record.",
}
"""Name to help; the command NAME is `arena.cli.NAME:command`."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"arena.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="arena", message="arena %(version)s")
def main() -> None:
    """Tournaments between game-playing bots, in any language, with honest ratings."""
