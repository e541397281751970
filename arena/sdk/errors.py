"""What ends a bot's call before the referee ends it in good order."""


class Refused(Exception):
    """The referee refused the bot's hello. The text says why."""


class CallLost(Exception):
    """The connection to the referee was lost, or the referee closed it with an error. The text says why.

    received_any: whether the referee had sent a message before.
    """

    def __init__(self, why: str, *, received_any: bool = False) -> None:
        super().__init__(why)
        self.received_any = received_any


class UnknownView(Exception):
    """The message type of a game's view is not known in this process."""


class NoPositions(Exception):
    """A bot cannot look ahead in a match. The text says why, and what to do."""


class BadQuestion(ValueError):
    """A recorded question cannot be read or asked. The text says why."""


class NoAnswer(Exception):
    """A bot gave no legal answer to a recorded question. The text says what it did instead."""
