"""A field in the order of an earlier tournament: the seeds of a knockout, the standing list of a ladder."""

from collections.abc import Sequence

from arena.results.standings import standings
from arena.results.stored_tournament import StoredTournament
from arena.values.definition import Entrant


def ordered(field: Sequence[Entrant], tournament: StoredTournament) -> tuple[tuple[Entrant, ...], tuple[Entrant, ...]]:
    """Return the bots that took part in a tournament, best first, and those that did not, as they stand.

    A bot is known by its files, so a new version of one that took part is new. Who came in where goes first, where that
    is told; elsewhere the ranking.
    """
    ranking = standings(tournament)
    names = (
        [bot for place in ranking.placing for bot in place]
        if ranking.placing
        else [row.bot for row in ranking.table.rows]
    )
    files = {entrant.name: entrant.sha256 for entrant in tournament.row.entrants}
    new = list(field)
    known = []
    for name in names:
        bot = next((candidate for candidate in new if candidate.sha256 == files[name]), None)
        if bot is not None:
            new.remove(bot)
            known.append(bot)
    return tuple(known), tuple(new)
