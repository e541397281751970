"""The root of every exception that arena raises on purpose.

    ArenaError        the command line shows its message as a sentence and exits with code 2
    ├── TooOften      ... and the API answers 429, with the seconds after which it is possible again
    ├── NotOwner      ... and the API answers 403
    ├── ResultsHidden ... likewise
    └── RatingError   ratings that cannot be computed, tests that cannot be made

Each package derives its own from it; the engine has a tree of its own (`referee.engine.errors`).
Messages say what happened, where, and what to do.
"""


class ArenaError(Exception):
    """Something was asked for that cannot be done; the message says what to do."""


class TooOften(ArenaError):
    """Something was asked for too often.

    retry_after: seconds until it is possible again; None if nobody knows.
    """

    def __init__(self, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NotOwner(ArenaError):
    """Something was to be changed, or used, that belongs to somebody else."""


class ResultsHidden(ArenaError):
    """Results were asked for that are hidden for now; the message says until when."""


class RatingError(ArenaError):
    """The requested ratings cannot be computed; the message says why."""
