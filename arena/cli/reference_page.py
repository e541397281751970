"""`python -m arena.cli.reference_page`: every command's help as one Markdown page, docs/cli.md."""

from collections.abc import Iterator

import click

from arena.cli import main
from arena.cli.output import echo

_HEAD = """\
# The command line

Generated from the help of the commands by `make docs`. Results go to standard output, progress and errors to standard
error. Exit codes: 0 success, 1 a check failed, 2 wrong input, 130 interrupted.

Tables fit the terminal. Where it is too narrow, headers and texts are folded, then columns are left out in a fixed
order, and a line below names them; what remains of a matrix stands below. A table that is piped has all columns,
however wide; programs read `--json`.
"""


def page() -> str:
    """Return the whole page."""
    return _HEAD + "".join(f"\n## {name}\n\n```\n{text}\n```\n" for name, text in helps(main, None, "arena"))


def helps(command: click.Command, parent: click.Context | None, name: str) -> Iterator[tuple[str, str]]:
    """Yield the full name and the help of a command and of all commands below it, 100 columns wide."""
    context = command.make_context(name, [], parent, resilient_parsing=True, terminal_width=100, max_content_width=100)
    yield context.command_path, context.get_help()
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            subcommand = command.get_command(context, below)
            if subcommand is not None and not subcommand.hidden:
                yield from helps(subcommand, context, below)


if __name__ == "__main__":
    echo(page(), nl=False)
