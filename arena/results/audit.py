"""What an organiser looks at before believing a ranking: who may have colluded, what forfeits did, who sat where."""

from collections import Counter
from dataclasses import dataclass

from arena.ratings import Ranking, Tally, fit_ranking
from arena.ratings.collusion import Suspicion, deal_stride, find_suspicions
from arena.results.stored_tournament import StoredTournament
from arena.values.rows import late_entrants


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found in the matches of a tournament that count."""

    matches: int
    """The number of these matches."""
    suspicions: tuple[Suspicion, ...]
    """The tested effects of every two bots, and of the bots of one author, those that stand out first."""
    every: int
    """Of how many deals one was tested for them; 1: every deal."""
    forfeited: int
    """The number of matches in which a seat was forfeited."""
    forfeits: dict[str, int]
    """The number of forfeits of each bot that has any, by its name."""
    table: Ranking
    """The ranking."""
    without: Ranking
    """The ranking as it would be without the matches in which a seat was forfeited."""
    seats: list[list[int]]
    """How often each bot of the field sat in each seat."""

    @property
    def accused(self) -> tuple[Suspicion, ...]:
        """What stands out."""
        return tuple(suspicion for suspicion in self.suspicions if suspicion.stands_out)


def audit(tournament: StoredTournament) -> Audit:
    """Look at all matches of a tournament that are stored and count."""
    names = tournament.names
    tally = tournament.source.tally()
    forfeited, by_entrant = tournament.store.forfeits(tournament.id)
    table = fit_ranking(tally)
    return Audit(
        matches=table.matches,
        suspicions=find_suspicions(tally, _authors(tournament)),
        every=deal_stride(tally.totals()),
        forfeited=forfeited,
        forfeits={names[entrant]: count for entrant, count in by_entrant.items()},
        table=table,
        without=fit_ranking(Tally(tournament.rated_results(forfeited=False))) if forfeited else table,
        seats=_seats(tournament, tally),
    )


def _authors(tournament: StoredTournament) -> dict[str, str]:
    """Return the author of each bot where it is known."""
    bots = [*tournament.row.definition.field, *late_entrants(tournament.log)]
    return {name: bot.author for name, bot in zip(tournament.names, bots, strict=False)}


def _seats(tournament: StoredTournament, tally: Tally) -> list[list[int]]:
    """Return how often each bot of the field sat in each seat.

    tally: of the matches that count.
    """
    held: Counter[tuple[int, int]] = Counter()
    if tournament.row.definition.team_of:  # a tally knows seats of teams only
        for result in tournament.rated_rows():
            held.update((entrant, seat) for seat, entrant in enumerate(result.entrants))
    else:
        totals = tally.totals()
        place = {name: number for number, name in enumerate(tournament.names)}
        bots = [place[bot] for bot in totals.lineup.bots]
        for bot, seat, count in zip(totals.seats.bot, totals.seats.seat, totals.seats.count, strict=True):
            held[bots[bot], int(seat)] += int(count)
    seats = range(max((seat + 1 for _, seat in held), default=0))
    return [[held[entrant, seat] for seat in seats] for entrant in range(len(tournament.names))]
