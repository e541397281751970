"""Read the contest of a bot from a stored tournament or from a league, and the records of its matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.league.results.board import Board
from arena.league.store.batches import Batches
from arena.league.store.league_rows import PlayedBatch
from arena.results.stored_tournament import StoredTournament
from arena.store import Store
from arena.store.matches.seat_results import SeatResult
from arena.values.rows import BatchEventRow, ResultRow, SingleMatchRow, StoredMatch, TournamentRow
from arena_insight.weaknesses.contest import Contest, Place, Sitting
from referee.engine.game import Game
from referee.engine.registry import game

MOST_MATCHES = 20_000
"""Matches whose results are read at most: the last of the schedule of a tournament, or the newest of an entry."""

_CHUNK = 64
"""Matches whose records are read at a time."""


@dataclass(frozen=True, slots=True)
class _Numbering:
    """How the places in the field of a match are numbered in a contest."""

    rules: Game
    teams: Sequence[int]
    bots: Sequence[int] = ()
    """The number of the bot at each place; empty: its place."""

    def number(self, place: int) -> int:
        """Return the number of the bot at a place of the field."""
        return self.bots[place] if self.bots else place


def tournament_contest(tournament: StoredTournament, elo: Mapping[str, float], place: int) -> Contest:
    """Return the contest of a bot in a tournament, of the matches that its ranking counts.

    elo: the ratings, by name.
    place: of the bot in the field.
    """
    store, row = tournament.store, tournament.row
    with store.snapshot():
        counted = store.counted_matches(tournament.id)
        first = max(0, store.count(tournament.id) - MOST_MATCHES)
        results = store.seat_results(tournament.id, range(first, row.matches))
    numbering = _numbering(row)
    sittings = [
        sitting
        for id, seats in _by_match(results)
        if counted.counts(id - row.first_match, _result(seats))
        for sitting in _sittings(seats, numbering)
    ]
    names = dict(enumerate(row.names))
    return _contest(row.game, names, {n: elo[name] for n, name in names.items() if name in elo}, place, sittings)


def league_contest(store: Store, board: Board, played: Sequence[PlayedBatch], entry: int) -> Contest:
    """Return the contest of an entry of a league.

    played: its rated batches, the newest first.
    """
    sittings: list[Sitting] = []
    matches = 0
    for batch in played:
        matches += batch.matches
        if matches > MOST_MATCHES and sittings:
            break
        numbering = _numbering(store.event(batch.event), batch.entries)
        for _, seats in _by_match(Batches(store).seat_results(batch)):
            sittings += _sittings(seats, numbering)
    elo = {row.entry.number: row.elo for row in board.rows if row.elo is not None}
    return _contest(board.league.game, board.names, elo, entry, sittings)


def load_matches(store: Store, ids: Sequence[int]) -> Iterator[StoredMatch]:
    """Yield stored matches by their ids, without output and process failures."""
    events: dict[int, TournamentRow | SingleMatchRow | BatchEventRow] = {}
    for start in range(0, len(ids), _CHUNK):
        for id, key, row in store.records_by_id(ids[start : start + _CHUNK]):
            event = events.get(key) or events.setdefault(key, store.event(key))
            yield StoredMatch(id, event, row)


def _numbering(row: TournamentRow | SingleMatchRow | BatchEventRow, bots: Sequence[int] = ()) -> _Numbering:
    rules = game(row.game)
    seats = row.definition.seats
    team_of = row.definition.team_of
    return _Numbering(rules, team_of or range(seats or rules.seats[1]), bots)


def _contest(
    name: str, names: Mapping[int, str], elo: Mapping[int, float], bot: int, sittings: Sequence[Sitting]
) -> Contest:
    """Return the contest, with the sittings of the deals that the bot played only."""
    deals = {sitting.place.deal for sitting in sittings if sitting.bot == bot}
    return Contest(name, names, elo, bot, [sitting for sitting in sittings if sitting.place.deal in deals])


def _by_match(results: Iterable[SeatResult]) -> Iterator[tuple[int, list[SeatResult]]]:
    for id, seats in groupby(results, key=lambda seat: seat.id):
        yield id, list(seats)


def _result(seats: Sequence[SeatResult]) -> ResultRow:
    return ResultRow(
        seats[0].deal,
        tuple(seat.entrant for seat in seats),
        tuple(seat.score for seat in seats),
        tuple(seat.rank for seat in seats),
    )


def _sittings(seats: Sequence[SeatResult], numbering: _Numbering) -> Iterator[Sitting]:
    """Yield the seats of a match."""
    teams = numbering.teams
    decisions = sum(seat.decisions for seat in seats)
    for own in seats:
        rivals = tuple(
            (numbering.number(other.entrant), 0.5 if own.rank == other.rank else float(own.rank < other.rank))
            for other in seats
            if teams[other.seat] != teams[own.seat]
        )
        yield Sitting(
            own.id,
            own.deal,
            Place((own.seed, len(seats)), own.seat),
            numbering.number(own.entrant),
            numbering.rules.in_units(own.score),
            sum(points for _, points in rivals) / len(rivals) if rivals else 0.0,
            rivals,
            decisions,
            own.faults,
            own.forfeit,
        )
