"""The environment variables that referees get of those of arena. docs/environment.md explains them."""

import os
from functools import cache
from importlib.metadata import entry_points

GROUP = "arena.environment"
"""Entry points by which a game's package adds variables that its game reads: name = variable, value = the module."""

PASSED_ON = (
    "ARENA_CODEC",
    "ARENA_RULES",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPATH",
    "PYTHONUTF8",
)
"""Those of every referee. Its bots get none of them: see `referee.sandbox.environment`."""


def referee_environment() -> dict[str, str]:
    """Return the variables that are set here and that referees get."""
    return {name: os.environ[name] for name in (*PASSED_ON, *added_by_games()) if name in os.environ}


@cache
def added_by_games() -> tuple[str, ...]:
    """Return the variables that installed packages of games add, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))
