"""Play a match one decision at a time, for environments."""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

from arena.envs.errors import EnvError
from arena.envs.moves import ActionTable, Offer
from arena.envs.observation import Observer
from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.errors import UnknownGame
from referee.engine.events import history
from referee.engine.game import Game, State
from referee.engine.registry import game as game_named

MOST_NAMED = 20
"""Legal actions that an error lists."""


def stray_action(action: object, seat: int, moves: Mapping[int, str]) -> EnvError:
    """Return the error for an action that is not legal.

    moves: the legal moves, by action.
    """
    named = [f"{number} ({move})" for number, move in list(moves.items())[:MOST_NAMED]]
    more = f" and {len(moves) - MOST_NAMED} more" if len(moves) > MOST_NAMED else ""
    return EnvError(f"action {action} is not legal for seat {seat} now: the legal ones are {', '.join(named)}{more}")


class Setup:
    """What all matches of an environment have in common.

    game: a game or its name.
    seats: how many; None: as many as a tournament has, or the nearest number that can play.
    given: options that differ from their defaults.

    Raises UnknownGame, OptionError or SeatsError for what cannot be played, and EnvError for a game that cannot be
    trained on.
    """

    def __init__(self, game: Game | str, seats: int | None, given: Mapping[str, Any]) -> None:
        self.game = game_named(game) if isinstance(game, str) else game
        self.options = self.game.options.parse(given)
        self.given = self.options.given()
        if seats is None:
            recommended = self.game.recommended
            seats = min(self.game.tables(self.options), key=lambda count: abs(count - recommended), default=recommended)
        self.game.check(self.options, seats)
        self.seats = seats
        self.actions = ActionTable(self.game, self.options, seats)
        self.observer = Observer(self.game, self.options, seats)
        teams = self.game.teams(self.options, seats)
        self.rivals = [[other for other in range(seats) if teams[other] != teams[seat]] for seat in range(seats)]
        """By seat those who do not win with it."""
        self._rewards = lru_cache(maxsize=KEPT)(self._reckon)

    def rewards(self, ranks: Sequence[int]) -> list[float]:
        """Return the reward of each seat: the part of its rivals that it beat minus the part that beat it.

        So the winner has 1, the last -1, the sum is 0 (where teams are of one size), and ties are shared.
        """
        return list(self._rewards(tuple(ranks)))

    def _reckon(self, ranks: tuple[int, ...]) -> list[float]:
        out = []
        for seat, rivals in enumerate(self.rivals):
            own = ranks[seat]
            points = sum([(own < ranks[other]) - (own > ranks[other]) for other in rivals])
            out.append(points / len(rivals))
        return out

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes

    def __reduce__(self) -> tuple[Any, ...]:
        return Setup, (self.game.name if is_installed(self.game) else self.game, self.seats, self.given)


def is_installed(game: Game) -> bool:
    """Return whether the name of a game leads to it."""
    try:
        return type(game_named(game.name)) is type(game)
    except UnknownGame:
        return False


KEPT = 1 << 10
"""Of how many results the rewards are kept."""

_secret = lru_cache(maxsize=8)(seed_from_number)


def episode_seed(seed: int, number: int) -> bytes:
    """Return the match seed of episode `number` after `reset(seed)`: that of a deal of `--seed`."""
    return deal_seed(_secret(seed), number)


class Seeds:
    """The match seeds of one episode after another, from `reset(seed)` on; from chance before that."""

    def __init__(self) -> None:
        self._seed = int.from_bytes(os.urandom(8), "big")
        self._episodes = 0

    def next(self, seed: int | None = None) -> bytes:
        """Return the next match seed.

        seed: begins again, the same way for each number.
        """
        if seed is not None:
            self._seed, self._episodes = seed, 0
        self._episodes += 1
        return episode_seed(self._seed, self._episodes - 1)

    def copy(self) -> "Seeds":
        """Return independent seeds that go on like these."""
        twin = Seeds()
        twin._seed, twin._episodes = self._seed, self._episodes
        return twin


MOST_UNASKED = 1000
"""Matches one after the other in which the seat is not asked, after which none is expected to ask it."""


def never_asked(setup: Setup) -> EnvError:
    """Return the error for options under which matches end before anybody to be trained is asked."""
    options = ", ".join(f"{name}={value}" for name, value in setup.given.items()) or "its defaults"
    return EnvError(
        f"{MOST_UNASKED} matches of {setup.game.name} at {setup.seats} seats with {options} ended before a decision "
        "was asked for: choose options under which matches are longer"
    )


class Episode:
    """One match, asked one seat at a time; answers that are sealed are applied when all have been given.

    setup: what it is played with.
    state: the match.
    seed: that of the match.
    seat: who is asked; None: the match is over.
    keeps_log: whether the log of the match is kept, to be shown.
    moves: all that were played, in order.
    cycles: how often those who were asked have all answered.
    """

    __slots__ = ("setup", "seed", "state", "seat", "keeps_log", "moves", "cycles", "_answers")

    def __init__(self, setup: Setup, seed: bytes, *, keeps_log: bool = False) -> None:
        self.setup = setup
        self.seed = seed
        self.keeps_log = keeps_log
        self.state: State = setup.game.start(setup.options, setup.seats, Chance(seed))
        self.moves: list[str] = []
        self.cycles = 0
        self._answers: list[str] = []
        self.seat: int | None = self.state.asked[0] if self.state.asked else None

    def offer(self) -> Offer:
        """Return the legal moves of the seat that is asked."""
        assert self.seat is not None
        return self.setup.actions.offer(self.state.legal(self.seat))

    def play(self, action: int) -> None:
        """Play an action for the seat that is asked. Raises EnvError if it is not legal."""
        if self.seat is None:
            raise EnvError("the match is over: call reset")
        self.play_move(self.move(self.seat, action))

    def move(self, seat: int, action: int) -> str:
        """Return the move that an action is for a seat that is asked. Raises EnvError if it is not legal."""
        moves = self.setup.actions.offer(self.state.legal(seat)).moves
        if action not in moves:
            raise stray_action(action, seat, moves)
        return moves[action]

    def play_move(self, move: str) -> None:
        """Play a legal move for the seat that is asked."""
        state = self.state
        self.moves.append(move)
        self._answers.append(move)
        if len(self._answers) == len(state.asked):
            if not self.keeps_log:
                state.events.clear()
            state.apply(self._answers)
            self.cycles += 1
            self._answers = []
        asked = state.asked
        self.seat = asked[len(self._answers)] if asked else None

    def rewards(self) -> list[float]:
        """Return the reward of each seat at the end of the match."""
        return self.setup.rewards(self.state.outcome().ranks)

    def observation(self, seat: int) -> bytes:
        """Return what a seat observes now."""
        return self.setup.observer.encode(self.state.view(seat), seat)

    def render(self) -> str:
        """Return the log as far as it was kept, with what is hidden, and who is asked what."""
        lines = history(self.setup.game.lines, self.state.events)
        if self.seat is not None:
            lines.append(f"seat {self.seat}? {', '.join(self.state.legal(self.seat))}")
        return "\n".join(lines)

    def show(self, render_mode: str | None) -> str | None:
        """Do what `render` of an environment does: return the log ("ansi") or print it ("human"); None: nothing."""
        if render_mode == "ansi":
            return self.render()
        if render_mode == "human":
            print(self.render())
        return None

    def copy(self) -> Self:
        """Return an independent match that goes on exactly like this one."""
        twin = type(self).__new__(type(self))
        twin.setup, twin.seed, twin.state, twin.seat = self.setup, self.seed, self.state.copy(), self.seat
        twin.keeps_log, twin.moves, twin.cycles = self.keeps_log, self.moves[:], self.cycles
        twin._answers = self._answers[:]
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _played_again, (self.setup, self.seed, self.keeps_log, self.moves)


def _played_again(setup: Setup, seed: bytes, keeps_log: bool, moves: Sequence[str]) -> Episode:
    """Return a match as far as it was played."""
    episode = Episode(setup, seed, keeps_log=keeps_log)
    for move in moves:
        episode.play_move(move)
    return episode
