"""Finds the module in C, where it was built."""

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from referee.extensions import is_enabled

_ROOT = Path(__file__).parents[2]

native: Final[Any] = import_module("arena.envs.native") if is_enabled("arena.envs.native", str(_ROOT)) else None
"""The module; None where Python does it all. The environment variable ARENA_CODEC=pure turns it off."""
