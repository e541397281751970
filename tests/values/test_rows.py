"""Rows, and the views of them."""

from tests import played
from tests.guessing import GUESSING


def test_the_result_of_a_match_is_a_view_of_it() -> None:
    row = played.match(GUESSING, 6, faults={1: "illegal"})
    result = row.result
    assert (result.deal, result.table, result.seed, result.digest) == (row.deal, row.table, row.seed, row.digest)
    assert [*zip(result.entrants, result.scores, result.ranks, strict=True)] == [
        (seat.entrant, seat.score, seat.rank) for seat in row.seats
    ]
