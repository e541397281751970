"""`arena web`: serve web pages of tournaments, bots, matches and replays."""

import os
from socket import gaierror

import click

from arena.cli.options import db_option, hosting_options
from arena.cli.output import echo
from arena.errors import ArenaError
from arena.tournament.run.hosting import Hosting


class WebError(ArenaError):
    """Pages that cannot be served."""


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
    what --public shows.
    """
    if build_network and not sign_in:
        raise click.UsageError("--build-network needs --sign-in: without it nobody submits bots")
    if sign_in and (public or owner):
        raise click.UsageError("--sign-in excludes --public and --owner: each account has its own rights")
    try:
        from arena.web.hosted_matches import PlaySessions
        from arena.web.middleware import LOOPBACK
        from arena.web.server import listening, serve
        from arena.web.site import application
        from arena.web.submission_queue import SubmissionQueue
    except ImportError as error:
        raise WebError(f"{error.name} is not installed: pip install 'botarena[web]'") from None
    from functools import partial

    import trio

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
        submissions = SubmissionQueue(store, hosting, BuildTerms(build_network)) if sign_in else None
        hosts = LOOPBACK if host in LOOPBACK else ()
        site = application(store, Access(organiser=organiser, owner=owner), play_sessions, hosts, submissions)
        name = f"[{host}]" if ":" in host else host
        echo(f"http://{name}:{listener.getsockname()[1]}/  (Ctrl-C stops it)", err=True)
        try:
            trio.run(partial(serve, site, listener))
        finally:
            if play_sessions:
                play_sessions.close()
            if submissions:
                submissions.close()
