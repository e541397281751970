"""How bots are run on this machine. No result depends on it: it belongs to a run, not to a tournament's definition."""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.tournament.errors import HostingError
from arena.tournament.plan.definition import Entrant
from referee.sandbox import Confinement, SandboxError, choose, gap


@dataclass(frozen=True, slots=True)
class Hosting:
    """How bots are run.

    sandbox: how they are confined, as `referee.sandbox.choose` takes it. affinity: each process is pinned to one core.
    trusted: matches are rated although bots could reach each other.
    """

    sandbox: str = "auto"
    affinity: bool = False
    trusted: bool = False

    def check_mode(self) -> str:
        """Return how bots will be confined on this machine. Raises HostingError if that does not work."""
        return self._confinement().mode

    def gap(self) -> str:
        """Return how bots could reach each other on this machine; empty if they cannot. Raises HostingError."""
        return self._confinement().gap

    def check_rated_mode(self, field: Iterable[Entrant]) -> str:
        """Return how the bots of a field will be confined on this machine, for rated matches.

        Raises HostingError if that does not work, or an untrusted bot could reach the files or processes of others.
        """
        confinement = self._confinement()
        for bot in field:
            if bot.command and not self.trusted and (reason := gap(bot.command, bot.folder, confinement)):
                raise HostingError(
                    f"{bot.name} is not kept from other bots, and matches are not rated then: {reason}; play where "
                    "bubblewrap works (`arena doctor` says how), or trust all bots of the field (--trust-bots)"
                )
        return confinement.mode

    def _confinement(self) -> Confinement:
        try:
            return choose(self.sandbox)
        except SandboxError as error:
            raise HostingError(f"{error} (`arena doctor` says how to fix it)") from None


USUAL = Hosting()
"""Confined as well as this machine can, on whatever core is free."""
