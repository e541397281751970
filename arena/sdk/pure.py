"""Reading turns and writing answers by the protobuf library: what `arena.sdk.native` must agree with.

`native` reads questions and writes answers. Welcomes, refusals, and the starts and ends of matches are left to the
library, and so are views, once a bot looks at them.
"""

from collections.abc import Sequence
from typing import Any

from arena.sdk.errors import Refused
from referee.v1.play_pb2 import MatchEnd, MatchStart, PlayRequest, PlayResponse

Turns = tuple[Sequence[Any], Sequence[MatchStart], Sequence[MatchEnd]]
"""The questions (objects with the fields of the message Question), the matches that begin and those that are over."""


def read_turns(message: bytes) -> Turns:
    """Decode a message of the referee. Raises Refused, or DecodeError if it is malformed."""
    response = PlayResponse.FromString(message)
    if response.WhichOneof("message") == "refusal":
        raise Refused(response.refusal.sentence)
    turns = response.turns
    return turns.questions, turns.starts, turns.ends


class AnswersWriter:
    """Composes messages with answers."""

    def __init__(self) -> None:
        self._request = PlayRequest()
        self._answers = self._request.answers.answers

    def __len__(self) -> int:
        """Return the number of answers since the last message was taken."""
        return len(self._answers)

    def add(self, question: int, index: int | None, text: str | None, note: str, say: str) -> None:
        """Add an answer.

        index, text: the move; at most one of them is set.
        """
        answer = self._answers.add()
        answer.question = question
        if index is not None:
            answer.index = index
        elif text is not None:
            answer.text = text
        if note:
            answer.note = note
        if say:
            answer.say = say

    def take_message(self) -> bytes:
        """Return the message with all answers, and begin the next one."""
        message = self._request.SerializeToString()
        self.__init__()  # type: ignore[misc]
        return message
