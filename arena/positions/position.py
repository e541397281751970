"""The position of a seat: worlds that fit all that it was told, drawn with the probability that they have."""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

from arena.positions.course import Belief, Course, Guide, Start
from arena.positions.dealer import Tellings, Unfit, WorldChance
from arena.positions.errors import NoWorld
from arena.positions.told import Told
from arena.positions.world import World
from referee.engine.chance import Chance
from referee.engine.events import Event
from referee.engine.game import Game

TRIES = 2000
"""How many worlds are dealt in vain before there is said to be none."""

MOST_PLAYED = 50_000
"""How many answers are played in vain before there is said to be none."""

MOST_WORLDS = 10_000
"""The most worlds that are returned at once."""

MOST_KEPT = 64
"""How many worlds are kept from one question to the next."""


MOST_MISSES = 8
"""After so many kept worlds in a row that no longer fit, the others are dropped unseen."""


class Position:
    """A match as one seat knows it, and the worlds that fit.

    given_up: how many worlds were dealt in vain since the match began: the seat could have told them from the real one.
    """

    def __init__(
        self, game: Game, options: Any, seats: int, seat: int, seed: int | bytes = 0, *, is_late: bool = False
    ) -> None:
        """Begin a match.

        game: the rules.
        options: those of the match, as `game.options` holds them.
        seats: the number of seats.
        seat: the one that is told.
        seed: worlds follow from it and from what the seat is told, and from nothing else.
        is_late: whether the seat may have been asked before the first question that is told here, as where an earlier
            process of its bot has failed. Then the log says what it can of its answers.
        """
        self.given_up = 0
        self._told = Told(game, options, seats, seat, is_late=is_late)
        self._tellings = Tellings()
        self._guide = Guide()
        self._rng = Random(seed)
        self._start: Start | None = None
        self._first = 0
        self._kept: deque[Course] = deque()
        self._ready: list[Course] = []
        self._known_at = -1

    @property
    def game(self) -> Game:
        """The rules."""
        return self._told.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._told.seats

    @property
    def seat(self) -> int:
        """The seat that was told."""
        return self._told.seat

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves at the open question; none if there is none."""
        return self._told.questions[-1].legal if self._told.is_open else ()

    def ask(self, events: Sequence[Event], view: Any, legal: Sequence[str]) -> None:
        """Take a question to the seat.

        events: the lines of the log since its last question, as it may know them.
        view: what it sees, as `State.view` returns it.
        legal: its legal moves.
        """
        told = self._told
        if told.is_open:
            raise ValueError("the last question has not been answered yet: call `answer` first")
        told.hear(events)
        told.ask(view, legal)
        self._kept.extendleft(reversed(self._ready))
        while len(self._kept) > MOST_KEPT:
            self._kept.pop()
        self._ready = []

    def answer(self, move: str) -> None:
        """Take the answer of the seat to the open question.

        move: one that is not legal stands for the default move, which the referee then plays.
        """
        if not self._told.is_open:
            raise ValueError("there is no question to answer")
        self._told.answer(move)

    def world(self, belief: Belief | None = None) -> World:
        """Return a world. The parameters are those of `worlds`. Raises NoWorld."""
        return self._handed_out(self._course(), belief)

    def worlds(self, count: int, belief: Belief | None = None) -> list[World]:
        """Return worlds, each dealt for itself.

        count: how many, at most `MOST_WORLDS`.
        belief: how others choose, from what they see: it gives the worlds their weights, by what others have done since
            the set, deal or round began. None: all weigh 1.

        Raises NoWorld, what `belief` raises, and ValueError where it does not give a number for each legal move, or too
        many worlds are asked for.
        """
        if not 0 <= count <= MOST_WORLDS:
            raise ValueError(
                f"{count:,} worlds are asked for: take at most {MOST_WORLDS:,} at once, or each by itself (`world`)"
            )
        return [self._handed_out(self._course(), belief) for _ in range(count)]

    def _handed_out(self, course: Course, belief: Belief | None) -> World:
        """Return a copy of a world, in which chance goes on for itself."""
        told, chance = self._told, course.chance
        chance.twin = Chance(self._rng.randbytes(32))
        try:
            state = course.state.copy()
        finally:
            chance.twin = chance
        weight = 1.0 if belief is None else course.weight(belief, told.begin)
        return World(told.game, told.seats, told.seat, state, weight)

    def _course(self) -> Course:
        """Return a world that has reached the open question: one that was kept, or else a new one."""
        told = self._told
        if not told.is_open:
            raise NoWorld("no question is open: worlds are drawn between a question and its answer")
        self._learn()
        misses = 0
        while self._kept:
            course = self._kept.popleft()
            if self._fits(course):
                self._ready.append(course)
                return course
            misses += 1
            if misses == MOST_MISSES:  # so much was told since that hardly one fits
                self._kept.clear()
        tries = played = 0
        while tries < TRIES and played < MOST_PLAYED:
            tries += 1
            dealt = self._dealt()
            if dealt is not None and self._fits(dealt):
                if len(self._ready) < MOST_KEPT:
                    self._ready.append(dealt)
                return dealt
            self.given_up += 1
            played += 0 if dealt is None else dealt.played
        raise NoWorld(
            f"no world was found that fits what seat {told.seat} was told: {tries} were dealt in vain. "
            + _what_is_missing(told.game)
        )

    def _learn(self) -> None:
        """Find out what the log says of the answers of chance, once for each question."""
        told = self._told
        if self._known_at != len(told.questions):
            self._known_at = len(told.questions)
            self._learn_anew()

    def _learn_anew(self) -> None:
        told = self._told
        self._tellings.update(told.game.known_chance(told.log(self._first)))

    def _dealt(self) -> Course | None:
        """Return a world that is dealt anew, from the beginning of the set, deal or round; None where none is."""
        told, seed = self._told, self._rng.randbytes(32)
        start = self._start
        if start is None:
            chance = WorldChance(self._tellings, seed)
            try:
                state = told.game.start(told.options, told.seats, chance)
            except Unfit:
                return None
            course = Course(told, Start(state, chance, 0, 0), self._guide, self._rng)
            try:
                course.listen()
            except Unfit:
                return None
            return course
        chance = WorldChance(self._tellings, seed)
        start.chance.twin = chance
        try:
            state = start.state.copy()
        finally:
            start.chance.twin = start.chance
        return Course(told, Start(state, chance, start.line, start.own), self._guide, self._rng)

    def _fits(self, course: Course) -> bool:
        """Play a world on to the open question; return whether it fits.

        The first that comes to the beginning of a new set, deal or round is where later ones begin.
        """
        begin = self._told.begin
        is_new = course.line <= begin and (self._start is None or self._start.line <= begin) and begin > 0
        try:
            start = course.advance(begin if is_new else None)
        except Unfit:
            return False
        if self._told.game.has_perfect_information:  # there is one state
            self._start = Start(course.state.copy(), course.chance, course.line, course.own)
        elif start is not None and (self._start is None or start.line > self._start.line):
            self._start = start
            self._first = begin
            self._learn_anew()
        return True


def _what_is_missing(game: Game) -> str:
    """Say what a game does not tell, so that worlds of it are not found."""
    if type(game).known_chance is Game.known_chance:
        return (
            f"The rules of {game.name} do not tell what its log says of cards and dice (`Game.known_chance`), so "
            "worlds are dealt at random until one fits, and after all that was shown hardly any does"
        )
    return f"The log of {game.name} may say more of the cards than `{type(game).__name__}.known_chance` tells"
