"""The site as commands serve it: its options, its port, and the worker that checks hand-ins."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from logging import INFO
from socket import gaierror
from typing import TYPE_CHECKING, Any

import click

from arena.bots.hand_in_limits import DEFAULT_DAYS, DEFAULT_MB
from arena.cli.options import add_options
from arena.cli.output import print_progress
from arena.cli.tournament_options import limit_options
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl
from arena.values.errors import ArenaError
from arena.values.installing import how_to_install
from arena.values.server_log import Notice

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network
    from socket import socket

    from starlette.applications import Starlette

    from arena.http import HttpLimits
    from arena.league.run.practice_turns import PracticeTerms
    from arena.server.access import NameAudience
    from arena.server.watch.watched_league import Watching
    from arena.store import Store
    from referee.process.awake_clock import AwakeClock


SMALLEST_DISK = 16
"""Megabytes: two of the largest files that can be sent."""


class WebError(ArenaError):
    """Pages that cannot be served."""


@dataclass(frozen=True, slots=True)
class ProxyOptions:
    """What the server trusts proxies in front of it to say."""

    header: str | None = None
    """The header in which they name who is signed in; None: they sign nobody in."""
    proxies: "Sequence[IPv4Network | IPv6Network]" = ()
    """The addresses of the proxies."""
    creates: bool = False
    """Whether whoever they name gets an account."""
    public_url: str | None = None
    """Where people reach the site; None: where it listens."""


def address_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --host and --port, handed on together as `address`."""

    @wraps(function)
    def command(*args: Any, host: str, port: int, **others: Any) -> Any:
        return function(*args, address=(host, port), **others)

    return add_options(
        command,
        click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=8000,
            show_default=True,
            help="Port to listen on; 0: any free port.",
        ),
    )


_HAND_INS_PER_DAY = click.option(
    "--hand-ins-per-day",
    metavar="NUMBER",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Most hand-ins of an author on a day (UTC); 0: no limit.",
)

_HAND_IN_DISK = click.option(
    "--hand-in-disk",
    metavar="MB",
    type=click.IntRange(min=SMALLEST_DISK),
    default=DEFAULT_MB,
    show_default=True,
    help="Most megabytes of disk that the files of hand-ins take.",
)

_KEEP_REFUSED = click.option(
    "--keep-refused",
    metavar="DAYS",
    type=click.IntRange(min=0),
    default=DEFAULT_DAYS,
    show_default=True,
    help="Days for which the files of refused hand-ins are kept, so that they can be checked again.",
)


_CHECK_JOBS = click.option(
    "--check-jobs",
    metavar="NUMBER",
    type=click.IntRange(min=0),
    help="Hand-ins that are checked side by side; from 2 on, one worker is kept for quick checks; 0: `arena hand-ins "
    "check` checks them all  [default: one for each two usable cores, two at least]",
)


@dataclass(frozen=True, slots=True)
class HandInOptions:
    """How hand-ins are received and checked."""

    per_day: int | None = None
    """The most of an author on a day (UTC); None: no limit."""
    megabytes: int = DEFAULT_MB
    """What their files take at most."""
    refused_days: int = DEFAULT_DAYS
    """How long those of refused ones are kept."""
    jobs: int | None = None
    """How many are checked side by side; 0: others check them; None: as many as fit the cores."""


names_option = click.option(
    "--display-names",
    "names",
    type=click.Choice(["organisers", "signed-in", "everyone"]),
    default="signed-in",
    show_default=True,
    help="Who sees the display names of accounts on pages and in the API.",
)


def hand_in_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --hand-ins-per-day, --hand-in-disk, --keep-refused and --check-jobs, handed on together as `intake`."""

    @wraps(function)
    def command(
        *args: Any,
        hand_ins_per_day: int,
        hand_in_disk: int,
        keep_refused: int,
        check_jobs: int | None,
        **others: Any,
    ) -> Any:
        intake = HandInOptions(hand_ins_per_day or None, hand_in_disk, keep_refused, check_jobs)
        return function(*args, intake=intake, **others)

    return add_options(command, _HAND_INS_PER_DAY, _HAND_IN_DISK, _KEEP_REFUSED, _CHECK_JOBS)


_UNLESS = "unless a league that they would enter grants more"

hand_in_limit_options = limit_options(
    f"Time that hand-ins have in their check until their hello, {_UNLESS}.",
    f"Time that hand-ins have in their check to get ready for a match, {_UNLESS}; 0: no limit.",
)
"""Passes `limits`: a `TimeControl`."""


def proxy_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --public-url, --trusted-proxy, --trust-header and --create-accounts, handed on together as `proxy`."""

    @wraps(function)
    def command(
        *args: Any,
        trust_header: str | None,
        proxies: "Sequence[IPv4Network | IPv6Network]",
        create_accounts: bool,
        public_url: str | None,
        **others: Any,
    ) -> Any:
        if trust_header is not None and not proxies:
            raise click.UsageError("--trust-header needs --trusted-proxy: the address of the proxy")
        if trust_header is None and create_accounts:
            raise click.UsageError("--create-accounts needs --trust-header")
        return function(*args, proxy=ProxyOptions(trust_header, proxies, create_accounts, public_url), **others)

    return add_options(
        command,
        click.option(
            "--public-url",
            metavar="URL",
            help="Where people reach the pages, if a proxy is in front of them; with https:// cookies are Secure.",
        ),
        click.option(
            "--trusted-proxy",
            "proxies",
            metavar="ADDRESS",
            multiple=True,
            callback=parse_networks,
            help="Address or network of that proxy, which names its clients in X-Forwarded-For; repeatable.",
        ),
        click.option("--trust-header", metavar="NAME", help="That proxy names who is signed in in this header."),
        click.option(
            "--create-accounts",
            is_flag=True,
            help="With --trust-header: give whoever it names an author's account.",
        ),
    )


def parse_networks(
    _ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> "Sequence[IPv4Network | IPv6Network]":
    """Return addresses and networks. Raises BadParameter."""
    from ipaddress import ip_network

    try:
        return [ip_network(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(
            f"{error}: give an address such as 10.0.0.5, or a network such as 10.0.0.0/24"
        ) from None


def open_port(host: str, port: int, remedy: str) -> "socket":
    """Return a listening socket.

    remedy: what to do where that is impossible.

    Raises WebError.
    """
    from arena.http import listening

    try:
        return listening(host, port)
    except OSError as error:
        # An unknown host has an error number and message of its own.
        why = error.strerror if isinstance(error, gaierror) else os.strerror(error.errno or 0)
        raise WebError(f"cannot listen on {host}:{port} ({why}): {remedy}") from None


@contextmanager
def open_site(
    address: tuple[str, int],
    db: str,
    hosting: Hosting,
    proxy: ProxyOptions,
    *,
    public: bool = False,
    owner: str | None = None,
    no_play: bool = False,
    sign_in: bool = False,
    build_network: bool = False,
    say: Callable[[str], None] = print_progress,
    intake: HandInOptions | None = None,
    limits: TimeControl | None = None,
    packages: Mapping[str, Any] | None = None,
    names: "NameAudience" = "signed-in",
    watching: "Watching | None" = None,
    practice: "PracticeTerms | None" = None,
    clock: "AwakeClock | None" = None,
) -> "Iterator[tuple[Starlette, socket]]":
    """Open the database and the port, and check hand-ins where people sign in; yield the site and the socket.

    address: host and port.
    say: is told what the organiser should know.
    packages: the options of packages, by name.
    intake: how hand-ins are received and checked; None: as usual.
    limits: how long hand-ins may take to start and to get ready; None: as usual.
    names: who sees display names.
    watching: what may be watched of leagues; None: they have no live page.
    practice: what practice leagues may take; None: nothing.
    clock: the one of this program, which beats meanwhile; None: checks have one of their own.

    The other parameters are those of `arena web`.

    Raises WebError or PublicUrlError if it cannot be served.
    """
    try:
        from arena.server.accounts.proxy_sign_in import ProxySignIn
        from arena.server.hand_ins.league_limits import league_limits
        from arena.server.play.hosted_matches import PlaySessions
        from arena.server.requests.middleware import LOOPBACK
        from arena.server.requests.proxies import BehindProxy, PublicUrl, TrustedProxies
        from arena.server.site import application
    except ImportError as error:
        raise WebError(f"{error.name} is not installed: {how_to_install('botarena[web]')}") from None
    from arena.bots.hand_in_worker import HandInWorker, usual_jobs
    from arena.hooks.plugins import plugins
    from arena.league.run.practice_turns import NO_PRACTICE
    from arena.packs.build import BuildTerms
    from arena.server.access import Access
    from arena.store import open_store
    from referee.sandbox.cpu_supply import usable_cores

    host, port = address
    proxies = TrustedProxies(proxy.proxies)
    if proxy.header and build_network and proxies.include_this_machine():
        raise WebError(
            f"--build-network lets builds reach this machine, from whose address --trust-header {proxy.header} signs "
            "anybody in: have the proxy run on another machine or in a container, or leave out --build-network"
        )
    public_url = None if proxy.public_url is None else PublicUrl.parse(proxy.public_url)
    listener = open_port(host, port, "choose another --port or --host")
    with listener, open_store(db) as store:
        organiser = not (public or owner or sign_in)
        if sign_in and (gap := hosting.gap()):
            raise WebError(
                f"--sign-in runs submitted bots, which are not isolated here: {gap}; "
                "serve where bubblewrap works (`arena doctor` says how)"
            )
        play_sessions = PlaySessions(store, hosting) if (organiser or sign_in) and not no_play else None
        hand_ins = None
        if sign_in:
            intake = intake or HandInOptions()
            hand_ins = HandInWorker(
                store,
                hosting,
                BuildTerms(build_network),
                say,
                jobs=usual_jobs(usable_cores()) if intake.jobs is None else intake.jobs,
                per_day=intake.per_day,
                megabytes=intake.megabytes,
                refused_days=intake.refused_days,
                limits=limits,
                league_limits=league_limits,
                clock=clock,
            )
            _check_disk(store, intake.megabytes, say)
        hosts: Sequence[str] = LOOPBACK if host in LOOPBACK else ()
        if public_url is not None:
            hosts = (public_url.host, *LOOPBACK)
        signs_in = ProxySignIn(store, proxy.header, proxies, say, creates=proxy.creates) if proxy.header else None
        access = Access(organiser=organiser, owner=owner, names=names)
        where = None if public_url is None else public_url.text
        parts = plugins().hook.arena_site(store=store, options=packages or {}, say=say, public_url=where)
        site = application(
            store, access, play_sessions, hosts, hand_ins, signs_in, parts, watching, practice or NO_PRACTICE
        )
        site.add_middleware(BehindProxy, proxies=proxies, public_url=public_url)
        name = f"[{host}]" if ":" in host else host
        sentence = f"http://{name}:{listener.getsockname()[1]}/  (Ctrl-C stops it)"
        say(Notice(sentence, "listening", level=INFO))
        if hand_ins:
            hand_ins.start()
        try:
            yield site, listener
        finally:
            if play_sessions:
                play_sessions.close()
            if hand_ins:
                hand_ins.close()


def _check_disk(store: "Store", megabytes: int, say: Callable[[str], None]) -> None:
    """Say so if the disk has less room than hand-ins may take."""
    from arena.bots.hand_in_space import MEGABYTE, free_bytes

    with store.read() as connection:
        free = free_bytes(connection, store.where)
    if free is not None and free < megabytes * MEGABYTE:
        sentence = (
            f"hand-ins may take {megabytes:,} MB of disk, and {free // MEGABYTE:,} MB are free where {store.where} is: "
            "make room, or lower --hand-in-disk"
        )
        say(Notice(sentence, "little_disk"))


def limits_behind(proxy: ProxyOptions) -> "HttpLimits":
    """Return the limits on clients, among which there are proxies."""
    from arena.http import DEFAULT_LIMITS
    from arena.server.requests.proxies import TrustedProxies

    return replace(DEFAULT_LIMITS, is_proxy=TrustedProxies(proxy.proxies).trusts)
