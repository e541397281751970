"""The command line. One file per command: parse, call, print.

Commands are imported when they are called, so that `arena --help` stays quick; their one-line helps
therefore stand here (a test holds them against the commands' own).

What a user did wrong is told in a sentence on stderr, never in a traceback. Exit codes: 0 all is
well, 1 what was checked is wrong, 2 wrong input, 130 interrupted.
"""

import sys
from typing import Any

import click

from arena.cli.database import describe_damage
from arena.cli.lazy_group import LazyGroup
from arena.cli.output import echo
from arena.errors import ArenaError
from arena.texts import printable
from referee.engine.errors import EngineError

COMMANDS = {
    "bench": "Measure engine, protocol and whole tournaments on this machine.",
    "bots": "List submitted bots, show one, or retire it.",
    "bridge": "Speak gRPC for a bot that speaks lines of JSON.",
    "check": "Check whether a bot is fit to play.",
    "db": "Copy the database, check that it is sound, or make its summaries again.",
    "doctor": "Look whether this machine is fit for tournaments.",
    "failures": "List processes of bots that failed.",
    "games": "List the games, or explain one with its options, moves and log.",
    "init": "Make a new bot.",
    "match": "Play one match, or show a stored one.",
    "matches": "List stored matches.",
    "play": "Play a match by hand against bots.",
    "ranking": "Rate the bots of a tournament.",
    "ratings": "Rate the players of matches that were played elsewhere.",
    "replay": "Look at a stored match, whole or as one seat saw it.",
    "rules": "Print the rules of a game.",
    "scenario": "Play scenario files and check what they expect.",
    "submit": "Hand in a bot, or a folder of bots.",
    "accounts": "Let people sign in to the pages of `arena web --sign-in`.",
    "tokens": "Give tokens to remote bots, list or revoke them.",
    "tourney": "Run a tournament and rate the bots.",
    "verify": "Play a stored match again by the rules and check its record.",
    "web": "Serve pages to look at tournaments and matches.",
}
"""Name to help; the command NAME is `arena.cli.NAME:command`."""

ALIASES = {"tournament": "tourney"}
"""Other names of commands."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""


class WrongInput(click.ClickException):
    """What was asked for cannot be done: shown as a sentence."""

    exit_code = 2


class Arena(LazyGroup):
    """The group `arena` itself."""

    helps = COMMANDS
    aliases = ALIASES
    package = "arena.cli"

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Errors raised on purpose become sentences; all others are bugs and stay as they are."""
        try:
            return super().invoke(ctx)
        except (ArenaError, EngineError) as error:
            raise WrongInput(printable(str(error))) from error
        except click.ClickException as error:  # which may name what a database holds
            told = error.format_message()
            if printable(told) == told:
                raise
            raise WrongInput(printable(told)) from error
        except (click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            if (damage := describe_damage(ctx)) is not None:
                raise WrongInput(printable(damage)) from error
            raise
        except KeyboardInterrupt:
            echo("interrupted", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None
        finally:
            # A reader that has gone away (`arena matches | head`) is noticed here, where click ends the
            # program quietly, and not by the interpreter as it shuts down.
            if not sys.stdout.closed:
                sys.stdout.flush()


@click.command(cls=Arena, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="botarena", message="arena %(version)s")
def main() -> None:
    """Tournaments between game-playing bots, in any language, with honest ratings."""
