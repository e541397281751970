"""One player: a bot's process that holds seats in the matches of a phase, over as many processes as it takes."""

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

LEAST_EXCUSE = 1e-4
"""Seconds kept from a bot that put off the end of its time; less is the usual price of being woken."""

STRAYS = 1000
"""How many useless messages or answers in a row make a flood."""


STRAY_BYTES = 1024
"""A useless message counts once for so many bytes of it."""

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
        self._why = (FaultKind.WITHDRAWN, "")
        self._on_pending = on_pending
        self._active: set[Match] = set()
        self._waiting: deque[Seat] = deque()
        self._asked: set[Seat] = set()
        self._process = 0
        self._queued = False
        self._fail: Callable[[FaultKind, str], None] | None = None
        self._stream: MessageStream | None = None
        self._new_process()

    def _new_process(self) -> None:
        self._clock = ServiceClock()
        self._new_message()
        self._open: dict[int, Seat] = {}
        self._leaving: deque[tuple[int, int]] = deque()
        self._reached = 0
        self._unsent = 0
        self._busy = False
        self._question = 0
        self._local = 0
        self._strays = 0
        self._excused = 0.0
        self._flood_before = self._flood_seconds()

    def _new_message(self) -> None:
        self._message = PlayResponse()
        self._turns = self._message.turns
        self._questions = self._turns.questions

    # The life of a process

    def connect(self, stream: MessageStream, fail: Callable[[FaultKind, str], None]) -> None:
        """Go on with a new process that was welcomed on `stream`; `fail` ends it for a fault."""
        self._stream = stream
        self._fail = fail
        self._process += 1
        self._new_process()
        self.crashes.add_start()
        self._ask_on()
        self._let_rest()

    def disconnect(self) -> None:
        """Say no more to the process: the phase is over, or it failed."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if self.cpu is not None:
            self.cpu.release()
            self.cpu = None

    def process_failed(self, kind: FaultKind, sentence: str, failure: ProcessFailure | None = None) -> None:
        """Judge the end of a process that should have gone on (see `referee.session.crash_attribution`).

        failure: what is known of it besides, to be reported.
        """
        self.disconnect()
        open_seats = list(self._open.values())
        self._open.clear()
        guilty = self.crashes.add_failure(kind, open_seats)
        self._report_failure(failure, cast("ProcessFailure.Kind.ValueType", int(kind)), sentence, open_seats, guilty)
        if guilty is not None:
            self._keep_printed(guilty, self.output.take_new_lines())
            guilty.match.fail(guilty, kind, sentence)
        if self.crashes.exceeds_limit:
            self.withdraw(
                f"{self.crashes.failures} process faults, the last: {sentence}",
                FaultKind.START if kind is FaultKind.START else FaultKind.WITHDRAWN,
            )

    def detach(self) -> None:
        """Keep the open questions of an attached bot that went away for whoever dials next."""
        self.disconnect()
        self.crashes.ask_alone(list(self._open.values()))
        self._open.clear()

    def lose_connection(self, why: str, failure: ProcessFailure | None = None) -> None:
        """Keep the open questions of a remote bot whose connection was lost until it dials again.

        It has no clock until then, and whoever goes away on purpose gains time; hence each loss counts as a failure.
        failure: what is known of it besides, to be reported.
        """
        self.disconnect()
        open_seats = list(self._open.values())
        self._open.clear()
        self._asked.update(open_seats)
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
        """Report a failure with the matches that it may bear upon."""
        if failure is None or self._report is None:
            return
        failure.kind = kind
        failure.sentence = sentence
        failure.matches.extend(dict.fromkeys(seat.match.number for seat in open_seats))
        if guilty is not None:
            failure.guilty = guilty.match.number
        self._report(failure)

    def withdraw(self, why: str, kind: FaultKind = FaultKind.WITHDRAWN) -> None:
        """Take the bot out of all its matches, now and from now on; `kind` is the fault that stands in each."""
        self.withdrawn = True
        self._why = (kind, f"the bot is withdrawn: {why}")
        self._waiting.clear()
        self.crashes.clear()
        for match in list(self._active):
            self._forfeit(match)

    def _forfeit(self, match: Match) -> None:
        for seat in match.seats:
            if seat.player is self:
                match.forfeit(seat, *self._why)

    # What is said to the bot

    @property
    def has_room(self) -> bool:
        """Tell whether one more match may begin."""
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
                    end.events.extend(self._news(seat))
                self._queue()

    def ask(self, seat: Seat) -> None:
        """Put the question that the seat's match has for it, now or when its turn comes."""
        if self._stream is None or self.crashes.is_isolating:
            self._waiting.append(seat)
        else:
            self._put(seat, again=False)

    def flush(self) -> None:
        """Send what is queued, in one message, unless the bot still works on all that the last one asked.

        Whatever comes up for it until then leaves together: a message costs as much as dozens of
        questions, and a busy bot could not begin on it anyway.
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
            self._leaving.append((number, self._question))
            self._unsent = 0
        self._new_message()

    def _queue(self) -> None:
        if not self._queued:
            self._queued = True
            self._on_pending(self)

    def _free(self) -> None:
        """Let leave what was held back while the bot was busy."""
        self._busy = False
        if self._message.HasField("turns"):
            self._queue()

    def _start(self, seat: Seat) -> None:
        self._local += 1
        seat.process = self._process
        seat.match_id = self._local
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
            question.events.extend(self._news(seat))
        if not self._queued:
            self._queued = True
            self._on_pending(self)

    def _news(self, seat: Seat) -> list[str]:
        """Return the lines of the log that the seat's bot has not been told, as far as it may know them."""
        lines, events = seat.match.game.lines, seat.match.state.events
        news = [text(lines, event) for event in events[seat.events_seen :] if visible(lines, event, seat.number)]
        seat.events_seen = len(events)
        return news

    def _ask_on(self) -> None:
        """Ask the next suspect alone, or everybody who waits where there is none."""
        suspect = self.crashes.next_suspect()
        if suspect is not None:
            self._put(suspect, again=True)
            return
        waiting, self._waiting = self._waiting, deque()
        for seat in waiting:
            if seat.answer < 0:
                self._put(seat, again=seat in self._asked)
        self._asked.clear()

    # What the bot says

    def received(self, payload: bytes, stamp: float) -> None:
        """Take a message of the bot that was read at `stamp`."""
        try:
            request = PlayRequest.FromString(payload)
        except DecodeError:
            self._break("it sent bytes that are no message of the protocol")
            return
        if request.HasField("hello"):
            self._break("it said hello twice")
            return
        answers = request.answers.answers
        if len(answers) > len(self._open) + STRAYS:
            self._break(f"it sent {len(answers)} answers in one message, with {len(self._open)} questions open")
            return
        reached = self._last_that_left()
        taken: list[tuple[Seat, Answer]] = []
        for answer in answers:
            seat = self._open.pop(answer.question, None)
            if seat is not None:
                taken.append((seat, answer))
                if answer.question > reached:
                    self._answered_early(taken, payload, stamp)
                    return
        if not taken:
            self._strays += max(1, len(answers), len(payload) // STRAY_BYTES)
            if self._strays > STRAYS:
                self._break(f"it sent more than {STRAYS} answers in a row to questions that were not open")
            return
        self._strays = 0
        self._free()
        charge = self._clock.charge(stamp, len(taken), busy=len(self._open) > self._unsent)
        if self.cpu is not None:
            self._excuse([seat for seat, _ in taken], trio.current_time() - stamp)
            charge = max(0.0, charge - self._excused / len(taken))
            self._excused = 0.0
        if self._flood_timer is not None:
            charge = max(0.0, charge - (self._flood_seconds() - self._flood_before) / len(taken))
            self._flood_before = self._flood_seconds()
        printed = self.output.take_new_lines()
        if printed and len(taken) == 1 and len(self._open) == self._unsent:
            self._keep_printed(taken[0][0], printed)
        for seat, answer in taken:
            legal = seat.legal
            if answer.note:
                seat.match.add_note(seat, clean(_cut(answer.note), NOTE_BYTES))
            if answer.say and (room := seat.match.state.hears()) and (words := _cut(answer.say).strip()):
                seat.match.add_talk(seat, clean(words, room))
            move = answer.text
            if move:
                index = legal.index(move) if move in legal else -1
            else:
                index = answer.index if answer.index < len(legal) and answer.HasField("index") else -1
            seat.match.answer(seat, index, charge, "" if index >= 0 else describe_illegal(answer, legal))
        if self._waiting or self.crashes.is_isolating:
            self._ask_on()
        self._let_rest()

    def _last_that_left(self) -> int:
        """Return the number of the last question that has left whole."""
        if self._leaving and self._stream is not None:
            written = self._stream.writes_done
            while self._leaving and self._leaving[0][0] <= written:
                self._reached = self._leaving.popleft()[1]
        return self._reached

    def _answered_early(self, taken: Sequence[tuple[Seat, Answer]], payload: bytes, stamp: float) -> None:
        """Rule on an answer to a question that has not left whole: the last of those `taken`, which are put back.

        We may learn late that a message has left, and the answer waits until we do. Where none was leaving at all, or
        where its time runs out meanwhile, it was made without having been asked.
        """
        early = taken[-1][1].question
        for seat, answer in taken:
            self._open[answer.question] = seat
        self._open = dict(sorted(self._open.items()))
        leaving, last = self._leaving[0] if self._leaving else (0, 0)
        assert self._stream is not None
        if early <= last and leaving <= self._stream.writes_begun:
            self._stream.defer(payload, stamp)
        else:
            self._break(ANSWERED_EARLY)

    def _excuse(self, seats: Iterable[Seat], delay: float = 0.0) -> None:
        """Note what was kept from the bot since it was asked; matches in which that was our doing are void."""
        assert self.cpu is not None
        excused, lag = self.cpu.measure_delay(delay)
        self._excused += excused
        if self._max_lag and lag > self._max_lag:
            for seat in seats:
                seat.match.void(lag)

    def _flood_seconds(self) -> float:
        return self._flood_timer.flood_seconds if self._flood_timer is not None else 0.0

    def _let_rest(self) -> None:
        if self.cpu is not None and not self._open:
            self.cpu.pause()

    def _keep_printed(self, seat: Seat, lines: list[str]) -> None:
        """Keep what the bot printed while it had no other question: it must be about this one."""
        for line in lines:
            seat.match.add_note(seat, f"printed: {line}")

    def _break(self, sentence: str) -> None:
        if self._fail is not None:
            self._fail(FaultKind.PROTOCOL, sentence)

    # The clock

    def deadline(self) -> float | None:
        """Return when the oldest open question is out of time; None while nothing is open."""
        since = self._clock.running_since()
        if since is None or self._stream is None or not self._open:
            return None
        since += self._excused + self._flood_seconds() - self._flood_before
        if self.whole_batches:
            return since + self.move_time * len(self._open) + min(seat.bank for seat in self._open.values())
        return since + self.move_time + next(iter(self._open.values())).bank

    async def watch_clock(self, flush: Callable[[], None]) -> None:
        """Rule timeouts, until cancelled; `flush` lets leave what they bring about.

        One sweeper serves all questions. It looks again at least once per move time, so no deadline
        that arises in between can pass unseen. Two firings with no valid answer between: the
        process hangs.
        """
        while self.move_time:
            now = trio.current_time()
            deadline = self.deadline()
            if deadline is not None and deadline <= now:
                self._fire(now)
                flush()
            else:
                again = now + self.move_time
                await trio.sleep_until(again if deadline is None else min(again, deadline))

    def _fire(self, now: float) -> None:
        number, seat = next(iter(self._open.items()))
        if self.cpu is not None:
            before = self._excused
            self._excuse([seat])
            if self._excused - before > LEAST_EXCUSE:
                return  # its time is not over yet
        if self._flood_timer is not None:
            before = self._flood_seconds()
            self._flood_timer.measure()
            if self._flood_seconds() - before > LEAST_EXCUSE:
                return
        if self._fail is not None:
            if self._stream is not None and self._stream.has_deferred:
                self._fail(FaultKind.PROTOCOL, ANSWERED_EARLY)
                return
            if self._clock.timeouts:
                unread = number > self._last_that_left()
                what = "does not read what it is sent" if unread else "has not answered through two time limits"
                self._fail(FaultKind.HUNG, f"it runs but {what}")
                return
        del self._open[number]
        self._free()
        self._clock.time_out(now, busy=len(self._open) > self._unsent)
        self._excused = 0.0
        self._flood_before = self._flood_seconds()
        spent = self.move_time + seat.bank
        seat.bank = 0.0
        seat.charged = spent
        seat.total += spent
        seat.match.fail(seat, FaultKind.TIMEOUT, f"no answer within {spent:g} s, the move time and the whole bank")
        self._ask_on()
        self._let_rest()


def _cut(text: str) -> str:
    """Return the first 1,024 bytes of a note or of table talk."""
    return text.encode()[:NOTE_BYTES].decode("utf-8", "ignore")
