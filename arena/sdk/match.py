"""A match as one bot's seat knows it."""

import random
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

    from referee.v1.play_pb2 import MatchStart


class UnknownView(Exception):
    """The message type of a game's view is not known in this process."""


class Match:
    """One match under way, from its start to its end.

    number: its number in this process, from 1. It tells nothing of the deal or of the others.
    game: the game's id, e.g. "cambio".
    behaviour: the version of the game's rules in effect.
    options: the options that differ from their defaults, as texts ("true" for a switch that is on).
    seats: how many sit at the table.
    seat: where the bot sits, 0 .. seats - 1, in the order of play.
    names: the players by seat, where the organiser reveals them; otherwise empty.
    move_time_ms: the time for each answer; 0 is no limit. What takes longer comes out of the bank.
    bank_ms: the time bank at the start.
    bot_seed: 32 bytes of randomness of the bot's own, unrelated to the deal.
    memory: yours: whatever the bot wants to keep for this match. An empty dict until you replace it.
    events: the rest of the log, when the match has ended (only with `Bot.wants_events`).
    """

    __slots__ = ("number", "game", "behaviour", "options", "seats", "seat", "names", "move_time_ms", "bank_ms",
                 "bot_seed", "memory", "events", "view_type", "_schema", "_rng", "_parse")  # fmt: skip

    _rng: random.Random
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
        self.bot_seed = start.bot_seed
        self.view_type = start.view_type
        self._schema = start.schema.SerializeToString() if start.HasField("schema") else b""
        self.memory: Any = {}
        self.events: tuple[str, ...] = ()

    @property
    def rng(self) -> random.Random:
        """The match's own randomness, seeded with `bot_seed`.

        A bot that uses no other plays the same match again, whatever is played beside it.
        """
        try:
            return self._rng
        except AttributeError:
            self._rng = random.Random(self.bot_seed)
            return self._rng

    def parse(self, view: bytes) -> Any:
        """Return the message that the bytes of a view of this match stand for. Raises UnknownView."""
        try:
            return self._parse(view)
        except AttributeError:
            if self._schema:
                self._parse = told_class(self.view_type, self._schema).FromString
            else:
                self._parse = view_class(self.view_type, self.game).FromString
            return self._parse(view)


@cache
def view_class(name: str, game: str) -> "type[Message]":
    """Return the message class of a view: one that the bot has imported, or the one beside the protocol.

    Raises UnknownView with what to import.
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
            f"the views of {game} are {name} messages, and nothing imported here defines them: "
            "import the generated module of the game's proto file at the top of your bot, or set wants_schema = True"
        ) from None


@cache
def told_class(name: str, schema: bytes) -> "type[Message]":
    """Return the message class of a view, by the schema that came with the match: a FileDescriptorSet."""
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass

    pool = DescriptorPool()  # of its own: what the bot has imported may be of another version
    for file in FileDescriptorSet.FromString(schema).file:
        pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName(name))
