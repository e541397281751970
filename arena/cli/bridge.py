"""`arena bridge`: speak gRPC for a bot that speaks lines of JSON."""

import os

import click


@click.command("bridge")
@click.argument("words", metavar="-- COMMAND...", nargs=-1, required=True, type=click.UNPROCESSED)
def command(words: tuple[str, ...]) -> None:
    """Speak gRPC for a bot that speaks lines of JSON.

    COMMAND is started, told on its standard input what a referee says, and listened to on its standard output. A bot
    whose bot.toml says protocol = "stdio" has this bridge before it by itself; by hand it is needed for a seat that is
    left to a bot in a debugger, with the environment that `arena match --attach` prints:

        ARENA_ADDRESS=unix:/tmp/... ARENA_TOKEN=... arena bridge -- ./bot

    Exit code: that of COMMAND, 1 where the referee was lost or COMMAND broke the format.
    """
    from arena.bridge.program import run

    address, token = os.environ.get("ARENA_ADDRESS"), os.environ.get("ARENA_TOKEN")
    if not address or not token:
        raise click.UsageError(
            "a bridge is told in ARENA_ADDRESS and ARENA_TOKEN where to dial: `arena match --attach` prints both"
        )
    raise SystemExit(run(words, address, token))
