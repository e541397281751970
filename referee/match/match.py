"""One match and its seats: asks those that must answer, judges their answers, plays them, keeps what records need.

A match is a plain object that answers drive, and no task: to park and reschedule one of trio's costs as much as the
rules.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import trio

from referee.codec import EventLog, ViewEncoder
from referee.engine.chance import Chance
from referee.engine.errors import RecordError
from referee.engine.events import Event
from referee.engine.game import Game, Outcome, State
from referee.engine.options import Options
from referee.engine.record import pack_answers, pack_time, ranks_with_forfeits, unpack_answers
from referee.match.faults import Fault, FaultKind, in_seconds
from referee.v1 import work_pb2
from referee.wire import encode_record


class RulesFailed(Exception):
    """The rules of a game raised an error in the middle of a match: a defect of the game, and no bot's fault."""


class SeatPlayer(Protocol):
    """What a match needs of the player that holds a seat (see `referee.session.player.BotPlayer`)."""

    move_time: float
    """The seconds for each answer; 0: no limit."""

    def ask(self, seat: "Seat") -> None:
        """Ask the bot, now or later; the answer comes back through `Match.answer` or `Match.fail`, never from here."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a seat."""

    move_time: float
    """The seconds for each answer; 0: no limit."""
    bank: float
    """The seconds of the bank, beyond all move times."""
    fischer: bool
    """Whether what an answer leaves of the move time is added to the bank."""


@dataclass(frozen=True, slots=True)
class MatchLimits:
    """The limits of every seat of a match."""

    move_time: float
    """The seconds for each answer; 0: no limit."""
    bank: float
    """The seconds of the bank, beyond all move times."""
    strikes: int
    """How many faults forfeit the seat."""
    slot: float = 0.0
    """The seconds after a turn before the next question that could reveal its timing (see `State.hides_turn_timing`);
    0: it is asked at once.
    """
    fischer: bool = False
    """Whether what an answer leaves of the move time is added to the bank."""


class Seat:
    """One seat of one match.

    number: its place at the table.
    move_time: the seconds for each answer; 0: no limit.
    bank: the seconds left in its bank.
    fischer: whether what an answer leaves of the move time is added to the bank.
    charged: the seconds charged for its last answer.
    total: the seconds charged for all its answers.
    legal: the moves of the open question.
    answer: the index of the move to be played; -1 until there is one.
    time: what that answer took, as records have it.
    events_seen: how many events its bot was told.
    printed: the characters of its bot's output that are kept with its answers.
    unready: the fault of a process that failed while it got ready for the match; it counts at the next question.
    process, match_id: the process of the player that knows the match, and the match's number there.
    """

    __slots__ = (
        "match", "number", "player", "bot_seed", "bank", "charged", "total", "decisions", "strikes", "forfeit",
        "legal", "answer", "time", "events_seen", "process", "match_id", "move_time", "fischer", "printed", "unready",
    )  # fmt: skip

    def __init__(self, match: "Match", number: int, player: SeatPlayer, bot_seed: bytes, clock: Clock) -> None:
        self.match = match
        self.number = number
        self.player = player
        self.bot_seed = bot_seed
        self.move_time = player.move_time
        self.bank = clock.bank
        self.fischer = clock.fischer
        self.charged = 0.0
        self.total = 0.0
        self.decisions = 0
        self.strikes = 0
        self.forfeit = False
        self.legal: tuple[str, ...] = ()
        self.answer = 0
        self.time = 0
        self.events_seen = 0
        self.process = 0
        self.match_id = 0
        self.printed = 0
        self.unready: tuple[FaultKind, str] | None = None


class Match:
    """One match in progress.

    number: the caller's number for it.
    options: those that differ from their defaults.
    state: the rules.
    lag: the longest that the referee delayed an answer, where that is too long for the match to count, in seconds; 0:
        it counts.
    names: the bots' names by seat where bots are told them; empty elsewhere.
    clocks: by seat, where they are not all that of the limits; empty elsewhere.

    `on_finished` is called with the match once it is over; `on_hold`, which slots need, with it and the time of trio's
    clock at which it is to `advance`.
    """

    __slots__ = (
        "number", "game", "options", "state", "seats", "lag", "names", "clocks", "_encoder", "_log",
        "_answers", "_times", "_faults", "_notes", "_says", "_pending_talk", "_began_at", "_on_finished", "_limits",
        "_missing", "_on_hold", "_hides_timing", "_last_turn_at",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        game: Game,
        options: Options,
        chance: Chance,
        players: Sequence[SeatPlayer],
        bot_seeds: Sequence[bytes],
        limits: MatchLimits,
        on_finished: "Callable[[Match], None]",
        opening: bytes = b"",
        says: Sequence[work_pb2.Say] = (),
        on_hold: "Callable[[Match, float], None] | None" = None,
        names: Sequence[str] = (),
        clocks: Sequence[Clock] = (),
    ) -> None:
        """Make a match.

        opening, says: answers that are played at once, in the form of a record, and their talk.

        Raises RecordError where they do not fit the rules.
        """
        self.number = number
        self.lag = 0.0
        self.names = names
        self.game = game
        self.options = options.given()
        self.state: State = game.start(options, len(players), chance)
        self.clocks = clocks
        usual = Clock(limits.move_time, limits.bank, limits.fischer)
        self.seats = [
            Seat(self, place, player, bot_seed, clocks[place] if clocks else usual)
            for place, (player, bot_seed) in enumerate(zip(players, bot_seeds, strict=True))
        ]
        self._encoder = ViewEncoder(game)
        self._log = EventLog()
        self._answers: list[int] = []
        self._times = bytearray()
        self._faults: list[Fault] = []
        self._notes: list[tuple[int, int, str]] = []
        self._says: list[tuple[int, int, str]] = []
        self._pending_talk: dict[int, str] = {}
        self._began_at = trio.current_time()
        self._on_finished = on_finished
        self._on_hold = on_hold
        self._hides_timing = False
        self._last_turn_at = self._began_at
        self._limits = limits
        self._missing = 0
        if opening:
            self._play_opening(unpack_answers(opening), says)

    def _play_opening(self, answers: Sequence[int], says: Sequence[work_pb2.Say]) -> None:
        talk = {(say.ply, say.seat): say.text for say in says}
        while (first := len(self._answers)) < len(answers):
            asked = self.state.asked
            round_answers = answers[first : first + len(asked)]
            if not asked or len(round_answers) < len(asked):
                raise RecordError(f"the opening ends in the middle of a question, at answer {len(answers)}")
            for place, (number, answer) in enumerate(zip(asked, round_answers, strict=True)):
                seat = self.seats[number]
                seat.legal, seat.answer = self.state.legal(number), answer
                if answer >= len(seat.legal):
                    raise RecordError(f"answer {first + place} of the opening is no move of seat {number}")
                if words := talk.get((first + place, number)):
                    self._pending_talk[number] = words
            self._apply()
        for seat in self.seats:
            seat.answer, seat.time = 0, 0

    def void(self, lag: float) -> None:
        """Let the match not count, as the referee delayed an answer by `lag` seconds.

        It is played on, so that its bots do not notice.
        """
        self.lag = max(self.lag, lag)

    def advance(self) -> None:
        """Ask the next question, or finish. Forfeited seats are played by default moves.

        Raises RulesFailed where the rules fail, as all methods do that call them.
        """
        state = self.state
        while asked := state.asked:
            if self._limits.slot and self._wait_for_slot():
                return
            missing = 0
            for number in asked:
                seat = self.seats[number]
                try:
                    seat.legal = legal = state.legal(number)
                    is_default = seat.forfeit or seat.unready is not None
                    answer = legal.index(state.default(number)) if is_default else -1
                except Exception as error:
                    raise self._rules_failed(error) from error
                seat.answer = answer
                if answer < 0:
                    missing += 1
                    seat.player.ask(seat)
                else:
                    seat.time = 0
                    if seat.unready is not None:
                        self._count_unready(seat)
            if missing:
                self._missing = missing
                return
            self._apply()
        self._on_finished(self)

    def _wait_for_slot(self) -> bool:
        """Put off a question that could reveal its timing until its slot; return False where the slot has come."""
        # In mode fast the delay drowns among hundreds of matches. In mode clock it can be noticed without a slot, which
        # is not the default: with quick bots the pauses cost more than everything else.
        self._hides_timing = self.state.hides_turn_timing()
        due = self._last_turn_at + self._limits.slot
        if not self._hides_timing or trio.current_time() >= due:
            return False
        assert self._on_hold is not None
        self._on_hold(self, due)
        return True

    def answer(self, seat: Seat, answer: int, charge: float, error: str = "") -> None:
        """Take a seat's answer, which may be late.

        answer: the index of the move in `seat.legal`, or -1 where it is none of them; then `error` says in a sentence
            what is wrong with it.
        charge: the seconds it took. What exceeds the move time is taken from the bank; an empty bank is a timeout. With
            a Fischer clock what is left of the move time is added to the bank.
        """
        seat.charged = charge
        seat.total += charge
        if seat.move_time and (charge > seat.move_time or seat.fischer):
            bank = seat.bank
            seat.bank -= charge - seat.move_time
            if seat.bank < 0:
                seat.bank = 0.0
                left = f", and {in_seconds(bank)} was left of the bank" if bank else ""
                sentence = f"it answered after {charge:.3f} s: the move time is {in_seconds(seat.move_time)}{left}"
                self.fail(seat, FaultKind.TIMEOUT, sentence)
                return
        if answer < 0:
            self.fail(seat, FaultKind.ILLEGAL, error)
            return
        seat.decisions += 1
        seat.answer = answer
        seat.time = pack_time(charge * 1e6)
        self._missing -= 1
        if not self._missing:
            self._apply()
            self.advance()

    def fail(self, seat: Seat, kind: FaultKind, sentence: str) -> None:
        """Count a strike against a seat that gave no valid answer, and play its default move.

        A seat without an open question failed while it got ready for the match: both happen at its next question.
        """
        if seat.answer >= 0:
            seat.unready = (kind, sentence)
            return
        self._add_strike(seat, kind, sentence)
        self._play_default(seat)

    def _add_strike(self, seat: Seat, kind: FaultKind, sentence: str) -> None:
        seat.strikes += 1
        if seat.strikes >= self._limits.strikes:
            seat.forfeit = True
        self._faults.append(Fault(seat.number, self._ply(seat), kind, sentence, seat.forfeit))

    def _count_unready(self, seat: Seat) -> None:
        """Count the strike of a seat whose process failed while it got ready, unless it has no strikes left."""
        if seat.unready is not None and not seat.forfeit:
            self._add_strike(seat, *seat.unready)
        seat.unready = None

    def forfeit(self, seat: Seat, kind: FaultKind, sentence: str) -> None:
        """Play a seat by default moves for the rest of the match."""
        if seat.forfeit:
            return
        seat.forfeit = True
        self._faults.append(Fault(seat.number, self._ply(seat), kind, sentence, True))
        if seat.answer < 0:
            self._play_default(seat)

    def add_note(self, seat: Seat, text: str) -> None:
        """Keep a note beside the answer that the seat is about to give."""
        self._notes.append((seat.number, self._ply(seat), text))

    def add_talk(self, seat: Seat, words: str) -> None:
        """Keep what a bot says to the table until its answer, which it is about to give, is played."""
        self._pending_talk[seat.number] = words

    def outcome(self) -> Outcome:
        """Return the game's result, with forfeited seats ranked last."""
        try:
            outcome = self.state.outcome()
        except Exception as error:
            raise self._rules_failed(error) from error
        return Outcome(outcome.scores, ranks_with_forfeits(outcome.ranks, [seat.forfeit for seat in self.seats]))

    @property
    def began_at(self) -> float:
        """When it began, on trio's clock."""
        return self._began_at

    @property
    def answered(self) -> int:
        """How many answers were played."""
        return len(self._answers)

    def under_way(self) -> work_pb2.UnderWay:
        """Return how far the match is."""
        says = [work_pb2.Say(seat=seat, ply=ply, text=text) for seat, ply, text in self._says]
        return work_pb2.UnderWay(match=self.number, answers=pack_answers(self._answers), says=says)

    def record(self, outcome: Outcome) -> work_pb2.Record:
        """Return the record of the match, which ends now with `outcome`."""
        self._log.take(self.state.events)
        return encode_record(
            match=self.number,
            game=self.game,
            digest=self._log.digest(),
            answers=self._answers,
            times=self._times,
            outcome=outcome,
            seconds=trio.current_time() - self._began_at,
            charged=[seat.total for seat in self.seats],
            decisions=[seat.decisions for seat in self.seats],
            faults=[(one.seat, one.ply, one.kind.value, one.sentence, one.forfeit) for one in self._faults],
            notes=self._notes,
            says=self._says,
        )

    def view(self, seat: Seat) -> bytes:
        """Return the encoded view of a seat."""
        try:
            return self._encoder.encode(self.state.view(seat.number))
        except Exception as error:
            raise self._rules_failed(error) from error

    def events(self, first: int) -> list[Event]:
        """Return the log from event number `first` on."""
        self._log.take(self.state.events)
        return self._log.since(first)

    def _rules_failed(self, error: Exception) -> RulesFailed:
        """Return the exception to raise for an error of the rules."""
        cause = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return RulesFailed(
            f"the rules of {self.game.name} failed in match {self.number} after {len(self._answers)} answers: {cause}"
        )

    def _ply(self, seat: Seat) -> int:
        """Return the number in the record of the seat's open (or next) answer."""
        asked = self.state.asked
        return len(self._answers) + (asked.index(seat.number) if seat.number in asked else 0)

    def _play_default(self, seat: Seat) -> None:
        self._pending_talk.pop(seat.number, None)  # talk counts only with a valid answer
        try:
            seat.answer = seat.legal.index(self.state.default(seat.number))
        except Exception as error:
            raise self._rules_failed(error) from error
        seat.time = 0
        self._missing -= 1
        if not self._missing:
            self._apply()
            self.advance()

    def _apply(self) -> None:
        """Record the answers of all asked seats, in seat order, and play them."""
        if self._hides_timing:
            self._last_turn_at = trio.current_time()
        if self._pending_talk:
            self._play_talk()
        state = self.state
        moves = []
        for number in state.asked:
            seat = self.seats[number]
            self._answers.append(seat.answer)
            self._times.append(seat.time)
            moves.append(seat.legal[seat.answer])
        try:
            state.apply(moves)
        except Exception as error:
            raise self._rules_failed(error) from error
        self._log.take(state.events)

    def _play_talk(self) -> None:
        """Add to the log what was said with the answers that are about to be played."""
        for place, number in enumerate(self.state.asked):
            if number in self._pending_talk:
                words = self._pending_talk.pop(number)
                self._says.append((number, len(self._answers) + place, words))
                self.state.say(number, words)
