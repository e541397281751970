"""Seats that win or lose together."""

from collections.abc import Sequence

from arena.ratings import Result
from arena.values.rows import ResultRow as StoredResult


def team_result(stored: StoredResult, names: Sequence[str], team_of: Sequence[int]) -> Result:
    """Return the result of a match, with one entry per team.

    team_of: the team of each seat; empty if every seat plays for itself.

    Team mates share score and rank, but for a seat that is forfeited: it is last, and its team with it.
    """
    bots = [names[entrant] for entrant in stored.entrants]
    if not team_of:
        return Result(stored.deal, tuple(bots), stored.ranks, stored.scores)
    seats: list[list[int]] = [[] for _ in set(team_of)]
    for seat, team in enumerate(team_of):
        seats[team].append(seat)
    return Result(
        stored.deal,
        tuple(tuple(bots[seat] for seat in team) for team in seats),
        tuple(max(stored.ranks[seat] for seat in team) for team in seats),
        tuple(stored.scores[team[0]] for team in seats),
    )
