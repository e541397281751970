"""Matrices of meetings and of seat neighbours in a tournament."""

from collections.abc import Iterator, Sequence

from arena.replay.html import Child, Element, tag
from arena.results.meetings import Matrix, Sittings
from arena.server.pages.layout import bot_link, count, wide
from arena.values.rows import TournamentRow

MOST = 60
"""The largest matrix that is drawn: of the best bots."""


def meetings(tournament: TournamentRow, sat: Sittings, order: Sequence[str]) -> Element:
    """Return the matrices.

    sat: the counts to show.
    order: the names of the bots by rank.
    """
    place = {entrant.name: number for number, entrant in enumerate(tournament.entrants)}
    bots = [name for name in order if name in place][:MOST]
    chosen = [place[name] for name in bots]

    def matrix(title: str, words: str, values: Matrix) -> Element:
        return _matrix(title, words, bots, [[values[row][column] for column in chosen] for row in chosen])

    more = [f"The best {MOST} of {len(order)} bots."] if len(order) > MOST else []
    return tag(
        "div",
        {},
        tag(
            "div",
            {"class": "matrices"},
            matrix("matches with", "{row} with {column}: {number} matches", sat.meetings),
            matrix("sat right before", "{row} right before {column}: {number} times", sat.successors)
            if tournament.definition.seats > 2
            else None,
        ),
        [tag("p", {"class": "soft"}, note) for note in (*more, "Green: more often than the mean. Red: less often.")],
    )


def _matrix(title: str, words: str, bots: Sequence[str], values: Matrix) -> Element:
    """Return a matrix.

    words: the tooltip of a cell, a format string of row, column and number.
    """
    pairs = [values[row][column] for row in range(len(bots)) for column in range(len(bots)) if row != column]
    mean = sum(pairs) / len(pairs) if pairs else 0

    def cells(row: int) -> Iterator[Element]:
        for column, other in enumerate(bots):
            if column == row:
                yield tag("td", {"class": "none"}, "·")
                continue
            number = values[row][column]
            tooltip = words.format(row=bots[row], column=other, number=count(number))
            yield tag("td", {"class": f"heat-{_heat(number, mean)}", "title": tooltip}, count(number))

    corner: Child = tag("th", {"scope": "col"}, title)
    columns = [tag("th", {"scope": "col", "title": name}, n) for n, name in enumerate(bots, 1)]
    rows = [
        tag("tr", {}, tag("th", {"scope": "row"}, f"{row + 1} ", bot_link(name)), list(cells(row)))
        for row, name in enumerate(bots)
    ]
    heat = tag(
        "table",
        {"class": "heat", "data-sortable": True},
        tag("thead", {}, tag("tr", {}, corner, columns)),
        tag("tbody", {}, rows),
    )
    return wide(f"table: {title}", heat)


def _heat(number: int, mean: float) -> int:
    """Return the shade of a number: 5 for the mean, 0 for nothing, 10 for twice as many or more."""
    return min(10, round(5 * number / mean)) if mean else 5
