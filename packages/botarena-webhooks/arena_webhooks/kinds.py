"""The kinds of events that webhooks deliver: what each is called, and what is sent.

Where one happens a room of arena writes it into the outbox, with the values of its `data` here; only
`entry.overtaken` is found by this package (`overtaking`).
"""

from typing import Literal, get_args

from msgspec import Struct

Kind = Literal[
    "hand_in.checked",
    "hand_in.rejudged",
    "hand_in.recheck_failed",
    "entry.placed",
    "entry.overtaken",
    "entry.promoted",
    "entry.relegated",
    "entry.suspended",
    "season.over",
    "league.dates",
    "deadline.extended",
    "league.announcement",
]

KINDS: tuple[Kind, ...] = get_args(Kind)

WORDS: dict[str, str] = {
    "hand_in.checked": "a hand-in is checked",
    "hand_in.rejudged": "a hand-in is checked again",
    "hand_in.recheck_failed": "a version that you had checked again has failed",
    "entry.placed": "an entry has its place in a league",
    "entry.overtaken": "others have passed an entry",
    "entry.promoted": "an entry is promoted to a higher division",
    "entry.relegated": "an entry is relegated to a lower division",
    "entry.suspended": "an entry is suspended",
    "season.over": "a season is over",
    "league.dates": "the dates of a league are set",
    "deadline.extended": "your deadline is extended",
    "league.announcement": "something is announced in a league",
}
"""What happens, as people read it."""

ENTRY_OVERTAKEN: Kind = "entry.overtaken"

TEST = "webhook.test"
"""The kind of a delivery that was asked for."""


class HandInEnd(Struct, frozen=True):
    """The end of the check of a hand-in."""

    hand_in: int
    bot: str
    state: str
    """One of "accepted", "refused" and "failed" (no fault of the bot)."""
    version: int | None
    """The version of the bot; None unless it is accepted."""
    sentence: str
    """The result in words, which follow the name of the bot."""
    again: Literal["", "passed", "failed"] = ""
    """The result of the check of a version that was accepted before; it plays on in either case."""


class HandInRejudgement(Struct, frozen=True):
    """The decision of an organiser to check a hand-in again."""

    hand_in: int
    bot: str
    reason: str
    """Why, in the words of the organiser."""


class EntryChange(Struct, frozen=True):
    """A change of an entry."""

    league: str
    entry: int
    """The number of the entry in the league."""
    name: str
    """The name of the entry, such as `club/owl@3`."""
    reason: str
    """The reason for the change."""


class EntryName(Struct, frozen=True):
    """An entry, by number and name."""

    entry: int
    """The number of the entry in the league."""
    name: str
    """The name of the entry, such as `club/owl@3`."""


class Overtaking(Struct, frozen=True):
    """An entry that others have passed."""

    league: str
    entry: int
    name: str
    by: list[EntryName]
    """The entries that have passed it, whose 95 % intervals now lie above its own."""


class DivisionChange(Struct, frozen=True):
    """A change of the division of an entry."""

    league: str
    entry: int
    name: str
    division: int
    """The number of its new division, from 1."""


class SeasonEnd(Struct, frozen=True):
    """The end of a season."""

    league: str
    season: int
    entries: list[EntryName]
    """Your entries that were active at the end."""


class SeasonDates(Struct, frozen=True):
    """The dates of a season, in UTC; those that are not set are empty."""

    league: str
    season: int
    opens: str
    """Before it nothing is played."""
    deadline: str
    """Until when hand-ins count for the season."""
    ends: str
    """When the season ends."""
    zone: str
    """The time zone in which the organiser gave them."""
    hides: str = ""
    """From when on visitors see no new results, until the season ends."""


class DeadlineExtension(Struct, frozen=True):
    """Your deadline in a season."""

    league: str
    season: int
    until: str
    """Until when your hand-ins count, in UTC; empty: the deadline is that of all others again."""


class LeagueAnnouncement(Struct, frozen=True):
    """What is announced in a league of yours."""

    league: str
    announcement: int
    """The number of the announcement in the league."""
    text: str
    new: bool
    """Whether it is new, and no other text of an announcement."""


class TestData(Struct, frozen=True):
    """What a test delivery says."""

    webhook: int
    """The number of the webhook."""


class HandInCheckedEvent(Struct, frozen=True):
    """Sent when a hand-in is checked."""

    type: Literal["hand_in.checked"]
    timestamp: str
    data: HandInEnd


class HandInRejudgedEvent(Struct, frozen=True):
    """Sent when an organiser has a hand-in checked again."""

    type: Literal["hand_in.rejudged"]
    timestamp: str
    data: HandInRejudgement


class RecheckFailedEvent(Struct, frozen=True):
    """Sent to the organiser who has had an accepted version checked again, if it did not pass; it plays on."""

    type: Literal["hand_in.recheck_failed"]
    timestamp: str
    data: HandInEnd


class EntryPlacedEvent(Struct, frozen=True):
    """Sent when the placement of an entry is over."""

    type: Literal["entry.placed"]
    timestamp: str
    data: EntryChange


class EntryOvertakenEvent(Struct, frozen=True):
    """Sent when others have passed an entry on the board."""

    type: Literal["entry.overtaken"]
    timestamp: str
    data: Overtaking


class EntryPromotedEvent(Struct, frozen=True):
    """Sent when an entry is promoted to a higher division of a league."""

    type: Literal["entry.promoted"]
    timestamp: str
    data: DivisionChange


class EntryRelegatedEvent(Struct, frozen=True):
    """Sent when an entry is relegated to a lower division of a league."""

    type: Literal["entry.relegated"]
    timestamp: str
    data: DivisionChange


class EntrySuspendedEvent(Struct, frozen=True):
    """Sent when an entry is suspended."""

    type: Literal["entry.suspended"]
    timestamp: str
    data: EntryChange


class SeasonOverEvent(Struct, frozen=True):
    """Sent when a season is over, or the whole league."""

    type: Literal["season.over"]
    timestamp: str
    data: SeasonEnd


class LeagueDatesEvent(Struct, frozen=True):
    """Sent to owners with entries when the dates of a season are set."""

    type: Literal["league.dates"]
    timestamp: str
    data: SeasonDates


class DeadlineExtendedEvent(Struct, frozen=True):
    """Sent when the deadline of an owner is extended, or no more."""

    type: Literal["deadline.extended"]
    timestamp: str
    data: DeadlineExtension


class LeagueAnnouncementEvent(Struct, frozen=True):
    """Sent to owners with entries when something is announced in a league."""

    type: Literal["league.announcement"]
    timestamp: str
    data: LeagueAnnouncement


class TestEvent(Struct, frozen=True):
    """Sent on request."""

    type: Literal["webhook.test"]
    timestamp: str
    data: TestData


EVENTS: dict[str, type[Struct]] = {
    "hand_in.checked": HandInCheckedEvent,
    "hand_in.rejudged": HandInRejudgedEvent,
    "hand_in.recheck_failed": RecheckFailedEvent,
    "entry.placed": EntryPlacedEvent,
    ENTRY_OVERTAKEN: EntryOvertakenEvent,
    "entry.promoted": EntryPromotedEvent,
    "entry.relegated": EntryRelegatedEvent,
    "entry.suspended": EntrySuspendedEvent,
    "season.over": SeasonOverEvent,
    "league.dates": LeagueDatesEvent,
    "deadline.extended": DeadlineExtendedEvent,
    "league.announcement": LeagueAnnouncementEvent,
    TEST: TestEvent,
}
"""What is sent, by the kind of the event."""
