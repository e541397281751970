"""What is settled before a run is played, beside the definition of its matches."""

import json
from dataclasses import asdict, dataclass
from typing import Self

from arena_tune.parameters import Parameter

SPSA, TPE, GRID = "spsa", "tpe", "grid"

SEARCHES = (SPSA, TPE, GRID)
"""The names of the searches (`arena_tune.searches`)."""


@dataclass(frozen=True, slots=True)
class TunePlan:
    """A run as it was begun."""

    bot: str
    """The bot as it was named."""
    name: str
    """What it is called in tables."""
    parameters: tuple[Parameter, ...]
    iterations: int
    search: str
    side_by_side: int
    """How many iterations are played at a time."""
    rate: float
    """Of SPSA: of parameters without their own."""
    manifest: str = ""
    """The path of its bot.toml; empty if it has none."""
    against: str = ""
    """Of another search: the bot that all candidates play; empty for the bot with its start values."""

    def to_text(self) -> str:
        """Return it as JSON that `from_text` reads."""
        values = asdict(self) | {"parameters": [each.to_json() for each in self.parameters]}
        return json.dumps(values, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the plan that `to_text` wrote. Raises ValueError, KeyError or TypeError for another text."""
        values = json.loads(text)
        return cls(**values | {"parameters": tuple(Parameter.from_json(each) for each in values["parameters"])})
