"""How bots are run on this machine. No result depends on it: it belongs to a run, not to a tournament's definition."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.values.tournament_errors import HostingError
from referee.paths import is_utf8
from referee.sandbox import Confinement, SandboxError, choose, gap
from referee.sandbox.grants import missing_device, read_grants
from referee.sandbox.user import new_user

if TYPE_CHECKING:
    from arena.values.definition import Entrant


@dataclass(frozen=True, slots=True)
class Hosting:
    """How bots are run."""

    sandbox: str = "auto"
    """How bots are confined, as `referee.sandbox.choose` takes it."""
    affinity: bool = False
    """Whether each process is pinned to one core."""
    trusted: bool = False
    """Whether matches are rated although bots could reach each other."""
    secrets: tuple[tuple[str, str, str], ...] = field(default=(), repr=False)
    """The secrets of bots: the name of the bot, the name of the environment variable and its value. They are kept
    nowhere else.
    """
    grants: bool = True
    """Whether entries of leagues get what they are granted; not on a cluster."""

    def check_mode(self) -> str:
        """Return how bots will be confined on this machine. Raises HostingError if that does not work."""
        return self.confinement().mode

    def gap(self) -> str:
        """Return how bots could reach each other on this machine; empty if they cannot. Raises HostingError."""
        return self.confinement().gap

    def check_rated_mode(self, field: Iterable["Entrant"]) -> str:
        """Return how the bots of a field will be confined on this machine, for rated matches.

        Raises HostingError if that does not work, or an untrusted bot could reach the files or processes of others.
        """
        confinement = self.confinement()
        self.check_confined(field, confinement)
        return confinement.mode

    def check_confined(self, field: Iterable["Entrant"], confinement: Confinement) -> None:
        """Raise HostingError as `check_rated_mode`, with the confinement that it would look for, which takes 10 ms."""
        field = tuple(field)
        self.check_grants(field)
        for bot in field:
            grants = read_grants(bot.grants)
            if bot.command and not self.trusted and (reason := gap(bot.command, bot.folder, confinement, grants)):
                raise HostingError(
                    f"{bot.name} is not kept from other bots, and matches are not rated then: {reason}; play where "
                    "bubblewrap works (`arena doctor` says how), or trust all bots of the field (--trust-bots)"
                )

    def check_grants(self, field: Iterable["Entrant"]) -> None:
        """Raise HostingError where a device or a secret cannot be granted, FieldError where a secret has no bot."""
        from arena.plan.grants import find_name  # few commands need it, and all of them import this module

        field = tuple(field)
        for name, variable, value in self.secrets:
            find_name(name, field)
            if not is_utf8(value):
                raise HostingError(f"the variable {variable}, a secret of {name}, is not UTF-8: set it to what is")
        for bot in field:
            if reason := missing_device(read_grants(bot.grants), needs_all=new_user() is not None):
                raise HostingError(f"{bot.name}: {reason}")

    def secrets_of(self, bot: "Entrant", field: Iterable["Entrant"]) -> dict[str, str]:
        """Return the environment variables that a bot of a field gets beside those of all bots."""
        if not self.secrets:
            return {}
        from arena.plan.grants import find_name

        return {variable: value for name, variable, value in self.secrets if find_name(name, field) == bot.name}

    def confinement(self) -> Confinement:
        """Find out how bots will be confined on this machine. Raises HostingError if that does not work."""
        try:
            return choose(self.sandbox)
        except SandboxError as error:
            raise HostingError(f"{error} (`arena doctor` says how to fix it)") from None


USUAL = Hosting()
"""Confined as well as this machine can, on whatever core is free."""
