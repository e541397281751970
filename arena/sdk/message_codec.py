"""Conversion of protocol messages to questions, and of moves to protocol messages."""

import sys
from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from arena.sdk.match import Match
from arena.sdk.pure import Turns
from arena.sdk.question import Question
from referee.extensions import is_enabled
from referee.v1.play_pb2 import PlayRequest

NATIVE = False
"""Whether messages are read and written in C. The environment variable ARENA_CODEC=pure turns it off."""

if not TYPE_CHECKING and is_enabled("arena.sdk.native"):
    from arena.sdk.native import AnswersWriter, read_turns

    NATIVE = True
else:
    from arena.sdk.pure import AnswersWriter, read_turns

if TYPE_CHECKING:
    from arena.sdk.look_ahead import LookAhead

PROTOCOLS = (1,)

_COROUTINE = 128  # inspect.CO_COROUTINE, without the cost of importing it
_LONGEST_TEXT = 1024


def is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Return whether `function` is a coroutine function."""
    code = getattr(function, "__code__", None)
    return bool(code and code.co_flags & _COROUTINE)


class BotInterface(Protocol):
    """What the codec needs of a bot: see `arena.sdk.Bot`."""

    name: ClassVar[str]
    version: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    matches_at_once: ClassVar[int]
    wants_events: ClassVar[bool]
    wants_positions: ClassVar[bool]
    wants_schema: ClassVar[bool]
    wants_ready: ClassVar[bool]

    def answers_batches(self) -> bool:
        """Return whether the bot overrides `choose_all`."""

    def choose(self, question: Question[Any]) -> Any:
        """Return the move for one question."""

    def choose_all(self, questions: Sequence[Question[Any]]) -> Any:
        """Return the moves for the questions of one message."""

    def match_started(self, match: Match) -> None:
        """React to the start of a match."""

    def match_ended(self, match: Match, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """React to the end of a match."""


class MessageCodec:
    """Decodes the referee's messages for one bot and encodes its answers.

    in_batches: whether the bot answers all questions of a message together.
    choose: the bot's method that returns moves, `choose` or `choose_all`.
    matches: the matches under way, by number.
    """

    def __init__(self, bot: "BotInterface", token: str) -> None:
        self.bot = bot
        self.in_batches = bot.answers_batches()
        self.choose: Callable[..., Any] = bot.choose_all if self.in_batches else bot.choose
        self.matches: dict[int, Match] = {}
        self._look_ahead: dict[int, LookAhead] = {}
        self._token = token
        self._answers = AnswersWriter()

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
        hello.wants_events = self.bot.wants_events or self.bot.wants_positions
        hello.wants_values = self.bot.wants_positions
        hello.wants_schema = self.bot.wants_schema
        hello.whole_batches = self.in_batches
        hello.wants_ready = self.bot.wants_ready
        return request.SerializeToString()

    def read(self, message: bytes, send: Callable[[bytes], None]) -> Turns:
        """Decode a message of the referee and start the matches that begin in it.

        send: called with the message that says that the bot is ready for a match, where the referee asks for it.

        Raises Refused, and whatever the bot raises.
        """
        turns = read_turns(message)
        for start in turns[1]:
            match = self.matches[start.match] = Match(start)
            if self.bot.wants_positions:
                from arena.sdk.look_ahead import LookAhead

                self._look_ahead[start.match] = LookAhead(match)
            self.bot.match_started(match)
            if start.ready_question:
                self._answers.add(start.ready_question, 0, None, "", "")
                send(self.take_message())
        return turns

    def questions(self, turns: Turns) -> list[Question[Any]]:
        """Return the questions of `turns`, oldest first."""
        matches = self.matches
        if not self.bot.wants_positions:
            return [Question(matches[wire.match], wire) for wire in turns[0]]
        questions: list[Question[Any]] = []
        for wire in turns[0]:
            look_ahead = self._look_ahead[wire.match]
            questions.append(Question(matches[wire.match], wire, look_ahead))
            look_ahead.ask(questions[-1])
        return questions

    def end_matches(self, turns: Turns) -> None:
        """Call `match_ended` of the bot for the matches that are over, and forget them."""
        for end in turns[2]:
            match = self.matches.pop(end.match)
            look_ahead = self._look_ahead.pop(end.match, None)
            match.events = tuple(end.events) if look_ahead is None else look_ahead.texts(end.events)
            self.bot.match_ended(match, tuple(end.scores), tuple(end.ranks))

    def add_answer(self, question: Question[Any], move: Any) -> None:
        """Add the answer to a question to the next message.

        An illegal move is reported on stderr and sent all the same: the referee penalises it.
        """
        text = None
        try:
            place: int | None = question.legal.index(move)
        except ValueError:
            if isinstance(move, str) and move and question.match.text_move in question.legal:
                place, text = question.legal.index(question.match.text_move), None
                question.say(move)
            else:
                place, text = self._unlisted_move(question, move)
        if question._look_ahead is not None:
            question._look_ahead.answer("" if place is None else question.legal[place])
        note, say = question._note, question._say
        if note:
            note = truncated_text(note)
        if say:
            say = truncated_say(say, question.match)
        self._answers.add(question._wire.id, place, text, note, say)

    def add_answers(self, questions: Sequence[Question[Any]], moves: Iterable[Any]) -> None:
        """Add the answers to a batch of questions. Raises TypeError unless there is one for each question."""
        move_list = moves if isinstance(moves, (list, tuple)) else [moves] if isinstance(moves, str) else list(moves)
        if len(move_list) != len(questions):
            raise TypeError(
                f"{self._method_name()} returned {len(move_list)} moves for {len(questions)} questions: "
                "it must return one move for each, in their order"
            )
        for question, move in zip(questions, move_list, strict=True):
            self.add_answer(question, move)

    @property
    def pending(self) -> int:
        """The number of answers added since the last message was taken."""
        return len(self._answers)

    def take_message(self) -> bytes:
        """Return the message with the pending answers, and begin the next one."""
        return self._answers.take_message()

    def _unlisted_move(self, question: Question[Any], move: Any) -> tuple[int | None, str | None]:
        """Return the index or text of a move that is an index or illegal; for anything else neither is set."""
        text = None
        if isinstance(move, str):
            text = truncated_text(move)
        elif hasattr(move, "__index__") and not isinstance(move, bool) and 0 <= index(move) < len(question.legal):
            return index(move), None
        choices = ", ".join(f'"{legal}"' for legal in question.legal)
        print(
            f"{self._method_name()} returned {move!r:.200}, not a legal move in match {question.match.number}: "
            f"return one of {choices}, or its index from 0 to {len(question.legal) - 1}",
            file=sys.stderr,
            flush=True,
        )
        return None, text

    def _method_name(self) -> str:
        return f"{type(self.bot).__name__}.{'choose_all' if self.in_batches else 'choose'}"


def truncated_say(words: str, match: Match) -> str:
    """Truncate what goes with an answer: table talk, or a text of the bot's own in games that are played with words."""
    if not match.text_move:
        return truncated_text(words)
    return str(words)[: match.text_limit].encode("utf-8", "replace").decode()


def truncated_text(text: str) -> str:
    """Truncate a text to the 1,024 bytes of UTF-8 that the protocol allows."""
    return str(text).encode("utf-8", "replace")[:_LONGEST_TEXT].decode("utf-8", "ignore")
