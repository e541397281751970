"""The matches of a bot, as it was told of them: a position for each, which draws worlds."""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from arena.model_server.failure import MATCH, NO_WORLD, Failure
from arena.positions import Policy, Position
from arena.search import Allowance, Horizon, ThinkingTime
from arena.search.thinking_time import TimedMatch
from referee.codec import ViewEncoder
from referee.engine import registry
from referee.engine.errors import EngineError
from referee.engine.events import Event
from referee.engine.events import text as line_text
from referee.engine.game import Game
from referee.v1.play_pb2 import Answer, MatchStart, Question


class EncodedView:
    """A view that the seat was shown, as bytes. It equals the view of a state that is encoded as these.

    encode: encodes the views of the game.
    """

    __slots__ = ("_encode", "_view")

    def __init__(self, encode: Callable[[Any], bytes], view: bytes) -> None:
        self._encode = encode
        self._view = view

    def __eq__(self, other: object) -> bool:
        return self._encode(other) == self._view

    __hash__ = None  # type: ignore[assignment]


class ToldMatch:
    """A match under way, as the bot was told of it. What it was told wrongly is said when somebody asks.

    number: the number of the match on the bot's stream.
    question: the open question; None where there is none.
    rng: chance of the match, for playouts.
    options: as the protocol sends them, those that differ from their defaults.
    seats: the number of seats.
    """

    def __init__(self, start: MatchStart) -> None:
        self.number = start.match
        self.question: Question | None = None
        self.rng = Random(start.bot_seed + b"playouts")
        self.options: Mapping[str, str] = dict(start.options)
        self.seats = start.seats
        self._start = start
        self._thinking = ThinkingTime()
        self._allowance: Allowance | None = None
        self._horizons: dict[str, Horizon] = {}
        self._is_told = False
        self._failure: Failure | None = None
        self._position: Position | None = None
        self._game: Game | None = None
        try:
            game = self._game = registry.game(start.game)
            if game.behaviour != start.behaviour:
                raise Failure(
                    MATCH,
                    f"match {start.match} is played by the rules of {start.game} in version {start.behaviour}, and "
                    f"the model server has those of version {game.behaviour}: install the arena that plays it",
                )
            options = game.options.parse(self.options)
            self.encode = ViewEncoder(game).encode
            self._position = Position(game, options, start.seats, start.seat, start.bot_seed)
        except EngineError as error:
            self._failure = Failure(MATCH, f"match {start.match} cannot be looked ahead in: {error}")
        except Failure as failure:
            self._failure = failure

    @property
    def game(self) -> Game:
        """The rules. Raises Failure where they are not to be had."""
        if self._game is None or self._failure is not None:
            raise self._failure or Failure(MATCH, "the game is not installed")
        return self._game

    @property
    def position(self) -> Position:
        """The position, with its question open. Raises Failure where no worlds are to be had."""
        if self._failure is not None:
            raise self._failure
        if self.question is None or self._position is None:
            raise Failure(
                MATCH,
                f"match {self.number} has no open question: ask for worlds between a question and its answer",
            )
        return self._position

    def allowance(self, elapsed: float) -> Allowance:
        """Return how long the bot may still think about the open question.

        elapsed: the seconds that its clock has run.
        """
        assert self.question is not None
        if self._allowance is None:
            self._allowance = self._thinking.allow(_Timed(self._start, self.question))
        allowed = self._allowance
        return Allowance(max(0.0, allowed.seconds - elapsed), max(0.0, allowed.most - elapsed))

    def horizon(self, policy: str, policies: Sequence[Policy | None]) -> Horizon:
        """Return where playouts end, which is measured once for a match and a policy.

        policy, policies: the policy, by name and as playouts take it.
        """
        if policy not in self._horizons:
            world = self.position.world()
            self._horizons[policy] = Horizon.measure(world, self.rng, policies)
        return self._horizons[policy]

    def ask(self, question: Question) -> None:
        """Take a question to the bot."""
        unanswered, self.question = self.question, question
        self._allowance = None
        if self._failure is not None or self._position is None:
            return
        if question.again and not self._is_told:
            self._fail(f"an earlier process of the bot has played the first part of match {self.number}")
            return
        self._is_told = True
        if unanswered is not None:
            self._position.answer("")
        try:
            events = [event_of(text) for text in question.events]
            self._position.ask(events, EncodedView(self.encode, question.view), tuple(question.legal))
        except ValueError as error:
            self._fail(f"what match {self.number} was told of cannot be read ({error}): let Hello.wants_values be true")

    def answer(self, answer: Answer) -> None:
        """Take the bot's answer to the open question; one to another question is passed over."""
        question = self.question
        if question is None or answer.question != question.id:
            return
        self.question = None
        self._thinking.answered()
        if self._failure is not None or self._position is None:
            return
        move = ""
        if answer.WhichOneof("move") == "text":
            move = answer.text
        elif answer.index < len(question.legal):
            move = question.legal[answer.index]
        self._position.answer(move)

    def lines(self, events: Sequence[str]) -> list[str]:
        """Return the lines of the log that events stand for. Raises Failure."""
        table = self.game.lines
        try:
            return [line_text(table, event_of(text)) for text in events]
        except (ValueError, IndexError, TypeError) as error:
            raise Failure(MATCH, f"an event of match {self.number} cannot be read: {error}") from None

    def _fail(self, sentence: str) -> None:
        self._failure = Failure(NO_WORLD, f"{sentence}, so there are no worlds of it; play its rest without them")


class _Timed:
    """A question and its match, as `ThinkingTime` asks for them."""

    def __init__(self, start: MatchStart, question: Question) -> None:
        self.match: TimedMatch = start
        self.bank_ms = question.bank_ms
        self.charged_us = question.charged_us


def event_of(text: str) -> Event:
    """Return the event that a text of the protocol holds (`Hello.wants_values`). Raises ValueError."""
    values = json.loads(text)
    if not isinstance(values, list) or not values or not isinstance(values[0], int):
        raise ValueError(f"{text!a:.40} is not the array of an event")
    return tuple(values)
