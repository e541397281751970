"""Recorded questions as the protocol messages that a bot gets."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.sdk.errors import BadQuestion
from arena.sdk.recorded_question import RecordedQuestion
from referee.v1.play_pb2 import Turns

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

MATCH = 1
"""The number of the match on the stream."""


def question_turns(
    recorded: RecordedQuestion,
    views: Sequence[bytes],
    *,
    events: bool,
    values: bool = False,
    schema: "FileDescriptorSet | None" = None,
    clock: bool = True,
) -> Iterator[Turns]:
    """Yield a message for each question, the first with the start of the match; question n has the number n, from 1.

    views: the encoded views of all questions.
    events: whether the bot wants events.
    values: whether it wants them as values.
    schema: that of the views, if the bot wants it.
    clock: whether to tell the bot of the time that it had.

    Raises BadQuestion where the bot wants values, and the file has none.
    """
    if values and any(asked.events and not asked.values for asked in recorded.asked):
        raise BadQuestion(
            "the bot looks ahead, for which this file tells too little of the log: export the question again"
        )
    turns = Turns()
    start = turns.starts.add(
        match=MATCH,
        game=recorded.game,
        behaviour=recorded.behaviour,
        options=recorded.options,
        seats=recorded.seats,
        seat=recorded.seat,
        view_type=recorded.view_type,
        bot_seed=recorded.bot_seed,
        names=recorded.names,
    )
    if clock:
        start.move_time_ms, start.bank_ms = recorded.move_time_ms, recorded.bank_ms
        start.fischer = recorded.fischer
        for seat_clock in recorded.clocks:
            start.clocks.add(**seat_clock._asdict())
    if schema is not None:
        start.schema.CopyFrom(schema)
    for number, (asked, view) in enumerate(zip(recorded.asked, views, strict=True), start=1):
        question = turns.questions.add(id=number, match=MATCH, view=view, legal=asked.legal)
        if clock:
            question.bank_ms, question.charged_us = asked.bank_ms, asked.charged_us
        if events:
            question.events.extend(asked.values if values else asked.events)
        yield turns
        turns = Turns()
