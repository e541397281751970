"""What packages know of a match, for the player of its replay."""

from collections.abc import Mapping
from typing import Any

from arena.hooks.plugins import plugins
from arena.store import Store
from arena.values.rows import StoredMatch

Known = Mapping[int | None, Mapping[str, Any]]
"""What packages know of a match, by perspective, as `known_values` returns it."""


def known_values(store: Store, match: StoredMatch, seat: int | None) -> dict[str, Any]:
    """Return what all packages know of a match as one seat knew it, as JSON values by name; nothing without them.

    seat: None: the whole match.
    """
    values: dict[str, Any] = {}
    for known in plugins().hook.arena_replay_values(store=store, match=match, seat=seat):
        values |= known
    return values
