"""Which matches of a tournament get a page with their replay: all, the newest, or those worth a look."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from arena.league.results.upsets import MOST_CI95, Upset, find_upsets
from arena.ratings import Ranking
from arena.store import Store
from arena.store.matches.seat_results import SeatResult
from arena.values.rows import TournamentRow
from referee.engine.registry import in_units

INTERESTING = 40
"""The largest number of matches that are chosen as worth a look."""

UPSETS = 10
"""The largest number of upsets among them."""

BOTS = 10
"""The best bots, whose highest and lowest scores are among them."""

PART = 4096
"""Matches that are read at a time."""


class Highlight(NamedTuple):
    """A match that is worth a look, and why."""

    match: int
    reason: str


class _Extremes:
    """What stands out so far.

    best, worst: the seat with the highest and lowest score, by entrant.
    faults: the first seat with each kind of fault, by entrant and kind.
    """

    def __init__(self) -> None:
        self.best: dict[int, SeatResult] = {}
        self.worst: dict[int, SeatResult] = {}
        self.faults: dict[tuple[int, str], SeatResult] = {}

    def add(self, seat: SeatResult) -> None:
        best, worst = self.best.setdefault(seat.entrant, seat), self.worst.setdefault(seat.entrant, seat)
        if seat.score > best.score:
            self.best[seat.entrant] = seat
        if seat.score < worst.score:
            self.worst[seat.entrant] = seat
        for kind in seat.faults:
            self.faults.setdefault((seat.entrant, kind), seat)


def highlights(store: Store, tournament: TournamentRow, ranked: Ranking) -> list[Highlight]:
    """Return the matches that are worth a look: at most `INTERESTING`, each once.

    These are the wins that the ratings expected least, a match for each kind of fault of each bot, and the highest and
    lowest score of each of the best bots.
    """
    places = {name: place for place, name in enumerate(tournament.names)}
    elo = {
        places[row.bot]: row.elo
        for row in ranked.rows
        if row.bot in places and row.ci95 is not None and row.ci95 <= MOST_CI95
    }
    extremes, upsets = _Extremes(), list[Upset]()
    entries = range(len(places))
    for start in range(0, tournament.matches, PART):
        seats = store.seat_results(tournament.id, range(start, min(start + PART, tournament.matches)))
        for seat in seats:
            extremes.add(seat)
        found = find_upsets(seats, entries, elo, tournament.created)
        upsets = sorted([*upsets, *found], key=lambda upset: (upset.chance, upset.match))[:UPSETS]
    best = [places[row.bot] for row in ranked.rows if row.bot in places][:BOTS]
    return list(islice(_each_once(_reasons(tournament, upsets, extremes, best)), INTERESTING))


def _reasons(
    tournament: TournamentRow, upsets: list[Upset], extremes: _Extremes, best: list[int]
) -> Iterator[Highlight]:
    names = tournament.names
    for upset in upsets:
        chance = f"{round(1 / upset.chance):,}"
        yield Highlight(upset.match, f"upset: {names[upset.winner]} wins, which was expected in one of {chance}")
    for place in best:
        for word, seats in (("highest", extremes.best), ("lowest", extremes.worst)):
            if place in seats:
                seat = seats[place]
                score = in_units(tournament.game, seat.score)
                yield Highlight(seat.id, f"{word} score of {names[place]}: {score:g}")
    for (place, kind), seat in sorted(extremes.faults.items()):
        yield Highlight(seat.id, f"fault of {names[place]}: {kind}")


def _each_once(found: Iterable[Highlight]) -> Iterator[Highlight]:
    """Yield the highlights, without a second one of the same match."""
    seen: set[int] = set()
    for highlight in found:
        if highlight.match not in seen:
            seen.add(highlight.match)
            yield highlight


def chosen_matches(store: Store, tournament: int, wanted: int | None, interesting: Iterable[Highlight]) -> list[int]:
    """Return the ids of the matches whose replay is written, the newest first.

    wanted: that many of the newest; None: those worth a look and, if these are few, the newest too.
    """
    newest = store.match_ids(tournament)[::-1]
    if wanted is not None:
        return newest[:wanted]
    worth_a_look = {highlight.match for highlight in interesting}
    others = (id for id in newest if id not in worth_a_look)
    return sorted([*worth_a_look, *islice(others, INTERESTING - len(worth_a_look))], reverse=True)
