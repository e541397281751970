"""One match under test: what is played, by which options, from which seed or scenario, with which moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.testing.case_chance import AnsweredRequest, CaseChance, ScenarioChance
from arena.testing.policies import player
from arena.testing.violation import Violation
from referee.engine.chance import Chance, ScriptedChance, deal_seed, seed_from_number
from referee.engine.game import Game, State
from referee.engine.scenario import Scenario, parse

STEPS = 300
"""How many steps of a match are played where a check does not need its end."""


@dataclass(slots=True)
class PlayedMatch:
    """A match that was played, or its beginning. A step is one `State.apply`; boundary n is before step n.

    states: a copy of the state at each boundary. moves: of each step. asked: who was asked at each boundary.
    legal: what they were offered. seen: how many events were logged. requests: what chance was asked by then.
    state: the last state. dealer: its chance. asked_for: all that chance was asked.
    """

    state: State
    dealer: CaseChance
    states: list[State] = field(default_factory=list)
    moves: list[tuple[str, ...]] = field(default_factory=list)
    asked: list[tuple[int, ...]] = field(default_factory=list)
    legal: list[tuple[tuple[str, ...], ...]] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    asked_for: tuple[AnsweredRequest, ...] = ()

    def mark(self) -> None:
        """Remember the boundary that is reached."""
        state = self.state
        self.states.append(state.copy())
        self.asked.append(state.asked)
        self.legal.append(tuple(state.legal(seat) for seat in state.asked))
        self.seen.append(len(state.events))
        self.requests.append(len(self.dealer.requests))


@dataclass(frozen=True)
class MatchCase:
    """A match under test; everything about it follows from these values.

    options: as `Options.parse` takes them. seed: of the deal, as after `--seed`. play: which moves are chosen
    (see `players`). steps: how many are played at most. scenario: the file whose match is played first;
    options, seats and seed are its own then.
    """

    game: Game
    options: Mapping[str, Any]
    seats: int
    seed: int = 0
    play: int = 0
    steps: int = STEPS
    scenario: Path | None = None

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
        """How the match begins, where a scenario says so."""
        return (
            ScriptedOpening({}, ()) if self.scenario is None else opening(parse(self.scenario.read_text("utf-8")), self)
        )

    def start(self, dealer: Chance | None = None) -> State:
        """Return the opening position."""
        return self.game.start(self.rules, self.seats, dealer or self.dealer())

    def dealer(self) -> CaseChance:
        """Return a new dealer of this match."""
        return CaseChance(self.match_seed, self.opening.known)

    @cached_property
    def played(self) -> PlayedMatch:
        """The match, played once; all checks of a case look at the same one."""
        dealer = self.dealer()
        played = PlayedMatch(self.start(dealer), dealer)
        choose = player(self.play)
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
        played.asked_for = tuple(dealer.requests)
        return played

    def where(self, step: int | None = None) -> str:
        """Say which match this is, and which step of it is meant."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items()) or "no options"
        told = (
            f"{self.game.name}, {options}, {self.seats} seats, seed {self.seed}, play {self.play}, {self.steps} steps"
        )
        if self.scenario is not None:
            told += f", after {self.scenario}"
        if step is None:
            return told
        moves = self.__dict__["played"].moves if "played" in self.__dict__ else []
        return f"{told}, step {step}" + (f" ({quoted(moves[step])})" if step < len(moves) else "")

    def again(self, check: str) -> str:
        """Return the line of Python that looks at this match again."""
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
    """The beginning of a match that a scenario tells: what chance answered, and the moves."""

    known: Mapping[str, AnsweredRequest]
    moves: tuple[tuple[str, ...], ...]


def opening(scenario: Scenario, case: MatchCase) -> ScriptedOpening:
    """Play a scenario and return what it fixes. Sealed answers that are not complete at its end are left out."""
    script = scenario.script
    seed = deal_seed(seed_from_number(script.seed), 0)
    dealer = ScenarioChance(ScriptedChance(seed, script.deck, script.dice, script.picks))
    state = case.game.start(case.rules, case.seats, dealer)
    moves: list[tuple[str, ...]] = []
    answers: dict[int, str] = {}
    for play in scenario.plays:
        answers[play.seat] = play.move
        if len(answers) == len(state.asked):
            moves.append(tuple(answers[seat] for seat in state.asked))
            answers = {}
            state.apply(moves[-1])
    return ScriptedOpening({request.place: request for request in dealer.requests}, tuple(moves))


def from_scenario(game: Game, file: Path, *, play: int = 0, steps: int = STEPS) -> MatchCase:
    """Return the case that goes on where a scenario ends."""
    scenario = parse(file.read_text("utf-8"))
    return MatchCase(game, dict(scenario.options), scenario.seats, scenario.script.seed, play, steps, file)


def quoted(moves: tuple[str, ...]) -> str:
    """Return moves as a sentence names them."""
    return ", ".join(f'"{move}"' for move in moves)
