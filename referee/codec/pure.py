"""The codec in Python, on the protobuf library: it says what is right.

`native` leaves to it whatever is out of the ordinary, so what is accepted, and every error, is the library's own. Tests
hold the two against each other on views of all games, fields of every type, and damaged messages.
"""

from collections.abc import Sequence
from functools import cache
from operator import getitem
from typing import Any

from referee.engine.events import Event, digest
from referee.engine.game import Game
from referee.v1.play_pb2 import PlayRequest, PlayResponse
from referee.wire import view_message

Answers = tuple[list[int], list[int], dict[int, tuple[str, str, str]]]
"""The answers of a message: of each the question and the index of its move, -1 where it has none; of those that hold
more than an index, by place: the move as text, the note and the table talk."""


class UnexpectedHello(Exception):
    """A message of a bot is a hello, where only answers are expected."""


CACHED_VALUES = 4096
"""How many encoded values are cached for each field of a game's view."""


class _FieldCache(dict[Any, bytes]):
    """Encoded values of one field of a view, by value; a missing one is encoded when it is looked up."""

    def __init__(self, message: Any, name: str) -> None:
        self._message = message
        self._name = name
        self._clear()

    def __missing__(self, value: Any) -> bytes:
        if len(self) >= CACHED_VALUES:
            self._clear()
        encoded: bytes = self._message(**{self._name: _plain(value)}).SerializeToString()
        self[value] = encoded
        return encoded

    def _clear(self) -> None:
        self.clear()
        self[None] = self[()] = b""


class ViewCodec:
    """Encodes the views of a game.

    Encoded messages laid end to end merge into one, so a view is composed field by field from cached encodings:
    fields have few different values, but many seats are asked.
    """

    __slots__ = ("_stable", "_changing")

    def __init__(self, game: Game, names: tuple[str, ...]) -> None:
        message = view_message(game)
        fields = [_FieldCache(message, name) for name in names]
        self._stable = fields[: game.stable]
        self._changing = fields[game.stable :]

    def encode_stable(self, values: tuple[Any, ...]) -> bytes:
        """Return the encoding of the first fields of a view, which change rarely."""
        return b"".join(map(getitem, self._stable, values))

    def encode_changing(self, values: tuple[Any, ...]) -> bytes:
        """Return the encoding of the other fields."""
        return b"".join(map(getitem, self._changing, values))


@cache
def view_codec(game: Game, names: tuple[str, ...]) -> ViewCodec:
    """Return the codec of a game's views, whose fields have these names."""
    return ViewCodec(game, names)


class ViewEncoder:
    """Encodes the views of one match.

    The encoding of the first `Game.stable` fields is used again while they are equal.
    """

    __slots__ = ("_game", "_stable", "_codec", "_values", "_head")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._stable = game.stable
        self._codec: ViewCodec | None = None
        self._values: tuple[Any, ...] | None = None
        self._head = b""

    def encode(self, view: tuple[Any, ...]) -> bytes:
        """Return the encoding of a view, a NamedTuple."""
        codec = self._codec
        if codec is None:
            codec = self._codec = view_codec(self._game, view._fields)  # type: ignore[attr-defined]
        if (values := view[: self._stable]) != self._values:
            self._head = codec.encode_stable(values)
            self._values = values
        return self._head + codec.encode_changing(view[self._stable :])


def _plain(value: Any) -> Any:
    """Return a value in the form that constructors of messages take: NamedTuples, however deep, as dicts."""
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items() if item is not None}
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return [_plain(item) for item in value]
    return value


class TurnsWriter:
    """Composes one message of turns after the other."""

    def __init__(self) -> None:
        self._begin_message()

    def _begin_message(self) -> None:
        self._message = PlayResponse()
        self._turns = self._message.turns

    def add_start(self, start: bytes) -> None:
        """Add a match that begins.

        start: an encoded MatchStart.
        """
        self._turns.starts.add().MergeFromString(start)

    def add_question(
        self,
        id: int,
        match: int,
        view: bytes,
        legal: tuple[str, ...],
        bank_ms: int,
        charged_us: int,
        again: bool,
        events: list[str],
    ) -> None:
        """Add a question. The parameters are the fields of Question."""
        question = self._turns.questions.add()
        question.id = id
        question.match = match
        question.view = view
        question.legal.extend(legal)
        question.bank_ms = bank_ms
        question.charged_us = charged_us
        if again:
            question.again = True
        if events:
            question.events.extend(events)

    def add_end(self, match: int, scores: tuple[int, ...], ranks: tuple[int, ...], events: list[str]) -> None:
        """Add a match that is over. The parameters are the fields of MatchEnd."""
        self._turns.ends.add(match=match, scores=scores, ranks=ranks, events=events)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added since the last message was taken."""
        return not self._message.HasField("turns")

    def take(self) -> bytes:
        """Return the message with all that was added since the last one: an encoded PlayResponse."""
        message = self._message.SerializeToString()
        self._begin_message()
        return message


def read_answers(message: bytes) -> Answers:
    """Return the answers of a message, an encoded PlayRequest.

    Raises DecodeError, or UnexpectedHello where it is a hello.
    """
    request = PlayRequest.FromString(message)
    if request.HasField("hello"):
        raise UnexpectedHello
    questions, moves, texts = [], [], {}
    for place, answer in enumerate(request.answers.answers):
        questions.append(answer.question)
        moves.append(answer.index if answer.HasField("index") else -1)
        if answer.text or answer.note or answer.say:
            texts[place] = (answer.text, answer.note, answer.say)
    return questions, moves, texts


MAX_EVENTS = 1 << 16
"""How many different events are interned."""

_EVENTS: dict[Event, Event] = {}


def _intern(events: Sequence[Event]) -> list[Event]:
    """Return equal events, each as the one object for all that are equal.

    The logs of hundreds of matches under way say the same few things again and again: as separate objects they would
    take two thirds of a referee's memory, and more than the caches of a processor hold.
    """
    if len(_EVENTS) > MAX_EVENTS:
        _EVENTS.clear()
    return list(map(_EVENTS.setdefault, events, events))


class EventLog:
    """The log of a match, in little memory."""

    __slots__ = ("_events",)

    def __init__(self) -> None:
        self._events: list[Event] = []

    def take(self, events: list[Event]) -> None:
        """Take the events out of a list, which is empty then."""
        self._events += _intern(events)
        events.clear()

    def __len__(self) -> int:
        return len(self._events)

    def since(self, first: int) -> list[Event]:
        """Return the events from number `first` on."""
        return self._events[first:]

    def digest(self) -> bytes:
        """Return the digest of all events so far (see `referee.engine.events.digest`)."""
        return digest(self._events)
