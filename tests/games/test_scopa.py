"""Scopa in seeded random play: ends, cards, points, hiding; and what no scenario shows."""

from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest

from referee.engine.chance import Chance
from referee.engine.events import history
from referee.engine.options import Options
from referee.games.italian_pack import PACK
from referee.games.scopa import SCOPA, ScopaOptions, ScopaState

OPTIONS = [
    ScopaOptions(),
    ScopaOptions(primiera="sum", faces="all", teams="none"),
    ScopaOptions(primiera="sevens", mercy=True, target=21),
    ScopaOptions(faces="all", max_deals=2, mercy=True),
    ScopaOptions(target=1, primiera="sum"),
]
TABLES = [(options, seats) for options in OPTIONS for seats in range(2, 7)]


def named(value: object) -> str:
    return "-".join(value.given()) or "plain" if isinstance(value, Options) else str(value)


def seed(number: int) -> bytes:
    return sha256(b"scopa %d" % number).digest()


def positions(options: ScopaOptions, seats: int, number: int) -> Iterator[ScopaState]:
    """Yield the state before every question of a random match, and at its end."""
    rng = Random(number)
    state = SCOPA.start(options, seats, Chance(seed(number)))
    while state.asked:
        yield state
        state.apply([rng.choice(state.legal(state.turn))])
    yield state


def cards(state: ScopaState) -> list[str]:
    """Return every card wherever it is."""
    held = [card for hand in state.hands for card in hand]
    taken = [card for pile in state.taken for card in pile]
    return [*held, *taken, *state.table, *state.pack[state.dealt :]]


@pytest.mark.parametrize(("options", "seats"), TABLES, ids=named)
def test_random_matches_end_and_keep_their_cards(options: ScopaOptions, seats: int) -> None:
    for number in range(3):
        for state in positions(options, seats, number):
            assert sorted(cards(state)) == sorted(PACK)
            for seat in range(seats):
                legal = state.legal(seat)
                assert bool(legal) == (seat in state.asked)
                assert len(set(legal)) == len(legal) != 1
            if state.asked:
                assert state.default(state.turn) in state.legal(state.turn)
        scores = state.outcome().scores
        team = SCOPA.teams(options, seats)
        points = dict(zip(team, scores, strict=True))
        assert all(points[team[seat]] == score for seat, score in enumerate(scores))
        most = max(points.values())
        won = most >= options.target and list(points.values()).count(most) == 1
        merciful = options.mercy and most >= 7 and sum(points.values()) == most
        assert won or merciful or state.deal == options.max_deals
        assert [rank == 1 for rank in state.outcome().ranks] == [score == most for score in scores]


@pytest.mark.parametrize(("options", "seats"), TABLES[:5], ids=named)
def test_the_points_of_every_deal(options: ScopaOptions, seats: int) -> None:
    """At most four points but for the scopas, and the settebello is always somebody's."""
    *_, state = positions(options, seats, 11)
    log = history(SCOPA.lines, state.events)
    assert sum(line.endswith("has the settebello") for line in log) == state.deal
    points = {"most cards", "most coins", "the settebello", "best primiera", "makes a scopa"}
    assert sum(any(point in line for point in points) for line in log) == sum(state.points)


@pytest.mark.parametrize("seats", range(2, 7))
def test_teams(seats: int) -> None:
    expected = (0, 1, 0, 1, 0, 1)[:seats] if seats in (4, 6) else tuple(range(seats))
    assert SCOPA.teams(ScopaOptions(), seats) == expected
    assert SCOPA.teams(ScopaOptions(teams="none"), seats) == tuple(range(seats))


@pytest.mark.parametrize(("options", "seats"), TABLES[:5], ids=named)
def test_hidden_cards_change_nothing_that_a_seat_sees(options: ScopaOptions, seats: int) -> None:
    rng = Random(3)
    for state in positions(options, seats, 9):
        for seat in range(seats):
            twin = state.copy()
            others = [other for other in range(seats) if other != seat]
            hidden = [card for other in others for card in state.hands[other]] + list(state.pack[state.dealt :])
            rng.shuffle(hidden)
            for other in others:
                twin.hands[other] = tuple(hidden.pop() for _ in state.hands[other])
            twin.pack = (*state.pack[: state.dealt], *hidden)
            assert twin.view(seat) == state.view(seat)
            if seat in state.asked:
                assert twin.legal(seat) == state.legal(seat)


def test_a_seat_is_told_of_its_own_hands_alone() -> None:
    *_, state = positions(ScopaOptions(), 4, 2)
    for seat in range(4):
        dealt = [line for line in history(SCOPA.lines, state.events, seat) if " is dealt " in line]
        assert dealt
        assert all(line.startswith(f"seat {seat} is dealt ") for line in dealt)


def test_a_redeal_is_drawn_anew() -> None:
    """Among many deals some have three kings on the table; the next one lies elsewhere in chance."""
    found = 0
    for number in range(400):
        state = SCOPA.start(ScopaOptions(), 5, Chance(seed(number)))
        log = history(SCOPA.lines, state.events)
        if again := [line for line in log if line.startswith("the table has ")]:
            found += 1
            shown = [line for line in log if line.startswith("the table shows ")]
            assert len(shown) == len(again) + 1 == len(set(shown))
            assert shown[-1].count("10") < 3
    assert found
