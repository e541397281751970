"""`arena web`: pages with tournaments, bots, matches and replays."""

import os

import click

from arena.cli.database import db_option
from arena.cli.settings import SETTINGS
from arena.errors import ArenaError


class WebError(ArenaError):
    """The pages cannot be served."""


@click.command("web", context_settings=SETTINGS)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Listen at this address.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Listen at this port; 0: any."
)
@click.option(
    "--public", is_flag=True, help="Show what everybody may see: no notes, no output, nothing of open events."
)
@click.option("--owner", metavar="NAME", help="As --public, with notes and output of this owner's bots.")
@db_option
def command(host: str, port: int, public: bool, owner: str | None, db: str) -> None:
    """Serve pages to look at tournaments and matches.

    Rankings with their error bars, tournaments while they are played, bots, and a replay of every match:
    move by move, with what each seat knew. Ctrl-C ends it.

    Whoever reaches the address sees everything, as the organiser does, hidden cards, notes and output
    included. For others, --public.
    """
    try:
        from arena.web.server import listening, serve
        from arena.web.site import application
    except ImportError as error:
        raise WebError(f"pages need more packages ({error.name} is missing): pip install 'arena[web]'") from None
    from functools import partial

    import trio

    from arena.store import open_store
    from arena.web.audience import Audience

    with open_store(db) as store:
        site = application(store, Audience(organiser=not (public or owner), owner=owner))
        try:
            listener = listening(host, port)
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise WebError(f"{host}:{port} cannot be had ({why}): choose another --port or --host") from None
        with listener:
            click.echo(f"http://{host}:{listener.getsockname()[1]}/  (Ctrl-C ends it)", err=True)
            trio.run(partial(serve, site, listener))
