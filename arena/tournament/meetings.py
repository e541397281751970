"""Who has met whom in the matches that are stored, and who sat after whom."""

from itertools import combinations
from typing import NamedTuple

from arena.store import Store
from arena.store.rows import Tournament

Matrix = list[list[int]]
"""By places in the field, row and column."""


class Sittings(NamedTuple):
    """In how many matches two bots sat together, and in how many seats the column's sat right after the row's.

    A bot neither meets nor follows a copy of itself.
    """

    meetings: Matrix
    successors: Matrix


def sittings(store: Store, tournament: Tournament) -> Sittings:
    """Return who sat with whom so far."""
    assert tournament.id is not None
    bots = len(tournament.entrants)
    met, after = ([[0] * bots for _ in range(bots)] for _ in range(2))
    for result in store.results(tournament.id):
        seated = result.entrants
        for one, other in combinations(sorted(set(seated)), 2):
            met[one][other] += 1
            met[other][one] += 1
        for one, other in zip(seated, (*seated[1:], seated[0]), strict=True):
            after[one][other] += one != other
    return Sittings(met, after)
