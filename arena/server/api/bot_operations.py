"""Operations on bots."""

from typing import Annotated

from msgspec import Meta, Struct

from arena.league.control import take_down
from arena.server.api.operations import Call, Reason, operation
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
    practice_only: bool
    """Whether it enters neither leagues nor tournaments; its owner and organisers alone see such versions."""


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


BotName = Annotated[
    str, Meta(min_length=1, description="The name of a bot; the slash after its owner as %2F, or as it is.")
]

NO_BOT = "there is no submitted bot {bot}"


class BotOperations:
    """The handlers."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @operation("takeDownBot", "POST", "/bots/{bot:path}/take-down", NO_BOT, scopes=(MANAGE,))
    def take_down(self, call: Call, bot: BotName, body: Reason) -> TakenDown:
        """Bar all versions of a bot from tournaments and leagues; its results stay."""
        entries = take_down(self._store, bot, call.account.name, printable(body.reason, "") or "taken down")
        return TakenDown(bot, entries)

    @operation("getBot", "GET", "/bots/{bot:path}", NO_BOT)
    def bot(self, call: Call, bot: BotName) -> BotValue:
        """Show a submitted bot."""
        rows = self._store.submissions.shown_versions(bot, practice=call.access.sees_versions(bot) or call.manages)
        if not rows:
            raise NoSuchRow("no such bot")
        return BotValue(bot, [_version(row) for row in rows])


def _version(row: SubmissionRow) -> VersionValue:
    games = row.manifest.get("games", [])
    return VersionValue(
        row.version, row.content, list(map(str, games)), row.bytes, row.created, row.retired, row.practice_only
    )
