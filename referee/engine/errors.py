"""Every exception that the engine raises on purpose.

    EngineError
    ├── UnknownGame       no game of that name is installed
    ├── BrokenGame        what a package registers as a game is none, or cannot be loaded
    ├── OptionError       an option is unknown, out of range, or contradicts another
    ├── SeatsError        the game is not played by that many seats
    ├── MoveError
    │   ├── MalformedMove   the text is no move of this game at all
    │   ├── AmbiguousMove   the text fits several legal moves
    │   └── IllegalMove     a move of the game, not legal here and now
    ├── ScriptError       a scripted deck, die or first dealer does not fit the rules
    ├── ScenarioError     a scenario file is wrong, or its plays do not fit the match
    └── RecordError       a stored record does not fit the rules it names

Each message says what happened, where, and what would be right.
"""


class EngineError(Exception):
    """Base of all errors of the engine."""


class UnknownGame(EngineError):
    """No game of that name is installed."""


class BrokenGame(EngineError):
    """What a package registers as a game is none, or cannot be loaded."""


class OptionError(EngineError):
    """An option is unknown, out of range, or contradicts another."""


class SeatsError(EngineError):
    """The game is not played by that many seats."""


class MoveError(EngineError):
    """A text that is no legal move."""


class MalformedMove(MoveError):
    """The text is no move of this game at all."""


class AmbiguousMove(MoveError):
    """The text fits several legal moves."""


class IllegalMove(MoveError):
    """A move of the game, not legal here and now."""


class ScriptError(EngineError):
    """A scripted deck, die or first dealer does not fit the rules."""


class ScenarioError(EngineError):
    """A scenario file is wrong, or its plays do not fit the match."""


class RecordError(EngineError):
    """A stored record does not fit the rules it names."""
