"""The names that readers see instead of those of closed accounts and their bots."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from arena.values.canonical_json import canonical_json
from arena.values.rows import DecisionRow
from arena.values.versioned_names import base_name


@dataclass(frozen=True)
class ClosedNames:
    """The names of closed accounts and their bots, which are not shown."""

    shown: Mapping[str, str] = field(default_factory=dict)
    """The pseudonyms, such as closed-7 for an account and closed-7/2 for a bot, by name without version."""

    def owner(self, name: str) -> str:
        """Return how the owner of bots, or whoever decided something, is shown."""
        return self.shown.get(name, name)

    def bot(self, name: str) -> str:
        """Return how a bot is shown: its version and the number of its copy stay."""
        base = base_name(name)
        return self.shown[base] + name.removeprefix(base) if base in self.shown else name

    def hides(self, name: str) -> bool:
        """Return whether an account, or a bot with or without its version, is shown by a pseudonym."""
        return base_name(name) in self.shown

    def stored(self, name: str) -> str:
        """Return the name that is stored of what is shown by a name."""
        base = base_name(name)
        known = next((hidden for hidden, shown in self.shown.items() if shown == base), base)
        return known + name.removeprefix(base)

    def text(self, sentence: str) -> str:
        """Return a sentence with the pseudonyms of the bots in it.

        A bot that bears the name of its account is one only with its version: its name may be any word.
        """
        return sentence if self._bots is None else self._bots.sub(lambda match: self.shown[match[0]], sentence)

    def entrant(self, bot: Mapping[str, Any]) -> dict[str, Any]:
        """Return a bot of the field, as JSON values, with the names that readers see."""
        shown = {"name": self.bot, "submission": self.bot, "remote": self.bot, "author": self.owner}
        return {**bot, **{key: show(bot[key]) for key, show in shown.items() if isinstance(bot.get(key), str)}}

    def decision(self, row: DecisionRow) -> DecisionRow:
        """Return an entry of a log with the names that readers see; its digest is that of the entry as written."""
        bot = row.details.get("bot")
        if isinstance(bot, dict):  # the newcomer of a tournament
            bot = self.entrant(bot)
        elif bot is not None:
            bot = self.bot(bot)
        details = row.details if bot is None else row.details | {"bot": bot}
        if isinstance(details.get("owner"), str):
            details = details | {"owner": self.owner(details["owner"])}
        return replace(row, who=self.owner(row.who), reason=self.text(row.reason), details=details)

    def definition(self, text: str) -> str:
        """Return a definition, as canonical JSON, with the names that readers see.

        One that is damaged stays as it is: whoever reads it, says so.
        """
        if not any(name in text for name in self.shown):
            return text
        with suppress(AttributeError, KeyError, TypeError, ValueError, RecursionError):
            values = json.loads(text)
            return canonical_json({**values, "field": [self.entrant(bot) for bot in values["field"]]})
        return text

    def snapshot(self, text: str) -> str:
        """Return the ratings from which batches are drawn, as JSON, with the owners that readers see.

        Those that are damaged stay as they are: whoever reads them, says so.
        """
        if not any(name in text for name in self.shown):
            return text
        with suppress(TypeError, ValueError, RecursionError):
            number, entries = json.loads(text)
            shown = [[entry, self.owner(owner), *rest] for entry, owner, *rest in entries]
            return json.dumps([number, shown], separators=(",", ":"))
        return text

    @cached_property
    def _bots(self) -> re.Pattern[str] | None:
        bots = [re.escape(name) + ("" if "/" in name else r"(?=@\d)") for name in self.shown]
        return re.compile(rf"(?<![\w/.-])(?:{'|'.join(bots)})(?![\w/-])") if bots else None


def is_pseudonym(bot: str) -> bool:
    """Return whether a bot is shown by a pseudonym.

    No name of a submission begins with a digit after its slash, and no account gets a name like closed-7.
    """
    return re.fullmatch(r"closed-\d+(/\d+)?([@#].*)?", bot) is not None
