"""`arena web`: serve web pages of tournaments, bots, matches and replays."""

from functools import partial

import click

from arena.cli.open_site import ProxyOptions, open_site, proxy_options
from arena.cli.options import db_option, hosting_options
from arena.tournament.run.hosting import Hosting


@click.command("web")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0: any free port.",
)
@click.option("--public", is_flag=True, help="Show only public data: no notes, no output, no unfinished tournaments.")
@click.option("--owner", metavar="NAME", help="As --public, plus notes and output of this owner's bots.")
@click.option("--no-play", is_flag=True, help="Let nobody play by hand  [default: whoever sees everything may]")
@click.option("--sign-in", is_flag=True, help="Let account holders sign in and submit bots; others as --public.")
@proxy_options
@click.option("--build-network", is_flag=True, help="With --sign-in: let the builds of submitted bots use the network.")
@hosting_options
@db_option
def command(
    host: str,
    port: int,
    public: bool,
    owner: str | None,
    no_play: bool,
    sign_in: bool,
    proxy: ProxyOptions,
    build_network: bool,
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
    if sign_in and (public or owner):
        raise click.UsageError("--sign-in excludes --public and --owner: each account has its own rights")
    with open_site(
        host,
        port,
        db,
        hosting,
        proxy,
        public=public,
        owner=owner,
        no_play=no_play,
        sign_in=sign_in,
        build_network=build_network,
    ) as (site, listener):
        import trio

        from arena.web.server import serve

        trio.run(partial(serve, site, listener))
