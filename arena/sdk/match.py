"""A match, as the bot in one seat knows it."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.sdk.errors import UnknownView

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from google.protobuf.message import Message

    from referee.v1.play_pb2 import MatchStart


class SeatClock(NamedTuple):
    """The clock of a seat, at the start of a match."""

    move_time_ms: int
    """The time for each answer in milliseconds; 0 is no limit."""
    bank_ms: int
    """The time bank, in milliseconds."""
    fischer: bool
    """Whether what an answer leaves of the move time is added to the bank."""


class Match:
    """One match under way, from its start to its end.

    number: its number in this process, from 1; unrelated to the deal and the other players.
    game: the game's id, e.g. "cambio".
    behaviour: the version of the game's rules.
    options: the options that differ from their defaults, as texts ("true" for a switch that is on).
    seats: the number of seats at the table.
    seat: the bot's seat, 0 to seats - 1, in the order of play.
    names: the players by seat, if the organiser reveals them; otherwise empty.
    move_time_ms: the time for each answer in milliseconds; 0 is no limit. Longer answers are charged to the bank.
    bank_ms: the time bank at the start, in milliseconds.
    fischer: whether what an answer leaves of the move time is added to the bank: a clock with an increment.
    clocks: the clock of each seat; the bot's own is the three fields above, too.
    ready_time_ms: the time for `match_started` in milliseconds; 0 is no limit (only with `Bot.wants_ready`).
    text_move: the legal move that stands for a text of the bot's own, in games that are played with words: any other
        text that the bot returns is played as its words. Empty elsewhere.
    text_limit: the most characters of such a text; 0: there is none.
    bot_seed: 32 random bytes for the bot, unrelated to the deal.
    memory: whatever the bot wants to keep for this match: a dict, empty at the start, that may be replaced.
    events: the rest of the log, once the match has ended (only with `Bot.wants_events`).
    """

    __slots__ = ("number", "game", "behaviour", "options", "seats", "seat", "names", "move_time_ms", "bank_ms",
                 "fischer", "clocks", "ready_time_ms", "text_move", "text_limit", "bot_seed", "memory", "events",
                 "view_type", "_schema", "_rng", "_parse")  # fmt: skip

    _rng: "Random"
    _parse: "Callable[[bytes], Any]"

    def __init__(self, start: "MatchStart") -> None:
        self.number = start.match
        self.game = start.game
        self.behaviour = start.behaviour
        self.options = dict(start.options)
        self.seats = start.seats
        self.seat = start.seat
        self.names = tuple(start.names)
        self.move_time_ms = start.move_time_ms
        self.bank_ms = start.bank_ms
        self.fischer = start.fischer
        own = SeatClock(self.move_time_ms, self.bank_ms, self.fischer)
        told = tuple(SeatClock(clock.move_time_ms, clock.bank_ms, clock.fischer) for clock in start.clocks)
        self.clocks = told or (own,) * self.seats
        self.ready_time_ms = start.ready_time_ms
        self.text_move = start.text_move
        self.text_limit = start.text_limit
        self.bot_seed = start.bot_seed
        self.view_type = start.view_type
        self._schema = start.schema.SerializeToString() if start.HasField("schema") else b""
        self.memory: Any = {}
        self.events: tuple[str, ...] = ()

    @property
    def rng(self) -> "Random":
        """The random number generator of this match, seeded with `bot_seed`.

        A bot that uses no other source of randomness plays a match the same way whatever other matches are under way.
        """
        try:
            return self._rng
        except AttributeError:
            from random import Random

            self._rng = Random(self.bot_seed)
            return self._rng

    def parse(self, view: bytes) -> Any:
        """Parse a view of this match. Raises UnknownView."""
        try:
            return self._parse(view)
        except AttributeError:
            if self._schema:
                self._parse = schema_class(self.view_type, self._schema).FromString
            else:
                self._parse = view_class(self.view_type, self.game).FromString
            return self._parse(view)


@cache
def view_class(name: str, game: str) -> "type[Message]":
    """Return the message class of a view: from a module that the bot imported, or else from `referee.v1`.

    Raises UnknownView, with what to import.
    """
    from google.protobuf.descriptor_pool import Default
    from google.protobuf.message_factory import GetMessageClass

    pool = Default()
    try:
        return GetMessageClass(pool.FindMessageTypeByName(name))
    except KeyError:
        pass
    try:
        import_module(f"{name.rpartition('.')[0]}.{game}_pb2")
        return GetMessageClass(pool.FindMessageTypeByName(name))
    except (KeyError, ImportError):
        raise UnknownView(
            f"the views of {game} are {name} messages, which no imported module defines: import the "
            " generated module of the game's proto file at the top of your bot, or set wants_schema = True"
        ) from None


@cache
def schema_class(name: str, schema: bytes) -> "type[Message]":
    """Return the message class of a view from the schema that came with the match, an encoded FileDescriptorSet."""
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    pool = DescriptorPool()  # separate: the bot may have imported another version
    for file in FileDescriptorSet.FromString(schema).file:
        pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName(name))
