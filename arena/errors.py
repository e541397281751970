"""The root of every exception that arena raises on purpose.

    ArenaError        the command line shows its message as a sentence and exits with code 2

Each package derives its own from it; the engine has a tree of its own (`referee.engine.errors`).
Messages say what happened, where, and what to do.
"""


class ArenaError(Exception):
    """Something was asked for that cannot be done; the message says what to do."""
