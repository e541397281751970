"""Hypp in seeded random play: ends, chips, hiding; and what no scenario shows."""

from random import Random
from typing import Any

import pytest

from referee.engine.errors import OptionError, SeatsError
from referee.games.cuckoo_pack import UNKNOWN
from referee.games.hypp import HYPP, PASS, HyppOptions, HyppState, bet_moves, lowered, packet_moves
from tests.games.dealt import deal, log, play, random_match, step

TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (5, {}),
    (8, {}),
    (2, {"limit": 1}),
    (6, {"limit": 1}),
    (8, {"limit": 3, "max_rounds": 4}),
    (4, {"limit": 40}),
]
EACH_TABLE = pytest.mark.parametrize(
    ("seats", "options"), TABLES, ids=["-".join([str(seats), *options]) for seats, options in TABLES]
)


def begun(seats: int, number: int, options: dict[str, Any]) -> HyppState:
    state = random_match(HYPP, seats, number, **options)
    assert isinstance(state, HyppState)
    return state


def finish(state: HyppState, number: int) -> HyppState:
    rng = Random(number)
    while state.asked:
        step(state, rng)
    return state


@EACH_TABLE
def test_random_matches_end_and_keep_their_chips(seats: int, options: dict[str, Any]) -> None:
    limit, rounds = options.get("limit", 10), options.get("max_rounds", 200)
    for number in range(10):
        state = begun(seats, number, options)
        rng = Random(number)
        while state.asked:
            assert sum(state.chips) == limit * seats * 2 * seats
            assert min(state.chips) > 0
            assert (state.stage == PASS) == (UNKNOWN not in state.cards)
            if state.stage != PASS:
                assert all(bet <= min(limit, chips) for bet, chips in zip(state.bets, state.chips, strict=True))
            for seat in range(seats):
                legal = state.legal(seat)
                assert (len(legal) > 1) == (seat in state.asked)
            assert state.default(state.asked[0]) == state.legal(state.asked[0])[0]
            step(state, rng)
        assert sum(state.chips) == limit * seats * 2 * seats
        assert min(state.chips) >= 0
        told = log(HYPP, state)
        assert min(state.chips) == 0 or state.round == rounds or "everybody has dealt" in told
        assert told[-1] == f"the match is over after round {state.round}"
        assert state.outcome().scores == tuple(state.chips)


@EACH_TABLE
def test_the_deal_passes_as_the_rules_say(seats: int, options: dict[str, Any]) -> None:
    """From the log alone: who deals next, and whether the dealer was asked."""
    state = finish(begun(seats, 7, options), 7)
    rounds = "\n".join(log(HYPP, state)).split("round ")[1:]
    dealer = state.first
    for told in rounds[: state.round - 1]:
        assert f"begins: seat {dealer} deals" in told
        forced = "cannot cover" in told or "had the lowest card" in told
        assert forced != ("gives up" in told or "stays" in told)
        if "stays" not in told:
            dealer = (dealer + 1) % seats


@EACH_TABLE
def test_the_pack_changes_nothing_that_a_seat_sees(seats: int, options: dict[str, Any]) -> None:
    state = begun(seats, 8, options)
    rng = Random(8)
    while state.asked:
        twin = state.copy()
        twin.pack = tuple(rng.sample(state.pack, len(state.pack)))
        for seat in range(seats):
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)
        step(state, rng)


@pytest.mark.parametrize(
    ("bets", "total", "expected"),
    [
        ([0, 10, 10, 10], 30, [0, 10, 10, 10]),
        ([0, 10, 10, 10], 20, [0, 7, 7, 6]),
        ([0, 10, 9, 8, 7, 10], 42, [0, 9, 9, 8, 7, 9]),
        ([10, 0, 5, 1], 8, [5, 0, 3, 0]),
        ([1, 1, 0, 1], 1, [1, 0, 0, 0]),
        ([3, 0, 6], 3, [1, 0, 2]),
        ([7, 0], 2, [2, 0]),
    ],
)
def test_lowered_bets(bets: list[int], total: int, expected: list[int]) -> None:
    assert lowered(bets, total) == expected


def test_lowered_bets_are_never_raised_and_make_up_the_total() -> None:
    rng = Random(1)
    for _ in range(500):
        bets = [rng.randint(1, 10) for _ in range(rng.randint(1, 7))]
        dealer = rng.randint(0, len(bets))
        bets.insert(dealer, 0)
        total = rng.randint(1, sum(bets))
        new = lowered(bets, total)
        assert sum(new) == total
        assert all(low <= bet for low, bet in zip(new, bets, strict=True))
        assert all(abs(low - bet * total / sum(bets)) < 1 for low, bet in zip(new, bets, strict=True))


def test_packets_leave_the_dealer_a_card() -> None:
    for seats in range(2, 9):
        most = len(packet_moves(seats))
        assert most * (seats - 1) <= 39 < (most + 1) * (seats - 1)
        assert packet_moves(seats)[-1] == f"packet {most}"
    assert bet_moves(3) == ("bet 1", "bet 2", "bet 3")


def test_undealt_cards_are_those_nobody_was_given_or_shown() -> None:
    state = deal(HYPP, 3, [5, 9, 7])
    assert state.undealt() == 40
    play(state, "0 packet 4", "1 bet 1")
    assert state.undealt() == 32
    play(state, "2 bet 1")
    assert state.undealt() == 31


@pytest.mark.parametrize("seats", [1, 9])
def test_it_is_played_by_two_to_eight(seats: int) -> None:
    with pytest.raises(SeatsError, match=f"hypp is played by 2 to 8 seats, not {seats}"):
        HYPP.check(HyppOptions(), seats)


def test_a_limit_is_at_least_a_chip() -> None:
    with pytest.raises(OptionError, match="limit is from 1 to 1000, not 0"):
        HyppOptions.parse({"limit": 0})
