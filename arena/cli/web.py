"""`arena web`: serve web pages of tournaments, bots, matches and replays."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from arena.cli.open_site import (
    HandInOptions,
    ProxyOptions,
    address_options,
    hand_in_limit_options,
    hand_in_options,
    limits_behind,
    names_option,
    open_site,
    proxy_options,
)
from arena.cli.options import db_option, hosting_options
from arena.cli.package_options import package_options
from arena.cli.watch_options import WatchOptions, no_watch_option
from arena.run.hosting import Hosting
from arena.values.definition import TimeControl

if TYPE_CHECKING:
    from arena.server.access import NameAudience


@click.command("web")
@address_options
@click.option("--public", is_flag=True, help="Show only public data: no notes, no output, no unfinished tournaments.")
@click.option("--owner", metavar="NAME", help="As --public, plus notes and output of this owner's bots.")
@click.option("--no-play", is_flag=True, help="Let nobody play by hand  [default: whoever sees everything may]")
@click.option("--sign-in", is_flag=True, help="Let account holders sign in and submit bots; others as --public.")
@proxy_options
@package_options("web")
@click.option("--build-network", is_flag=True, help="With --sign-in: let the builds of submitted bots use the network.")
@hand_in_options
@hand_in_limit_options
@names_option
@no_watch_option
@hosting_options
@db_option
def command(
    address: tuple[str, int],
    public: bool,
    owner: str | None,
    no_play: bool,
    sign_in: bool,
    proxy: ProxyOptions,
    packages: Mapping[str, Any],
    build_network: bool,
    intake: HandInOptions,
    limits: TimeControl,
    names: "NameAudience",
    no_watch: bool,
    hosting: Hosting,
    db: str,
) -> None:
    """Serve web pages of tournaments and matches.

    The pages show rankings with error bars, running tournaments, bots, and a replay of every match, move by move, with
    what each seat knew. Ctrl-C stops the server.

    Whoever reaches the address sees everything that the organiser sees, hidden cards, notes and output included. Use
    --public for other people.

    People can play against sample and submitted bots, alone or several in turn, and continue a stored match from any
    move.

    With --sign-in, people sign in with the tokens that `arena accounts create` prints. Authors submit bots, which are
    checked as `arena submit` does, and see the notes and output of their own; organisers see everything; others see
    what --public shows. With --trust-header a proxy in front of the server signs them in, so that the login of a
    university works; the proxy must remove that header from the requests of its clients.
    """
    if build_network and not sign_in:
        raise click.UsageError("--build-network needs --sign-in: without it nobody submits bots")
    if proxy.header is not None and not sign_in:
        raise click.UsageError("--trust-header needs --sign-in")
    if not sign_in:
        context = click.get_current_context()
        for option in context.command.params:
            if option.name in packages and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"{option.opts[0]} needs --sign-in")
    if sign_in and (public or owner):
        raise click.UsageError("--sign-in excludes --public and --owner: each account has its own rights")
    from referee.process.awake_clock import AwakeClock

    with (
        AwakeClock() as clock,
        open_site(
            address,
            db,
            hosting,
            proxy,
            public=public,
            owner=owner,
            no_play=no_play,
            sign_in=sign_in,
            build_network=build_network,
            intake=intake,
            limits=limits,
            packages=packages if sign_in else {},
            names=names,
            watching=WatchOptions("off" if no_watch else "stored").watching(),
            clock=clock,
        ) as (site, listener),
    ):
        import trio

        from arena.http import serve

        trio.run(partial(serve, site, listener, limits=limits_behind(proxy)), clock=clock)
