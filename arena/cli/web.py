"""`arena web`: pages with tournaments, bots, matches and replays."""

import os
from socket import gaierror

import click

from arena.cli.options import db_option, hosting_options
from arena.cli.output import echo
from arena.errors import ArenaError
from arena.tournament.run.hosting import Hosting


class WebError(ArenaError):
    """The pages cannot be served."""


@click.command("web")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Listen at this address.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Listen at this port; 0: any."
)
@click.option(
    "--public", is_flag=True, help="Show what everybody may see: no notes, no output, nothing of open events."
)
@click.option("--owner", metavar="NAME", help="As --public, with notes and output of this owner's bots.")
@click.option("--no-play", is_flag=True, help="Nobody plays here; otherwise whoever may see everything.")
@click.option("--sign-in", is_flag=True, help="Let people with accounts sign in and hand in bots; others as --public.")
@hosting_options
@db_option
def command(
    host: str,
    port: int,
    public: bool,
    owner: str | None,
    no_play: bool,
    sign_in: bool,
    hosting: Hosting,
    db: str,
) -> None:
    """Serve pages to look at tournaments and matches.

    Rankings with their error bars, tournaments while they are played, bots, and a replay of every match:
    move by move, with what each seat knew. Ctrl-C ends it.

    Whoever reaches the address sees everything, as the organiser does, hidden cards, notes and output
    included. For others, --public.

    Matches are played by hand, by one person or by several in turn, against sample bots and submitted ones, and
    gone on with from any moment of a stored match.

    With --sign-in, people sign in with tokens that `arena accounts create` makes. Authors hand in bots, which are
    checked as by `arena submit`, and see the notes and output of their own; organisers see everything; others what
    --public shows.
    """
    if sign_in and (public or owner):
        raise click.UsageError("--sign-in tells who asks: --public and --owner do not go with it")
    try:
        from arena.web.hosted_matches import PlaySessions
        from arena.web.middleware import LOOPBACK
        from arena.web.server import listening, serve
        from arena.web.site import application
        from arena.web.submission_queue import SubmissionQueue
    except ImportError as error:
        raise WebError(f"pages need more packages ({error.name} is missing): pip install 'botarena[web]'") from None
    from functools import partial

    import trio

    from arena.store import open_store
    from arena.submissions.build import BuildTerms
    from arena.web.access import Access

    try:
        listener = listening(host, port)
    except OSError as error:
        # A name that is not known has a number and a sentence of its own.
        why = error.strerror if isinstance(error, gaierror) else os.strerror(error.errno or 0)
        raise WebError(f"{host}:{port} cannot be had ({why}): choose another --port or --host") from None
    with listener, open_store(db) as store:
        organiser = not (public or owner or sign_in)
        if sign_in and (gap := hosting.gap()):
            raise WebError(
                f"--sign-in runs what strangers hand in, which is not kept apart here: {gap}; "
                "serve where bubblewrap works (`arena doctor` says how)"
            )
        play_sessions = PlaySessions(store, hosting) if (organiser or sign_in) and not no_play else None
        submissions = SubmissionQueue(store, hosting, BuildTerms()) if sign_in else None
        hosts = LOOPBACK if host in LOOPBACK else ()
        site = application(store, Access(organiser=organiser, owner=owner), play_sessions, hosts, submissions)
        name = f"[{host}]" if ":" in host else host
        echo(f"http://{name}:{listener.getsockname()[1]}/  (Ctrl-C ends it)", err=True)
        try:
            trio.run(partial(serve, site, listener))
        finally:
            if play_sessions:
                play_sessions.close()
            if submissions:
                submissions.close()
