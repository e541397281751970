"""Errors of the library: the sentences of the command line, with the names that options have in Python."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from arena.values.errors import ArenaError
from referee.engine.errors import EngineError

_OPTION = re.compile(
    r"--(bots|challengers|db|fischer|jobs|mode|move-time|ready|rotations|rounds|schedule|seats|seed|sprt|stages|start|trust-bots|"
    r"until-separated)\b"
)
"""The options of commands that are parameters here."""


class GameError(ArenaError):
    """There is no such game, or it has no such option or table."""


@contextmanager
def library_errors() -> Iterator[None]:
    """Turn every error raised on purpose within the block into an ArenaError, worded for callers of the library."""
    try:
        yield
    except EngineError as error:
        raise GameError(_reworded(str(error))) from None
    except ArenaError as error:
        if error.args and isinstance(error.args[0], str):
            error.args = (_reworded(error.args[0]), *error.args[1:])
        raise


def _reworded(sentence: str) -> str:
    return _OPTION.sub(lambda match: f"`{match[1].replace('-', '_')}`", sentence)
