"""A game's rules in this process: random play, copies, views. All in CPU time, on one core."""

from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any, NamedTuple

from arena.bench.figures import Figure, Sampling
from arena.bench.processes import pinned, spare_core
from arena.bench.yardstick import Yardstick
from referee.codec import ViewEncoder
from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.game import Game, State

DEALS = 40
"""How many different matches are played, again and again: deals 0, 1, 2 ... of `--seed 1`."""


class RecordedMatch(NamedTuple):
    """One random match: its seed, the moves of each step, and how many answers that were."""

    seed: bytes
    steps: list[list[str]]
    decisions: int


class RulesBenchmark:
    """A game at a table of `seats`, and random matches of it."""

    def __init__(self, game: Game, options: Any, seats: int, deals: int = DEALS) -> None:
        self.game = game
        self.options = options
        self.seats = seats
        secret = seed_from_number(1)
        self.matches = [self._record(deal_seed(secret, deal), Random(deal)) for deal in range(deals)]
        self.decisions = sum(match.decisions for match in self.matches)

    def start(self, seed: bytes) -> State:
        """Return the opening position of a deal."""
        return self.game.start(self.options, self.seats, Chance(seed))

    def positions(self, match: RecordedMatch) -> Iterator[State]:
        """Yield the state at every question of a match; it is one object, which changes."""
        state = self.start(match.seed)
        for moves in match.steps:
            yield state
            state.apply(moves)

    def _record(self, seed: bytes, rng: Random) -> RecordedMatch:
        state = self.start(seed)
        steps = []
        while state.asked:
            steps.append([rng.choice(state.legal(seat)) for seat in state.asked])
            state.apply(steps[-1])
        return RecordedMatch(seed, steps, sum(map(len, steps)))

    # What is timed: each plays all matches once, and returns how much of what is counted it did.

    def apply(self) -> int:
        """Play moves that were drawn before: the rules, chance and log alone."""
        for seed, steps, _ in self.matches:
            state = self.start(seed)
            apply = state.apply
            for moves in steps:
                apply(moves)
            state.outcome()
        return self.decisions

    def play(self, rng: Random) -> int:
        """Play at random: the legal list of every seat that acts, a choice, the rules."""
        random, decisions = rng.random, 0
        for seed, _, _ in self.matches:
            state = self.start(seed)
            while asked := state.asked:
                moves = []
                for seat in asked:
                    legal = state.legal(seat)
                    moves.append(legal[int(random() * len(legal))])
                decisions += len(moves)
                state.apply(moves)
            state.outcome()
        return decisions

    def play_with_views(self, rng: Random) -> int:
        """Play at random, and make the view of every seat that acts."""
        random, decisions = rng.random, 0
        for seed, _, _ in self.matches:
            state = self.start(seed)
            while asked := state.asked:
                moves = []
                for seat in asked:
                    state.view(seat)
                    legal = state.legal(seat)
                    moves.append(legal[int(random() * len(legal))])
                decisions += len(moves)
                state.apply(moves)
            state.outcome()
        return decisions


def measure(rules: RulesBenchmark, sampling: Sampling) -> Iterator[Figure]:
    """Yield the figures of rules and copies."""
    plays = [
        ("engine.rules", "apply moves drawn beforehand: rules, chance and log", rules.apply),
        ("engine.random", "legal list of the seat that acts, a random choice, rules", lambda: rules.play(Random(1))),
        ("engine.views", "the same, and the view of the seat that acts", lambda: rules.play_with_views(Random(1))),
    ]
    for name, what, work in plays:
        rates, yardstick = _rates(work, sampling)
        cpu = tuple(1e6 / rate for rate in rates)
        yield Figure(name, "decisions/s", rates, what, _conditions(rules), cpu, yardstick)
    states = [
        state.copy() for match in rules.matches for number, state in enumerate(rules.positions(match)) if not number % 7
    ]
    copies, _ = _rates(lambda: _copy(states), sampling)
    what = "copy a state, log and all, taken at every 7th question of the matches"
    yield Figure("engine.copies", "copies/s", copies, what, _conditions(rules))


def measure_views(rules: RulesBenchmark, sampling: Sampling) -> Iterator[Figure]:
    """Yield the figures of encoding views.

    Every run encodes the views of matches of its own, as encoders keep what they have encoded before.
    """
    many = RulesBenchmark(rules.game, rules.options, rules.seats, DEALS * (sampling.runs + 1))
    views = [[state.view(seat) for state in many.positions(match) for seat in state.asked] for match in many.matches]
    sizes: list[int] = []
    spent = []
    with pinned(spare_core()):
        yardstick = Yardstick(sampling.yardstick)
        for first in range(0, len(views), DEALS):
            began = process_time()
            encoded = _encode(rules.game, views[first : first + DEALS])
            spent.append((process_time() - began) * 1e6 / len(encoded))
            sizes += map(len, encoded)
            yardstick.read()
    what = "encode the view of the seat that acts as its message, in the order of the match"
    runs = tuple(spent[1:])
    yield Figure("views.encode", "µs/view", runs, what, _conditions(rules), runs, yardstick.beside[1:])
    yield Figure("views.bytes", "bytes", (sum(sizes) / len(sizes),), "mean size of such a message", _conditions(rules))


def _copy(states: list[State]) -> int:
    for state in states:
        state.copy()
    return len(states)


def _encode(game: Game, views: list[list[tuple[Any, ...]]]) -> list[bytes]:
    encoded = []
    for match in views:
        encode = ViewEncoder(game).encode
        encoded += [encode(view) for view in match]
    return encoded


def _rates(work: Callable[[], int], sampling: Sampling) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return how much `work` does in a second of CPU time, for each run after a warm-up, and the yardstick beside."""
    rates = []
    with pinned(spare_core()):
        work()
        yardstick = Yardstick(sampling.yardstick)
        for _ in range(sampling.runs):
            began = process_time()
            done = work()
            while (spent := process_time() - began) < sampling.seconds:
                done += work()
            rates.append(done / spent)
            yardstick.read()
    return tuple(rates), yardstick.beside


def _conditions(rules: RulesBenchmark) -> dict[str, str | int]:
    return {"game": rules.game.name, "seats": rules.seats, "time": "CPU", "cores": "one core"}
