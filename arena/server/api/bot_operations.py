"""Operations on bots."""

from msgspec import Struct

from arena.league.control import take_down
from arena.server.api.operations import Call, Operation, Reason
from arena.store import NoSuchRow, Store
from arena.store.people.account_tokens import MANAGE
from arena.store.people.submissions import SubmissionRow
from arena.values.texts import printable


class VersionValue(Struct, frozen=True):
    """A version of a submitted bot."""

    version: int
    sha256: str
    """The SHA-256 of its files, in hex."""
    games: list[str]
    bytes: int
    created: str
    retired: str | None
    """When it was retired; None while it may enter tournaments."""


class BotValue(Struct, frozen=True):
    """A submitted bot with its versions."""

    bot: str
    versions: list[VersionValue]
    """Its versions, the oldest first."""


class TakenDown(Struct, frozen=True):
    """A bot that was taken down."""

    bot: str
    entries: int
    """How many of its entries in leagues were active until then."""


NO_BOT = "there is no submitted bot {bot}"


class BotOperations:
    """The handlers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def operations(self) -> list[Operation]:
        """Return the declarations."""
        return [
            Operation(
                "takeDownBot",
                "POST",
                "/bots/{bot:path}/take-down",
                "Bar all versions of a bot from tournaments and leagues; its results stay.",
                self.take_down,
                TakenDown,
                NO_BOT,
                scopes=(MANAGE,),
                body=Reason,
            ),
            Operation("getBot", "GET", "/bots/{bot:path}", "Show a submitted bot.", self.bot, BotValue, NO_BOT),
        ]

    def bot(self, call: Call) -> BotValue:
        """Return a bot with its versions."""
        name = call.path["bot"]
        rows = self._store.submissions.shown_versions(name)
        if not rows:
            raise NoSuchRow("no such bot")
        return BotValue(name, [_version(row) for row in rows])

    def take_down(self, call: Call) -> TakenDown:
        """Take a bot down."""
        entries = take_down(
            self._store, call.path["bot"], call.account.name, printable(call.body.reason, "") or "taken down"
        )
        return TakenDown(call.path["bot"], entries)


def _version(row: SubmissionRow) -> VersionValue:
    games = row.manifest.get("games", [])
    return VersionValue(row.version, row.content, list(map(str, games)), row.bytes, row.created, row.retired)
