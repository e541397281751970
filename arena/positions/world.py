"""A world: a complete state of a match that its seat cannot tell from the real one, to look ahead in."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Self

from referee.engine.chance import Chance
from referee.engine.events import text as line_text
from referee.engine.events import visible
from referee.engine.game import Game, State

Policy = Callable[[Any, Sequence[str], Random], str]
"""Chooses a move for a seat from its view, its legal moves and a source of chance."""


class World:
    """One world, which can be played on and copied. What is played in it has no effect on the match.

    game: the rules.
    seats: the number of seats.
    seat: the seat that cannot tell it from the real state.
    state: the state of the match by the rules.
    weight: how likely it is, relative to the other worlds of its position: 1 where no policy weighs them.
    """

    __slots__ = ("game", "seats", "seat", "state", "weight")

    def __init__(self, game: Game, seats: int, seat: int, state: State, weight: float = 1.0) -> None:
        self.game = game
        self.seats = seats
        self.seat = seat
        self.state = state
        self.weight = weight

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that move now, several only for sealed answers; empty once the match is over."""
        return self.state.asked

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return not self.state.asked

    def legal(self, seat: int | None = None) -> tuple[str, ...]:
        """Return the legal moves of a seat that is asked.

        seat: None: the first that is asked.
        """
        asked = self.state.asked
        if not asked:
            return ()
        return self.state.legal(asked[0] if seat is None else seat)

    def view(self, seat: int | None = None) -> Any:
        """Return what a seat sees, with the fields of the game's view message.

        seat: None: the first that is asked, or else the seat of the world.
        """
        asked = self.state.asked
        if seat is None:
            seat = asked[0] if asked else self.seat
        return self.state.view(seat)

    def play(self, *moves: str) -> None:
        """Play a legal move of each seat of `asked`, in their order, and go on to the next question.

        Raises ValueError where a move is not legal, or the number of moves is wrong.
        """
        asked = self.state.asked
        if len(moves) != len(asked):
            raise ValueError(f"{len(moves)} moves for {len(asked)} seats: play one for each seat of `asked`, in order")
        for seat, move in zip(asked, moves, strict=True):
            legal = self.state.legal(seat)
            if move not in legal:
                raise ValueError(f"seat {seat} cannot play {move!r}: its legal moves are {', '.join(legal)}")
        self.state.apply(moves)

    def copy(self) -> Self:
        """Return an independent world that goes on exactly like this one."""
        return type(self)(self.game, self.seats, self.seat, self.state.copy(), self.weight)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat: at the end the result, before it the standings now. `Game.scale` times the unit."""
        return self.state.outcome().scores

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat, 1 is best: at the end the result, before it the standings now."""
        return self.state.outcome().ranks

    def lines(self, seat: int | None = None) -> list[str]:
        """Return the lines of the log since the position.

        seat: as this seat may know them; None: all lines.
        """
        lines = self.game.lines
        events = self.state.events
        return [line_text(lines, event) for event in events if seat is None or visible(lines, event, seat)]

    def playout(
        self, rng: Random, policies: Sequence[Policy | None] = (), *, until: str = "", most: int | None = None
    ) -> int:
        """Play on, by default to the end of the match; return how many decisions that took.

        rng: chooses at random.
        policies: who chooses for each seat, by seat; None, and all seats by default: any legal move, at random.
        until: stop as soon as a "set", "deal" or "round" begins (see `Line.begins`); empty: do not.
        most: stop after so many decisions.

        Raises what a policy raises, and ValueError where it chooses a move that is not legal.
        """
        state, random = self.state, rng.random
        stops = _beginnings(self.game, until) if until else ()
        has_policies = any(policies)
        legal, apply = state.legal, state.apply
        decisions = 0
        while (asked := state.asked) and (most is None or decisions < most):
            moves = []
            for seat in asked:
                choices = legal(seat)
                if has_policies and (policy := policies[seat]) is not None:
                    moves.append(self._chosen(policy, seat, choices, rng))
                else:
                    moves.append(choices[int(random() * len(choices))])
            known = len(state.events)
            apply(moves)
            decisions += len(moves)
            if stops and any(event[0] in stops for event in state.events[known:]):
                break
        return decisions

    def _chosen(self, policy: Policy, seat: int, choices: Sequence[str], rng: Random) -> str:
        move = policy(self.state.view(seat), choices, rng)
        if move not in choices:
            raise ValueError(f"the policy of seat {seat} chose {move!r}, which is not one of its legal moves")
        return move


@cache
def _beginnings(game: Game, kind: str) -> frozenset[int]:
    """Return the numbers of the lines with which a set, deal or round begins."""
    return frozenset(number for number, line in enumerate(game.lines) if line.begins == kind)


def begin(game: Game, options: Any, seats: int, seed: bytes, seat: int = 0) -> World:
    """Return a world at the beginning of a match.

    options: those of the game, as `Game.options` holds them.
    seed: 32 bytes from which everything is dealt.
    """
    return World(game, seats, seat, game.start(options, seats, Chance(seed)))
