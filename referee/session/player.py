"""A player: one bot that holds seats in the matches of a phase, over as many processes as it takes.

The player decides who is asked and when time is up. Its parts: the outbox composes messages, the inbox reads them, the
service clock says what is charged, the recovery keeps the questions that cannot be asked yet. The first three are made
anew for each process, as is the readiness, which keeps what is not to be asked before the bot is ready for its matches.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import trio
from mypy_extensions import mypyc_attr

from referee.engine.game import Outcome
from referee.match.faults import FaultKind, in_seconds
from referee.match.match import Match, Seat
from referee.process.bot_process import Output
from referee.session.crash_attribution import CrashAttribution
from referee.session.inbox import (
    ANSWERED_EARLY,
    AnswerBatch,
    Inbox,
    ProtocolViolation,
    SpareBytes,
    StrayBudget,
    deliver_answers,
)
from referee.session.outbox import MessageStream, Outbox
from referee.session.readiness import Readiness
from referee.session.recovery import Recovery
from referee.session.service_clock import FloodTimer, ServiceClock
from referee.v1.work_pb2 import ProcessFailure

MIN_DELAY_SECONDS = 1e-4
"""A delay of a bot that puts off its timeout; a shorter one is the usual cost of being woken."""

USELESS_SECONDS = 1e-4
"""What a useless message takes from everybody: gRPC and the loop need so much CPU time for one on a slow core."""

PRINTED_CHARACTERS = 64 * 1024
"""How much of a bot's output is kept with the answers of a seat in one match."""

UTF8_BYTES = 4
"""The most bytes of a character."""

LINE_CHARACTERS = 32
"""What a line of it counts beside its characters, as a note takes as much."""


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
    """Asks one bot the questions of its matches, over as many processes as it takes.

    move_time: the seconds for each answer; 0: no limit.
    matches_at_once: how many matches it takes.
    ready_time: the seconds to get ready for a match; 0: no limit.
    wants_events, wants_values, wants_schema, whole_batches, wants_ready: as it said in its hello.
    withdrawn: it had too many faults; its seats are forfeited.
    crashes: the failures of its processes.
    cpu: controls its process where clocks are to be fair on a busy machine; None elsewhere.
    waited: how long its processes waited for a core and were not charged, in seconds.
    getting_ready: how long its processes took to get ready for matches, in seconds; it is not charged either.
    text_bytes: the largest size of a text of its own in an answer; 0 in games without.
    is_too_slow: it was withdrawn as it took too long for all its answers together.
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
        ready_time: float = 0.0,
        thinking: float = 0.0,
    ) -> None:
        """Make a player without a process.

        max_failed_matches: in how many matches its process may fail.
        on_pending: is called with the player when it has composed something to be flushed.
        max_lag: seconds that the referee may delay an answer before its match is void; 0: no limit.
        flood_timer: measures floods, whose time is not charged; None: there are none.
        report: takes the report of each process failure, before its matches learn of it.
        thinking: the seconds that it may take for all its answers together; 0: no limit.
        """
        self.move_time = move_time
        self.ready_time = ready_time
        self.matches_at_once = matches_at_once
        self.bot_name = ""
        self.bot_version = ""
        self.wants_events = False
        self.wants_values = False
        self.wants_schema = False
        self.whole_batches = False
        self.wants_ready = False
        self.cpu: CpuControl | None = None
        self.waited = 0.0
        self.getting_ready = 0.0
        self.is_too_slow = False
        self._thinking = thinking
        self._thought = 0.0
        self.text_bytes = 0
        self.output = Output()
        self.crashes = CrashAttribution(max_failed_matches)
        self.withdrawn = False
        self._withdrawal = (FaultKind.WITHDRAWN, "")
        self._on_pending = on_pending
        self._is_pending = False
        self._max_lag = max_lag
        self._flood_timer = flood_timer
        self._strays = StrayBudget()
        self._spare = SpareBytes()
        self._recovery = Recovery(self.crashes, report)
        self._active: set[Match] = set()
        self._stream: MessageStream | None = None
        self._fail: Callable[[FaultKind, str], None] | None = None
        self._start_process(0)

    def _start_process(self, number: int) -> None:
        """Begin the conversation with a new process.

        number: among the player's processes; 0: there is none yet.
        """
        self._open: dict[int, Seat] = {}
        self._clock = ServiceClock(self._flood_timer)
        self._outbox = Outbox(
            number,
            wants_events=self.wants_events,
            wants_values=self.wants_values,
            wants_schema=self.wants_schema,
        )
        self._inbox = Inbox(self._outbox, self._strays, self._spare)  # a restart does not forgive
        self._readiness = Readiness()

    # Processes

    def connect(self, stream: MessageStream, fail: Callable[[FaultKind, str], None]) -> None:
        """Go on with a new process that was welcomed on `stream`.

        fail: ends its session for a fault.
        """
        self._stream = stream
        self._fail = fail
        self._start_process(self._outbox.process + 1)
        self.crashes.add_start()
        self._ask_waiting()
        self._pause_if_idle()

    def disconnect(self) -> None:
        """Close the stream, as the phase is over or the process has failed."""
        if self._stream is not None:
            since = self._clock.charged_since()
            if self._readiness.seat is not None and since is not None:
                self.getting_ready += max(0.0, trio.current_time() - since)
            self._stream.close()
            self._stream = None
        if self.cpu is not None:
            self.cpu.release()
            self.cpu = None

    def process_failed(self, kind: FaultKind, sentence: str, failure: ProcessFailure | None = None) -> None:
        """Attribute the failure of a process to a match (see `referee.session.crash_attribution`) and report it.

        failure: the report so far; None: nothing is reported.
        """
        open_seats = self._lose_process()
        self._recover_kept(but=open_seats)
        guilty = self._recovery.add_failure(kind, sentence, open_seats, failure)
        if guilty is not None and guilty.match in self._active:
            if guilty.answer < 0:
                _note_output(guilty, self.output)
            guilty.match.fail(guilty, kind, sentence)
        if self.crashes.exceeds_limit:
            self.withdraw(
                f"{self.crashes.failures} process faults, the last: {sentence}",
                FaultKind.START if kind is FaultKind.START else FaultKind.WITHDRAWN,
            )

    def detach(self) -> None:
        """Keep the open questions of an attached bot that has left for the next one that dials."""
        self.crashes.ask_alone(self._lose_connection())

    def lose_connection(self, why: str, failure: ProcessFailure | None = None) -> None:
        """Keep the open questions of a remote bot whose connection was lost until it dials again.

        No clock runs until then, so that a bot could gain time by disconnecting: therefore each loss is a failure.

        failure: the report so far; None: nothing is reported.
        """
        self._recovery.add_lost_connection(why, self._lose_connection(), failure)
        if self.crashes.exceeds_limit:
            self.withdraw(f"{self.crashes.failures} times it failed or lost its connection, the last: {why}")

    def keep_questions(self) -> None:
        """Keep the open questions of a remote bot that a pause of this machine has cut off; it is no failure."""
        self._recovery.put_back(self._lose_process())

    def _lose_process(self) -> list[Seat]:
        """Disconnect, and return the seats whose questions were open, oldest first."""
        self.disconnect()
        open_seats = list(self._open.values())
        self._open.clear()
        return open_seats

    def _lose_connection(self) -> list[Seat]:
        """Disconnect a bot that may come back; return the seats whose questions were open, oldest first."""
        seats = self._lose_process()
        self._recover_kept()
        return [] if self._readiness.seat is not None else seats

    def _recover_kept(self, but: Sequence[Seat] = ()) -> None:
        """Let the questions that were kept while the process got ready wait for the next, but those of some seats."""
        for seat, again in self._readiness.take_questions():
            if seat not in but:
                self._recovery.add(seat, again)

    def withdraw(self, why: str, kind: FaultKind = FaultKind.WITHDRAWN) -> None:
        """Forfeit all seats of the bot, now and from now on.

        kind: the fault that each of its matches records.
        """
        self.withdrawn = True
        self._withdrawal = (kind, f"the bot is withdrawn: {why}")
        self._recovery.clear()
        for match in list(self._active):
            self._forfeit(match)

    def _forfeit(self, match: Match) -> None:
        for seat in match.seats:
            if seat.player is self:
                match.forfeit(seat, *self._withdrawal)

    # Matches

    @property
    def has_room(self) -> bool:
        """Whether one more match may begin."""
        return self.withdrawn or len(self._active) < self.matches_at_once

    def begin(self, match: Match) -> None:
        """Tell the bot that a match begins."""
        self._active.add(match)
        if match.game.text_move:
            self.text_bytes = UTF8_BYTES * match.state.talk_limit()
        if self.withdrawn:
            self._forfeit(match)
        if self._stream is not None:
            for seat in match.seats:
                if seat.player is self and self.wants_ready:
                    self._readiness.add(seat)
                    self._get_ready()
                elif seat.player is self:
                    self._outbox.add_start(seat)
                    self._mark_pending()

    def finish(self, match: Match, outcome: Outcome) -> None:
        """Tell the bot that a match is over."""
        self._active.discard(match)
        if self._stream is not None:
            for seat in match.seats:
                self._readiness.forget(seat)
                if seat.player is self and seat.process == self._outbox.process:
                    self._outbox.add_end(seat, outcome)
                    self._mark_pending()

    # Questions

    @property
    def open_questions(self) -> int:
        """How many questions the bot has not answered yet."""
        return len(self._open)

    def ask(self, seat: Seat) -> None:
        """Put the question that the seat's match has for it, now or when its turn comes."""
        if self._stream is None or self.crashes.is_isolating:
            self._recovery.add(seat)
        else:
            self._put(seat, again=False)

    def flush(self) -> None:
        """Send what is composed, in one message, unless the bot is still busy with the questions of the last one.

        Everything that comes up for it meanwhile leaves together: a message costs as much as dozens of questions, and
        a busy bot could not begin on it anyway.
        """
        self._is_pending = False
        stream = self._stream
        if stream is None or self._outbox.is_held:
            return
        is_asked = len(self._open) > 0
        if is_asked and self.cpu is not None:
            self.cpu.resume()
        mark = is_asked and self._clock.start_on_departure(stream)
        self._outbox.send(stream, mark=mark, hold=is_asked)

    def _put(self, seat: Seat, *, again: bool) -> None:
        if self.wants_ready:
            if seat.process != self._outbox.process:
                self._readiness.add(seat)
            if self._readiness.is_pending:
                self._readiness.keep(seat, again)
                self._get_ready()
                return
        self._open[self._outbox.add_question(seat, again=again)] = seat
        if not self._is_pending:  # saves a call for most questions
            self._mark_pending()

    def _get_ready(self) -> None:
        """Let the bot get ready for the next match that it does not know, once it has no open question."""
        seat = None if self._open else self._readiness.begin()
        if seat is not None:
            self._open[self._outbox.add_ready_question(seat, self.ready_time)] = seat
            self._mark_pending()

    def _ask_waiting(self) -> None:
        for seat, again in self._recovery.next_questions():
            self._put(seat, again=again)

    def _release(self) -> None:
        """Let leave what was held back while the bot was busy."""
        if self._outbox.release():
            self._mark_pending()

    def _mark_pending(self) -> None:
        if not self._is_pending:
            self._is_pending = True
            self._on_pending(self)

    # Answers

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message of the bot that was read at `stamp`, in seconds on trio's clock."""
        if self._stream is None:
            return
        try:
            batch = self._inbox.read(payload, stamp, self._open, self._stream)
        except ProtocolViolation as violation:
            self._fail_protocol(str(violation))
            return
        seats = batch.seats
        if not seats:
            self._clock.charge_alone(USELESS_SECONDS)
            return
        self._release()
        if self._readiness.seat is not None:
            self._finish_ready(self._readiness.seat, batch, stamp)
            return
        if self.cpu is not None:
            self._measure_delay(self.cpu, seats, trio.current_time() - stamp)
        is_busy = len(self._open) > self._outbox.unsent
        charge = self._clock.charge(stamp, len(seats), busy=is_busy)
        if len(seats) == 1 and not is_busy:
            _note_output(seats[0], self.output)
        else:
            self.output.forget_new_lines()
        if seconds := deliver_answers(batch, charge):
            self._clock.charge_alone(seconds)
        if self._recovery.has_questions:
            self._ask_waiting()
        self._get_ready()
        self._pause_if_idle()
        self._count_thinking(charge * len(seats))

    def _finish_ready(self, seat: Seat, batch: AnswerBatch, stamp: float) -> None:
        """Take the answer that the bot is ready for the match of a seat, which was its only open question."""
        if batch.moves != [0]:
            self._open[batch.questions[0]] = seat
            self._fail_protocol("it answered a ready question with something else than the index 0")
            return
        self.getting_ready += self._clock.charge(stamp, 1, busy=False)
        self.output.forget_new_lines()
        self._readiness.seat = None
        self._get_ready()
        if not self._readiness.is_pending:
            for held, again in self._readiness.take_questions():
                self._put(held, again=again)
        self._pause_if_idle()

    def _fail_protocol(self, sentence: str) -> None:
        if self._fail is not None:
            self._fail(FaultKind.PROTOCOL, sentence)

    def _measure_delay(self, cpu: CpuControl, seats: Sequence[Seat], lag: float = 0.0) -> float:
        """Excuse the delays of the bot since they were measured last, and return them in seconds.

        Matches that the referee delayed too long are void.

        seats: those that answered or are out of time.
        lag: seconds that an answer has waited in the referee.
        """
        seconds, lag = cpu.measure_delay(lag)
        self._clock.excuse(seconds)
        if self._max_lag and lag > self._max_lag:
            for seat in seats:
                seat.match.void(lag)
        return seconds

    def _pause_if_idle(self) -> None:
        if self.cpu is not None and not self._open:
            self.cpu.pause()

    # Time limits

    def deadline(self) -> float | None:
        """Return when the oldest open question is out of time; None while nothing is open.

        None, too, while the bot gets ready for a match without a limit.
        """
        since = self._clock.charged_since()
        if since is None or self._stream is None or not self._open:
            return None
        if self._readiness.seat is not None:
            return since + self.ready_time if self.ready_time else None
        if self.whole_batches:
            return since + self.move_time * len(self._open) + min(seat.bank for seat in self._open.values())
        return since + self.move_time + next(iter(self._open.values())).bank

    async def watch_clock(self, flush: Callable[[], None]) -> None:
        """Enforce the time limits until cancelled.

        flush: sends what a timeout causes.

        It checks the oldest question, and at least once per time limit, so that it misses no deadline. After two
        timeouts without a valid answer in between the process hangs, and where it is not ready for a match in time.
        """
        limits = [limit for limit in (self.move_time, self.ready_time if self.wants_ready else 0.0) if limit]
        while limits:
            now = trio.current_time()
            deadline = self.deadline() if self.move_time or self._readiness.seat is not None else None
            if deadline is not None and deadline <= now:
                self._time_out(now)
                flush()
            else:
                next_check = now + min(limits)
                await trio.sleep_until(next_check if deadline is None else min(next_check, deadline))

    def _time_out(self, now: float) -> None:
        """Time out the oldest question, unless its end is put off; fail a process that is at fault beyond that."""
        number, seat = next(iter(self._open.items()))
        is_ready = self._readiness.seat is None
        if self.cpu is not None and self._measure_delay(self.cpu, [seat] if is_ready else []) > MIN_DELAY_SECONDS:
            return
        if self._clock.measure_flood() > MIN_DELAY_SECONDS:
            return
        assert self._stream is not None
        assert self._fail is not None
        if self._stream.has_deferred:
            self._fail(FaultKind.PROTOCOL, ANSWERED_EARLY)
            return
        if not is_ready:
            self._fail(FaultKind.HUNG, f"it was not ready for the match within {self.ready_time:g} s")
            return
        if self._clock.timeouts:
            unread = number > self._outbox.last_written(self._stream)
            what = "does not read what it is sent" if unread else "has not answered through two time limits"
            self._fail(FaultKind.HUNG, f"it runs but {what}")
            return
        sentence = self._missed_limit(seat)
        del self._open[number]
        self._release()
        self._clock.time_out(now, busy=len(self._open) > self._outbox.unsent)
        spent = self.move_time + seat.bank
        seat.bank = 0.0
        seat.charged = spent
        seat.total += spent
        seat.match.fail(seat, FaultKind.TIMEOUT, sentence)
        self._ask_waiting()
        self._get_ready()
        self._pause_if_idle()
        self._count_thinking(spent)

    def _count_thinking(self, seconds: float) -> None:
        """Count time that answers took; withdraw a bot that took too long for all of them together."""
        self._thought += seconds
        if self._thinking and self._thought > self._thinking and not self.is_too_slow:
            self.is_too_slow = True
            why = f"it took more than {in_seconds(self._thinking)} for all its answers in a rotation of a batch"
            if self._fail is not None:
                self._fail(FaultKind.HUNG, why)
            self.withdraw(why)

    def _missed_limit(self, seat: Seat) -> str:
        """Return the time limit that the oldest question, that of a seat, has missed, in a sentence."""
        questions = len(self._open) if self.whole_batches else 1
        bank = min(one.bank for one in self._open.values()) if self.whole_batches else seat.bank
        limit = f"no answer within {in_seconds(self.move_time * questions + bank)}: "
        limit += f"the move time of {in_seconds(self.move_time)}"
        if questions > 1:
            limit += f" for each of {questions} questions"
        return f"{limit} and what was left of the bank, {in_seconds(bank)}" if bank else limit


def _note_output(seat: Seat, output: Output) -> None:
    """Note with a seat what the bot printed while it had no other question, up to a limit for each match."""
    if seat.printed >= PRINTED_CHARACTERS:
        output.forget_new_lines()
        return
    for line in output.take_new_lines():
        seat.match.add_note(seat, f"printed: {line}")
        seat.printed += LINE_CHARACTERS + len(line)
        if seat.printed >= PRINTED_CHARACTERS:
            seat.match.add_note(seat, "printed: … (all further output in this match is left out)")
            break
