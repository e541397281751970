"""`arena play`: a match by hand."""

from functools import partial
from itertools import cycle, islice
from typing import TYPE_CHECKING

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.gameoptions import game_options, parse_options
from arena.cli.hosting import hosting_options
from arena.cli.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.store.rows import DecisionRow, StoredMatch
    from arena.tournament.plan.match_prefix import Opening
    from referee.engine.game import Game


@click.command("play", context_settings=SETTINGS)
@click.option("--game", metavar="GAME", help="The game; `arena games` lists them.")
@click.option("--against", multiple=True, metavar="BOT,BOT...", help="The others, by seat  [default: sample bots]")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Where you sit  [default: 0]")
@game_options
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Deal from a number  [default: a random deal]")
@click.option("--from", "source", type=click.IntRange(min=1), metavar="ID", help="Go on from a moment of match ID.")
@click.option(
    "--move", "ply", type=click.IntRange(min=0), metavar="N", help="With --from: at the question of answer N."
)
@click.option("--redeal", is_flag=True, help="With --from: what your seat could not know then is dealt anew.")
@hosting_options
@db_option
def command(
    game: str | None,
    against: tuple[str, ...],
    seat: int | None,
    options: tuple[str, ...],
    seed: int | None,
    source: int | None,
    ply: int | None,
    redeal: bool,
    sandbox: str,
    affinity: bool,
    db: str,
) -> None:
    """Play a match by hand against bots.

    You are shown what your seat may know, and choose by typing a move, its number, or as much of it as is
    clear; "help" tells what else may be typed. The bots are processes as in any match and have their clocks; you
    have none. A bot is named as in `arena match`:

        arena play --game perudo --against random,./mybot --seat 1

    The match is stored once it is over, and can be replayed.

    --from 12 --move 57 goes on from match 12 just before its answer 57, in the seat that gave it, with the same cards
    and against the bots that sat there: what would have come of another move? Such a match is in no ranking.
    With --redeal all that your seat could not know then, and all that comes after, is dealt anew: any deal that fits
    what it was told and asked is as likely as any other. --seed decides it.
    """
    from arena.cli import COMMANDS, describe
    from arena.cli.matchsheet import print_match
    from arena.play.guide import Guide
    from arena.play.match_thread import Table
    from arena.play.person import Person, Quit
    from arena.play.terminal import Terminal
    from arena.store import open_store
    from arena.submissions.roster import open_roster
    from arena.tournament.plan.field import (
        attach,
        enter,
        samples,
        split_names,
    )
    from arena.tournament.plan.match_prefix import sat
    from arena.tournament.run.hosting import Hosting
    from arena.tournament.run.single_match import keep, single
    from referee.engine import registry

    if redeal and source is None:
        raise click.UsageError("--redeal goes with --from and --move: they say from which moment the match goes on")
    came_from = _came_from(source, ply, game, options, None if redeal else seed, db)
    if came_from is not None:
        game, begun = came_from[0].tournament.game, came_from[1]
        rules = registry.game(game)
        playing = rules.options.parse(came_from[0].tournament.options)
        seat = begun.seat if seat is None else seat
        if redeal:
            begun = _dealt_anew(begun, came_from[0], seat, seed)
            seed = None
    elif game is None:
        raise click.UsageError("Missing option '--game'.")
    else:
        rules, begun, seat = registry.game(game), None, seat or 0
        playing = rules.options.parse(parse_options(options))
    known = samples(game)
    named = [name for text in against for name in split_names(text)]
    if came_from is not None and not named:
        others = tuple(sat(came_from[0], came_from[2], open_roster(db), but=[seat]))
    else:
        others = enter(named or _opponents(rules, known), known, open_roster(db), game=game)
    field = attach(others, [seat], "person")
    rules.check(playing, len(field))
    if came_from is not None and len(field) != len(came_from[0].players):
        raise click.UsageError(f"match {source} has {len(came_from[0].players)} seats, not {len(field)}")
    meanings = {each["name"]: each["meaning"] for each in describe.view(rules)["messages"][0]["fields"]}
    more = f"arena games {game}" + (f", arena rules {game}" if "rules" in COMMANDS else "")
    guide = Guide(rules, playing, [bot.name for bot in field], seat, meanings, more)
    person = Person(guide, Terminal())

    def say(line: str) -> None:
        echo(line, err=True)

    with open_store(db, create=True) as store:
        try:
            hosting = Hosting(sandbox, affinity)
            with Table(
                lambda invite: single(
                    rules, playing, field, seed=seed, opening=begun, hosting=hosting, say=say, invite=invite
                )
            ) as table:
                for invitation in table.invitations():
                    person.sit_down(invitation)
                played = table.result()
        except Quit:
            echo("you have left the match; it is not kept", err=True)
            return
        match = keep(store, played, partial(echo, err=True))
    print_match(match)
    echo(f"\nits story: arena replay {match.id} --text --db {store.where}")


def _came_from(
    source: int | None, ply: int | None, game: str | None, options: tuple[str, ...], seed: int | None, db: str
) -> "tuple[StoredMatch, Opening, list[DecisionRow]] | None":
    """Return the match from which it goes on, what was played of it, and the log of its tournament, if it has one.

    None for a match from the beginning.
    """
    if source is None and ply is None:
        return None
    if source is None or ply is None:
        raise click.UsageError("--from and --move go together: --from 12 --move 57 is before answer 57 of match 12")
    if game is not None or options or seed is not None:
        raise click.UsageError(
            "--game, --option and --seed do not go with --from: the match says them (--seed does with --redeal)"
        )
    from arena.store import open_store
    from arena.tournament.plan.match_prefix import opening

    with open_store(db) as store:
        match = store.match(source)
        return match, opening(match, ply), store.decisions_of(match)


def _dealt_anew(begun: "Opening", match: "StoredMatch", seat: int, seed: int | None) -> "Opening":
    """Deal anew what a seat could not know, and say so where that is nothing."""
    from arena.tournament.plan.match_prefix import dealt_anew
    from arena.tournament.plan.secret import new_secret
    from arena.viewer.replay import Replay

    replay = Replay(match)
    known = [replay.boundaries[frame.boundary].steps for frame in replay.frames(seat if seat < replay.seats else None)]
    if all(not steps or steps[0].ply != begun.answers for steps in known):
        raise click.UsageError(
            f"seat {seat} does not know that anybody was asked then, and a deal that fits would tell it: "
            f"name a move of its own, or one that it sees (`arena replay {match.id} --text --seat {seat}`)"
        )
    anew = dealt_anew(begun, match, seat, new_secret(seed))
    if not anew.hidden:
        echo(f"seat {seat} knew all that lay on the table: only what comes is dealt anew", err=True)
    return anew


def _opponents(rules: "Game", samples: "Iterable[str]") -> list[str]:
    """Return the bots of a table of the recommended size when nobody is named: those with sense, in turn."""
    sense = [name for name in samples if name != "random"] or ["random"]
    return list(islice(cycle(sense), rules.recommended - 1))
