"""Operations on bots."""

from msgspec import Struct

from arena.league.control import take_down
from arena.store import NoSuchRow, Store
from arena.store.account_tokens import MANAGE
from arena.store.submissions import SubmissionRow
from arena.texts import printable
from arena.web.api.operations import Call, Operation, Reason


class VersionValue(Struct, frozen=True):
    """A version of a submitted bot. sha256: of its files. retired: when; None while it may enter tournaments."""

    version: int
    sha256: str
    games: list[str]
    bytes: int
    created: str
    retired: str | None


class BotValue(Struct, frozen=True):
    """A submitted bot. versions: the oldest first."""

    bot: str
    versions: list[VersionValue]


class TakenDown(Struct, frozen=True):
    """A bot that was taken down. entries: of leagues, that were active."""

    bot: str
    entries: int


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
