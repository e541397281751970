"""The ranking of a stored tournament, as far as it has been played."""

from dataclasses import dataclass, replace

from arena.ratings import Conduct, Result, Table, Tally, fit
from arena.store import Store
from arena.store.rows import Tournament
from referee.engine.registry import in_units


@dataclass(frozen=True, slots=True)
class Standings:
    """A ranking with what else is told of its bots.

    table: the ranking. conduct: by bot. matches, decisions: in all.
    """

    table: Table
    conduct: dict[str, Conduct]
    matches: int
    decisions: int


def standings(store: Store, tournament: Tournament) -> Standings:
    """Rate the bots of a tournament by all its stored matches."""
    assert tournament.id is not None
    names = [entrant.name for entrant in tournament.entrants]
    tally = Tally(
        Result(result.deal, tuple(names[entrant] for entrant in result.entrants), result.ranks, result.scores)
        for result in store.results(tournament.id)
    )
    table = fit(tally)
    rows = [
        replace(
            row,
            score=in_units(tournament.game, row.score),
            score_bar=None if row.score_bar is None else in_units(tournament.game, row.score_bar),
        )
        for row in table.rows
    ]
    table = replace(table, rows=tuple(rows))
    efforts = store.efforts(tournament.id)
    faults = store.fault_counts(tournament.id)
    conduct = {
        names[entrant]: Conduct(
            faults.get(entrant, {}),
            effort.charged_us / effort.decisions / 1000 if effort.decisions else None,
        )
        for entrant, effort in efforts.items()
    }
    return Standings(table, conduct, table.matches, sum(effort.decisions for effort in efforts.values()))
