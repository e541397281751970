"""Matrices of meetings and of seat neighbours in a tournament."""

from collections.abc import Iterator, Sequence

from arena.language.messages import gettext as _
from arena.replay.html import Element
from arena.results.meetings import Matrix, Sittings
from arena.server.templates import TEMPLATES
from arena.values.rows import TournamentRow

MOST = 60
"""The largest matrix that is drawn, and the largest crosstable: of the best bots."""

Row = list[tuple[str, int, str] | None]
"""For each column the number, its shade and what it means; None for the bot itself."""


def meetings(tournament: TournamentRow, sat: Sittings, order: Sequence[str]) -> Element:
    """Return the matrices.

    sat: the counts to show.
    order: the names of the bots by rank.
    """
    place = {entrant.name: number for number, entrant in enumerate(tournament.entrants)}
    bots = [name for name in order if name in place][:MOST]
    chosen = [place[name] for name in bots]
    shown = [(_("matches with"), _("{0} with {1}: {2} matches"), sat.meetings)]
    if tournament.definition.seats > 2:
        shown.append((_("sat right before"), _("{0} right before {1}: {2} times"), sat.successors))
    matrices = [
        (title, list(_rows(words, bots, [[values[row][column] for column in chosen] for row in chosen])))
        for title, words, values in shown
    ]
    return TEMPLATES.macro("tournaments/computed.html", "meetings")(bots, left_out(len(order)), matrices)


def left_out(bots: int) -> str:
    """Say that not all bots are shown; nothing where they are."""
    return _("The best {0} of {1} bots.", MOST, bots) if bots > MOST else ""


def _rows(words: str, bots: Sequence[str], values: Matrix) -> Iterator[Row]:
    """Yield the rows of a matrix.

    words: what a cell means, a format string of row, column and number.
    """
    pairs = [values[row][column] for row in range(len(bots)) for column in range(len(bots)) if row != column]
    mean = sum(pairs) / len(pairs) if pairs else 0
    for row, name in enumerate(bots):
        cells: Row = []
        for column, other in enumerate(bots):
            number = f"{values[row][column]:,}"
            shade = _shade(values[row][column], mean)
            cell = (number, shade, words.format(name, other, number))
            cells.append(None if row == column else cell)
        yield cells


def _shade(number: int, mean: float) -> int:
    """Return the shade of a number: 5 for the mean, 0 for nothing, 10 for twice as many or more."""
    return min(10, round(5 * number / mean)) if mean else 5
