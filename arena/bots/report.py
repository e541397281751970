"""The report of a check."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from arena.record.printed import folded, whole_tail

if TYPE_CHECKING:
    from arena.bots.findings import Finding

StepVerdict = Literal["passed", "warned", "failed", "skipped"]

TAIL = 20
"""Lines of the bot's output that are shown after a failure."""


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One step of a check."""

    number: int
    """The number of the step, from 1."""
    title: str
    """What was checked."""
    verdict: StepVerdict
    sentence: str
    """The result in words."""


class StepFailed(Exception):
    """A step failed; the text says what the bot did wrong. Steps that depend on it are skipped.

    is_slow: it failed by a time limit.
    """

    def __init__(self, sentence: str, *, is_slow: bool = False) -> None:
        super().__init__(sentence)
        self.is_slow = is_slow


@dataclass(slots=True)
class Report:
    """The report of a check."""

    bot: str
    """The name of the bot."""
    games: tuple[str, ...] = ()
    """The ids of the games that it was asked to play."""
    claims: tuple[str, ...] = ()
    """The ids of the installed games that its hello names."""
    steps: list[CheckStep] = field(default_factory=list)
    """The steps in their order."""
    output: str = ""
    """The end of what the bot printed, with control characters removed."""
    memory_bytes: int | None = None
    """The peak memory of its process in the first steps, in bytes; None if it could not be read."""
    charged_us: dict[str, int] = field(default_factory=dict)
    """How long it took to answer in a match at usual tables, in µs, by game; games that it failed are missing."""
    is_slow: bool = False
    """Whether a time limit made a step fail, so that a busy machine may be the reason."""
    found: "list[Finding]" = field(default_factory=list)
    """The questions at which something was found."""
    on_step: Callable[[CheckStep], None] | None = None
    """Called with each step as it is added; None if nobody waits for them."""

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return not any(step.verdict == "failed" for step in self.steps)

    @property
    def why(self) -> str:
        """The first failure, as a sentence; empty if nothing failed."""
        return next((f"{step.title}: {step.sentence}" for step in self.steps if step.verdict == "failed"), "")

    def add(self, title: str, verdict: StepVerdict, sentence: str) -> None:
        """Add a step."""
        self.steps.append(CheckStep(len(self.steps) + 1, title, verdict, sentence))
        if self.on_step is not None:
            self.on_step(self.steps[-1])

    def tail(self) -> list[str]:
        """Return the last lines of the bot's output, with whole tracebacks, each once."""
        return whole_tail(folded(self.output.splitlines()), TAIL)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
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
            "charged_us_per_match": self.charged_us,
            "output": self.tail() if not self.passed else [],
            "found": [{"step": finding.step, "sentence": finding.sentence} for finding in self.found],
        }
