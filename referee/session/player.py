"""A player: one bot that holds seats in the matches of a phase, over as many processes as it takes."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, cast

import trio
from google.protobuf.message import DecodeError
from mypy_extensions import mypyc_attr

from referee.engine.events import text, visible
from referee.engine.game import Outcome
from referee.match.faults import FaultKind
from referee.match.match import Match
from referee.match.seat import Seat
from referee.process.bot_process import Output
from referee.session.crash_attribution import CrashAttribution
from referee.session.service_clock import ServiceClock
from referee.v1.play_pb2 import Answer, PlayRequest, PlayResponse
from referee.v1.work_pb2 import ProcessFailure
from referee.wire import NOTE_BYTES, clean, describe_illegal, view_schema, view_type

MIN_DELAY_SECONDS = 1e-4
"""A delay of a bot that puts off its timeout; a shorter one is the usual cost of being woken."""

STRAYS = 1000
"""How many useless messages or answers in a row make a flood."""

STRAY_BYTES = 1024
"""A useless message counts once for each so many bytes."""

ANSWERED_EARLY = "it answered a question that had not been sent to it yet"


class MessageStream(Protocol):
    """What a player needs of its stream (see `referee.connection.stream.Stream`).

    sent_at: when the last marked message left; None until then. writes_begun, writes_done: how many messages have begun
    to be written, and how many are written. has_deferred: a message was deferred.
    """

    sent_at: float | None
    writes_begun: int
    writes_done: int

    @property
    def has_deferred(self) -> bool:
        """Whether a message was deferred and has not come again."""

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        """Queue a message and return its number, from 1."""

    def defer(self, payload: bytes, stamp: float) -> None:
        """Give a message back, which comes again once the one that is leaving is written."""

    def close(self) -> None:
        """End the stream."""


class FloodTimer(Protocol):
    """What a player needs of the flood detector (see `referee.connection.flood_detection.FloodDetector`).

    flood_seconds: time that floods have taken from everybody, in seconds in all.
    """

    flood_seconds: float

    def measure(self) -> bool:
        """Bring `flood_seconds` up to date."""


class CpuControl(Protocol):
    """What a player needs of the CPU control of its process (see `referee.process.cpu_fairness.BotCpu`)."""

    def resume(self) -> None:
        """Let the bot run, and measure from here."""

    def pause(self) -> None:
        """Stop the bot, as it has no open question."""

    def measure_delay(self, lag: float = 0.0) -> tuple[float, float]:
        """Return how many seconds are not the bot's, and how many of them the referee caused.

        lag: seconds that an answer has waited in the referee.
        """

    def release(self) -> None:
        """Never pause the bot again."""


@mypyc_attr(allow_interpreted_subclasses=True)
class BotPlayer:
    """The conversation with one bot, over as many processes as it takes.

    move_time: seconds for each answer, 0: no limit. matches_at_once: how many matches it takes.
    wants_events, wants_schema, whole_batches: as it said in its hello.
    withdrawn: it had too many faults; its seats are forfeited. crashes: the failures of its processes.
    cpu: controls its process where clocks are to be fair on a busy machine; None elsewhere. waited: how long its
    processes waited for a core and were not charged, in seconds.
    """

    def __init__(
        self,
        *,
        move_time: float,
        max_failed_matches: int,
        matches_at_once: int,
        on_pending: "Callable[[BotPlayer], None]",
        max_lag: float = 0.0,
        flood_timer: FloodTimer | None = None,
        report: Callable[[ProcessFailure], None] | None = None,
    ) -> None:
        """Make a player without a process.

        max_failed_matches: in how many matches its process may fail. on_pending: is called with the player when it
        has composed something to be flushed. max_lag: seconds that the referee may delay an answer before its match
        is void; 0: no limit. flood_timer: measures floods, whose time is not charged; None: there are none. report:
        takes the report of each process failure, before its matches learn of it.
        """
        self._flood_timer = flood_timer
        self._report = report
        self.cpu: CpuControl | None = None
        self.waited = 0.0
        self._max_lag = max_lag
        self.move_time = move_time
        self.matches_at_once = matches_at_once
        self.bot_name = ""
        self.bot_version = ""
        self.wants_events = False
        self.wants_schema = False
        self.whole_batches = False
        self.output = Output()
        self.crashes = CrashAttribution(max_failed_matches)
        self.withdrawn = False
        self._withdrawal = (FaultKind.WITHDRAWN, "")
        self._on_pending = on_pending
        self._active: set[Match] = set()
        self._waiting: deque[Seat] = deque()
        self._asked_before: set[Seat] = set()
        self._process = 0
        self._queued = False
        self._fail: Callable[[FaultKind, str], None] | None = None
        self._stream: MessageStream | None = None
        self._new_process()

    def _new_process(self) -> None:
        self._clock = ServiceClock()
        self._new_message()
        self._open: dict[int, Seat] = {}
        self._unwritten: deque[tuple[int, int]] = deque()
        self._last_written = 0
        self._unsent = 0
        self._busy = False
        self._question = 0
        self._last_match_id = 0
        self._stray_count = 0
        self._delay = 0.0
        self._flood_before = self._flood_seconds()

    def _new_message(self) -> None:
        self._message = PlayResponse()
        self._turns = self._message.turns
        self._questions = self._turns.questions

    # From connection to failure

    def connect(self, stream: MessageStream, fail: Callable[[FaultKind, str], None]) -> None:
        """Go on with a new process that was welcomed on `stream`. fail: ends its session for a fault."""
        self._stream = stream
        self._fail = fail
        self._process += 1
        self._new_process()
        self.crashes.add_start()
        self._ask_waiting()
        self._pause_if_idle()

    def disconnect(self) -> None:
        """Close the stream, as the phase is over or the process has failed."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if self.cpu is not None:
            self.cpu.release()
            self.cpu = None

    def process_failed(self, kind: FaultKind, sentence: str, failure: ProcessFailure | None = None) -> None:
        """Attribute the failure of a process to a match (see `referee.session.crash_attribution`) and report it.

        failure: the report so far; None: nothing is reported.
        """
        self.disconnect()
        open_seats = list(self._open.values())
        self._open.clear()
        guilty = self.crashes.add_failure(kind, open_seats)
        self._report_failure(failure, cast("ProcessFailure.Kind.ValueType", int(kind)), sentence, open_seats, guilty)
        if guilty is not None:
            self._note_output(guilty, self.output.take_new_lines())
            guilty.match.fail(guilty, kind, sentence)
        if self.crashes.exceeds_limit:
            self.withdraw(
                f"{self.crashes.failures} process faults, the last: {sentence}",
                FaultKind.START if kind is FaultKind.START else FaultKind.WITHDRAWN,
            )

    def detach(self) -> None:
        """Keep the open questions of an attached bot that has left for the next one that dials."""
        self.disconnect()
        self.crashes.ask_alone(list(self._open.values()))
        self._open.clear()

    def lose_connection(self, why: str, failure: ProcessFailure | None = None) -> None:
        """Keep the open questions of a remote bot whose connection was lost until it dials again.

        No clock runs until then, so that a bot could gain time by disconnecting: therefore each loss is a failure.
        failure: the report so far; None: nothing is reported.
        """
        self.disconnect()
        open_seats = list(self._open.values())
        self._open.clear()
        self._asked_before.update(open_seats)
        self._waiting.extendleft(reversed(open_seats))
        self.crashes.add_lost_connection()
        self._report_failure(failure, ProcessFailure.KIND_CONNECTION, why, open_seats, None)
        if self.crashes.exceeds_limit:
            self.withdraw(f"{self.crashes.failures} times it failed or lost its connection, the last: {why}")

    def _report_failure(
        self,
        failure: ProcessFailure | None,
        kind: "ProcessFailure.Kind.ValueType",
        sentence: str,
        open_seats: Sequence[Seat],
        guilty: Seat | None,
    ) -> None:
        """Complete the report of a failure with the matches that may have caused it, and send it."""
        if failure is None or self._report is None:
            return
        failure.kind = kind
        failure.sentence = sentence
        failure.matches.extend(dict.fromkeys(seat.match.number for seat in open_seats))
        if guilty is not None:
            failure.guilty = guilty.match.number
        self._report(failure)

    def withdraw(self, why: str, kind: FaultKind = FaultKind.WITHDRAWN) -> None:
        """Forfeit all seats of the bot, now and from now on. kind: the fault that each of its matches records."""
        self.withdrawn = True
        self._withdrawal = (kind, f"the bot is withdrawn: {why}")
        self._waiting.clear()
        self.crashes.clear()
        for match in list(self._active):
            self._forfeit(match)

    def _forfeit(self, match: Match) -> None:
        for seat in match.seats:
            if seat.player is self:
                match.forfeit(seat, *self._withdrawal)

    # Sending

    @property
    def has_room(self) -> bool:
        """Whether one more match may begin."""
        return self.withdrawn or len(self._active) < self.matches_at_once

    @property
    def open_questions(self) -> int:
        """How many questions the bot has not answered yet."""
        return len(self._open)

    def begin(self, match: Match) -> None:
        """Tell the bot that a match begins."""
        self._active.add(match)
        if self.withdrawn:
            self._forfeit(match)
        if self._stream is not None:
            for seat in match.seats:
                if seat.player is self:
                    self._start(seat)

    def finish(self, match: Match, outcome: Outcome) -> None:
        """Tell the bot that a match is over."""
        self._active.discard(match)
        if self._stream is None:
            return
        for seat in match.seats:
            if seat.player is self and seat.process == self._process:
                end = self._turns.ends.add()
                end.match = seat.match_id
                end.scores.extend(outcome.scores)
                end.ranks.extend(outcome.ranks)
                if self.wants_events:
                    end.events.extend(self._new_lines(seat))
                self._queue()

    def ask(self, seat: Seat) -> None:
        """Put the question that the seat's match has for it, now or when its turn comes."""
        if self._stream is None or self.crashes.is_isolating:
            self._waiting.append(seat)
        else:
            self._put(seat, again=False)

    def flush(self) -> None:
        """Send what is composed, in one message, unless the bot is still busy with the questions of the last one.

        Everything that comes up for it meanwhile leaves together: a message costs as much as dozens of questions, and
        a busy bot could not begin on it anyway.
        """
        self._queued = False
        if self._stream is None or self._busy:
            return
        self._busy = len(self._open) > 0
        if self._busy and self.cpu is not None:
            self.cpu.resume()
        mark = self._busy and self._clock.start_on_departure(self._stream)
        if mark:
            self._flood_before = self._flood_seconds()
        number = self._stream.send(self._message.SerializeToString(), mark=mark)
        if self._unsent:
            self._unwritten.append((number, self._question))
            self._unsent = 0
        self._new_message()

    def _queue(self) -> None:
        if not self._queued:
            self._queued = True
            self._on_pending(self)

    def _free(self) -> None:
        """Queue what was held back while the bot was busy."""
        self._busy = False
        if self._message.HasField("turns"):
            self._queue()

    def _start(self, seat: Seat) -> None:
        self._last_match_id += 1
        seat.process = self._process
        seat.match_id = self._last_match_id
        seat.events_seen = 0
        match = seat.match
        start = self._turns.starts.add()
        start.match = seat.match_id
        start.game = match.game.name
        start.behaviour = match.game.behaviour
        start.options.update(match.options)
        start.seats = len(match.seats)
        start.seat = seat.number
        start.view_type = view_type(match.game)
        start.bot_seed = seat.bot_seed
        start.move_time_ms = round(self.move_time * 1000)
        start.bank_ms = int(seat.bank * 1000)
        start.names.extend(match.names)
        if self.wants_schema:
            start.schema.CopyFrom(view_schema(match.game))
        self._queue()

    def _put(self, seat: Seat, *, again: bool) -> None:
        if seat.process != self._process:
            self._start(seat)
        match = seat.match
        self._question += 1
        self._unsent += 1
        self._open[self._question] = seat
        question = self._questions.add()
        question.id = self._question
        question.match = seat.match_id
        question.view = match.view(seat)
        question.legal.extend(seat.legal)
        if self.move_time:
            question.bank_ms = int(seat.bank * 1000)
        question.charged_us = int(seat.charged * 1e6)
        if again:
            question.again = True
        if self.wants_events:
            question.events.extend(self._new_lines(seat))
        if not self._queued:
            self._queued = True
            self._on_pending(self)

    def _new_lines(self, seat: Seat) -> list[str]:
        """Return the new lines of the log that the bot of a seat may see."""
        lines, events = seat.match.game.lines, seat.match.state.events
        new = [text(lines, event) for event in events[seat.events_seen :] if visible(lines, event, seat.number)]
        seat.events_seen = len(events)
        return new

    def _ask_waiting(self) -> None:
        """Ask the next suspect alone; where there is none, ask all seats that wait."""
        suspect = self.crashes.next_suspect()
        if suspect is not None:
            self._put(suspect, again=True)
            return
        waiting, self._waiting = self._waiting, deque()
        for seat in waiting:
            if seat.answer < 0:
                self._put(seat, again=seat in self._asked_before)
        self._asked_before.clear()

    # Receiving

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message of the bot that was read at `stamp`, in seconds on trio's clock."""
        try:
            request = PlayRequest.FromString(payload)
        except DecodeError:
            self._fail_protocol("it sent a message that cannot be decoded: send a PlayRequest")
            return
        if request.HasField("hello"):
            self._fail_protocol("it said hello twice: send nothing but answers after the first hello")
            return
        answers = request.answers.answers
        if len(answers) > len(self._open) + STRAYS:
            self._fail_protocol(f"it sent {len(answers)} answers in one message, with {len(self._open)} questions open")
            return
        last_written = self._last_written_question()
        answered: list[tuple[Seat, Answer]] = []
        for answer in answers:
            seat = self._open.pop(answer.question, None)
            if seat is not None:
                answered.append((seat, answer))
                if answer.question > last_written:
                    self._handle_early_answer(answered, payload, stamp)
                    return
        if not answered:
            self._stray_count += max(1, len(answers), len(payload) // STRAY_BYTES)
            if self._stray_count > STRAYS:
                self._fail_protocol(f"it sent more than {STRAYS} answers in a row to questions that were not open")
            return
        self._stray_count = 0
        self._free()
        charge = self._clock.charge(stamp, len(answered), busy=len(self._open) > self._unsent)
        if self.cpu is not None:
            self._measure_delay([seat for seat, _ in answered], trio.current_time() - stamp)
            charge = max(0.0, charge - self._delay / len(answered))
            self._delay = 0.0
        if self._flood_timer is not None:
            charge = max(0.0, charge - (self._flood_seconds() - self._flood_before) / len(answered))
            self._flood_before = self._flood_seconds()
        printed = self.output.take_new_lines()
        if printed and len(answered) == 1 and len(self._open) == self._unsent:
            self._note_output(answered[0][0], printed)
        for seat, answer in answered:
            legal = seat.legal
            if answer.note:
                seat.match.add_note(seat, clean(_truncate(answer.note), NOTE_BYTES))
            if answer.say and (room := seat.match.state.talk_limit()) and (words := _truncate(answer.say).strip()):
                seat.match.add_talk(seat, clean(words, room))
            move = answer.text
            if move:
                index = legal.index(move) if move in legal else -1
            else:
                index = answer.index if answer.index < len(legal) and answer.HasField("index") else -1
            seat.match.answer(seat, index, charge, "" if index >= 0 else describe_illegal(answer, legal))
        if self._waiting or self.crashes.is_isolating:
            self._ask_waiting()
        self._pause_if_idle()

    def _last_written_question(self) -> int:
        """Return the number of the last question that is written completely."""
        if self._unwritten and self._stream is not None:
            written = self._stream.writes_done
            while self._unwritten and self._unwritten[0][0] <= written:
                self._last_written = self._unwritten.popleft()[1]
        return self._last_written

    def _handle_early_answer(self, answered: Sequence[tuple[Seat, Answer]], payload: bytes, stamp: float) -> None:
        """Handle an answer to a question that is not written completely: the last of `answered`, which are reopened.

        We may learn late that a message is written; the answer is deferred until then. Where no message is being
        written, or the time runs out meanwhile, the bot answered a question that it had not been asked.
        """
        early = answered[-1][1].question
        for seat, answer in answered:
            self._open[answer.question] = seat
        self._open = dict(sorted(self._open.items()))
        leaving, last = self._unwritten[0] if self._unwritten else (0, 0)
        assert self._stream is not None
        if early <= last and leaving <= self._stream.writes_begun:
            self._stream.defer(payload, stamp)
        else:
            self._fail_protocol(ANSWERED_EARLY)

    def _measure_delay(self, seats: Iterable[Seat], delay: float = 0.0) -> None:
        """Add up the delays of the bot since it was asked; void matches that the referee delayed too long."""
        assert self.cpu is not None
        seconds, lag = self.cpu.measure_delay(delay)
        self._delay += seconds
        if self._max_lag and lag > self._max_lag:
            for seat in seats:
                seat.match.void(lag)

    def _flood_seconds(self) -> float:
        return self._flood_timer.flood_seconds if self._flood_timer is not None else 0.0

    def _pause_if_idle(self) -> None:
        if self.cpu is not None and not self._open:
            self.cpu.pause()

    def _note_output(self, seat: Seat, lines: list[str]) -> None:
        """Note with a seat what the bot printed while it had no other question."""
        for line in lines:
            seat.match.add_note(seat, f"printed: {line}")

    def _fail_protocol(self, sentence: str) -> None:
        if self._fail is not None:
            self._fail(FaultKind.PROTOCOL, sentence)

    # The clock

    def deadline(self) -> float | None:
        """Return when the oldest open question is out of time; None while nothing is open."""
        since = self._clock.running_since()
        if since is None or self._stream is None or not self._open:
            return None
        since += self._delay + self._flood_seconds() - self._flood_before
        if self.whole_batches:
            return since + self.move_time * len(self._open) + min(seat.bank for seat in self._open.values())
        return since + self.move_time + next(iter(self._open.values())).bank

    async def watch_clock(self, flush: Callable[[], None]) -> None:
        """Enforce the time limits until cancelled. flush: sends what a timeout causes.

        It checks the oldest question, and at least once per move time, so that it misses no deadline. After two
        timeouts without a valid answer in between the process hangs.
        """
        while self.move_time:
            now = trio.current_time()
            deadline = self.deadline()
            if deadline is not None and deadline <= now:
                self._time_out(now)
                flush()
            else:
                next_check = now + self.move_time
                await trio.sleep_until(next_check if deadline is None else min(next_check, deadline))

    def _time_out(self, now: float) -> None:
        number, seat = next(iter(self._open.items()))
        if self.cpu is not None:
            before = self._delay
            self._measure_delay([seat])
            if self._delay - before > MIN_DELAY_SECONDS:
                return  # its time is not over yet
        if self._flood_timer is not None:
            before = self._flood_seconds()
            self._flood_timer.measure()
            if self._flood_seconds() - before > MIN_DELAY_SECONDS:
                return
        if self._fail is not None:
            if self._stream is not None and self._stream.has_deferred:
                self._fail(FaultKind.PROTOCOL, ANSWERED_EARLY)
                return
            if self._clock.timeouts:
                unread = number > self._last_written_question()
                what = "does not read what it is sent" if unread else "has not answered through two time limits"
                self._fail(FaultKind.HUNG, f"it runs but {what}")
                return
        del self._open[number]
        self._free()
        self._clock.time_out(now, busy=len(self._open) > self._unsent)
        self._delay = 0.0
        self._flood_before = self._flood_seconds()
        spent = self.move_time + seat.bank
        seat.bank = 0.0
        seat.charged = spent
        seat.total += spent
        seat.match.fail(seat, FaultKind.TIMEOUT, f"no answer within {spent:g} s, the move time and the whole bank")
        self._ask_waiting()
        self._pause_if_idle()


def _truncate(text: str) -> str:
    """Return the first 1,024 bytes of a note or of table talk."""
    return text.encode()[:NOTE_BYTES].decode("utf-8", "ignore")
