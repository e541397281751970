"""The options --listen, --cert, --key and --reconnect, of commands in which remote bots may take part."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.cli.durations import Duration
from arena.cli.echo import echo

if TYPE_CHECKING:
    from arena.remote.gate import Gate
    from arena.tournament.plan.definition import Definition

Function = TypeVar("Function", bound=Callable[..., Any])

_LISTEN = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):([0-9]{1,5})")

OPTIONS = ("listen", "cert", "key")
"""Those that are no part of a tournament's definition."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where remote bots dial, and what the gate proves itself with; where there is no certificate one is made.

    reconnect: milliseconds that a bot has to dial.
    """

    listen: str | None = None
    cert: Path | None = None
    key: Path | None = None
    reconnect: int = 30_000


NOWHERE = Listening()


def gate_options(function: Function) -> Function:
    """Add the options, handed on together as `listening`."""

    @wraps(function)
    def command(
        *args: Any, listen: str | None, cert: Path | None, key: Path | None, reconnect: int, **others: Any
    ) -> Any:
        return function(*args, listening=Listening(listen, cert, key, reconnect), **others)

    file = click.Path(path_type=Path, dir_okay=False)
    for option in (
        click.option(
            "--reconnect", type=Duration(), default="30s", show_default=True, help="Time for a remote bot to come back."
        ),
        click.option("--key", type=file, metavar="FILE", help="The key of --cert."),
        click.option("--cert", type=file, metavar="FILE", help="A certificate of your own  [default: one is made]"),
        click.option("--listen", metavar="HOST:PORT", help="Where remote bots (remote:NAME) dial, by TLS."),
    ):
        command = option(command)
    return command  # type: ignore[return-value]  # the same but for what the options are handed on as


@contextmanager
def opened(listening: Listening, definition: "Definition", db: str) -> "Iterator[Gate | None]":
    """Let the remote bots of a tournament in, and wait for them; None where there are none.

    Raises UsageError where the options do not fit the field, RemoteError where nobody can be let in.
    """
    remote = [bot.remote for bot in definition.field if bot.remote]
    if not remote:
        if listening.listen is not None:
            raise click.UsageError("--listen is for remote bots, and none is named: --bots remote:NAME,...")
        yield None
        return
    if listening.listen is None:
        raise click.UsageError(f"{', '.join(remote)} plays from elsewhere: --listen HOST:PORT says where it dials")
    where = _LISTEN.fullmatch(listening.listen)
    if where is None or int(where[2]) > 65535:
        raise click.BadParameter(f"{listening.listen} is not HOST:PORT, as 0.0.0.0:7000", param_hint="--listen")
    if (listening.cert is None) != (listening.key is None):
        raise click.UsageError("--cert and --key belong together")
    from arena.remote.certificate import load_certificate, make_certificate
    from arena.remote.gate import Gate, GateSettings
    from arena.store import open_store

    if listening.cert is not None and listening.key is not None:
        certificate = load_certificate(listening.cert, listening.key)
    else:
        certificate = make_certificate(Path() if "://" in db else Path(db).absolute().parent, where[1].strip("[]"))

    def hashes() -> list[tuple[str, str]]:
        with open_store(db) as store:  # what was revoked meanwhile counts
            return [(row.name, row.sha256) for row in store.tokens.all() if row.name in remote]

    terms = GateSettings(definition.game, definition.matches_at_once)
    with Gate(listening.listen, certificate, hashes, terms, _say) as gate:
        told = f"ARENA_ADDRESS={where[1]}:{gate.port} ARENA_CA={certificate.path if certificate.own else 'system'}"
        _say(f"remote bots are started with {told} ARENA_TOKEN=...; certificate SHA-256 {certificate.fingerprint}")
        gate.wait(remote)
        yield gate


def _say(line: str) -> None:
    echo(line, err=True)
