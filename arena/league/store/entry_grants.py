"""What organisers of leagues grant entries: one value of an entry, and the decisions in the log that made it."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from arena.values.canonical_json import canonical_json
from arena.values.rows import DecisionRow

GRANT, REVOKE = "grant", "revoke"
"""The kinds of these decisions in the log. Their details have the number of the entry and all that it has since."""


@dataclass(frozen=True, slots=True)
class EntryGrants:
    """What an entry has beyond others; nothing by default."""

    words: tuple[str, ...] = ()
    """The grants in words, as `referee.sandbox.grants` reads them."""
    secrets: tuple[str, ...] = ()
    """The names of the environment variables that it gets from the process that runs the league; their values are
    stored nowhere.
    """
    later: bool = False
    """Whether later versions of the bot get the same."""

    def __bool__(self) -> bool:
        return bool(self.words or self.secrets)

    def to_json(self) -> dict[str, Any]:
        """Return the grants as JSON values that `from_json` reads."""
        return {"words": list(self.words), "secrets": list(self.secrets), "later": self.later}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the grants that `to_json` wrote."""
        return cls(tuple(values["words"]), tuple(values["secrets"]), values["later"])

    @property
    def text(self) -> str | None:
        """The value as it is stored; None for nothing."""
        return canonical_json(self.to_json()) if self else None

    @classmethod
    def of_text(cls, text: str | None) -> Self:
        """Return a value as it was stored."""
        return cls() if text is None else cls.from_json(json.loads(text))


NOTHING = EntryGrants()


def grants_in_log(log: Iterable[DecisionRow]) -> dict[int, list[EntryGrants]]:
    """Return what entries were granted one after another, by number, as a log tells it; the last is in force."""
    granted = defaultdict[int, list[EntryGrants]](list)
    for row in log:
        if row.kind in (GRANT, REVOKE):
            granted[row.details["entry"]].append(EntryGrants.from_json(row.details))
    return granted
