"""How `arena serve` is watched: its log, and the metrics that it shows to programs."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from logging import INFO
from typing import TYPE_CHECKING, Any, cast

import click

from arena.cli.open_site import WebError, open_port
from arena.cli.options import add_options
from arena.values.installing import how_to_install
from arena.values.server_log import LogFormat, Notice, configure, log_line

if TYPE_CHECKING:
    from socket import socket

    from starlette.applications import Starlette

    from arena.server.monitoring.requests import FinishedRequest
    from arena.store import Store

_ADDRESS = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s:\[\]]+)):([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What a server logs, and where it shows its metrics."""

    log: LogFormat
    """The form of the log."""
    access_log: bool
    """Whether requests are logged."""
    metrics: tuple[str, int] | None
    """The host and port of the metrics; None: there are none."""

    def open_log(self) -> Callable[[str], None]:
        """Begin the log; return what is told what people should read."""
        configure(self.log)
        return log_line


log_option = click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the log on stderr: sentences, or an object of JSON per line.",
)


def server_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --log, --access-log and --metrics, handed on together as `watched`."""

    @wraps(function)
    def command(*args: Any, log: str, access_log: bool, metrics: tuple[str, int] | None, **others: Any) -> Any:
        return function(*args, watched=ServerOptions(cast(LogFormat, log), access_log, metrics), **others)

    return add_options(
        command,
        log_option,
        click.option("--access-log", is_flag=True, help="Log every request, by its route."),
        click.option(
            "--metrics",
            metavar="HOST:PORT",
            callback=_parse_address,
            help="Serve metrics for Prometheus at this address, to whoever reaches it  [default: none]",
        ),
    )


def _parse_address(_ctx: click.Context, _param: click.Parameter, text: str | None) -> tuple[str, int] | None:
    """Return host and port. Raises BadParameter."""
    if text is None:
        return None
    address = _ADDRESS.fullmatch(text)
    if address is None or int(address[3]) > 65535:
        raise click.BadParameter(f"{text} is not HOST:PORT, such as 127.0.0.1:9464")
    return address[1] or address[2], int(address[3])


@contextmanager
def open_monitoring(
    site: "Starlette", store: "Store", options: ServerOptions, workers: Mapping[str, Callable[[], bool]]
) -> "Iterator[tuple[Starlette, socket] | None]":
    """Have a site answer `/healthz`, and be watched; yield the site of the metrics and its socket, if there is one.

    workers: what tells whether they are alive, by name.
    """
    from arena.server.monitoring.health import HealthCheck
    from arena.server.monitoring.requests import RequestWatch, log_request, route_names

    finished: list[Callable[[FinishedRequest], None]] = [log_request] if options.access_log else []
    metrics = None
    if options.metrics is not None:
        try:
            from arena.server.monitoring.metrics import Metrics
        except ImportError as error:
            raise WebError(f"{error.name} is not installed: {how_to_install('botarena[web]')}") from None
        metrics = Metrics(store, lambda: site.state.streams.total)
        finished.append(metrics.count)
    if finished:
        site.add_middleware(RequestWatch, finished=finished, names=route_names(site))
    site.add_middleware(HealthCheck, store=store, workers=workers)
    if metrics is None or options.metrics is None:
        yield None
        return
    host, port = options.metrics
    with open_port(host, port, "choose another address for --metrics") as listener:
        shown = f"[{host}]" if ":" in host else host
        log_line(Notice(f"metrics: http://{shown}:{listener.getsockname()[1]}/metrics", "listening", level=INFO))
        yield metrics.application(host), listener
