"""`arena play`: play a match by hand against bots."""

from itertools import cycle, islice
from typing import TYPE_CHECKING

import click

from arena.cli.grant_options import Granted, grant_option, secret_option
from arena.cli.options import MATCH_NUMBER, db_option, game_options, hosting_options, parse_game_options
from arena.cli.output import echo, print_progress
from arena.run.hosting import Hosting
from arena.values.texts import shell_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.plan.match_prefix import MatchPrefix
    from arena.values.rows import DecisionRow, StoredMatch
    from referee.engine.game import Game


@click.command("play")
@click.option("--game", metavar="GAME", help="The game to play; `arena games` lists them.")
@click.option("--against", multiple=True, metavar="BOT,BOT...", help="Your opponents, by seat  [default: sample bots]")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Your seat  [default: 0]")
@game_options
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="Derive the deal from a number  [default: random]"
)
@click.option("--from", "source", type=MATCH_NUMBER, metavar="ID", help="Continue match ID from a move.")
@click.option(
    "--move", "ply", type=click.IntRange(min=0), metavar="N", help="With --from: continue just before answer N."
)
@click.option("--redeal", is_flag=True, help="With --from: redeal everything that your seat could not know.")
@grant_option
@hosting_options
@secret_option
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
    granted: Granted,
    hosting: Hosting,
    db: str,
) -> None:
    """Play a match by hand against bots.

    You see what your seat may know, and answer with a move, its number or an unambiguous prefix; "help" lists all
    inputs. The bots have clocks as in any match; you have none. Name bots as in `arena match`:

        arena play --game perudo --against random,./mybot --seat 1

    The match is stored once it is over, and can be replayed.

    --from 12 --move 57 continues match 12 just before its answer 57, in the seat that gave it, with the same cards and
    opponents. Such a match is in no ranking. With --redeal everything that your seat could not know then, and all later
    cards, are redealt, uniformly among the deals consistent with what it saw; --seed makes that reproducible.
    """
    from arena.cli import COMMANDS
    from arena.cli import game_description as describe
    from arena.cli.match_report import print_match
    from arena.packs.roster import open_roster
    from arena.plan.field import find_bots, samples, seat_attached, split_names, usual_samples
    from arena.plan.grants import grant
    from arena.plan.match_prefix import bots_of_match
    from arena.replay.log_lines import log_line
    from arena.replay.phrases import phrased
    from arena.replay.readable import Reader
    from arena.replay.renderer import codes
    from arena.run.people.command_interface import CommandInterface
    from arena.run.people.match_thread import MatchThread
    from arena.run.people.person import Person, Quit
    from arena.run.people.terminal import Terminal
    from arena.run.single_match import keep, single
    from arena.store import open_store
    from referee.engine import registry

    if redeal and source is None:
        raise click.UsageError("--redeal needs --from and --move: they say where to continue a match")
    continued = _read_continued(source, ply, game, options, None if redeal else seed, db)
    if continued is not None:
        source_match, prefix, decisions = continued
        game = source_match.event.game
        rules = registry.game(game)
        parsed_options = rules.options.parse(source_match.event.options)
        seat = prefix.seat if seat is None else seat
        if redeal:
            prefix = _redeal(prefix, source_match, seat, seed)
            seed = None
    elif game is None:
        raise click.UsageError("Missing option '--game'.")
    else:
        rules, prefix, seat = registry.game(game), None, seat or 0
        parsed_options = rules.options.parse(parse_game_options(options))
    sample_bots = samples(game)
    names = [name for text in against for name in split_names(text)]
    if continued is not None and not names:
        others = tuple(bots_of_match(source_match, decisions, open_roster(db), excluded_seats=[seat]))
    else:
        others = find_bots(
            names or _default_opponents(rules, usual_samples(rules.name)), sample_bots, open_roster(db), game=game
        )
    field = grant(seat_attached(others, [seat], "person"), granted)
    rules.check(parsed_options, len(field))
    if continued is not None and len(field) != len(source_match.players):
        raise click.UsageError(f"match {source} has {len(source_match.players)} seats, not {len(field)}")
    meanings = {part["name"]: part["meaning"] for part in describe.view(rules)["messages"][0]["fields"]}
    more = f"arena games {game}" + (f", arena rules {game}" if "rules" in COMMANDS else "")
    players = [bot.name for bot in field]
    reader = Reader(game, players, rules.teams(parsed_options, len(players)))
    commands = CommandInterface(
        rules,
        parsed_options,
        reader.names,
        seat,
        meanings,
        more,
        lambda event: reader.of(log_line(rules.lines, event)),
        lambda move: reader.of(phrased(rules.phrases, move)),
        codes(rules),
    )
    person = Person(commands, Terminal())

    with open_store(db, create=True) as store:
        try:
            with MatchThread(
                lambda invite: single(
                    rules,
                    parsed_options,
                    field,
                    seed=seed,
                    opening=prefix,
                    hosting=hosting,
                    say=print_progress,
                    invite=invite,
                )
            ) as match_thread:
                for invitation in match_thread.invitations():
                    person.join(invitation)
                played = match_thread.result()
        except Quit:
            echo("you left the match; it is not stored", err=True)
            return
        match = keep(store, played, print_progress)
    print_match(match)
    replay = shell_line("arena", "replay", match.id, "--text", "--db", store.where)
    echo(f"\nreplay it with: {replay}")


def _read_continued(
    source: int | None, ply: int | None, game: str | None, options: tuple[str, ...], seed: int | None, db: str
) -> "tuple[StoredMatch, MatchPrefix, list[DecisionRow]] | None":
    """Return the match to continue, its first answers, and the decisions of its tournament; None for a new match."""
    if source is None and ply is None:
        return None
    if source is None or ply is None:
        raise click.UsageError("--from and --move need each other: --from 12 --move 57 is before answer 57 of match 12")
    if game is not None or options or seed is not None:
        raise click.UsageError(
            "--from takes game, options and deal from the match: leave out --game, --option and --seed "
            "(--seed is for --redeal)"
        )
    from arena.plan.match_prefix import prefix_at
    from arena.store import open_store

    with open_store(db) as store:
        match = store.match(source)
        return match, prefix_at(match, ply), store.decisions_of(match)


def _redeal(prefix: "MatchPrefix", match: "StoredMatch", seat: int, seed: int | None) -> "MatchPrefix":
    """Redeal what a seat could not know; print a note to stderr if there was nothing of the kind."""
    from arena.plan.match_prefix import redeal_for_seat
    from arena.plan.secret import new_secret
    from arena.replay.replay import Replay

    replay = Replay(match)
    frames = replay.frames(seat if seat < replay.seats else None)
    known_steps = [replay.positions[frame.position].steps for frame in frames]
    if all(not steps or steps[0].ply != prefix.answers for steps in known_steps):
        raise click.UsageError(
            f"seat {seat} cannot see that question, and a redeal would reveal it: "
            f"choose a move that it sees (`arena replay {match.id} --text --seat {seat}`)"
        )
    redealt = redeal_for_seat(prefix, match, seat, new_secret(seed))
    if not redealt.hidden:
        echo(f"seat {seat} knew all cards in play: only later cards are redealt", err=True)
    return redealt


def _default_opponents(rules: "Game", samples: "Iterable[str]") -> list[str]:
    """Return the default opponents: sample bots other than random in turn, for a table of the recommended size."""
    names = [name for name in samples if name != "random"] or ["random"]
    return list(islice(cycle(names), rules.recommended - 1))
