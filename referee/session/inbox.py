"""What arrives from one bot process: finds the answers that count, and passes them to their matches."""

from math import inf
from time import thread_time

from google.protobuf.message import DecodeError

from referee.codec import UnexpectedHello, read_answers
from referee.engine.clean_text import clean
from referee.match.match import Seat
from referee.session.outbox import MessageStream, Outbox
from referee.wire import ANSWER_BYTES, NOTE_BYTES, describe_illegal

MOST_NOTE_LINES = 16
"""Lines of the note to one answer that are kept as lines; what follows the last of them is a part of it."""

STRAYS = 1000
"""How many useless messages or answers make a flood."""

FORGIVEN = 2
"""So many of them are forgotten with each good answer: those that come after a timeout, or were sent twice."""

STRAY_BYTES = 1024
"""A useless message counts once for each so many bytes."""

SPARE_BYTES_PER_SECOND = 1 << 20
"""How many bytes a second may be sent beside good answers at their largest size: to read a million takes some ms."""

SPARE_BURST = 1 << 18
"""How many such bytes may come at once."""

ANSWERED_EARLY = "it answered a question that had not been sent to it yet"


class StrayBudget:
    """A leaky bucket of useless messages and answers, which each good answer empties by a few.

    level: how much is in it.
    """

    def __init__(self, level: int = 0) -> None:
        self.level = level

    def count(self, good: int, useless: int) -> bool:
        """Count what one message held; return whether it was too much.

        good: answers to open questions.
        useless: all else, at least 1 where the message was of no use.
        """
        self.level = max(0, self.level - FORGIVEN * good) + useless
        return self.level > STRAYS


class SpareBytes:
    """The bytes of one bot that no answer needs, such as what is cut off a note: beyond a rate they delay the bot."""

    def __init__(self) -> None:
        self._paid_at = -inf

    def count(self, size: int, now: float) -> float:
        """Count so many bytes; return for how many seconds nothing is to be read, so that the rate is kept.

        now: the time in seconds, on any clock.
        """
        before = max(self._paid_at, now - SPARE_BURST / SPARE_BYTES_PER_SECOND)
        self._paid_at = before + size / SPARE_BYTES_PER_SECOND
        return max(0.0, self._paid_at - now)


class ProtocolViolation(Exception):
    """A bot broke the protocol; the text says in a sentence how."""


class AnswerBatch:
    """The answers of one message to open questions.

    questions: their numbers. seats: whose they are. moves: the index of each move; -1: it has none. texts: by place in
    `seats`, the move as text, the note and the table talk of the answers that hold more than an index.
    """

    __slots__ = ("questions", "seats", "moves", "texts")

    def __init__(self) -> None:
        self.questions: list[int] = []
        self.seats: list[Seat] = []
        self.moves: list[int] = []
        self.texts: dict[int, tuple[str, str, str]] = {}


class Inbox:
    """Reads the messages of one process.

    strays, spare: count what is of no use in the messages.
    """

    def __init__(self, outbox: Outbox, strays: StrayBudget, spare: SpareBytes) -> None:
        """Make an inbox.

        outbox: knows which questions the process can have read.
        """
        self._outbox = outbox
        self.strays = strays
        self.spare = spare

    def read(self, payload: bytes, stamp: float, open_seats: dict[int, Seat], stream: MessageStream) -> AnswerBatch:
        """Return the answers of a message to open questions, with their seats; the message may have none.

        stamp: when it was read, in seconds on trio's clock.
        open_seats: the seats with an open question, by its number; those that are answered are removed.

        Raises ProtocolViolation.
        """
        try:
            questions, moves, texts = read_answers(payload)
        except DecodeError:
            raise ProtocolViolation("it sent a message that cannot be decoded: send a PlayRequest") from None
        except UnexpectedHello:
            raise ProtocolViolation("it said hello twice: send nothing but answers after the first hello") from None
        if len(questions) > len(open_seats) + STRAYS:
            raise ProtocolViolation(
                f"it sent {len(questions)} answers in one message, with {len(open_seats)} questions open"
            )
        last_written = self._outbox.last_written(stream)
        batch = AnswerBatch()
        for place, question in enumerate(questions):
            seat = open_seats.pop(question, None)
            if seat is None:
                continue
            if place in texts:
                batch.texts[len(batch.seats)] = texts[place]
            batch.questions.append(question)
            batch.seats.append(seat)
            batch.moves.append(moves[place])
            if question > last_written:
                _reopen(open_seats, batch)
                self._defer_early(question, payload, stamp, stream)
                return AnswerBatch()
        good = len(batch.seats)
        useless = len(questions) - good if good else max(1, len(questions), len(payload) // STRAY_BYTES)
        if self.strays.count(good, useless):
            raise ProtocolViolation(
                f"it sent more than {STRAYS} useless answers: to questions that were not open, "
                f"and more than {FORGIVEN} for each good one"
            )
        size = len(payload) - ANSWER_BYTES * good
        if size > 0 and (seconds := self.spare.count(size, stamp)):
            stream.rest(seconds)
        return batch

    def _defer_early(self, question: int, payload: bytes, stamp: float, stream: MessageStream) -> None:
        """Defer a message that answers a question which is not written completely.

        We may learn late that a question is written; the message comes again then. Where the question is not being
        written, the bot answers what it was not asked.
        """
        if not self._outbox.is_being_written(question, stream):
            raise ProtocolViolation(ANSWERED_EARLY)
        stream.defer(payload, stamp)


def _reopen(open_seats: dict[int, Seat], batch: AnswerBatch) -> None:
    """Put the questions of a batch back among the open ones, oldest first."""
    open_seats.update(zip(batch.questions, batch.seats, strict=True))
    oldest_first = sorted(open_seats.items())
    open_seats.clear()
    open_seats.update(oldest_first)


def deliver_answers(batch: AnswerBatch, charge: float) -> float:
    """Pass answers to their matches, each with its note and table talk.

    charge: the seconds that each took.

    Returns: the CPU seconds that notes and table talk took.
    """
    texts = batch.texts
    spent = 0.0
    for place, seat in enumerate(batch.seats):
        index, legal = batch.moves[place], seat.legal
        text = ""
        if texts and place in texts:
            text, note, words = texts[place]
            if text and text not in legal and (own := seat.match.game.text_move) in legal:
                text, words = own, text
            if note or words:
                began = thread_time()
                _add_texts(seat, note, words)
                spent += thread_time() - began
            if text in legal:
                index = legal.index(text)
            elif text:
                index = -1
        if 0 <= index < len(legal):
            seat.match.answer(seat, index, charge)
        else:
            seat.match.answer(seat, -1, charge, describe_illegal(index, text, legal))
    return spent


def _add_texts(seat: Seat, note: str, words: str) -> None:
    """Keep the note and the table talk that go with an answer, as far as they count."""
    match = seat.match
    if note:
        for line in _truncate(note).replace("\r\n", "\n").split("\n", MOST_NOTE_LINES - 1):
            if line:
                match.add_note(seat, clean(line, NOTE_BYTES))
    if words and (room := match.state.talk_limit()):
        # Models write paragraphs, and a log has lines.
        is_own = match.game.text_move
        words = " ".join(words[: room + 1].split()) if is_own else _truncate(words).strip()
        if words:
            match.add_talk(seat, clean(words, room))


def _truncate(text: str) -> str:
    """Return the first 1,024 bytes of a note or of table talk."""
    return text[:NOTE_BYTES].encode()[:NOTE_BYTES].decode("utf-8", "ignore")
