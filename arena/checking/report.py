"""What a check found."""

from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["passed", "warned", "failed", "skipped"]

TAIL = 20
"""Lines of the bot's own output that are shown where a step failed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a check: its number from 1, what was tried, how it went, and what happened in words."""

    number: int
    title: str
    verdict: Verdict
    sentence: str


class StepFailed(Exception):
    """What the bot did wrong, in words; the steps that build on it are skipped."""


@dataclass(slots=True)
class Report:
    """Steps in their order.

    bot: as it is called. games: the ids of those it was asked to play. claims: of the installed ones its hello names.
    steps: what was tried. output: the end of what the bot printed, cleaned, bounded.
    memory_bytes: the most memory its process held in the first conversation; None where it could not be read.
    """

    bot: str
    games: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list)
    output: str = ""
    memory_bytes: int | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not any(step.verdict == "failed" for step in self.steps)

    @property
    def why(self) -> str:
        """The first thing that failed, as a sentence; empty where nothing did."""
        return next((f"{step.title}: {step.sentence}" for step in self.steps if step.verdict == "failed"), "")

    def add(self, title: str, verdict: Verdict, sentence: str) -> None:
        """Add a step."""
        self.steps.append(Step(len(self.steps) + 1, title, verdict, sentence))

    def tail(self) -> list[str]:
        """Return the last lines of what the bot printed."""
        return self.output.splitlines()[-TAIL:]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "bot": self.bot,
            "games": list(self.games),
            "passed": self.passed,
            "why": self.why,
            "steps": [
                {"number": step.number, "title": step.title, "verdict": step.verdict, "sentence": step.sentence}
                for step in self.steps
            ],
            "memory_bytes": self.memory_bytes,
            "output": self.tail() if not self.passed else [],
        }
