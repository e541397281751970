"""The contract's helpers: finding moves, ranks, seats."""

import pytest

from referee.engine.chance import Chance
from referee.engine.errors import AmbiguousMove, IllegalMove, MalformedMove, SeatsError
from referee.engine.game import Outcome, find_move, ranks, team_outcome
from referee.engine.registry import game
from tests.guessing import GUESSING, GuessingOptions

LEGAL = ("keep", "exchange", "i lose")
GRAMMAR = ("keep", "exchange", "cuckoo", "i")


@pytest.mark.parametrize(
    ("text", "move"),
    [("keep", "keep"), (" KEEP ", "keep"), ("I  Lose", "i lose"), ("ex", "exchange"), ("i", "i lose")],
)
def test_moves_that_are_found(text: str, move: str) -> None:
    assert find_move(text, LEGAL, GRAMMAR) == move


def test_capitals_of_a_move_need_not_be_typed() -> None:
    assert find_move("play c7", ("play C7", "play C70 take S2"), ("play",)) == "play C7"
    assert find_move("PLAY S", ("play C7", "play S2"), ("play",)) == "play S2"


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


def test_team_mates_share_score_and_rank() -> None:
    assert team_outcome((7, 9), (0, 1, 0, 1)) == Outcome((7, 9, 7, 9), (2, 1, 2, 1))
    assert team_outcome((5, 5, 3), (0, 1, 2, 0, 1, 2)).ranks == (1, 1, 3, 1, 1, 3)


def test_every_seat_is_its_own_team_by_default() -> None:
    assert GUESSING.teams(GuessingOptions(), 3) == (0, 1, 2)


def test_scores_in_units(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [GUESSING.in_units(score) for score in (3, -3, 2.5)] == [3, -3, 2.5]
    monkeypatch.setattr(type(GUESSING), "scale", 2)
    assert [str(GUESSING.in_units(score)) for score in (0, 1, 2, 3, -1, -2)] == ["0", "0.5", "1", "1.5", "-0.5", "-1"]


@pytest.mark.parametrize(
    ("name", "tables"), [("guessing", [2, 3, 4]), ("coch", [4]), ("torionfo", [2, 4]), ("cucco", list(range(2, 16)))]
)
def test_the_tables_that_play(name: str, tables: list[int]) -> None:
    rules = GUESSING if name == "guessing" else game(name)
    assert rules.tables(rules.options()) == tables
