"""The contract's helpers: finding moves, ranks, seats."""

import pytest

from referee.engine.chance import Chance
from referee.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, SeatsError
from referee.engine.game import find_move, ranks
from tests.guessing import GUESSING, GuessingOptions

LEGAL = ("keep", "exchange", "i lose")
GRAMMAR = ("keep", "exchange", "cuckoo", "i")


@pytest.mark.parametrize(
    ("text", "move"),
    [("keep", "keep"), (" KEEP ", "keep"), ("I  Lose", "i lose"), ("ex", "exchange"), ("i", "i lose")],
)
def test_moves_that_are_found(text: str, move: str) -> None:
    assert find_move(text, LEGAL, GRAMMAR) == move


def test_a_whole_move_wins_over_a_longer_one() -> None:
    assert find_move("3 5", ("3 5", "3 55")) == "3 5"


@pytest.mark.parametrize(
    ("text", "legal", "error", "message"),
    [
        ("ke", ("keep", "kettle"), AmbiguousMove, '"ke" may mean keep or kettle'),
        ("cuckoo", LEGAL, IllegalMove, '"cuckoo" is not legal now: "keep", "exchange", "i lose"'),
        ("exchagne", LEGAL, MalformedMove, '"exchagne" is no move: .*; did you mean "exchange"?'),
        ("", LEGAL, MalformedMove, '"" is no move: "keep"'),
        ("zzz", LEGAL, MalformedMove, '"zzz" is no move: "keep", "exchange", "i lose"$'),
    ],
)
def test_three_different_errors(text: str, legal: tuple[str, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        find_move(text, legal, GRAMMAR)


def test_ranks() -> None:
    assert ranks([10, 30, 20, 20, 5]) == (4, 1, 2, 2, 5)
    assert ranks([10, 30, 20, 20, 5], low_wins=True) == (2, 5, 3, 3, 1)
    assert ranks([7, 7, 7]) == (1, 1, 1)
    assert ranks([]) == ()


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_seats_out_of_range(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"guessing is played by 2 to 4 seats, not {seats}"):
        GUESSING.check(GuessingOptions(), seats)


def test_a_game_without_cards_has_nothing_undealt() -> None:
    state = GUESSING.start(GuessingOptions(), 2, Chance(bytes(32)))
    assert state.undealt() == 4
    assert super(type(state), state).undealt() is None
