"""What an organiser looks at before believing a ranking: who may have colluded, what forfeits did, who sat where."""

from collections import Counter
from dataclasses import dataclass

from arena.ratings import Ranking, Tally, fit_ranking
from arena.ratings.collusion import Suspicion, deal_stride, find_suspicions
from arena.tournament.results.stored_tournament import StoredTournament


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found in the matches of a tournament that count.

    matches: how many. suspicions: of every two bots; of how many deals one was looked at says `every`. forfeited:
    matches in which a seat was forfeited; forfeits: how many each bot did, by name, if any. table, without: the
    ranking, and what it would be without these matches. seats: how often each bot of the field sat in each seat.
    """

    matches: int
    suspicions: tuple[Suspicion, ...]
    every: int
    forfeited: int
    forfeits: dict[str, int]
    table: Ranking
    without: Ranking
    seats: list[list[int]]

    @property
    def accused(self) -> tuple[Suspicion, ...]:
        """What stands out."""
        return tuple(each for each in self.suspicions if each.stands_out)


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
    """Return the author of each bot where it is known. Older definitions name none."""
    late = [entry.details["bot"] for entry in tournament.log if entry.kind == "enter"]
    bots = [*tournament.row.definition.field, *late]
    return {name: str(bot.get("author", "")) for name, bot in zip(tournament.names, bots, strict=False)}


def _seats(tournament: StoredTournament, tally: Tally) -> list[list[int]]:
    """Return how often each bot of the field sat in each seat. tally: of the matches that count."""
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
