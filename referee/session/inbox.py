"""What arrives from one bot process: finds the answers that count, and passes them to their matches."""

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from referee.match.seat import Seat
from referee.session.outbox import MessageStream, Outbox
from referee.v1.play_pb2 import Answer, PlayRequest
from referee.wire import NOTE_BYTES, clean, describe_illegal

STRAYS = 1000
"""How many useless messages or answers in a row make a flood."""

STRAY_BYTES = 1024
"""A useless message counts once for each so many bytes."""

ANSWERED_EARLY = "it answered a question that had not been sent to it yet"


class ProtocolViolation(Exception):
    """A bot broke the protocol; the text says in a sentence how."""


class Inbox:
    """Reads the messages of one process."""

    def __init__(self, outbox: Outbox) -> None:
        """Make an inbox. outbox: knows which questions the process can have read."""
        self._outbox = outbox
        self._stray_count = 0

    def read(
        self, payload: bytes, stamp: float, open_seats: dict[int, Seat], stream: MessageStream
    ) -> list[tuple[Seat, Answer]]:
        """Return the answers of a message to open questions, with their seats; the message may have none.

        stamp: when it was read, in seconds on trio's clock. open_seats: the seats with an open question, by its
        number; those that are answered are removed.

        Raises ProtocolViolation.
        """
        try:
            request = PlayRequest.FromString(payload)
        except DecodeError:
            raise ProtocolViolation("it sent a message that cannot be decoded: send a PlayRequest") from None
        if request.HasField("hello"):
            raise ProtocolViolation("it said hello twice: send nothing but answers after the first hello")
        answers = request.answers.answers
        if len(answers) > len(open_seats) + STRAYS:
            raise ProtocolViolation(
                f"it sent {len(answers)} answers in one message, with {len(open_seats)} questions open"
            )
        last_written = self._outbox.last_written(stream)
        answered: list[tuple[Seat, Answer]] = []
        for answer in answers:
            seat = open_seats.pop(answer.question, None)
            if seat is not None:
                answered.append((seat, answer))
                if answer.question > last_written:
                    _reopen(open_seats, answered)
                    self._defer_early(answer.question, payload, stamp, stream)
                    return []
        if answered:
            self._stray_count = 0
        else:
            self._count_strays(max(1, len(answers), len(payload) // STRAY_BYTES))
        return answered

    def _defer_early(self, question: int, payload: bytes, stamp: float, stream: MessageStream) -> None:
        """Defer a message that answers a question which is not written completely.

        We may learn late that a question is written; the message comes again then. Where the question is not being
        written, the bot answers what it was not asked.
        """
        if not self._outbox.is_being_written(question, stream):
            raise ProtocolViolation(ANSWERED_EARLY)
        stream.defer(payload, stamp)

    def _count_strays(self, count: int) -> None:
        self._stray_count += count
        if self._stray_count > STRAYS:
            raise ProtocolViolation(f"it sent more than {STRAYS} answers in a row to questions that were not open")


def _reopen(open_seats: dict[int, Seat], answered: Sequence[tuple[Seat, Answer]]) -> None:
    """Put questions back among the open ones, oldest first."""
    for seat, answer in answered:
        open_seats[answer.question] = seat
    oldest_first = sorted(open_seats.items())
    open_seats.clear()
    open_seats.update(oldest_first)


def deliver_answers(answered: Sequence[tuple[Seat, Answer]], charge: float) -> None:
    """Pass answers to their matches, each with its note and table talk. charge: the seconds that each took."""
    for seat, answer in answered:
        match, legal = seat.match, seat.legal
        if answer.note:
            match.add_note(seat, clean(_truncate(answer.note), NOTE_BYTES))
        if answer.say and (room := match.state.talk_limit()) and (words := _truncate(answer.say).strip()):
            match.add_talk(seat, clean(words, room))
        move = answer.text
        if move:
            index = legal.index(move) if move in legal else -1
        else:
            index = answer.index if answer.index < len(legal) and answer.HasField("index") else -1
        match.answer(seat, index, charge, "" if index >= 0 else describe_illegal(answer, legal))


def _truncate(text: str) -> str:
    """Return the first 1,024 bytes of a note or of table talk."""
    return text.encode()[:NOTE_BYTES].decode("utf-8", "ignore")
