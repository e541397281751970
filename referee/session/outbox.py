"""What leaves for one bot process: composes its messages, and knows which questions have been written.

A message costs referee and bot 100 to 150 µs of CPU each, whatever is in it, and a question in it some 10 µs (grpcio on
Python 3.11). So everything that is ready leaves together, and new questions are held back while the bot works on its
last message: it could not start on them anyway. An idle bot never waits, so with one match at a time nothing is held.

A bot is told nothing of the number of the deal, the rotation or the other seats, except their names if the organiser
says so (`--names`).
"""

from collections import deque
from typing import Protocol

from referee.codec import TurnsWriter
from referee.engine.events import text, values_text, visible
from referee.engine.game import Outcome
from referee.match.match import Seat
from referee.v1.play_pb2 import MatchStart
from referee.wire import view_schema, view_type

MOST_CHARGED = (1 << 32) - 1
"""The longest time that a question can tell, in microseconds: 71 minutes, which only a person takes."""


class MessageStream(Protocol):
    """What a player needs of its stream (see `referee.connection.stream.Stream`)."""

    sent_at: float | None
    """When the last marked message left, in seconds; None until then."""
    writes_begun: int
    """How many messages have begun to be written."""
    writes_done: int
    """How many messages are written."""

    @property
    def has_deferred(self) -> bool:
        """Whether a message was deferred and has not come again."""

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        """Queue a message and return its number, from 1."""

    def defer(self, payload: bytes, stamp: float) -> None:
        """Give a message back, which comes again once the one that is leaving is written."""

    def rest(self, seconds: float) -> None:
        """Receive no further message for so many seconds."""

    def close(self) -> None:
        """End the stream."""


class Outbox:
    """Composes the messages to one process. Matches and questions are numbered from 1 for each process.

    process: the number of the process among those of its player; 0: there was none yet.
    unsent: how many questions are composed and not sent.
    is_held: nothing is to be sent, as the bot is busy with the questions of the last message.
    """

    def __init__(self, process: int, *, wants_events: bool, wants_values: bool, wants_schema: bool) -> None:
        """Make an empty outbox.

        wants_events, wants_values, wants_schema: what the bot asked for in its hello.
        """
        self.process = process
        self.unsent = 0
        self.is_held = False
        self._wants_events = wants_events
        self._wants_values = wants_values
        self._wants_schema = wants_schema
        self._last_match_id = 0
        self._last_question = 0
        self._last_written = 0
        self._unwritten: deque[tuple[int, int]] = deque()
        self._turns = TurnsWriter()

    # Composing

    def add_start(self, seat: Seat) -> None:
        """Tell the process that a match begins, with all that it must know of the seat."""
        self._turns.add_start(self._start(seat).SerializeToString())

    def add_ready_question(self, seat: Seat, seconds: float) -> int:
        """Tell the process that a match begins, and ask it to answer once it is ready.

        seconds: the time that it has; 0: no limit.

        Returns: the number of the question.
        """
        start = self._start(seat)
        self._last_question += 1
        self.unsent += 1
        start.ready_question = self._last_question
        start.ready_time_ms = round(seconds * 1000)
        self._turns.add_start(start.SerializeToString())
        return self._last_question

    def _start(self, seat: Seat) -> MatchStart:
        self._last_match_id += 1
        seat.process = self.process
        seat.match_id = self._last_match_id
        seat.events_seen = 0
        match = seat.match
        start = MatchStart()
        start.match = seat.match_id
        start.game = match.game.name
        start.behaviour = match.game.behaviour
        start.options.update(match.options)
        start.seats = len(match.seats)
        start.seat = seat.number
        start.view_type = view_type(match.game)
        start.bot_seed = seat.bot_seed
        start.move_time_ms = round(seat.move_time * 1000)
        start.bank_ms = int(seat.bank * 1000)
        start.names.extend(match.names)
        start.fischer = seat.fischer and seat.move_time > 0
        if match.game.text_move:
            start.text_move, start.text_limit = match.game.text_move, match.state.talk_limit()
        if any(clock != match.clocks[0] for clock in match.clocks):
            for clock in match.clocks:
                start.clocks.add(
                    move_time_ms=round(clock.move_time * 1000),
                    bank_ms=round(clock.bank * 1000),
                    fischer=clock.fischer and clock.move_time > 0,
                )
        if self._wants_schema:
            start.schema.CopyFrom(view_schema(match.game))
        return start

    def add_question(self, seat: Seat, *, again: bool) -> int:
        """Add the question of a seat, after the start of its match where this process does not know it yet.

        again: the seat was asked this question before, by another process.

        Returns: the number of the question.
        """
        if seat.process != self.process:
            self.add_start(seat)
        match = seat.match
        self._last_question += 1
        self.unsent += 1
        self._turns.add_question(
            self._last_question,
            seat.match_id,
            match.view(seat),
            seat.legal,
            int(seat.bank * 1000) if seat.move_time else 0,
            min(int(seat.charged * 1e6), MOST_CHARGED),
            again,
            self._new_events(seat),
        )
        return self._last_question

    def add_end(self, seat: Seat, outcome: Outcome) -> None:
        """Tell the process that the match of a seat is over."""
        self._turns.add_end(seat.match_id, outcome.scores, outcome.ranks, self._new_events(seat))

    def _new_events(self, seat: Seat) -> list[str]:
        """Return what is new in the log for the bot of a seat, as it wants it: lines, or arrays of their values."""
        if not self._wants_events:
            return []
        lines, events = seat.match.game.lines, seat.match.events(seat.events_seen)
        seat.events_seen += len(events)
        told = [event for event in events if visible(lines, event, seat.number)]
        if self._wants_values:
            return [values_text(event) for event in told]
        return [text(lines, event) for event in told]

    # Sending

    def send(self, stream: MessageStream, *, mark: bool, hold: bool) -> None:
        """Send what is composed in one message.

        mark: the stream notes when it leaves.
        hold: what is composed from now on waits for `release`.
        """
        self.is_held = hold
        number = stream.send(self._turns.take(), mark=mark)
        if self.unsent:
            self._unwritten.append((number, self._last_question))
            self.unsent = 0

    def release(self) -> bool:
        """Hold nothing back any more; return whether something was composed meanwhile."""
        self.is_held = False
        return not self._turns.is_empty

    def last_written(self, stream: MessageStream) -> int:
        """Return the number of the last question that is written completely."""
        if self._unwritten:
            written = stream.writes_done
            while self._unwritten and self._unwritten[0][0] <= written:
                self._last_written = self._unwritten.popleft()[1]
        return self._last_written

    def is_being_written(self, question: int, stream: MessageStream) -> bool:
        """Whether the message of a question that is not written completely has begun to be written."""
        if not self._unwritten:
            return False
        number, last_question = self._unwritten[0]
        return question <= last_question and number <= stream.writes_begun
