"""Who has met whom in the matches that are stored."""

from itertools import combinations

from arena.store import Store
from arena.store.rows import Tournament


def meetings(store: Store, tournament: Tournament) -> list[list[int]]:
    """Return, by place in the field, in how many matches each two bots sat together. A bot meets no copy of itself."""
    assert tournament.id is not None
    bots = len(tournament.entrants)
    met = [[0] * bots for _ in range(bots)]
    for result in store.results(tournament.id):
        for one, other in combinations(sorted(set(result.entrants)), 2):
            met[one][other] += 1
            met[other][one] += 1
    return met
