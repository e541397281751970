"""The matches of a bot, as it was told of them: a position for each, which draws worlds."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from arena.model_server.failure import MATCH, Failure
from arena.positions import Policy, Position
from arena.sdk.look_ahead import LookAhead
from arena.sdk.match import Match
from arena.sdk.question import Question
from arena.search import Allowance, Horizon, ThinkingTime
from referee.codec import ViewEncoder
from referee.engine.game import Game
from referee.v1 import play_pb2 as pb


class ToldMatch:
    """A match under way, as the bot was told of it. What it was told wrongly is said when somebody asks.

    match: the match.
    question: the open question; None where there is none.
    rng: chance of the match, for playouts.
    """

    def __init__(self, start: pb.MatchStart) -> None:
        self.match = Match(start)
        self.question: Question[Any] | None = None
        self.rng = Random(start.bot_seed + b"playouts")
        self._look_ahead = LookAhead(self.match)
        self._thinking = ThinkingTime()
        self._allowance: Allowance | None = None
        self._horizons: dict[str, Horizon] = {}
        self._encoder: ViewEncoder | None = None

    @property
    def game(self) -> Game:
        """The rules. Raises NoPositions where they are not to be had."""
        return self._look_ahead.rules()[0]

    @property
    def position(self) -> Position:
        """The position, with its question open. Raises Failure where none is, and NoPositions."""
        if self.question is None:
            raise Failure(
                MATCH,
                f"match {self.match.number} has no open question: ask for worlds between a question and its answer",
            )
        self._load_views()
        return self._look_ahead.position()

    def allowance(self, elapsed: float) -> Allowance:
        """Return how long the bot may still think about the open question.

        elapsed: the seconds that its clock has run.
        """
        assert self.question is not None
        if self._allowance is None:
            self._allowance = self._thinking.allow(self.question)
        return self._allowance.less(elapsed)

    def horizon(self, policy: str, policies: Sequence[Policy | None], has_used: Callable[[float], bool]) -> Horizon:
        """Return where playouts end, which is measured once for a match and a policy.

        policy, policies: the policy, by name and as playouts take it.
        has_used: tells whether that share of the time for the question is over.
        """
        if policy not in self._horizons:
            world = self.position.world()
            self._horizons[policy] = Horizon.measure(world, self.rng, policies, has_used)
        return self._horizons[policy]

    def ask(self, question: pb.Question) -> None:
        """Take a question to the bot."""
        self.question = Question(self.match, question)
        self._allowance = None
        self._look_ahead.ask(self.question)

    def answer(self, answer: pb.Answer) -> None:
        """Take the bot's answer to the open question; one to another question is passed over."""
        question = self.question
        if question is None or answer.question != question.id:
            return
        self.question = None
        self._thinking.answered()
        move = ""
        if answer.WhichOneof("move") == "text":
            move = answer.text
        elif answer.index < len(question.legal):
            move = question.legal[answer.index]
        self._look_ahead.answer(move)

    def encode(self, view: Any) -> bytes:
        """Return a view of the rules as the protocol sends it."""
        return self._load_views().encode(view)

    def _load_views(self) -> ViewEncoder:
        """Return what encodes views; it brings the messages by which those that came are parsed."""
        if self._encoder is None:
            self._encoder = ViewEncoder(self.game)
        return self._encoder

    def lines(self, events: Sequence[str]) -> tuple[str, ...]:
        """Return the lines of the log that events stand for. Raises NoPositions."""
        self._look_ahead.rules()
        return self._look_ahead.texts(events)
