"""Messages of the protocol <-> questions and moves, whatever carries them."""

import sys
from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import Any

from arena.sdk.bot import Bot, Refused
from arena.sdk.lazy_import import later
from arena.sdk.match import Match
from arena.sdk.question import Question

with later("google.protobuf.internal.python_message"):  # messages in Python, where those in C cannot be had
    from referee.v1.play_pb2 import Answer, PlayRequest, PlayResponse, Turns

PROTOCOLS = (1,)

_COROUTINE = 128  # inspect.CO_COROUTINE, without the cost of importing it
_LONGEST_TEXT = 1024


def is_async(function: Callable[..., Any]) -> bool:
    """Tell whether calling `function` gives a coroutine."""
    code = getattr(function, "__code__", None)
    return bool(code and code.co_flags & _COROUTINE)


class Dialogue:
    """What one bot and its referee have said so far.

    whole: the bot answers all questions of a message together.
    ask: the bot's method that is asked, `choose` or `choose_all`.
    matches: the matches under way, by number.
    """

    def __init__(self, bot: Bot[Any], token: str) -> None:
        self.bot = bot
        self.whole = type(bot).choose_all is not Bot.choose_all
        self.ask: Callable[..., Any] = bot.choose_all if self.whole else bot.choose
        self.matches: dict[int, Match] = {}
        self._token = token
        self._begin_answers()

    def hello(self) -> bytes:
        """Return the bot's first message."""
        request = PlayRequest()
        hello = request.hello
        hello.protocols.extend(PROTOCOLS)
        hello.token = self._token
        hello.name = self.bot.name or type(self.bot).__name__
        hello.version = self.bot.version
        hello.games.extend(self.bot.games)
        hello.matches_at_once = self.bot.matches_at_once
        hello.wants_events = self.bot.wants_events
        hello.wants_schema = self.bot.wants_schema
        hello.whole_batches = self.whole
        return request.SerializeToString()

    def read(self, message: bytes) -> Turns:
        """Return the turns in a message of the referee, after starting the matches that begin. Raises Refused."""
        response = PlayResponse.FromString(message)
        if response.WhichOneof("message") == "refusal":
            raise Refused(response.refusal.sentence)
        turns = response.turns
        for start in turns.starts:
            match = self.matches[start.match] = Match(start)
            self.bot.match_started(match)
        return turns

    def questions(self, turns: Turns) -> list[Question[Any]]:
        """Return the questions of `turns`, oldest first."""
        matches = self.matches
        return [Question(matches[wire.match], wire) for wire in turns.questions]

    def close(self, turns: Turns) -> None:
        """Let go of the matches that are over."""
        for end in turns.ends:
            match = self.matches.pop(end.match)
            match.events = tuple(end.events)
            self.bot.match_ended(match, tuple(end.scores), tuple(end.ranks))

    def put(self, question: Question[Any], move: Any) -> None:
        """Note the answer to a question. What is no legal move is told on stderr, and sent: the referee rules on it."""
        answer = self._answers.add()
        answer.question = question._wire.id
        try:
            answer.index = question.legal.index(move)
        except ValueError:
            self._put_other(answer, question, move)
        if question._note:
            answer.note = bounded(question._note)
        if question._say:
            answer.say = bounded(question._say)

    def put_all(self, questions: Sequence[Question[Any]], moves: Iterable[Any]) -> None:
        """Note the answers to a whole batch. Raises TypeError where they are not one for each question."""
        listed = moves if isinstance(moves, (list, tuple)) else [moves] if isinstance(moves, str) else list(moves)
        if len(listed) != len(questions):
            raise TypeError(
                f"{self._asked()} returned {len(listed)} moves for {len(questions)} questions: "
                "it must return one move for each, in their order"
            )
        for question, move in zip(questions, listed, strict=True):
            self.put(question, move)

    @property
    def pending(self) -> int:
        """How many answers have been noted and not taken."""
        return len(self._answers)

    def take(self) -> bytes:
        """Return the message with all the answers noted since the last one."""
        message = self._request.SerializeToString()
        self._begin_answers()
        return message

    def _begin_answers(self) -> None:
        self._request = PlayRequest()
        self._answers = self._request.answers.answers

    def _put_other(self, answer: Answer, question: Question[Any], move: Any) -> None:
        """Put a move that is an index, or else is none; None of all moves: nothing is set, which is illegal."""
        if isinstance(move, str):
            answer.text = bounded(move)
        elif hasattr(move, "__index__") and not isinstance(move, bool) and 0 <= index(move) < len(question.legal):
            answer.index = index(move)
            return
        choices = ", ".join(f'"{legal}"' for legal in question.legal)
        print(
            f"{self._asked()} returned {move!r:.200}, which is no legal move in match {question.match.number}: "
            f"return one of {choices}, or its index from 0 to {len(question.legal) - 1}",
            file=sys.stderr,
            flush=True,
        )

    def _asked(self) -> str:
        return f"{type(self.bot).__name__}.{self.ask.__name__}"


def bounded(text: str) -> str:
    """Return `text` as the protocol takes it: UTF-8, 1,024 bytes at the most."""
    return str(text).encode("utf-8", "replace")[:_LONGEST_TEXT].decode("utf-8", "ignore")
