"""One match under test: game, options, seed or scenario, and moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.testing.case_chance import AnsweredRequest, CaseChance, ScenarioChance
from arena.testing.policies import policy
from arena.testing.violation import Violation
from referee.engine.chance import Chance, ScriptedChance, deal_seed, seed_from_number
from referee.engine.game import Game, State
from referee.engine.scenario import Scenario, parse

STEPS = 300
"""Most steps of a match that are played, unless a check needs its end."""


@dataclass(slots=True)
class PlayedMatch:
    """A match that was played, or its beginning. A step is one `State.apply`; boundary n is before step n."""

    state: State
    """The last state."""
    chance: CaseChance
    """The chance of the match."""
    states: list[State] = field(default_factory=list)
    """A copy of the state at each boundary."""
    moves: list[tuple[str, ...]] = field(default_factory=list)
    """The moves of each step."""
    asked: list[tuple[int, ...]] = field(default_factory=list)
    """The seats asked at each boundary."""
    legal: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    """The legal moves of the seats asked at each boundary."""
    seen: list[int] = field(default_factory=list)
    """The number of events logged before each boundary."""
    requests: list[int] = field(default_factory=list)
    """The number of requests to chance before each boundary."""
    chance_requests: tuple[AnsweredRequest, ...] = ()
    """All requests to chance."""

    def mark(self) -> None:
        """Record the boundary that is reached."""
        state = self.state
        self.states.append(state.copy())
        self.asked.append(state.asked)
        self.legal.append(tuple(state.legal(seat) for seat in state.asked))
        self.seen.append(len(state.events))
        self.requests.append(len(self.chance.requests))


@dataclass(frozen=True)
class MatchCase:
    """A match under test, determined by these values."""

    game: Game
    options: Mapping[str, Any]
    """The options, as for `Options.parse`."""
    seats: int
    seed: int = 0
    """The seed of the deal, as for `--seed`."""
    play: int = 0
    """The number of the policy that chooses the moves (see `policies`)."""
    steps: int = STEPS
    """The most steps to play."""
    scenario: Path | None = None
    """The scenario file whose plays come first, with the options, seats and seed of the file; None: there is none."""

    @cached_property
    def rules(self) -> Any:
        """The options, parsed."""
        return self.game.options.parse(self.options)

    @cached_property
    def match_seed(self) -> bytes:
        """The seed of chance: what `arena match --seed N` deals."""
        return deal_seed(seed_from_number(self.seed), 0)

    @cached_property
    def opening(self) -> "ScriptedOpening":
        """The beginning of the match by its scenario; empty without one."""
        return (
            ScriptedOpening({}, ()) if self.scenario is None else opening(parse(self.scenario.read_text("utf-8")), self)
        )

    def start(self, chance: Chance | None = None) -> State:
        """Return the opening position."""
        return self.game.start(self.rules, self.seats, chance or self.new_chance())

    def new_chance(self) -> CaseChance:
        """Return the chance of this match, without requests so far."""
        return CaseChance(self.match_seed, self.opening.known)

    @cached_property
    def played(self) -> PlayedMatch:
        """The match, played once for all checks of the case."""
        chance = self.new_chance()
        played = PlayedMatch(self.start(chance), chance)
        choose = policy(self.play)
        state = played.state
        while state.asked and len(played.moves) < self.steps:
            played.mark()
            if len(played.moves) < len(self.opening.moves):
                moves = self.opening.moves[len(played.moves)]
            else:
                moves = tuple(choose(state, seat) for seat in state.asked)
            played.moves.append(moves)
            try:
                state.apply(moves)
            except Exception as error:
                what = f"playing what is offered, {quoted(moves)}, raises {type(error).__name__}: {error}"
                raise Violation(what, len(played.moves) - 1) from error
        played.mark()
        played.chance_requests = tuple(chance.requests)
        return played

    def where(self, step: int | None = None) -> str:
        """Return a description of this match and of a step of it."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items()) or "no options"
        description = (
            f"{self.game.name}, {options}, {self.seats} seats, seed {self.seed}, play {self.play}, {self.steps} steps"
        )
        if self.scenario is not None:
            description += f", after {self.scenario}"
        if step is None:
            return description
        moves = self.__dict__["played"].moves if "played" in self.__dict__ else []
        return f"{description}, step {step}" + (f" ({quoted(moves[step])})" if step < len(moves) else "")

    def again(self, check: str) -> str:
        """Return the line of Python that repeats a check of this match."""
        arguments = [
            self.game.name,
            repr(dict(self.options)),
            str(self.seats),
            f"seed={self.seed}",
            f"play={self.play}",
        ]
        if self.scenario is not None:
            arguments.append(f"scenario={str(self.scenario)!r}")
        if self.steps != STEPS:
            arguments.append(f"steps={self.steps}")
        return f"{check}({', '.join(arguments)})"


@dataclass(frozen=True, slots=True)
class ScriptedOpening:
    """The beginning of a match by a scenario."""

    known: Mapping[str, AnsweredRequest]
    """The requests to chance, by place."""
    moves: tuple[tuple[str, ...], ...]
    """The moves of each step."""


def opening(scenario: Scenario, case: MatchCase) -> ScriptedOpening:
    """Play a scenario; return its opening, without sealed answers that are incomplete at its end."""
    script = scenario.script
    seed = deal_seed(seed_from_number(script.seed), 0)
    chance = ScenarioChance(ScriptedChance(seed, script.deck, script.dice, script.picks))
    state = case.game.start(case.rules, case.seats, chance)
    moves: list[tuple[str, ...]] = []
    answers: dict[int, str] = {}
    for play in scenario.plays:
        answers[play.seat] = play.move
        if len(answers) == len(state.asked):
            moves.append(tuple(answers[seat] for seat in state.asked))
            answers = {}
            state.apply(moves[-1])
    return ScriptedOpening({request.place: request for request in chance.requests}, tuple(moves))


def from_scenario(game: Game, file: Path, *, play: int = 0, steps: int = STEPS) -> MatchCase:
    """Return the case that continues a scenario."""
    scenario = parse(file.read_text("utf-8"))
    return MatchCase(game, dict(scenario.options), scenario.seats, scenario.script.seed, play, steps, file)


def quoted(moves: Sequence[str]) -> str:
    """Return moves in quotes, separated by commas."""
    return ", ".join(f'"{move}"' for move in moves)
