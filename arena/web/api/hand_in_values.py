"""Hand-ins, as the API shows them."""

from msgspec import Struct

from arena.store.hand_in_rows import HandInRow, QueuePlace


class StepValue(Struct, frozen=True):
    """A finished step of a check. verdict: passed, warned, failed or skipped."""

    title: str
    verdict: str
    sentence: str


class HandInValue(Struct, frozen=True):
    """A hand-in.

    state: received, building, checking; finished: accepted, refused, failed or cancelled. place: in the queue, from 1;
    0 while it is checked. seconds: until it is finished, as far as earlier ones tell. sentence: the result, to follow
    the name. version: of the bot, once accepted.
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


class HandInList(Struct, frozen=True):
    """Hand-ins, the newest first. next: the address of the following part; None for the last."""

    hand_ins: list[HandInValue]
    next: str | None


def hand_in_value(row: HandInRow, place: QueuePlace | None) -> HandInValue:
    """Return a hand-in. place: in the queue, if it is unfinished."""
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
    )
