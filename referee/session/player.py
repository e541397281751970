"""One player: a bot's process that holds seats in the matches of a phase, over as many processes as it takes."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, cast

import trio
from google.protobuf.message import DecodeError
from mypy_extensions import mypyc_attr

from referee.engine.events import text, visible
from referee.engine.game import Outcome
from referee.match.faults import Kind
from referee.match.match import Match
from referee.match.seat import Chair
from referee.process.bot_process import Output
from referee.session.crash_attribution import Guilt
from referee.session.service_clock import ServiceClock
from referee.v1.play_pb2 import Answer, PlayRequest, PlayResponse
from referee.v1.work_pb2 import ProcessFailure
from referee.wire import NOTE_BYTES, clean, refused, view_schema, view_type

LEAST_EXCUSE = 1e-4
"""Seconds kept from a bot that put off the end of its time; less is the usual price of being woken."""

STRAYS = 1000
"""How many useless messages or answers in a row make a flood."""


STRAY_BYTES = 1024
"""A useless message counts once for so many bytes of it."""

ANSWERED_EARLY = "it answered a question that had not been sent to it yet"


class Wire(Protocol):
    """What a player needs of its stream (see `referee.connection.stream.Stream`).

    begun, written: how many messages have begun to leave, and how many have left whole. holds: a message was held.
    """

    left: float | None
    begun: int
    written: int

    @property
    def holds(self) -> bool:
        """Whether a message is held."""

    def send(self, payload: bytes, *, mark: bool = False) -> int:
        """Queue a message and return its number, from 1."""

    def hold(self, payload: bytes, stamp: float) -> None:
        """Give a message back, which comes again once the one that is leaving has left."""

    def close(self) -> None:
        """End the stream."""


class Stall(Protocol):
    """What a player needs to know of floods of others (see `referee.connection.flood_detection.FloodWatch`).

    stalled: seconds in all that they took of everybody's time, as far as it was measured.
    """

    stalled: float

    def measure(self) -> bool:
        """Bring `stalled` up to date."""


class Keeper(Protocol):
    """What a player needs of who keeps its process (see `referee.process.cpu_fairness.Keeper`)."""

    def run(self) -> None:
        """A question is about to leave."""

    def rest(self) -> None:
        """No question is open any more."""

    def excused(self, delay: float = 0.0) -> tuple[float, float]:
        """Return how many seconds since `run`, or since this was asked last, are not the bot's, and how many are ours.

        delay: seconds that an answer has lain here.
        """

    def release(self) -> None:
        """The process is let go."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Player:
    """The conversation with one bot, over as many processes as it takes.

    move_time: seconds for each answer, 0: no limit. matches_at_once: how many matches it takes.
    wants_events, wants_schema, whole_batches: as it said in its hello.
    withdrawn: it had too many faults; its seats are forfeited. guilt: its process faults.
    keeper: keeps its process where clocks are to be fair on a busy machine; None elsewhere. waited: what its processes
    were excused for, in seconds.
    """

    def __init__(
        self,
        *,
        move_time: float,
        most_faults: int,
        matches_at_once: int,
        dirty: "list[Player]",
        most_lag: float = 0.0,
        stall: Stall | None = None,
        report: Callable[[ProcessFailure], None] | None = None,
    ) -> None:
        """Make a player without a process.

        most_faults: in how many matches its process may fail. dirty: where a player puts itself
        that has something to send. most_lag: seconds that we may keep an answer waiting before its match is void;
        0: however long. stall: tells of floods, whose time is not the bot's; None: there are none. report: takes what
        is known of each process that failed, before its matches learn of it.
        """
        self._stall = stall
        self._report = report
        self.keeper: Keeper | None = None
        self.waited = 0.0
        self._most_lag = most_lag
        self.move_time = move_time
        self.matches_at_once = matches_at_once
        self.bot_name = ""
        self.bot_version = ""
        self.wants_events = False
        self.wants_schema = False
        self.whole_batches = False
        self.output = Output()
        self.guilt = Guilt(most_faults)
        self.withdrawn = False
        self._why = (Kind.WITHDRAWN, "")
        self._dirty = dirty
        self._active: set[Match] = set()
        self._waiting: deque[Chair] = deque()
        self._asked: set[Chair] = set()
        self._life = 0
        self._queued = False
        self._fail: Callable[[Kind, str], None] | None = None
        self._wire: Wire | None = None
        self._new_process()

    def _new_process(self) -> None:
        self._clock = ServiceClock()
        self._new_message()
        self._open: dict[int, Chair] = {}
        self._leaving: deque[tuple[int, int]] = deque()
        self._reached = 0
        self._unsent = 0
        self._busy = False
        self._question = 0
        self._local = 0
        self._strays = 0
        self._excused = 0.0
        self._stalled_before = self._stalled()

    def _new_message(self) -> None:
        self._message = PlayResponse()
        self._turns = self._message.turns
        self._questions = self._turns.questions

    # The life of a process

    def connected(self, wire: Wire, fail: Callable[[Kind, str], None]) -> None:
        """Go on with a new process that was welcomed on `wire`; `fail` ends it for a fault."""
        self._wire = wire
        self._fail = fail
        self._life += 1
        self._new_process()
        self.guilt.started()
        self._ask_on()
        self._let_rest()

    def disconnect(self) -> None:
        """Say no more to the process: the phase is over, or it failed."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        if self.keeper is not None:
            self.keeper.release()
            self.keeper = None

    def process_failed(self, kind: Kind, sentence: str, failure: ProcessFailure | None = None) -> None:
        """Judge the end of a process that should have gone on (see `referee.session.crash_attribution`).

        failure: what is known of it besides, to be reported.
        """
        self.disconnect()
        open_chairs = list(self._open.values())
        self._open.clear()
        guilty = self.guilt.failed(kind, open_chairs)
        self._report_failure(failure, cast("ProcessFailure.Kind.ValueType", int(kind)), sentence, open_chairs, guilty)
        if guilty is not None:
            self._keep_printed(guilty, self.output.fresh())
            guilty.match.fail(guilty, kind, sentence)
        if self.guilt.too_many:
            self.withdraw(
                f"{self.guilt.failures} process faults, the last: {sentence}",
                Kind.START if kind is Kind.START else Kind.WITHDRAWN,
            )

    def left(self) -> None:
        """Keep the open questions of an attached bot that went away for whoever dials next."""
        self.disconnect()
        self.guilt.excuse(list(self._open.values()))
        self._open.clear()

    def lost(self, why: str, failure: ProcessFailure | None = None) -> None:
        """Keep the open questions of a remote bot whose connection was lost until it dials again.

        It has no clock until then, and whoever goes away on purpose gains time; hence each loss counts as a failure.
        failure: what is known of it besides, to be reported.
        """
        self.disconnect()
        open_chairs = list(self._open.values())
        self._open.clear()
        self._asked.update(open_chairs)
        self._waiting.extendleft(reversed(open_chairs))
        self.guilt.lost()
        self._report_failure(failure, ProcessFailure.KIND_CONNECTION, why, open_chairs, None)
        if self.guilt.too_many:
            self.withdraw(f"{self.guilt.failures} times it failed or lost its connection, the last: {why}")

    def _report_failure(
        self,
        failure: ProcessFailure | None,
        kind: "ProcessFailure.Kind.ValueType",
        sentence: str,
        open_chairs: Sequence[Chair],
        guilty: Chair | None,
    ) -> None:
        """Report a failure with the matches that it may bear upon."""
        if failure is None or self._report is None:
            return
        failure.kind = kind
        failure.sentence = sentence
        failure.matches.extend(dict.fromkeys(chair.match.number for chair in open_chairs))
        if guilty is not None:
            failure.guilty = guilty.match.number
        self._report(failure)

    def withdraw(self, why: str, kind: Kind = Kind.WITHDRAWN) -> None:
        """Take the bot out of all its matches, now and from now on; `kind` is the fault that stands in each."""
        self.withdrawn = True
        self._why = (kind, f"the bot is withdrawn: {why}")
        self._waiting.clear()
        self.guilt.drop()
        for match in list(self._active):
            self._forfeit(match)

    def _forfeit(self, match: Match) -> None:
        for chair in match.chairs:
            if chair.player is self:
                match.forfeit(chair, *self._why)

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
        if self._wire is not None:
            for chair in match.chairs:
                if chair.player is self:
                    self._start(chair)

    def finish(self, match: Match, outcome: Outcome) -> None:
        """Tell the bot that a match is over."""
        self._active.discard(match)
        if self._wire is None:
            return
        for chair in match.chairs:
            if chair.player is self and chair.life == self._life:
                end = self._turns.ends.add()
                end.match = chair.local
                end.scores.extend(outcome.scores)
                end.ranks.extend(outcome.ranks)
                if self.wants_events:
                    end.events.extend(self._news(chair))
                self._queue()

    def ask(self, chair: Chair) -> None:
        """Put the question that the chair's match has for it, now or when its turn comes."""
        if self._wire is None or self.guilt.isolating:
            self._waiting.append(chair)
        else:
            self._put(chair, again=False)

    def flush(self) -> None:
        """Send what is queued, in one message, unless the bot still works on all that the last one asked.

        Whatever comes up for it until then leaves together: a message costs as much as dozens of
        questions, and a busy bot could not begin on it anyway.
        """
        self._queued = False
        if self._wire is None or self._busy:
            return
        self._busy = len(self._open) > 0
        if self._busy and self.keeper is not None:
            self.keeper.run()
        mark = self._busy and self._clock.departs(self._wire)
        if mark:
            self._stalled_before = self._stalled()
        number = self._wire.send(self._message.SerializeToString(), mark=mark)
        if self._unsent:
            self._leaving.append((number, self._question))
            self._unsent = 0
        self._new_message()

    def _queue(self) -> None:
        if not self._queued:
            self._queued = True
            self._dirty.append(self)

    def _free(self) -> None:
        """Let leave what was held back while the bot was busy."""
        self._busy = False
        if self._message.HasField("turns"):
            self._queue()

    def _start(self, chair: Chair) -> None:
        self._local += 1
        chair.life = self._life
        chair.local = self._local
        chair.seen = 0
        match = chair.match
        start = self._turns.starts.add()
        start.match = chair.local
        start.game = match.game.name
        start.behaviour = match.game.behaviour
        start.options.update(match.given)
        start.seats = len(match.chairs)
        start.seat = chair.seat
        start.view_type = view_type(match.game)
        start.bot_seed = chair.bot_seed
        start.move_time_ms = round(self.move_time * 1000)
        start.bank_ms = int(chair.bank * 1000)
        start.names.extend(match.names)
        if self.wants_schema:
            start.schema.CopyFrom(view_schema(match.game))
        self._queue()

    def _put(self, chair: Chair, *, again: bool) -> None:
        if chair.life != self._life:
            self._start(chair)
        match = chair.match
        self._question += 1
        self._unsent += 1
        self._open[self._question] = chair
        question = self._questions.add()
        question.id = self._question
        question.match = chair.local
        question.view = match.view(chair)
        question.legal.extend(chair.legal)
        if self.move_time:
            question.bank_ms = int(chair.bank * 1000)
        question.charged_us = int(chair.charged * 1e6)
        if again:
            question.again = True
        if self.wants_events:
            question.events.extend(self._news(chair))
        if not self._queued:
            self._queued = True
            self._dirty.append(self)

    def _news(self, chair: Chair) -> list[str]:
        """Return the lines of the log that the chair's bot has not been told, as far as it may know them."""
        lines, events = chair.match.game.lines, chair.match.state.events
        news = [text(lines, event) for event in events[chair.seen :] if visible(lines, event, chair.seat)]
        chair.seen = len(events)
        return news

    def _ask_on(self) -> None:
        """Ask the next suspect alone, or everybody who waits where there is none."""
        suspect = self.guilt.next_suspect()
        if suspect is not None:
            self._put(suspect, again=True)
            return
        waiting, self._waiting = self._waiting, deque()
        for chair in waiting:
            if chair.index < 0:
                self._put(chair, again=chair in self._asked)
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
        taken: list[tuple[Chair, Answer]] = []
        for answer in answers:
            chair = self._open.pop(answer.question, None)
            if chair is not None:
                taken.append((chair, answer))
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
        charge = self._clock.answered(stamp, len(taken), busy=len(self._open) > self._unsent)
        if self.keeper is not None:
            self._excuse([chair for chair, _ in taken], trio.current_time() - stamp)
            charge = max(0.0, charge - self._excused / len(taken))
            self._excused = 0.0
        if self._stall is not None:
            charge = max(0.0, charge - (self._stalled() - self._stalled_before) / len(taken))
            self._stalled_before = self._stalled()
        printed = self.output.fresh()
        if printed and len(taken) == 1 and len(self._open) == self._unsent:
            self._keep_printed(taken[0][0], printed)
        for chair, answer in taken:
            legal = chair.legal
            if answer.note:
                chair.match.note(chair, clean(_cut(answer.note), NOTE_BYTES))
            if answer.say and (room := chair.match.state.hears()) and (words := _cut(answer.say).strip()):
                chair.match.hear(chair, clean(words, room))
            move = answer.text
            if move:
                index = legal.index(move) if move in legal else -1
            else:
                index = answer.index if answer.index < len(legal) and answer.HasField("index") else -1
            chair.match.answer(chair, index, charge, "" if index >= 0 else refused(answer, legal))
        if self._waiting or self.guilt.isolating:
            self._ask_on()
        self._let_rest()

    def _last_that_left(self) -> int:
        """Return the number of the last question that has left whole."""
        if self._leaving and self._wire is not None:
            written = self._wire.written
            while self._leaving and self._leaving[0][0] <= written:
                self._reached = self._leaving.popleft()[1]
        return self._reached

    def _answered_early(self, taken: Sequence[tuple[Chair, Answer]], payload: bytes, stamp: float) -> None:
        """Rule on an answer to a question that has not left whole: the last of those `taken`, which are put back.

        We may learn late that a message has left, and the answer waits until we do. Where none was leaving at all, or
        where its time runs out meanwhile, it was made without having been asked.
        """
        early = taken[-1][1].question
        for chair, answer in taken:
            self._open[answer.question] = chair
        self._open = dict(sorted(self._open.items()))
        leaving, last = self._leaving[0] if self._leaving else (0, 0)
        assert self._wire is not None
        if early <= last and leaving <= self._wire.begun:
            self._wire.hold(payload, stamp)
        else:
            self._break(ANSWERED_EARLY)

    def _excuse(self, chairs: Iterable[Chair], delay: float = 0.0) -> None:
        """Note what was kept from the bot since it was asked; matches in which that was our doing are void."""
        assert self.keeper is not None
        excused, lag = self.keeper.excused(delay)
        self._excused += excused
        if self._most_lag and lag > self._most_lag:
            for chair in chairs:
                chair.match.annul(lag)

    def _stalled(self) -> float:
        return self._stall.stalled if self._stall is not None else 0.0

    def _let_rest(self) -> None:
        if self.keeper is not None and not self._open:
            self.keeper.rest()

    def _keep_printed(self, chair: Chair, lines: list[str]) -> None:
        """Keep what the bot printed while it had no other question: it must be about this one."""
        for line in lines:
            chair.match.note(chair, f"printed: {line}")

    def _break(self, sentence: str) -> None:
        if self._fail is not None:
            self._fail(Kind.PROTOCOL, sentence)

    # The clock

    def deadline(self) -> float | None:
        """Return when the oldest open question is out of time; None while nothing is open."""
        since = self._clock.running_since()
        if since is None or self._wire is None or not self._open:
            return None
        since += self._excused + self._stalled() - self._stalled_before
        if self.whole_batches:
            return since + self.move_time * len(self._open) + min(chair.bank for chair in self._open.values())
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
        number, chair = next(iter(self._open.items()))
        if self.keeper is not None:
            before = self._excused
            self._excuse([chair])
            if self._excused - before > LEAST_EXCUSE:
                return  # its time is not over yet
        if self._stall is not None:
            before = self._stalled()
            self._stall.measure()
            if self._stalled() - before > LEAST_EXCUSE:
                return
        if self._fail is not None:
            if self._wire is not None and self._wire.holds:
                self._fail(Kind.PROTOCOL, ANSWERED_EARLY)
                return
            if self._clock.fired:
                unread = number > self._last_that_left()
                what = "does not read what it is sent" if unread else "has not answered through two time limits"
                self._fail(Kind.HUNG, f"it runs but {what}")
                return
        del self._open[number]
        self._free()
        self._clock.missed(now, busy=len(self._open) > self._unsent)
        self._excused = 0.0
        self._stalled_before = self._stalled()
        spent = self.move_time + chair.bank
        chair.bank = 0.0
        chair.charged = spent
        chair.total += spent
        chair.match.fail(chair, Kind.TIMEOUT, f"no answer within {spent:g} s, the move time and the whole bank")
        self._ask_on()
        self._let_rest()


def _cut(text: str) -> str:
    """Return the first 1,024 bytes of a note or of table talk."""
    return text.encode()[:NOTE_BYTES].decode("utf-8", "ignore")
