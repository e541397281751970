"""Hand-ins, as the API shows them."""

from collections.abc import Sequence

from msgspec import Struct

from arena.bots.hand_in_places import HandInPlaces
from arena.bots.hand_in_rows import ACCEPTED, CHECKING, HandInRow, QueuePlace
from arena.league.results.hand_in_notices import league_notices
from arena.league.store.leagues import Leagues
from arena.server.hand_ins.entries import HandInEntries, hand_in_entries
from arena.store import Store
from arena.values.versioned_names import owner


class StepValue(Struct, frozen=True):
    """A finished step of a check."""

    title: str
    verdict: str
    """The verdict: passed, warned, failed or skipped."""
    sentence: str


class HandInEntry(Struct, frozen=True):
    """An entry of a bot that was handed in."""

    league: str
    entry: int
    """The number of the entry in the league."""
    state: str
    """The state of the entry: placing, standing, retired or suspended."""


class HandInValue(Struct, frozen=True):
    """A hand-in: a bot that was sent, and what became of it."""

    hand_in: int
    owner: str
    bot: str
    file: str
    state: str
    """The state: received, building or checking; once it is finished, accepted, refused, failed or cancelled."""
    is_finished: bool
    place: int | None
    """Its place in the queue, from 1; 0 while it is checked, None once it is finished."""
    seconds: int | None
    """How many seconds are left until it is finished, as far as earlier hand-ins tell; None where they do not, and once
    it is finished.
    """
    steps: list[StepValue]
    sentence: str
    """The result in words that follow the name of the bot."""
    version: int | None
    """The version that the bot has become; None unless it was accepted. An unfinished hand-in with a version was
    accepted, and is checked again.
    """
    created: str
    ended: str | None
    notices: list[str] = []
    """While it is unfinished, sentences about leagues of its games: those that bots do not enter now, as their season
    is at its end, and those where it takes the place of another bot of its owner. The games of a new bot are known once
    it is checked. Of an accepted one, that no open league plays its games.
    """
    entries: list[HandInEntry] = []
    """The entries of the accepted version in leagues."""
    awaited: list[str] = []
    """The leagues that enter it within seconds if they are played; none from 20 s after the check."""
    sent_by: str = ""
    """The account that sent it: of a team, that of the member who did."""
    practice_only: bool = False
    """Whether its version is to practise, and to enter neither leagues nor tournaments."""


class HandInFinding(Struct, frozen=True):
    """A question at which a bot failed its check.

    step, sentence: the title of the step of the check, and what went wrong there.
    """

    step: str
    sentence: str
    name: str
    """The name for files made of it, without an ending."""
    question: str
    """The question as the text of a file for `arena ask`."""
    log: str | None
    """The log of the match that it is from; null where it is from none."""


class HandInReport(Struct, frozen=True):
    """The report of a check, empty until it is finished."""

    hand_in: int
    output: list[str]
    """The last lines that a refused bot printed."""
    findings: list[HandInFinding]
    """The questions at which the bot failed."""


class HandInList(Struct, frozen=True):
    """Hand-ins, the newest first."""

    hand_ins: list[HandInValue]
    next: str | None
    """The address of the following part; None for the last."""


def hand_in_value(store: Store, row: HandInRow, places: HandInPlaces) -> HandInValue:
    """Return a hand-in.

    places: where they are in the queue.
    """
    return hand_in_values(store, [row], places)[0]


def hand_in_values(store: Store, rows: Sequence[HandInRow], places: HandInPlaces) -> list[HandInValue]:
    """Return hand-ins.

    places: where they are in the queue.
    """
    unfinished = [row for row in rows if not row.is_finished]
    notices = league_notices(store, {owner(row.name) for row in unfinished}) if unfinished else {}
    before = [row.name for row in unfinished if _is_unread(row)] if any(notices.values()) else []
    latest = store.submissions.latest(before) if before else {}

    def sentences(row: HandInRow) -> list[str]:
        if row.is_finished or row.practice_only or (_is_unread(row) and row.name not in latest):
            return []
        games: Sequence[str] = latest[row.name].manifest.get("games", []) if _is_unread(row) else row.games
        return [notice.sentence for notice in notices[owner(row.name)] if notice.concerns(row.name, games)]

    leagues = Leagues(store).all() if any(row.state == ACCEPTED for row in rows) else []
    entered = {row.id: hand_in_entries(store, row, leagues) for row in rows}
    return [_value(row, places.of(row), sentences(row), entered[row.id]) for row in rows]


def _is_unread(row: HandInRow) -> bool:
    """Tell whether the games of a hand-in are not known yet, so that those of the version before count."""
    return not row.games and row.state != CHECKING


def _value(row: HandInRow, place: QueuePlace | None, notices: list[str], entered: HandInEntries) -> HandInValue:
    seconds = None if place is None or place.seconds is None else round(place.seconds)
    return HandInValue(
        hand_in=row.id,
        owner=row.owner,
        bot=row.name,
        file=row.file,
        state=row.state,
        is_finished=row.is_finished,
        place=None if place is None else place.place,
        seconds=seconds,
        steps=[StepValue(*step) for step in row.steps],
        sentence=row.sentence,
        version=row.version,
        created=row.created,
        ended=row.ended,
        notices=[*notices, *([entered.notice] if entered.notice else [])],
        entries=[HandInEntry(*values) for values in entered.entries],
        awaited=list(entered.awaited),
        sent_by=row.sender,
        practice_only=row.practice_only,
    )
