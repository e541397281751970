"""The command line. One file per command: parse, call, print.

Commands are imported when they are called, so that `arena --help` stays quick; their one-line helps
are therefore repeated here (a test compares them with the commands' own).

A user's mistake is reported as a sentence on stderr, never as a traceback. Exit codes: 0 success, 1 a check
failed, 2 wrong input, 130 interrupted.
"""

import atexit
import gc
import sys
from typing import Any

import click

try:
    import referee  # noqa: F401
except ImportError as error:  # botarena-sdk is not installed
    sys.exit(str(error))

from arena.cli.database import describe_damage
from arena.cli.lazy_group import LazyGroup
from arena.cli.output import echo
from arena.cli.standard_streams import open_missing_streams, output_failure
from arena.hooks.published import remedy
from arena.values.errors import ArenaError
from arena.values.texts import not_utf8, printable
from referee.engine.errors import EngineError

COMMANDS = {
    "ask": "Ask a bot recorded questions again.",
    "bench": "Measure engine, protocol and whole tournaments on this machine.",
    "bots": "List submitted bots, show one, or retire it.",
    "bridge": "Connect a bot that speaks JSON lines to a gRPC referee.",
    "check": "Check that a bot is fit to play.",
    "completion": "Print the completion script of a shell.",
    "db": "Back up, check or rebuild the database.",
    "doctor": "Check that this machine can run tournaments, and a server.",
    "failures": "List bot processes that failed.",
    "games": "List the games, or describe one: its options, moves and log.",
    "hand-ins": "List hand-ins, or check them: on other machines, or again.",
    "init": "Create a new bot.",
    "league": "Run a league: a standing competition that plays by itself.",
    "login": "Store a token for a server.",
    "match": "Play one match, or show a stored one.",
    "matches": "List stored matches.",
    "play": "Play a match by hand against bots.",
    "practice": "Practise at a server: versions of your own bots, which nobody else sees.",
    "profile": "Say where the time of a bot goes.",
    "question": "Export recorded questions to files.",
    "ranking": "Rate the bots of a tournament.",
    "ratings": "Rate the players of matches played elsewhere.",
    "replay": "Replay a stored match, whole or as one seat saw it.",
    "rules": "Print the rules of a game.",
    "samples": "List the sample bots, describe one, or print its source.",
    "scenario": "Run scenario files and check their expectations.",
    "serve": "Serve the pages, check what is handed in, and run all leagues.",
    "submit": "Submit a bot.",
    "accounts": "Manage the accounts of `arena web --sign-in`.",
    "tokens": "Create, list or revoke the tokens of remote bots.",
    "tourney": "Run a tournament and rate the bots.",
    "verify": "Verify the records of stored matches by replaying them.",
    "watch": "Follow a hand-in or a league at a server.",
    "web": "Serve web pages of tournaments and matches.",
}
"""Name to help; the command NAME is `arena.cli.NAME:command`."""

ALIASES = {"tournament": "tourney"}
"""Other names of commands."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""


# Most of the objects of a short command are those of its imports, and none of them is garbage. A tenth of the time of
# the imports, and a quarter of that of the whole command, would go into looking for it: the last time as Python exits.
gc.set_threshold(50_000)
atexit.register(gc.freeze)


class WrongInput(click.ClickException):
    """Input that cannot be processed; reported as a sentence."""

    exit_code = 2


class Arena(LazyGroup):
    """The group `arena` itself."""

    helps = COMMANDS
    aliases = ALIASES
    package = "arena.cli"
    path = ""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the program; say in a sentence that standard output cannot be written."""
        open_missing_streams()
        try:
            return super().main(*args, **extra)
        except SystemExit:
            if not (reason := output_failure()):
                raise
        except OSError as error:
            if error.filename is not None or not (reason := output_failure(probe=True)):
                raise
        echo(f"Error: standard output cannot be written: {reason}", err=True)
        sys.exit(WrongInput.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; report errors raised on purpose as sentences, and leave bugs their traceback."""
        try:
            return super().invoke(ctx)
        except (ArenaError, EngineError) as error:
            raise WrongInput(printable(str(error))) from error
        except click.ClickException as error:  # its message may quote a database
            if isinstance(error, click.NoSuchOption) and error.ctx is not None:
                words = error.ctx.command_path.partition(" ")[2]
                if package := remedy(f"{words} {error.option_name}"):
                    raise click.UsageError(f"{error.option_name} needs {package}", error.ctx) from error
            message = error.format_message()
            if printable(message) == message:
                raise
            raise WrongInput(printable(message)) from error
        except (click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except UnicodeEncodeError as error:
            if (sentence := not_utf8(error)) is None:
                raise
            raise WrongInput(sentence) from error
        except Exception as error:
            # Where the output cannot be written, nothing is wrong with the database, whose check may take minutes.
            of_output = isinstance(error, OSError) and error.filename is None and output_failure(probe=True, last=False)
            if not of_output and (damage := describe_damage(ctx)) is not None:
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
