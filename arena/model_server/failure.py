"""What a model tells a bot that asked for something that it cannot do."""

from referee.v1.model_pb2 import ModelError


class Failure(Exception):
    """A request cannot be fulfilled. The text says what happened, and what to do.

    reason: the kind of the failure, one of `ModelError.Reason`.
    """

    def __init__(self, reason: ModelError.Reason.ValueType, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


MATCH = ModelError.REASON_MATCH
NO_WORLD = ModelError.REASON_NO_WORLD
WORLD = ModelError.REASON_WORLD
MOVE = ModelError.REASON_MOVE
LIMIT = ModelError.REASON_LIMIT
POLICY = ModelError.REASON_POLICY
REQUEST = ModelError.REASON_REQUEST
