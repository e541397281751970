"""`arena ranking`: rate the bots of a tournament, or of several together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from arena.cli.options import TOURNAMENT_NUMBER, db_option
from arena.cli.output import echo, table_width
from arena.cli.ranking_request import RankingRequest, rating_options, show
from arena.results.tournament_header import tournament_header
from arena.values.texts import json_text, shell_line

if TYPE_CHECKING:
    from arena.results.pooled_ranking import TournamentPool
    from arena.results.stored_tournament import StoredTournament
    from arena.store import Store


@click.command("ranking")
@click.argument("tourneys", metavar="[TOURNEY]...", nargs=-1, type=TOURNAMENT_NUMBER)
@click.option("--game", metavar="GAME", help="Rate all tournaments of this game together.")
@click.option("--together", is_flag=True, help="Rate all versions of a bot as one  [default: separately]")
@click.option("--history", is_flag=True, help="Print the Elo after each tournament instead.")
@click.option(
    "--reference",
    type=TOURNAMENT_NUMBER,
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
    from arena.results.pooled_ranking import TournamentPool
    from arena.results.stored_tournament import StoredTournament
    from arena.store import open_store  # numpy and SQLAlchemy are slow to import: --help need not wait for them

    if history and request.what != "ranking":
        raise click.UsageError(f"--history and --{request.what} exclude each other")
    with open_store(db) as store, store.snapshot():  # luck and seats must match the sums read before
        chosen = _chosen(store, tourneys, game)
        if reference is not None:
            request = _with_reference(request, chosen, StoredTournament.load(store, reference))
        if history:
            _show_history(request, TournamentPool.of(chosen, together=together))
        elif len(chosen) > 1:
            _show_pool(request, TournamentPool.of(chosen, together=together))
        else:
            _show_one(request, chosen[0])


def _chosen(store: "Store", numbers: Sequence[int], game: str | None) -> list["StoredTournament"]:
    """Return the tournaments to rate, at least one."""
    from arena.results.stored_tournament import StoredTournament
    from referee.engine.registry import game as find_game

    if game is None:
        return [StoredTournament.load(store, number) for number in dict.fromkeys(numbers) or [None]]
    if numbers:
        raise click.UsageError("--game rates all tournaments of a game: give either --game or numbers")
    name = find_game(game).name
    tournaments = [StoredTournament(store, row) for row in store.tournaments() if row.game == name]
    if not tournaments:
        raise click.BadParameter(f"{store.where} has no tournament of {name}", param_hint="--game")
    return tournaments


def _with_reference(
    request: RankingRequest, chosen: Sequence["StoredTournament"], reference: "StoredTournament"
) -> RankingRequest:
    """Return the request with the reference tournament. Raises UsageError where that has other deals."""
    from arena.ratings.control_variate import Reference

    if len(chosen) > 1 or request.davidson:
        raise click.UsageError("--reference needs a single tournament and cannot be combined with --davidson")
    (rated,) = chosen
    one, other = rated.row, reference.row
    if (one.mixed_secret, one.game, one.options) != (other.mixed_secret, other.game, other.options):
        raise click.BadParameter(
            f"tournament {reference.id} has other deals than tournament {rated.id}: play it with --deals-of {rated.id}",
            param_hint="--reference",
        )
    return replace(request, reference=Reference.of(reference.results()))


def _show_one(request: RankingRequest, tournament: "StoredTournament") -> None:
    from arena.results.standings import standings
    from referee.engine.registry import in_units

    row, result = tournament.row, standings(tournament, request.rate)
    frame = {
        "tournament": tournament.id,
        "game": tournament.game,
        "options": row.options,
        "rounds": row.rounds,
        "matches": result.matches,
        "planned": row.matches,
        "decisions": result.decisions,
        "seed_hash": row.secret_hash,
        "seed": row.seed,
        "verdict": result.verdict.sentence if result.verdict else None,
        "undecided": result.undecided or None,
        "estimate": result.estimate.to_json(*tournament.names[:2]) if result.estimate else None,
        "stage": tournament.stage,
        "placing": result.placing,
        "out_in": result.exits,
    }
    head = tournament_header(tournament, result)
    scale = 1 / in_units(tournament.game, 1)
    show(request, result.table, result.conduct, result.source, frame, head, scale)
    if result.verdict is None and result.matches < row.matches and request.form == "text":
        resume = shell_line("arena", "tourney", "resume", tournament.id, "--db", tournament.store.where)
        echo(f"resume with: {resume}", err=True)


def _show_pool(request: RankingRequest, pool: "TournamentPool") -> None:
    from referee.engine.registry import in_units

    result = pool.standings(request.rate)
    first = pool.tournaments[0]
    numbers = [tournament.id for tournament in pool.tournaments]
    frame = {
        "tournaments": numbers,
        "game": first.game,
        "options": first.row.options,
        "matches": result.matches,
        "decisions": result.decisions,
    }
    head = [
        f"Tournaments {', '.join(map(str, numbers))}: {first.game}, "
        f"{result.matches:,} matches of {result.table.experiments}, {result.decisions:,} decisions"
    ]
    scale = 1 / in_units(first.game, 1)
    show(request, result.table, result.conduct, result.source, frame, head, scale)


def _show_history(request: RankingRequest, pool: "TournamentPool") -> None:
    from arena.ratings.elo_history import (
        HistoryEntry,
        history_csv,
        history_json,
        history_text,
    )

    steps = [
        HistoryEntry(tournament.id, tournament.row.created, table) for tournament, table in pool.history(request.rate)
    ]
    if request.form == "json":
        echo(json_text({"game": pool.tournaments[0].game, "history": history_json(steps)}))
    elif request.form == "csv":
        echo(history_csv(steps), nl=False)
    else:
        echo(history_text(steps, request.form, table_width()))
