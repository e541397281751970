"""`arena bridge`: connect a bot that speaks JSON lines to a gRPC referee."""

import os

import click


@click.command("bridge")
@click.argument("words", metavar="-- COMMAND...", nargs=-1, required=True, type=click.UNPROCESSED)
def command(words: tuple[str, ...]) -> None:
    """Connect a bot that speaks JSON lines to a gRPC referee.

    Starts COMMAND, writes what the referee says to its standard input, and reads its answers from its standard output.
    A bot whose bot.toml says protocol = "stdio" gets this bridge by itself. Run it by hand for a bot in a debugger,
    with the environment that `arena match --attach` prints:

        ARENA_ADDRESS=unix:/tmp/... ARENA_TOKEN=... arena bridge -- ./bot

    Exit code: that of COMMAND, or 1 if the connection was lost or COMMAND broke the format.
    """
    from arena.bridge.program import run

    address, token = os.environ.get("ARENA_ADDRESS"), os.environ.get("ARENA_TOKEN")
    if not address or not token:
        raise click.UsageError("ARENA_ADDRESS and ARENA_TOKEN are not set; `arena match --attach` prints both")
    raise SystemExit(run(words, address, token))
