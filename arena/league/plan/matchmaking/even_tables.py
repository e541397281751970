"""Tables at which all meet equally often, as far as that goes."""

from collections.abc import Mapping

from referee.engine.chance import Chance


def draw_even_tables(
    owners: Mapping[int, int], seats: int, count: int, chance: Chance, *place: int | str
) -> list[tuple[int, ...]]:
    """Return some tables of entries of different owners, filled from one random order of all after another.

    owners: of each entry; at least `seats` different ones.
    place: names the draw among others of the same chance.
    """
    waiting: list[int] = []
    tables = []
    shuffles = 0
    for _ in range(count):
        table: list[int] = []
        while len(table) < seats:
            known = {owners[entry] for entry in table}
            entry = next((candidate for candidate in waiting if owners[candidate] not in known), None)
            if entry is None:
                waiting += chance.shuffle(sorted(owners), "league", *place, shuffles)
                shuffles += 1
                continue
            waiting.remove(entry)
            table.append(entry)
        tables.append(tuple(table))
    return tables
