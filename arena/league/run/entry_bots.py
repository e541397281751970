"""The bots of entries, unpacked on this machine."""

from msgspec.structs import replace

from arena.league.store.league_rows import EntryRow
from arena.packs.errors import ManifestError
from arena.packs.roster import Roster
from arena.plan.field import entrant_from_submission
from arena.run.hosting import Hosting
from arena.store import Store
from arena.values.definition import Entrant
from arena.values.errors import ArenaError
from arena.values.tournament_errors import FieldError, HostingError


class CannotStart(ArenaError):
    """This machine cannot start the bot of an entry."""

    def __init__(self, entry: EntryRow, error: ArenaError) -> None:
        super().__init__(f"{entry.name} cannot be started: {error}")
        self.entry = entry


class MachineUnfit(ArenaError):
    """This machine can start no bot now."""


class EntryBots:
    """Finds the bot of an entry, once."""

    def __init__(self, store: Store, where: str, hosting: Hosting | None) -> None:
        """Begin with no bot found.

        where: of the database, to find files.
        hosting: how bots are run; None: none is started.
        """
        self._store = store
        self._where = where
        self._hosting = hosting
        self._found: dict[int, Entrant] = {}

    def find(self, entry: EntryRow) -> Entrant:
        """Return the bot of an entry, unpacked, with what it is granted now.

        Raises CannotStart if this machine cannot start it, PackError if it cannot unpack it, MachineUnfit if it can
        start none at all.
        """
        if entry.number not in self._found:
            row = self._store.submissions.version(*entry.submission)
            if not row.files:
                raise CannotStart(entry, FieldError("its files were wiped as the account of its owner was closed"))
            try:
                bot = replace(entrant_from_submission(row, Roster(self._where)), name=entry.name)
                self._check_confined(bot)
            except (FieldError, HostingError, ManifestError) as error:
                raise CannotStart(entry, error) from None
            self._found[entry.number] = bot
        return replace(self._found[entry.number], grants=entry.grants.words)

    def _check_confined(self, bot: Entrant) -> None:
        """Raise HostingError where a bot could reach others, MachineUnfit where none can be confined now."""
        if self._hosting is None:
            return
        try:
            confinement = self._hosting.confinement()
        except HostingError as error:
            raise MachineUnfit(str(error)) from None
        self._hosting.check_confined([bot], confinement)
