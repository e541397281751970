"""`arena tune verify`: play the tuned bot against itself as it was."""

import click

from arena.cli.options import db_option, rated_hosting_options
from arena.cli.tournament_options import OutputOptions, RefereeOptions, output_options, referee_options
from arena.run.hosting import Hosting
from arena_tune.tune_commands.resume import RUN_NUMBER


@click.command("verify")
@click.argument("id", metavar="ID", type=RUN_NUMBER)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Deals of the tournament.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Derive the deals from a number.")
@referee_options()
@rated_hosting_options
@output_options
@db_option
def command(
    id: int,
    rounds: int,
    seed: int | None,
    referees: RefereeOptions,
    hosting: Hosting,
    output: OutputOptions,
    db: str,
) -> None:
    """Play the tuned bot against itself as it was, and print the Elo.

    The values of a run were chosen by its own matches, which therefore prove nothing. This is an ordinary tournament
    with new deals, by the same rules and clock: the bot with the values that the run has now, against the bot with
    those that it began with. It is resumed by `arena tourney resume`.
    """
    from msgspec.structs import replace

    from arena.cli.play_tournament import start_tournament
    from arena.cli.tournament_options import DealSource
    from arena.store import open_store
    from arena.values.definition import BLOCK
    from arena_tune.errors import TuneError
    from arena_tune.parameters import texts
    from arena_tune.reporting import check_playable
    from arena_tune.stored_runs import TuneRuns
    from arena_tune.tuned_bot import with_values

    with open_store(db) as store:
        run = TuneRuns(store).load(id)
    check_playable(run)
    plan, bot = run.plan, run.definition.field[0]
    name = plan.name
    start, tuned = tuple(each.start for each in plan.parameters), run.course().tuned
    if texts(plan.parameters, start) == texts(plan.parameters, tuned):
        raise TuneError(f"run {id} has the values that it began with: there is nothing to compare")
    field = (
        with_values(bot, f"{name}-tuned", plan.parameters, tuned),
        with_values(bot, f"{name}-start", plan.parameters, start),
    )
    definition = replace(run.definition, field=field, rounds=rounds, block=BLOCK)
    start_tournament(definition, DealSource(seed), db, referees, hosting, output)
