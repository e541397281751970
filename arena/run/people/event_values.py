"""Lines of the log as values, which are put into words for a person."""

import json
from collections.abc import Iterable

from arena.sdk.message_codec import MessageCodec
from referee.engine.events import Event
from referee.v1.play_pb2 import PlayRequest


class ValuesCodec(MessageCodec):
    """Asks for the values of the lines of the log, in place of their text."""

    def hello(self) -> bytes:
        """Return the first message."""
        request = PlayRequest.FromString(super().hello())
        request.hello.wants_values = True
        return request.SerializeToString()


def events_of(arrays: Iterable[str]) -> tuple[Event, ...]:
    """Return events from JSON arrays, as such a bot gets them."""
    return tuple([tuple(json.loads(array)) for array in arrays])
