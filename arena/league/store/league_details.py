"""What the details of decisions on leagues say, by the kinds of the decisions."""

from collections.abc import Mapping
from typing import Any

from arena.league.store.entry_grants import GRANT, REVOKE
from arena.league.store.league_dates import DATES, EXTEND

_SEASON: dict[str, type] = {"season": int}
_ENTRY: dict[str, type] = {"entry": int}
_GRANTS: dict[str, type] = {"entry": int, "words": list, "secrets": list, "later": bool}

_DETAILS: dict[str, dict[str, type]] = {
    "create": _SEASON,
    "enter": _ENTRY,
    "place": _ENTRY,
    "readmit": _ENTRY,
    "retire": _ENTRY,
    "suspend": _ENTRY,
    GRANT: _GRANTS,
    REVOKE: _GRANTS,
    DATES: {"season": int, "opens": str, "deadline": str, "ends": str, "zone": str},
    EXTEND: {"season": int, "owner": str, "until": str},
    "announce": {"announcement": int, "text": str},
    "retract": {"announcement": int},
    "challenge": {"batch": int, "entry": int, "against": list},
    "season": _SEASON,
    "freeze": {"season": int, "top": int, "deals": int, "close": bool},
    "final": _SEASON,
    "divide": {
        "season": int,
        "span": int,
        "batch": int,
        "snapshot": int,
        "sizes": list,
        "members": list,
        "up": list,
        "down": list,
    },
    "end-season": {"season": int, "table": str, "left": list, "omitted": list},
}
"""What is read of them."""

_TEXTS = ("words", "secrets")
"""The lists of texts among them; all others are of numbers."""


def missing_detail(kind: str, details: Mapping[str, Any]) -> str | None:
    """Return the name of a detail that a decision of a kind does not say, or not as it should; None if it says all."""
    for name, wanted in _DETAILS.get(kind, {}).items():
        value = details.get(name)
        item = str if name in _TEXTS else int
        items = value if isinstance(value, list) else ()
        if type(value) is not wanted or any(type(element) is not item for element in items):
            return name
    return None
