"""`arena analyse`: estimate the chances to win throughout a stored match."""

from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import MATCH_NUMBER, db_option, json_option
from arena.cli.output import echo, print_progress, table_width
from arena.run.progress import LINE_SECONDS
from arena.values.text_table import Column, TextTable, text_column, word_column
from arena.values.texts import json_text

if TYPE_CHECKING:
    from arena.values.rows import StoredMatch
    from arena_insight.analysis.match_chances import MatchChances, Swing

BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 48
"""Cells of the line of a seat, where there is room."""

LEAST, OTHERS = 8, 44
"""Cells of that line at least, and cells of the other columns."""

SEATS = (Column("seat"), text_column("bot"), Column("at first"), word_column("then", drop=1), Column("at last"))


@click.command("analyse")
@click.argument("id", metavar="ID", type=MATCH_NUMBER)
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Keep only what seat N knew.")
@click.option(
    "--playouts",
    type=click.IntRange(2, 10_000),
    default=64,
    show_default=True,
    metavar="N",
    help="Playouts of each move that is estimated.",
)
@click.option("--policy", metavar="BOT", help="The sample bot that plays on  [default: the best one of the game]")
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, metavar="N", help="Seed of the playouts."
)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes  [default: one per core]")
@json_option
@db_option
def command(
    id: int,
    seat: int | None,
    playouts: int,
    policy: str | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    db: str,
) -> None:
    """Estimate the chances to win throughout a stored match.

    At up to 32 moves it deals anew what nobody could know there, the rest of the pack and all dice to come,
    and lets a sample bot play all seats to the end. The chance of a seat is the share of these playouts that it wins;
    winners who tie share the win. With --seat everything is dealt anew that the seat could not know, the cards of the
    others included.

    Then it plays some choices on from the other moves as well, by what the seat that made them knew, and names those
    where another one was better beyond the error, corrected for how many were compared.

    Prints the chances of each seat from the first move to the last, the largest swings, and the costly moves. The
    result is stored: the replay of the match shows it, and the same analysis is not computed again.
    """
    from arena.record.played_rules import version_remark
    from arena.store import open_store
    from arena_insight.analysis.match_chances import MatchChances
    from arena_insight.stored_analysis import stored_analysis
    from referee.sandbox.cpu_supply import usable_cores

    with open_store(db) as store:
        match = store.match(id)
        if remark := version_remark(match):
            print_progress(remark)
        if seat is not None and seat >= len(match.row.seats):
            raise click.BadParameter(f"match {id} has the seats 0 to {len(match.row.seats) - 1}", param_hint="--seat")
        values = stored_analysis(
            store,
            match,
            seat,
            playouts=playouts,
            seed=seed,
            policy=policy,
            jobs=jobs or usable_cores(),
            report=_Reporter(),
        )
    if as_json:
        echo(json_text({"match": id, "game": match.event.game, "players": match.players, **values}))
        return
    for line in (*_lines(match, MatchChances.from_json(values)), *_costly_lines(match, values)):
        echo(line)


class _Reporter:
    """Prints now and then how many moves are estimated."""

    def __init__(self) -> None:
        self._printed = monotonic()

    def __call__(self, done: int, total: int) -> None:
        if monotonic() - self._printed >= LINE_SECONDS:
            self._printed = monotonic()
            print_progress(f"{done} of {total} moves estimated")


def _lines(match: "StoredMatch", chances: "MatchChances") -> Iterator[str]:
    """Yield the analysis as lines for people."""
    whose = "everything dealt is known" if chances.perspective is None else f"as seat {chances.perspective} knew it"
    last = chances.frames[-1].frame
    yield f"match {match.id}: {match.event.game}, chances to win from move 0 to {last}, {whose}"
    yield f"{chances.playouts} playouts by {chances.policy} at each of {len(chances.frames)} moves, seed {chances.seed}"
    yield ""
    rows = []
    width = table_width()
    room = WIDTH if width is None else max(LEAST, width - OTHERS)
    for seat, player in enumerate(match.players):
        first, final = chances.frames[0].estimate, chances.frames[-1].estimate
        start = f"{first.chances[seat]:.0%} ± {first.errors[seat]:.0%}"
        rows.append([seat, player, start, _sparkline(chances, seat, min(WIDTH, room)), f"{final.chances[seat]:.0%}"])
    yield TextTable(SEATS, rows).render(width=width)
    yield ""
    if not (swings := chances.swings()):
        yield "no change from one estimated move to the next exceeds three times its standard error"
        return
    yield "largest swings:"
    for swing in swings:
        yield f"  {swing_text(swing, match.players)}"
        perspective = "" if chances.perspective is None else f" --seat {chances.perspective}"
        yield f"    arena replay {match.id} --at {swing.before_frame}{perspective}"


def _costly_lines(match: "StoredMatch", values: dict[str, Any]) -> Iterator[str]:
    """Yield the moves that cost much as lines for people."""
    from arena.language.message import Message
    from arena.replay.costly_moves import costly_moves
    from arena.replay.readable import reader_of
    from arena.replay.replay import Replay

    compared, found = values["costly"]["compared"], costly_moves(Replay(match), values)
    yield ""
    if not compared:
        yield "no choice could be played out again"
    elif not found:
        yield f"no single move decided the match: of {compared} choices played out again, none cost more than its error"
    else:
        yield f"costly moves, of {compared} choices played out again:"
    read = reader_of(match).of
    perspective = "" if values["seat"] is None else f" --seat {values['seat']}"
    for move in found:
        yield f"  move {move.frame}: {read(Message('seat {0}', move.seat))}: {read(move.move)}. {read(move.sentence)}"
        yield f"    arena replay {match.id} --at {move.frame}{perspective}"


def swing_text(swing: "Swing", players: list[str]) -> str:
    """Return a swing as a sentence."""
    return (
        f"moves {swing.before_frame} to {swing.frame}: seat {swing.seat} ({players[swing.seat]}) from "
        f"{swing.before:.0%} to {swing.after:.0%} (± {swing.error:.0%})"
    )


def _sparkline(chances: "MatchChances", seat: int, width: int) -> str:
    """Return the chances of a seat as a line of blocks; its columns stand for equal numbers of moves."""
    points = [(point.frame, point.estimate.chances[seat]) for point in chances.frames]
    last = points[-1][0]
    columns = min(width, last + 1)
    line = ""
    for column in range(columns):
        frame = round(column * last / max(1, columns - 1))
        _, chance = min(points, key=lambda point: abs(point[0] - frame))
        line += BLOCKS[round(chance * (len(BLOCKS) - 1))]
    return line
