"""Which choices of a match are compared, and which of them count as costly."""

from collections.abc import Sequence
from random import Random

import pytest
from arena_insight.analysis.match_chances import FrameChances, MatchChances
from arena_insight.analysis.playouts import Estimate, MoveEstimate
from arena_insight.costly_moves import PER_GAP, find_costly_moves
from arena_insight.weaknesses import costly_decisions

from arena.replay.replay import Replay
from referee.games.cambio import CAMBIO
from tests.replay.replays import stored

MATCH = stored(CAMBIO, seats=4)


class Playouts:
    """Stands for PlayoutPosition: the win is a coin, which favours every other move where `costs` says so."""

    costs: dict[tuple[int, int], float]
    """By question and seat."""
    asked: set[tuple[int, int]]
    policies: set[str | None]

    def __init__(self, _match: object, question: int, seat: int, *, seed: int, policy: str | None) -> None:
        self._place = question, seat
        self._random = Random(f"{question}/{seat}/{seed}")
        self.asked.add(self._place)
        self.policies.add(policy)

    def compare_moves(self, _seat: int, playouts: int, moves: Sequence[str]) -> list[MoveEstimate]:
        def share(chance: float) -> float:
            return sum(self._random.random() < chance for _ in range(playouts)) / playouts

        played = next(answer.move for answer in FRAMES[self._place[0]].answers if answer.seat == self._place[1])
        own, error = share(0.3), (2 * 0.25 / playouts) ** 0.5
        others = [(move, share(0.3 + self.costs.get(self._place, 0.0))) for move in moves]
        return [
            MoveEstimate(str(played), own, 0, 0, 0),
            *(MoveEstimate(move, chance, 0, chance - own, error) for move, chance in others),
        ]


FRAMES = Replay(MATCH).frames()


def chances(at: Sequence[int], seat_0: Sequence[float], perspective: int | None = None) -> MatchChances:
    """The chances at some frames: of seat 0, and the rest shared by the others."""
    points = [
        FrameChances(frame, Estimate((share, *[(1 - share) / 3] * 3), (0.05,) * 4, 64))
        for frame, share in zip(at, seat_0, strict=True)
    ]
    return MatchChances(perspective, "cautious", 64, 0, tuple(points))


@pytest.fixture(autouse=True)
def _playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costly_decisions, "PlayoutPosition", Playouts)
    Playouts.costs, Playouts.asked, Playouts.policies = {}, set(), set()


def choices(seat: int, first: int, last: int) -> list[int]:
    """The frames in which a seat had a choice."""
    return [
        number
        for number, frame in enumerate(FRAMES)
        for answer in frame.answers
        if answer.seat == seat and len(answer.legal) > 1 and first <= number < last
    ]


def test_a_move_that_cost_much_is_found_with_the_better_one() -> None:
    last = len(FRAMES) - 1
    middle = last // 2
    bad = choices(0, 0, middle)[0]
    Playouts.costs = {(bad, 0): 0.6}
    found = find_costly_moves(MATCH, chances([0, middle, last], [0.9, 0.1, 0.0]))
    [move] = found["moves"]
    [answer] = [answer for answer in FRAMES[bad].answers if answer.seat == 0]
    assert (move["frame"], move["seat"], move["move"]) == (bad, 0, answer.move)
    assert move["better"] in answer.legal
    assert move["better"] != answer.move
    assert move["cost"] == pytest.approx(0.6, abs=0.2)
    assert move["cost"] == pytest.approx(move["better_chance"] - move["chance"], abs=0.001)
    assert 0 < move["error"] < 0.1
    assert found["compared"] == len(Playouts.asked) == 20
    assert Playouts.policies == {"cautious"}
    assert len([place for place in Playouts.asked if place[1] == 0 and place[0] < middle]) == min(
        PER_GAP, len(choices(0, 0, middle))
    )


def test_choices_that_cost_nothing_are_not_listed() -> None:
    last = len(FRAMES) - 1
    listed = 0
    for seed in range(20):
        drawn = MatchChances(None, "cautious", 64, seed, chances([0, last], [0.9, 0.0]).frames)
        listed += bool(find_costly_moves(MATCH, drawn)["moves"])
    assert listed <= 3  # one in twenty is expected at most


def test_as_a_seat_knew_the_match_only_its_own_choices_are_compared() -> None:
    film = Replay(MATCH)
    last = film.count(0) - 1
    found = find_costly_moves(MATCH, chances([0, last // 2, last], [0.5, 0.4, 0.0], perspective=0))
    assert found["compared"]
    assert {seat for _, seat in Playouts.asked} == {0}
    Playouts.costs = dict.fromkeys(Playouts.asked, 0.6)
    again = find_costly_moves(MATCH, chances([0, last // 2, last], [0.5, 0.4, 0.0], perspective=0))
    for move in again["moves"]:
        [answer] = film.frames(0)[move["frame"]].answers
        assert (answer.seat, answer.move) == (0, move["move"])
    assert again["moves"]
