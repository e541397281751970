"""Cucco: what differs from Cambio. Each single rule has its scenario file."""

from typing import Any

import pytest

from referee.engine.errors import SeatsError
from referee.games.cucco import CUCCO, CuccoState
from tests.games.dealt import deal, log, play, random_match

NEVER = None


def opening(seats: int, place: int) -> int | None:
    """Return after how many turns the cuckoo dealt to a place of the turn order opens, all others keeping."""
    deck = [15 if i == place else 8 - i % 8 for i in range(seats)]
    state = deal(CUCCO, seats, deck)
    line = f"the cuckoo of seat {place} opens"
    kept = 0
    while line not in log(CUCCO, state):
        if state.round > 1:
            return NEVER
        kept += 1
        state.apply(["keep"])
    return kept


@pytest.mark.parametrize(("seats", "place", "turns"), [
    (2, 0, 0), (2, 1, 0),
    (3, 0, NEVER), (3, 1, 0), (3, 2, 0),
    (6, 0, NEVER), (6, 1, 0), (6, 2, 0), (6, 3, 1), (6, 4, 2), (6, 5, 3),
])  # fmt: skip
def test_when_a_cuckoo_opens(seats: int, place: int, turns: int | None) -> None:
    assert opening(seats, place) == turns


def test_a_cuckoo_that_changed_hands_does_not_open() -> None:
    # Seats 1 and 2 pass, so seat 0 takes the cuckoo of seat 3 before it opens.
    state: CuccoState = deal(CUCCO, 5, (5, 13, 11, 15, 7))
    play(state, "0 exchange", "1 keep", "2 keep", "3 keep", "4 keep")
    assert not any("opens" in line for line in log(CUCCO, state))
    assert (state.round, state.defeats) == (2, (0, 0, 0, 1, 0))


def test_a_cuckoo_opens_when_the_turn_of_a_defeated_seat_would_have_begun() -> None:
    # Seat 1 receives a fool, and the cuckoo of seat 3 is due before its turn.
    state: CuccoState = deal(CUCCO, 6, (-4, 3, 9, 15, 8, 7))
    play(state, "0 exchange")
    assert "the cuckoo of seat 3 opens" in log(CUCCO, state)
    assert state.defeats[1] == 1


def test_by_hand() -> None:
    state = deal(CUCCO, 4, (5, 6, 15, 7), open="manual")
    assert (state.asked, state.legal(2)) == ((2,), ("pass", "cuckoo"))
    play(state, "2 pass", "0 keep", "2 pass", "1 keep")
    assert state.legal(2) == ("keep", "exchange", "cuckoo")
    play(state, "2 cuckoo")
    assert "seat 2 calls cuckoo" in log(CUCCO, state)


def test_the_start_player_acts_first_and_the_last_draws() -> None:
    state: CuccoState = deal(CUCCO, 3, (5, 6, 7, 3), first=1)
    assert (state.table.order, state.view(1).starter, state.view(1).turn) == ((1, 2, 0), 1, 1)
    play(state, "1 keep", "2 keep", "0 exchange")
    assert "seat 0 takes 3" in log(CUCCO, state)
    assert (state.lead, state.chips) == (2, (23, 24, 24))


@pytest.mark.parametrize(
    ("options", "seats", "cards", "coins", "sets"),
    [
        ({}, 7, 40, 25, 6),
        ({}, 8, 39, 25, 6),
        ({"cancellation": True}, 15, 40, 25, 6),
        ({"length": "short"}, 2, 40, 10, 3),
    ],
)
def test_options(options: dict[str, Any], seats: int, cards: int, coins: int, sets: int) -> None:
    rules = CUCCO.options.parse(options).rules(seats)
    assert (len(rules.pack), rules.chips, rules.max_sets) == (cards, coins, sets)


@pytest.mark.parametrize("seats", [1, 16])
def test_seats(seats: int) -> None:
    with pytest.raises(SeatsError, match="2 to 15"):
        random_match(CUCCO, seats, 1)


def test_view() -> None:
    assert deal(CUCCO, 2, (5, 6)).view(1)._asdict() == {
        "set": 1,
        "round": 1,
        "starter": 0,
        "cuckoos": 2,
        "box": 2,
        "chips": (24, 24),
        "order": (0, 1),
        "discards": (),
        "pile": 38,
        "turn": 0,
        "defeated": (0, 0),
        "actions": (0, 0),
        "partners": (-2, -2),
        "replies": (0, 0),
        "seat": 1,
        "stage": 1,
        "card": 6,
        "known": (99, 6),
        "aside": (),
        "strong_fools": (),
    }
