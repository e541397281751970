"""The three trick games in seeded random play: ends, cards, hiding; and what they share."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from referee.engine.chance import Chance
from referee.engine.events import history
from referee.engine.game import Game
from referee.games.coch import COCH, CochOptions
from referee.games.cuckoo_pack import pack
from referee.games.torionfo import TORIONFO, TorionfoOptions, TorionfoState
from referee.games.tricks import KINDS, NUMBER, PICTURE, Tricks, strengths, type_of
from referee.games.zifuli import ZIFULI, ZifuliOptions

TABLES = [
    (TORIONFO, TorionfoOptions(), 4),
    (TORIONFO, TorionfoOptions(), 2),
    (COCH, CochOptions(), 4),
    (COCH, CochOptions(deals=3), 4),
    (ZIFULI, ZifuliOptions(), 5),
    (ZIFULI, ZifuliOptions(end="broke", chips=3), 5),
    (ZIFULI, ZifuliOptions(end="broke", chips=1000, max_deals=3), 5),
]
EACH_TABLE = pytest.mark.parametrize(
    ("game", "options", "seats"),
    TABLES,
    ids=["-".join([game.name, str(seats), *options.given()]) for game, options, seats in TABLES],
)


def seed(number: int) -> bytes:
    return sha256(b"tricks %d" % number).digest()


def started(game: Game, options: Any, seats: int, number: int) -> Tricks:
    state = game.start(options, seats, Chance(seed(number)))
    assert isinstance(state, Tricks)
    return state


def positions(game: Game, options: Any, seats: int, number: int) -> Iterator[Tricks]:
    """Yield the state before every question of a random match, and at its end."""
    rng = Random(number)
    state = started(game, options, seats, number)
    while state.asked:
        yield state
        state.apply([rng.choice(state.legal(state.asked[0]))])
    yield state


@EACH_TABLE
def test_random_matches_end_and_keep_their_cards(game: Game, options: Any, seats: int) -> None:
    for number in range(4):
        counts = started(game, options, seats, number).counts()
        assert {name: count for name, count in counts.items() if name != "chips"} == {f"card {k}": 2 for k in KINDS}
        for state in positions(game, options, seats, number):
            assert state.counts() == counts
            assert len(state.asked) <= 1
            for seat in range(seats):
                legal = state.legal(seat)
                assert bool(legal) == (seat in state.asked)
                assert len(set(legal)) == len(legal) != 1
                if legal:
                    assert state.default(seat) in legal
        outcome = state.outcome()
        teams = game.teams(options, seats)
        best = max(outcome.scores)
        assert [score == best for score in outcome.scores] == [rank == 1 for rank in outcome.ranks]
        assert len(set(zip(teams, outcome.scores, outcome.ranks, strict=True))) == len(set(teams))


@EACH_TABLE
def test_hidden_cards_change_nothing_that_a_seat_sees(game: Game, options: Any, seats: int) -> None:
    """The others' hands, the pile and what they put back are dealt anew: view and moves stay as they are."""
    rng = Random(3)
    for state in positions(game, options, seats, 9):
        for seat in range(seats):
            twin = state.copy()
            others = [other for other in range(seats) if other != seat]
            hidden = [card for other in others for card in state.hands[other]]
            if isinstance(twin, TorionfoState) and isinstance(state, TorionfoState):
                hidden += state.pile
            rng.shuffle(hidden)
            for other in others:
                twin.hands[other] = sorted((hidden.pop() for _ in state.hands[other]), reverse=True)
            if isinstance(twin, TorionfoState):
                twin.pile = tuple(hidden)
                twin.discarded = tuple(
                    back if other == seat else back[::-1] for other, back in enumerate(twin.discarded)
                )
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)


@EACH_TABLE
def test_a_seat_is_told_of_its_own_cards_alone(game: Game, options: Any, seats: int) -> None:
    *_, state = positions(game, options, seats, 2)
    for seat in range(seats):
        secrets = [
            line
            for line in history(game.lines, state.events, seat)
            if any(verb in line for verb in (" is dealt ", " looks at ", " discards ", " holds the twin "))
            and not line.endswith(" discards a card")
        ]
        assert secrets
        assert all(line.startswith(f"seat {seat} ") for line in secrets)


@EACH_TABLE
def test_played_cards_and_leaders_tell_the_tricks(game: Game, options: Any, seats: int) -> None:
    """The two fields of the view say who played what and who won, as the log does."""
    for state in positions(game, options, seats, 8):
        since = max(n for n, event in enumerate(state.events) if event[0] == 0)
        plays = [event[1:3] for event in state.events[since:] if " plays {}" in game.lines[int(event[0] or 0)].text]
        cards = [*state.played, *state.table]
        told = [((state.leaders[n // seats] + n % seats) % seats, card) for n, card in enumerate(cards)]
        assert told == plays
        assert len(state.leaders) == len(state.played) // seats + 1


def test_types_and_strengths() -> None:
    assert Counter(type_of(card) for card in pack()) == {NUMBER: 20, PICTURE: 20}
    assert [type_of(card) for card in (11, 10, 1, 0, -4)] == [PICTURE, NUMBER, NUMBER, PICTURE, PICTURE]
    order = strengths((-3, 15, 14, 13, 12, 11, -4, 0, -1, -2))
    assert sorted(range(1, 11), key=order.__getitem__) == list(range(1, 11))
    assert sorted((0, -1, -2, -3, -4, 15, 11), key=order.__getitem__) == [-2, -1, 0, -4, 11, 15, -3]
