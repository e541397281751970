"""Batches of a league whose entries have known strengths."""

import numpy as np

from arena.ratings import Result, Tally
from arena.ratings.keyed_sums import Floats, Ints
from arena.values.rows import ResultRow


def batch(
    random: np.random.Generator, entries: Ints, strengths: Floats, seats: int, tables: int = 8, deals: int = 6
) -> list[ResultRow]:
    """Return the matches of a batch: every deal in every rotation, with luck that comes partly with the deal.

    strengths: in nats, by number of the entry.
    """
    matches = []
    places = np.arange(seats)
    for table in range(tables):
        seated = random.choice(entries, seats, replace=False)
        for deal in range(deals):
            cards, style = random.gumbel(size=(2, seats))
            for rotation in range(seats):
                order = seated[places - rotation]
                luck = cards + style[places - rotation] + 2 * random.gumbel(size=seats)
                form = np.round(4 * (strengths[order] + luck / 2)).astype(int)  # there are ties
                ranks = tuple((1 + (form[:, None] < form).sum(axis=1)).tolist())
                matches.append(ResultRow(deal, tuple(order.tolist()), tuple(form.tolist()), ranks, table))
    return matches


def add_to(tally: Tally, matches: list[ResultRow], batch: int) -> None:
    """Add the matches of a batch to a tally, as results of a tournament in which no deal is in two batches."""
    for match in matches:
        teams = tuple(map(str, match.entrants))
        tally.add(Result((batch * 100 + match.table) * 100 + match.deal, teams, match.ranks, match.scores))
