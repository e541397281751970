"""How bots are run on this machine. No result depends on it: it belongs to a run, not to a tournament's definition."""

from dataclasses import dataclass

from arena.tournament.errors import HostingError
from referee.sandbox import SandboxError, choose


@dataclass(frozen=True, slots=True)
class Hosting:
    """How bots are run.

    sandbox: how they are confined, as `referee.sandbox.choose` takes it. affinity: each process is pinned to one core.
    """

    sandbox: str = "auto"
    affinity: bool = False

    def settled(self) -> str:
        """Return how they will be confined here. Raises HostingError where that does not work."""
        try:
            return choose(self.sandbox).mode
        except SandboxError as error:
            raise HostingError(f"{error} (`arena doctor` says how to mend it)") from None


USUAL = Hosting()
"""Confined as well as this machine can, on whatever core is free."""
