"""The result of one check of the machine."""

from dataclasses import dataclass
from typing import Literal

CheckVerdict = Literal["good", "less", "broken"]
"""good: as it should be; less: arena works with restrictions; broken: arena does not work."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check. name: what was checked. sentence: the result. remedy: what to do; empty if good."""

    name: str
    verdict: CheckVerdict
    sentence: str
    remedy: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the result as JSON values."""
        return {"name": self.name, "verdict": self.verdict, "sentence": self.sentence, "remedy": self.remedy}
