"""The result of one check of the machine."""

from dataclasses import dataclass
from typing import Literal

CheckVerdict = Literal["good", "less", "broken"]
"""good: as it should be; less: arena works with restrictions; broken: arena does not work."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check of this machine found."""

    name: str
    """What was checked."""
    verdict: CheckVerdict
    sentence: str
    """The result as a sentence."""
    remedy: str = ""
    """What to do about it; empty if the verdict is good."""

    def to_json(self) -> dict[str, str]:
        """Return the result as JSON values."""
        return {"name": self.name, "verdict": self.verdict, "sentence": self.sentence, "remedy": self.remedy}
