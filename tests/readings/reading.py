"""A second reading of a game's rules page, and a match played by it and by the rules of the product side by side.

A reading is written from docs/rules alone, naively and without regard to speed, and shares no code with
referee/games. Where both agree on every question, offer, view, score and rank, a slip would have to be made twice.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from referee.engine.chance import Chance
from referee.engine.game import Game

T = TypeVar("T")

Play = Generator[Mapping[int, Iterable[str]], Mapping[int, str], None]
"""Yields by seat what each may answer, where somebody has a choice, and is sent by seat what each answers.

Moves are offered in the order that is yielded; of a set in any order.
"""


class Luck(Chance):
    """Chance whose answers depend on how often it was asked, not on what for. `hot` cards tend to come early."""

    __slots__ = ("rng", "hot")

    def __init__(self, number: int, hot: Collection[int | str] = ()) -> None:
        super().__init__(b"")
        self.rng = Random(number)
        self.hot = hot

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        weights = [(self.rng.random() * (0.25 if card in self.hot else 1), card) for card in sorted(cards)]  # type: ignore[type-var]
        return tuple([card for _, card in sorted(weights)])

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        return low + self.rng.randrange(n)

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        return tuple([self.rng.choice(faces) for _ in range(count)])


class Reading(ABC):
    """A match by the second reading.

    team: the team of each seat; by default each seat is one.
    """

    scores: list[int]
    """The score of each seat now."""

    def __init__(self, options: Mapping[str, Any], seats: int, luck: Luck) -> None:
        self.options = options
        self.seats = seats
        self.luck = luck
        self.team = list(range(seats))

    @abstractmethod
    def play(self) -> Play:
        """Play the match."""

    @abstractmethod
    def sees(self, seat: int) -> Mapping[str, Any]:
        """Return fields of the view of `seat`; the order of what is a set does not matter."""

    def talk_limit(self) -> int:
        """Return how many characters of table talk are heard now."""
        return 0

    def hear(self, seat: int, words: str) -> None:  # noqa: B027  # most tables hear nothing
        """Hear what `seat` says with its answer."""

    def standing(self, seat: int) -> Any:
        """Return what ranks a seat: more is better."""
        return self.scores[seat]

    def ranks(self) -> list[int]:
        """Return by seat how many teams stand better, counted from 1."""
        standings = [self.standing(seat) for seat in range(self.seats)]
        better = [{team for team, other in zip(self.team, standings, strict=True) if other > own} for own in standings]
        return [1 + len(teams) for teams in better]

    def around(self, after: int) -> Iterable[int]:
        """Return all seats from the one after `after` on, that one last."""
        return [(after + step) % self.seats for step in range(1, self.seats + 1)]


def side_by_side(
    game: Game,
    reading: type[Reading],
    options: Mapping[str, Any],
    seats: int,
    number: int,
    choose: Callable[[Sequence[str], Random], str],
    hot: Collection[int | str] = (),
) -> int:
    """Play the match `number` by both; return how many questions there were. `choose` answers them."""
    state = game.start(game.options.parse(options), seats, Luck(number, hot))
    other = reading(options, seats, Luck(number, hot))
    match = other.play()
    rng = Random(number)
    questions = 0
    asked = next(match, {})
    counts = state.counts()
    while True:
        told = f"{game.name}, {options}, {seats} seats, match {number}, question {questions}"
        assert set(state.asked) == set(asked), told
        for seat, moves in asked.items():
            offered = state.legal(seat)
            assert set(offered) == moves if isinstance(moves, set) else offered == tuple(moves), f"{told}: {offered}"
            assert len(offered) == len(set(offered)), f"{told}: {offered}"
        assert state.counts() == counts, told
        outcome = state.outcome()
        assert list(outcome.scores) == other.scores, told
        assert list(outcome.ranks) == other.ranks(), told
        if not asked:
            return questions
        for seat in range(seats):
            view: Any = state.view(seat)
            for name, value in other.sees(seat).items():
                found = getattr(view, name)
                assert (set(found) if isinstance(value, set) else found) == value, f"{told}: seat {seat}, {name}"
        answers = {seat: choose(state.legal(seat), rng) for seat in state.asked}
        assert state.talk_limit() == other.talk_limit(), told
        if other.talk_limit() and rng.random() < 0.3:
            words = f"I say {questions}"
            for seat in state.asked:
                state.say(seat, words)
                other.hear(seat, words)
        state.apply([answers[seat] for seat in state.asked])
        questions += 1
        try:
            asked = match.send(answers)
        except StopIteration:
            asked = {}
