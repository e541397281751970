"""`arena ranking`: rate the bots of a tournament, or of several together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from arena.cli.options import db_option
from arena.cli.output import echo
from arena.cli.ranking_request import RankingRequest, rating_options, show
from arena.cli.tournament_header import tournament_header
from arena.texts import json_text

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.rows import TournamentRow
    from arena.tournament.results.pooled_ranking import Joint


@click.command("ranking")
@click.argument("tourneys", metavar="[TOURNEY]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--game", metavar="GAME", help="Rate all tournaments of this game together.")
@click.option("--together", is_flag=True, help="Rate all versions of a bot as one  [default: separately]")
@click.option("--history", is_flag=True, help="Print the Elo after each tournament instead.")
@click.option(
    "--reference",
    type=click.IntRange(min=1),
    metavar="N",
    help="Subtract the luck of the deals, as measured by tournament N.",
)
@rating_options
@db_option
def command(
    tourneys: tuple[int, ...],
    game: str | None,
    together: bool,
    history: bool,
    reference: int | None,
    request: RankingRequest,
    db: str,
) -> None:
    """Rate the bots of a tournament.

    Rates tournament TOURNEY, or the latest, by its stored matches: one joint Elo fit, with 95 % error bars from scores
    summed per deal. Several numbers, or --game, rate tournaments together, each version of a bot separately.

    --reference N needs a tournament of one bot against itself with the same deals (`arena tourney --deals-of`).
    """
    from arena.store import open_store  # numpy and SQLAlchemy are slow to import: --help need not wait for them
    from arena.tournament.results.pooled_ranking import Joint

    if history and request.what != "ranking":
        raise click.UsageError(f"--history and --{request.what} exclude each other")
    with open_store(db) as store, store.snapshot():  # luck and seats must match the sums read before
        chosen = _chosen(store, tourneys, game)
        if reference is not None:
            request = _with_reference(request, chosen, store.tournament(reference), store)
        if history:
            _show_history(request, Joint.of(chosen, together=together), store)
        elif len(chosen) > 1:
            _show_joint(request, Joint.of(chosen, together=together), store)
        else:
            _show_one(request, chosen[0], store)


def _chosen(store: "Store", numbers: Sequence[int], game: str | None) -> list["TournamentRow"]:
    """Return the tournaments to rate, at least one."""
    from referee.engine.registry import game as find_game

    if game is None:
        return [store.tournament(number) for number in dict.fromkeys(numbers)] or [store.tournament()]
    if numbers:
        raise click.UsageError("--game rates all tournaments of a game: give either --game or numbers")
    name = find_game(game).name
    tournaments = [tournament for tournament in store.tournaments() if tournament.game == name]
    if not tournaments:
        raise click.BadParameter(f"{store.where} has no tournament of {name}", param_hint="--game")
    return tournaments


def _with_reference(
    request: RankingRequest, chosen: Sequence["TournamentRow"], reference: "TournamentRow", store: "Store"
) -> RankingRequest:
    """Return the request with the reference tournament. Raises UsageError where that has other deals."""
    from arena.ratings.control_variate import Reference
    from arena.tournament.results.standings import results

    if len(chosen) > 1 or request.davidson:
        raise click.UsageError("--reference needs a single tournament and cannot be combined with --davidson")
    (rated,) = chosen
    if (rated.mixed_secret, rated.game, rated.options) != (reference.mixed_secret, reference.game, reference.options):
        raise click.BadParameter(
            f"tournament {reference.id} has other deals than tournament {rated.id}: play it with --deals-of {rated.id}",
            param_hint="--reference",
        )
    return replace(request, reference=Reference.of(results(store, reference)))


def _show_one(request: RankingRequest, tournament: "TournamentRow", store: "Store") -> None:
    from arena.tournament.results.standings import standings
    from referee.engine.registry import in_units

    result = standings(store, tournament, request.rate)
    frame = {
        "tournament": tournament.id,
        "game": tournament.game,
        "options": tournament.options,
        "rounds": tournament.definition.rounds,
        "matches": result.matches,
        "planned": tournament.matches,
        "decisions": result.decisions,
        "seed_hash": tournament.secret_hash,
        "seed": tournament.seed,
        "verdict": result.verdict.sentence if result.verdict else None,
        "undecided": result.undecided or None,
        "placing": result.placing,
    }
    head = tournament_header(
        tournament,
        result.matches,
        result.decisions,
        verdict=result.verdict,
        placing=result.placing,
        strain=result.strain,
        undecided=result.undecided,
    )
    scale = 1 / in_units(tournament.game, 1)
    show(request, result.table, result.conduct, result.source, frame, head, scale)
    if result.verdict is None and result.matches < tournament.matches and request.form == "text":
        echo(f"resume with: arena tourney resume {tournament.id} --db {store.where}", err=True)


def _show_joint(request: RankingRequest, joint: "Joint", store: "Store") -> None:
    from referee.engine.registry import in_units

    result = joint.standings(store, request.rate)
    first = joint.tournaments[0]
    numbers = [tournament.id for tournament in joint.tournaments]
    frame = {
        "tournaments": numbers,
        "game": first.game,
        "options": first.options,
        "matches": result.matches,
        "decisions": result.decisions,
    }
    head = [
        f"Tournaments {', '.join(map(str, numbers))}: {first.game}, "
        f"{result.matches:,} matches of {result.table.deals:,} deals, {result.decisions:,} decisions"
    ]
    scale = 1 / in_units(first.game, 1)
    show(request, result.table, result.conduct, result.source, frame, head, scale)


def _show_history(request: RankingRequest, joint: "Joint", store: "Store") -> None:
    from arena.ratings.elo_history import (
        HistoryEntry,
        history_csv,
        history_json,
        history_text,
    )

    steps = [
        HistoryEntry(tournament.id, tournament.created, table)
        for tournament, table in joint.history(store, request.rate)
    ]
    if request.form == "json":
        echo(json_text({"game": joint.tournaments[0].game, "history": history_json(steps)}))
    elif request.form == "csv":
        echo(history_csv(steps), nl=False)
    else:
        echo(history_text(steps, request.form))
