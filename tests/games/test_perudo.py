"""Perudo in seeded random play: ends, dice, hiding; and what no scenario shows."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from random import Random

import pytest

from referee.engine.chance import Chance, ScriptedChance
from referee.engine.events import history
from referee.engine.options import Options
from referee.games.perudo import PERUDO, REROLL, TURN, PerudoOptions, PerudoState

VARIANTS = [
    PerudoOptions(hidden=hidden, high_risk=high_risk, showdown=showdown, first_blood=first_blood)
    for hidden, high_risk, showdown, first_blood in product((False, True), repeat=4)
]
TABLES = [(options, seats) for options in VARIANTS for seats in (2, 3, 6)]


def named(value: object) -> str:
    return "-".join(value.given()) or "plain" if isinstance(value, Options) else str(value)


def seed(number: int) -> bytes:
    return sha256(b"perudo %d" % number).digest()


def positions(options: PerudoOptions, seats: int, number: int) -> Iterator[PerudoState]:
    """Yield the state before every question of a random match, and at its end."""
    rng = Random(number)
    state = PERUDO.start(options, seats, Chance(seed(number)))
    while state.asked:
        yield state
        legal = state.legal(state.asked[0])
        # Half of the moves are taken from the low end: that makes long rounds.
        state.apply([legal[rng.randrange(min(len(legal), rng.choice((4, 400))))]])
    yield state


@pytest.mark.parametrize(("options", "seats"), TABLES, ids=named)
def test_random_matches_end_and_keep_their_dice(options: PerudoOptions, seats: int) -> None:
    total = 5 * seats
    for number in range(3):
        for state in positions(options, seats, number):
            assert sum(state.dice) <= total
            total = sum(state.dice)
            assert [len(cup) + len(aside) for cup, aside in zip(state.cups, state.aside, strict=True)] == (
                state.dice if state.asked else [0] * seats
            )
            for seat in range(seats):
                legal = state.legal(seat)
                assert bool(legal) == (seat in state.asked)
                assert len(set(legal)) == len(legal) != 1
            if state.asked:
                assert state.default(state.turn) == state.legal(state.turn)[0]
        total = 5 * seats
        outcome = state.outcome()
        assert outcome.scores == tuple(state.dice)
        left = sum(1 for dice in state.dice if dice)
        assert (left == 1) or (options.first_blood and left < seats)
        assert [rank == 1 for rank in outcome.ranks] == [dice > 0 for dice in state.dice]


@pytest.mark.parametrize(("options", "seats"), TABLES[::3], ids=named)
def test_the_dice_of_others_change_nothing_that_a_seat_sees(options: PerudoOptions, seats: int) -> None:
    rng = Random(3)
    for state in positions(options, seats, 9):
        for seat in range(seats):
            twin = state.copy()
            for other in range(seats):
                if other != seat:
                    twin.cups[other] = tuple(sorted(rng.choices(range(1, 7), k=len(state.cups[other]))))
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)


def test_a_seat_is_told_of_its_own_rolls_alone() -> None:
    *_, state = positions(PerudoOptions(), 3, 2)
    for seat in range(3):
        rolls = [line for line in history(PERUDO.lines, state.events, seat) if " rolls " in line]
        assert rolls
        assert all(line.startswith(f"seat {seat} rolls ") for line in rolls)


def test_the_stages_of_a_turn() -> None:
    state = PERUDO.start(PerudoOptions(), 2, Chance(seed(1)))
    assert state.stage == TURN
    seat = state.turn
    state.apply(["bid 1x2"])
    assert (state.stage, state.asked, state.legal(seat)[0]) == (REROLL, (seat,), "stand")


def test_who_has_many_dice_rolls_and_rerolls_them_all() -> None:
    """Decision: nobody has too many dice; from ten a seat may put aside one to nine."""
    scripted = ScriptedChance(seed(1), picks={"first": 0})
    state = PERUDO.start(PerudoOptions(), 2, scripted)
    state.dice[0] = 10
    state.cups[0] = (1, 2, 2, 3, 3, 4, 4, 5, 6, 6)
    state.apply(["bid 1x2"])
    assert "reroll keep 2 2 3 3 4 4 5 6 skull" in state.legal(0)
    state.apply(["reroll keep 2 2 3 3 4 4 5 6 skull"])
    assert len(state.cups[0]) == 1


@pytest.mark.parametrize(
    ("dice", "out", "expected"),
    [
        ([0, 3, 5, 0, 1], [4, 0, 0, 2, 0], (4, 2, 1, 5, 3)),
        ([0, 2, 0, 2], [3, 0, 3, 0], (3, 1, 3, 1)),
    ],
)
def test_standings(dice: list[int], out: list[int], expected: tuple[int, ...]) -> None:
    state = PERUDO.start(PerudoOptions(), len(dice), Chance(seed(1)))
    state.dice, state.out, state.round = dice, out, 5
    assert state.outcome().ranks == expected
