"""`arena completion`: the script with which a shell completes commands, games, bots and numbers."""

import click
from click.shell_completion import get_completion_class

from arena.cli.output import echo

SHELLS = ("bash", "fish", "zsh")


@click.command("completion")
@click.argument("shell", metavar="bash|fish|zsh", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    With it the Tab key completes commands and options, games, sample bots and submitted bots, leagues, and the numbers
    of the newest matches and tournaments in the database that the line names (an SQLite file). To have it from now on:

    \b
        arena completion bash > ~/.local/share/bash-completion/completions/arena
        arena completion fish > ~/.config/fish/completions/arena.fish
        arena completion zsh > ~/.zfunc/_arena      # ~/.zshrc: fpath+=~/.zfunc; autoload -U compinit; compinit
    """
    maker = get_completion_class(shell)
    assert maker is not None
    script = maker(context.find_root().command, {}, "arena", "_ARENA_COMPLETE")
    echo(script.source_template % script.source_vars())
