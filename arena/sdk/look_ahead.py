"""What a bot that wants positions was told of a match, kept until it looks ahead."""

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from arena.sdk.errors import NoPositions, UnknownView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message

    from arena.positions import Position
    from arena.sdk.match import Match
    from referee.engine.events import Event
    from referee.engine.game import Game
    from referee.v1.play_pb2 import Question as Wire

HOW_TO_INSTALL = "pip install --find-links dist 'botarena-sdk[positions]'"


def require_positions(games: "Iterable[str]") -> None:
    """Load what positions need, before a clock runs. Raises NoPositions where it is not installed.

    games: those that the bot plays, as far as it names them.
    """
    try:
        import arena.positions  # noqa: F401
        from referee.engine import registry
        from referee.engine.errors import EngineError
    except ImportError as error:
        raise NoPositions(
            f"it sets wants_positions, but the rules are not installed ({error}): {HOW_TO_INSTALL}"
        ) from None
    for game in games or registry.names():
        with suppress(EngineError):  # only a match of that game needs it
            registry.game(game)


class AskedQuestion(Protocol):
    """What is needed of a question: see `arena.sdk.Question`."""

    legal: tuple[str, ...]
    _wire: "Wire"

    @property
    def view(self) -> Any:
        """All that the seat may see now."""


class LookAhead:
    """The questions of a match and the answers to them, and the position made of them once it is asked for.

    match: the match.
    """

    def __init__(self, match: "Match") -> None:
        self._match = match
        self._pending: list[tuple[AskedQuestion, str | None]] = []
        self._position: Position | None = None
        self._failure = ""

    def ask(self, question: AskedQuestion) -> None:
        """Keep a question."""
        self._pending.append((question, None))

    def answer(self, move: str) -> None:
        """Keep the answer to the last question; empty if it is not legal."""
        if self._pending:
            self._pending[-1] = self._pending[-1][0], move
        elif self._position is not None:
            self._position.answer(move)

    def position(self) -> "Position":
        """Return the position at the last question. Raises NoPositions."""
        if self._failure:
            raise NoPositions(self._failure)
        try:
            return self._brought_up()
        except NoPositions as failure:  # what a match was told wrongly once stays so
            self._failure = str(failure)
            raise

    def _brought_up(self) -> "Position":
        """Return the position, told of all that is pending."""
        if self._position is None:
            self._position = self._begin()
        position = self._position
        for question, move in self._pending:
            if position.legal:  # the last question was not answered at all
                position.answer("")
            position.ask(events_of(question._wire.events), ShownView(self._view(question)), tuple(question.legal))
            if move is not None:
                position.answer(move)
        self._pending.clear()
        return position

    def _view(self, question: AskedQuestion) -> "Message":
        from google.protobuf.message import DecodeError

        try:
            view: Message = question.view
        except (DecodeError, UnknownView) as error:
            raise NoPositions(
                f"a view of match {self._match.number} is none of {self._match.game} ({error}): is the question of "
                "another match?"
            ) from None
        return view

    def _begin(self) -> "Position":
        from arena.positions import Position

        match = self._match
        game, options = self.rules()
        question = self._pending[0][0]._wire
        first = next(iter(events_of(question.events[:1])), None)
        if not is_first_line(first, game, options, match.seats, match.seat):
            raise NoPositions("this process of the bot was not told of the first part of the match")
        # A process that comes in after a crash is told the whole log, but not what the seat was asked before.
        is_late = question.again or question.charged_us > 0
        return Position(game, options, match.seats, match.seat, match.bot_seed, is_late=is_late)

    def rules(self) -> "tuple[Game, Any]":
        """Return the game of the match and its options. Raises NoPositions where other rules are installed."""
        from referee.engine import registry
        from referee.engine.errors import EngineError

        match = self._match
        try:
            game = registry.game(match.game)
            options = game.options.parse(match.options)
        except EngineError as error:
            raise NoPositions(f"there are no positions of {match.game}: {error}") from None
        if game.behaviour != match.behaviour:
            raise NoPositions(
                f"the referee plays version {match.behaviour} of the rules of {match.game}, but version "
                f"{game.behaviour} is installed: {HOW_TO_INSTALL} --upgrade"
            )
        return game, options

    def texts(self, lines: "Iterable[str]") -> tuple[str, ...]:
        """Return lines of the log, which came as values, as texts. Raises NoPositions."""
        from referee.engine import registry
        from referee.engine.errors import EngineError
        from referee.engine.events import text

        try:
            table = registry.game(self._match.game).lines
            return tuple([text(table, event) for event in events_of(lines)])
        except (EngineError, IndexError, TypeError) as error:
            raise NoPositions(f"the log of {self._match.game} cannot be read: {error}") from None


def is_first_line(event: "Event | None", game: "Game", options: Any, seats: int, seat: int) -> bool:
    """Tell whether a match may have begun with a line of its log, None for no line, as a seat was told."""
    from referee.engine.chance import Chance
    from referee.engine.events import visible

    state = game.start(options, seats, Chance(bytes(32)))
    first = next((event for event in state.events if visible(game.lines, event, seat)), None)
    if event is None or first is None:
        return event is first
    return event[0] == first[0] and (not game.lines[event[0]].begins or event[1] == first[1])  # type: ignore[index]


def events_of(lines: "Iterable[str]") -> list[tuple[int | str | None, ...]]:
    """Return the events that lines of the log stand for, which came as values. Raises NoPositions for other lines."""
    return [_event(line) for line in lines]


def _event(line: str) -> tuple[int | str | None, ...]:
    try:
        values = json.loads(line)
    except ValueError:
        values = None
    if not isinstance(values, list) or not values or not isinstance(values[0], int):
        raise NoPositions(f"{line!a:.60} is not the array of an event: let Hello.wants_values be true")
    return tuple(values)


class ShownView:
    """A view as it came, equal to a view of the rules with the same fields.

    message: the view message.
    """

    __slots__ = ("_message", "_values")

    def __init__(self, message: "Message") -> None:
        self._message = message
        self._values: tuple[Any, ...] | None = None

    def __eq__(self, view: object) -> bool:
        if not isinstance(view, tuple):
            return NotImplemented
        if self._values is None:
            self._values = _values(self._message, view._fields)  # type: ignore[attr-defined]
        return self._values == view

    __hash__ = None  # type: ignore[assignment]


def _values(message: "Message", names: "Iterable[str]") -> tuple[Any, ...]:
    """Return the fields of a message of these names."""
    fields = message.DESCRIPTOR.fields_by_name
    return tuple([_value(message, fields[name]) for name in names])


def _value(message: "Message", field: Any) -> Any:
    value = getattr(message, field.name)
    if field.is_repeated:
        return tuple(value) if field.message_type is None else tuple(map(_all_values, value))
    if field.has_presence and not message.HasField(field.name):
        return None
    return value if field.message_type is None else _all_values(value)


def _all_values(message: "Message") -> tuple[Any, ...]:
    return _values(message, [field.name for field in message.DESCRIPTOR.fields])
