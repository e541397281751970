"""One thing that was looked at, and how it is."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["good", "less", "broken"]
"""As it should be; arena works, but less well, or not with everything; arena does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found. name: what was looked at. sentence: how it is. mend: what to do; empty where it is good."""

    name: str
    verdict: Verdict
    sentence: str
    mend: str = ""

    def to_json(self) -> dict[str, str]:
        """Return it as JSON values."""
        return {"name": self.name, "verdict": self.verdict, "sentence": self.sentence, "mend": self.mend}
