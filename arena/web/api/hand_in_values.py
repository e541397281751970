"""Hand-ins, as the API shows them."""

from collections.abc import Sequence

from msgspec import Struct

from arena.league.results.hand_in_entries import hand_in_entries
from arena.league.results.hand_in_notices import LeagueNotice, league_notices
from arena.store import Store
from arena.store.hand_in_rows import CHECKING, HandInRow
from arena.submissions.names import owner


class StepValue(Struct, frozen=True):
    """A finished step of a check. verdict: passed, warned, failed or skipped."""

    title: str
    verdict: str
    sentence: str


class HandInEntry(Struct, frozen=True):
    """An entry of the bot. entry: its number in the league. state: placing, standing, retired or suspended."""

    league: str
    entry: int
    state: str


class HandInValue(Struct, frozen=True):
    """A hand-in.

    state: received, building, checking; finished: accepted, refused, failed or cancelled. place: in the queue, from 1;
    0 while it is checked. seconds: until it is finished, as far as earlier ones tell. sentence: the result, to follow
    the name. version: of the bot, once accepted. notices: while it is unfinished, sentences about leagues of its games
    that bots do not enter now, as their season is at its end, or where it takes the place of another bot of its owner.
    The games of a new bot are known once it is checked.
    entries: of an accepted version, in leagues. awaited: leagues that enter it within seconds if they are played; none
    20 s after the check.
    """

    hand_in: int
    owner: str
    bot: str
    file: str
    state: str
    is_finished: bool
    place: int | None
    seconds: int | None
    steps: list[StepValue]
    sentence: str
    version: int | None
    created: str
    ended: str | None
    notices: list[str] = []
    entries: list[HandInEntry] = []
    awaited: list[str] = []


class HandInFinding(Struct, frozen=True):
    """A question at which a bot failed its check.

    step, sentence: what went wrong. name: for its files, without an ending. question: the text of a file for
    `arena ask`. log: of the match; null where it belongs to none.
    """

    step: str
    sentence: str
    name: str
    question: str
    log: str | None


class HandInReport(Struct, frozen=True):
    """The report of a check, empty until it is finished.

    output: the last lines that a refused bot printed. findings: where it failed.
    """

    hand_in: int
    output: list[str]
    findings: list[HandInFinding]


class HandInList(Struct, frozen=True):
    """Hand-ins, the newest first. next: the address of the following part; None for the last."""

    hand_ins: list[HandInValue]
    next: str | None


def hand_in_value(store: Store, row: HandInRow, workers: int) -> HandInValue:
    """Return a hand-in. workers: how many check side by side."""
    return hand_in_values(store, [row], workers)[0]


def hand_in_values(store: Store, rows: Sequence[HandInRow], workers: int) -> list[HandInValue]:
    """Return hand-ins. workers: how many check side by side."""
    owners = {owner(row.name) for row in rows if not row.is_finished}
    notices = {each: league_notices(store, each) for each in owners}
    return [_value(store, row, workers, notices.get(owner(row.name), ())) for row in rows]


def _value(store: Store, row: HandInRow, workers: int, notices: Sequence[LeagueNotice]) -> HandInValue:
    place = None if row.is_finished else store.hand_ins.queue_place(row.id, workers)
    seconds = None if place is None or place.seconds is None else round(place.seconds)
    places = hand_in_entries(store, row)
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
        notices=_sentences(store, row, notices),
        entries=[HandInEntry(*each) for each in places.entries],
        awaited=list(places.awaited),
    )


def _sentences(store: Store, row: HandInRow, notices: Sequence[LeagueNotice]) -> list[str]:
    """Return what concerns a hand-in: until its manifest is read, by the games of the version before."""
    if row.is_finished or not notices:
        return []
    games: Sequence[str] = row.games
    if not games and row.state != CHECKING:
        before = store.submissions.versions(row.name)[-1:]
        if not before:
            return []
        games = before[0].manifest.get("games", [])
    return [notice.sentence for notice in notices if notice.concerns(row.name, games)]
