"""The names that readers see instead of those of closed accounts and their bots."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

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
        known = next((each for each, shown in self.shown.items() if shown == base), base)
        return known + name.removeprefix(base)

    def text(self, sentence: str) -> str:
        """Return a sentence with the pseudonyms of the bots in it.

        A bot that bears the name of its account is one only with its version: its name may be any word.
        """
        return sentence if self._bots is None else self._bots.sub(lambda match: self.shown[match[0]], sentence)

    @cached_property
    def _bots(self) -> re.Pattern[str] | None:
        bots = [re.escape(name) + ("" if "/" in name else r"(?=@\d)") for name in self.shown]
        return re.compile(rf"(?<![\w/.-])(?:{'|'.join(bots)})(?![\w/-])") if bots else None


def is_pseudonym(bot: str) -> bool:
    """Return whether a bot is shown by a pseudonym.

    No name of a submission begins with a digit after its slash, and no account gets a name like closed-7.
    """
    return re.fullmatch(r"closed-\d+(/\d+)?([@#].*)?", bot) is not None
