"""`arena ranking`: rate the bots of a tournament, or of several together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from arena.cli.database import db_option
from arena.cli.echo import echo
from arena.cli.heading import heading
from arena.cli.rated import Wish, rating_options, show
from arena.cli.settings import SETTINGS
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.rows import Tournament
    from arena.tournament.results.pooled_ranking import Joint


@click.command("ranking", context_settings=SETTINGS)
@click.argument("tourneys", metavar="[TOURNEY]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--game", metavar="GAME", help="Rate all tournaments of this game together.")
@click.option("--together", is_flag=True, help="Rate all versions of a bot as one  [default: apart]")
@click.option("--history", is_flag=True, help="Print how the Elo grew from one tournament to the next instead.")
@click.option(
    "--reference",
    type=click.IntRange(min=1),
    metavar="N",
    help="Take away the luck that tournament N, of one bot with the same deals, tells.",
)
@rating_options
@db_option
def command(
    tourneys: tuple[int, ...],
    game: str | None,
    together: bool,
    history: bool,
    reference: int | None,
    wish: Wish,
    db: str,
) -> None:
    """Rate the bots of a tournament.

    Rates tournament number TOURNEY, or the latest, by the matches that are stored: one joint Elo
    fit, with 95 % bars from scores summed per deal. Several numbers, or --game, rate tournaments
    together, each version of a bot by itself.
    """
    from arena.store import open_store  # numpy and SQLAlchemy are slow to import: --help need not wait for them
    from arena.tournament.results.pooled_ranking import Joint

    if history and wish.what != "ranking":
        raise click.UsageError(f"--history and --{wish.what} exclude each other")
    with open_store(db) as store, store.snapshot():  # luck and seats are read after the sums that they belong to
        chosen = _chosen(store, tourneys, game)
        if reference is not None:
            wish = _with_reference(wish, chosen, store.tournament(reference), store)
        if history:
            _show_history(wish, Joint.of(chosen, together=together), store)
        elif len(chosen) > 1:
            _show_joint(wish, Joint.of(chosen, together=together), store)
        else:
            _show_one(wish, chosen[0], store)


def _chosen(store: "Store", numbers: Sequence[int], game: str | None) -> list["Tournament"]:
    """Return the tournaments that are to be rated, at least one."""
    from referee.engine.registry import game as known

    if game is None:
        return [store.tournament(number) for number in dict.fromkeys(numbers)] or [store.latest()]
    if numbers:
        raise click.UsageError("--game rates all tournaments of a game: name either a game or numbers")
    name = known(game).name
    found = [tournament for tournament in store.tournaments() if tournament.game == name]
    if not found:
        raise click.BadParameter(f"{store.where} has no tournament of {name}", param_hint="--game")
    return found


def _with_reference(wish: Wish, chosen: Sequence["Tournament"], reference: "Tournament", store: "Store") -> Wish:
    """Return the wish with what the reference tells. Raises UsageError where it tells nothing of these deals."""
    from arena.ratings.control_variate import Reference
    from arena.tournament.results.standings import results

    if len(chosen) > 1 or wish.davidson:
        raise click.UsageError("--reference goes with one tournament, and not with --davidson")
    (rated,) = chosen
    if (rated.mixed_secret, rated.game, rated.options) != (reference.mixed_secret, reference.game, reference.options):
        raise click.BadParameter(
            f"tournament {reference.id} has other deals than tournament {rated.id}: play it with "
            f"`arena tourney --deals-of {rated.id}`",
            param_hint="--reference",
        )
    return replace(wish, reference=Reference.of(results(store, reference)))


def _show_one(wish: Wish, tournament: "Tournament", store: "Store") -> None:
    from arena.tournament.results.standings import standings
    from referee.engine.registry import in_units

    found = standings(store, tournament, wish.rate)
    frame = {
        "tournament": tournament.id,
        "game": tournament.game,
        "options": tournament.options,
        "rounds": tournament.definition.get("rounds"),
        "matches": found.matches,
        "planned": tournament.matches,
        "decisions": found.decisions,
        "seed_hash": tournament.secret_hash,
        "seed": tournament.seed,
        "verdict": found.verdict.sentence if found.verdict else None,
        "undecided": found.undecided or None,
        "placing": found.placing,
    }
    head = heading(
        tournament,
        found.matches,
        found.decisions,
        verdict=found.verdict,
        placing=found.placing,
        strain=found.strain,
        undecided=found.undecided,
    )
    scale = 1 / in_units(tournament.game, 1)
    show(wish, found.table, found.conduct, found.source, frame, head, scale)
    if found.verdict is None and found.matches < tournament.matches and wish.form == "text":
        echo(f"go on with: arena tourney --resume {tournament.id} --db {store.where}", err=True)


def _show_joint(wish: Wish, joint: "Joint", store: "Store") -> None:
    from referee.engine.registry import in_units

    found = joint.standings(store, wish.rate)
    first = joint.tournaments[0]
    numbers = [tournament.id for tournament in joint.tournaments]
    frame = {
        "tournaments": numbers,
        "game": first.game,
        "options": first.options,
        "matches": found.matches,
        "decisions": found.decisions,
    }
    head = [
        f"Tournaments {', '.join(map(str, numbers))}: {first.game}, "
        f"{found.matches:,} matches of {found.table.deals:,} deals, {found.decisions:,} decisions"
    ]
    scale = 1 / in_units(first.game, 1)
    show(wish, found.table, found.conduct, found.source, frame, head, scale)


def _show_history(wish: Wish, joint: "Joint", store: "Store") -> None:
    from arena.ratings.elo_history import (
        HistoryEntry,
        history_csv,
        history_json,
        history_text,
    )

    steps = [
        HistoryEntry(tournament.id or 0, tournament.created, table)
        for tournament, table in joint.history(store, wish.rate)
    ]
    if wish.form == "json":
        echo(json_text({"game": joint.tournaments[0].game, "history": history_json(steps)}))
    elif wish.form == "csv":
        echo(history_csv(steps), nl=False)
    else:
        echo(history_text(steps, wish.form))
