"""The site as commands serve it: its options, its port, and the worker that checks hand-ins."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from socket import gaierror
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import add_options
from arena.cli.output import echo
from arena.errors import ArenaError
from arena.tournament.run.hosting import Hosting

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network
    from socket import socket

    from starlette.applications import Starlette


class WebError(ArenaError):
    """Pages that cannot be served."""


@dataclass(frozen=True, slots=True)
class ProxyOptions:
    """A proxy that signs people in. header: in which it names them; None: there is none. proxies: its addresses.

    creates: whether whoever it names gets an account.
    """

    header: str | None = None
    proxies: "Sequence[IPv4Network | IPv6Network]" = ()
    creates: bool = False


def proxy_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --trust-header, --trusted-proxy and --create-accounts, handed on together as `proxy`."""

    @wraps(function)
    def command(
        *args: Any,
        trust_header: str | None,
        proxies: "Sequence[IPv4Network | IPv6Network]",
        create_accounts: bool,
        **others: Any,
    ) -> Any:
        if trust_header is not None and not proxies:
            raise click.UsageError("--trust-header needs --trusted-proxy: the address of the proxy")
        if trust_header is None and (proxies or create_accounts):
            raise click.UsageError("--trusted-proxy and --create-accounts need --trust-header")
        return function(*args, proxy=ProxyOptions(trust_header, proxies, create_accounts), **others)

    return add_options(
        command,
        click.option("--trust-header", metavar="NAME", help="A proxy names who is signed in in this header."),
        click.option(
            "--trusted-proxy",
            "proxies",
            metavar="ADDRESS",
            multiple=True,
            callback=_parse_networks,
            help="Address or network of that proxy; repeatable.",
        ),
        click.option(
            "--create-accounts",
            is_flag=True,
            help="With --trust-header: give whoever it names an author's account.",
        ),
    )


def _parse_networks(
    _ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> "Sequence[IPv4Network | IPv6Network]":
    """Return addresses and networks of proxies. Raises BadParameter."""
    from ipaddress import ip_network

    try:
        return [ip_network(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(
            f"{error}: give an address such as 10.0.0.5, or a network such as 10.0.0.0/24"
        ) from None


@contextmanager
def open_site(
    host: str,
    port: int,
    db: str,
    hosting: Hosting,
    proxy: ProxyOptions,
    *,
    public: bool = False,
    owner: str | None = None,
    no_play: bool = False,
    sign_in: bool = False,
    build_network: bool = False,
) -> "Iterator[tuple[Starlette, socket]]":
    """Open the database and the port, and check hand-ins where people sign in; yield the site and the socket.

    The parameters are those of `arena web`. Raises WebError if it cannot be served.
    """
    try:
        from arena.web.hosted_matches import PlaySessions
        from arena.web.middleware import LOOPBACK
        from arena.web.proxy_sign_in import ProxySignIn
        from arena.web.server import listening
        from arena.web.site import application
    except ImportError as error:
        raise WebError(f"{error.name} is not installed: pip install 'botarena[web]'") from None
    from arena.checking.hand_in_worker import HandInWorker
    from arena.store import open_store
    from arena.submissions.build import BuildTerms
    from arena.web.access import Access

    try:
        listener = listening(host, port)
    except OSError as error:
        # An unknown host has an error number and message of its own.
        why = error.strerror if isinstance(error, gaierror) else os.strerror(error.errno or 0)
        raise WebError(f"cannot listen on {host}:{port} ({why}): choose another --port or --host") from None
    with listener, open_store(db) as store:
        organiser = not (public or owner or sign_in)
        if sign_in and (gap := hosting.gap()):
            raise WebError(
                f"--sign-in runs submitted bots, which are not isolated here: {gap}; "
                "serve where bubblewrap works (`arena doctor` says how)"
            )
        play_sessions = PlaySessions(store, hosting) if (organiser or sign_in) and not no_play else None
        say = partial(echo, err=True)
        hand_ins = HandInWorker(store, hosting, BuildTerms(build_network), say) if sign_in else None
        hosts = LOOPBACK if host in LOOPBACK else ()
        signs_in = proxy.header and ProxySignIn(store, proxy.header, proxy.proxies, say, creates=proxy.creates)
        access = Access(organiser=organiser, owner=owner)
        site = application(store, access, play_sessions, hosts, hand_ins, signs_in or None)
        name = f"[{host}]" if ":" in host else host
        echo(f"http://{name}:{listener.getsockname()[1]}/  (Ctrl-C stops it)", err=True)
        if hand_ins:
            hand_ins.start()
        try:
            yield site, listener
        finally:
            if play_sessions:
                play_sessions.close()
            if hand_ins:
                hand_ins.close()
