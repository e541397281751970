"""One match: ask whoever must answer, judge the answers, keep the record."""

from collections.abc import Callable, Sequence

import trio

from referee.engine.chance import Chance
from referee.engine.errors import RecordError
from referee.engine.events import digest
from referee.engine.game import Game, Outcome, State
from referee.engine.options import Options
from referee.engine.record import pack_answers, pack_time, ranks_with_forfeits, unpack_answers
from referee.match.faults import Fault, Kind
from referee.match.interning import kept
from referee.match.seat import Asker, Chair, TimeControl
from referee.v1 import work_pb2
from referee.wire import ViewEncoder


class RulesFailed(Exception):
    """The rules of a game raised an error in the middle of a match: a mistake in the game, and of nobody else."""


class Match:
    """One match in progress.

    number: the caller's number for it. given: the options that differ from their defaults. state: the
    rules. chairs: one for each seat. lag: seconds that we kept an answer waiting, too long for the match to count;
    0: it counts. names: the players by seat as bots are told them; empty: they are not told.
    `finished` is called with the match once it is over; `held`, which slots need, with it and the time of trio's
    clock at which it is to `go_on`.
    """

    __slots__ = (
        "number", "game", "given", "state", "chairs", "encode", "lag", "names",
        "_answers", "_times", "_faults", "_notes", "_says", "_spoken", "_began", "_finished", "_clock", "_missing",
        "_held", "_veiled", "_turned",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        game: Game,
        options: Options,
        chance: Chance,
        players: Sequence[Asker],
        bot_seeds: Sequence[bytes],
        clock: TimeControl,
        finished: "Callable[[Match], None]",
        opening: bytes = b"",
        says: Sequence[work_pb2.Say] = (),
        held: "Callable[[Match, float], None] | None" = None,
        names: Sequence[str] = (),
    ) -> None:
        """Make a match. opening, says: answers that are played at once, as a record has them, with what was said.

        Raises RecordError where they do not fit the rules.
        """
        self.number = number
        self.lag = 0.0
        self.names = names
        self.game = game
        self.given = options.given()
        self.state: State = game.start(options, len(players), chance)
        self.chairs = [
            Chair(self, seat, player, bot_seed, clock.bank)
            for seat, (player, bot_seed) in enumerate(zip(players, bot_seeds, strict=True))
        ]
        self.encode = ViewEncoder(game)
        self._answers: list[int] = []
        self._times = bytearray()
        self._faults: list[Fault] = []
        self._notes: list[tuple[int, int, str]] = []
        self._says: list[tuple[int, int, str]] = []
        self._spoken: dict[int, str] = {}
        self._began = trio.current_time()
        self._finished = finished
        self._held = held
        self._veiled = False
        self._turned = self._began
        self._clock = clock
        self._missing = 0
        if opening:
            self._open(unpack_answers(opening), says)

    def _open(self, answers: Sequence[int], says: Sequence[work_pb2.Say]) -> None:
        spoken = {(say.ply, say.seat): say.text for say in says}
        while (first := len(self._answers)) < len(answers):
            asked = self.state.asked
            given = answers[first : first + len(asked)]
            if not asked or len(given) < len(asked):
                raise RecordError(f"the opening ends in the middle of a question, at answer {len(answers)}")
            for place, (seat, index) in enumerate(zip(asked, given, strict=True)):
                chair = self.chairs[seat]
                chair.legal, chair.index = self.state.legal(seat), index
                if index >= len(chair.legal):
                    raise RecordError(f"answer {first + place} of the opening is no move of seat {seat}")
                if words := spoken.get((first + place, seat)):
                    self._spoken[seat] = words
            self._apply()
        for chair in self.chairs:
            chair.index, chair.time = 0, 0

    def annul(self, lag: float) -> None:
        """Let it not count, as we kept an answer waiting for `lag` seconds. It is played on: its bots need not know."""
        self.lag = max(self.lag, lag)

    def go_on(self) -> None:
        """Ask the next question, or finish. Seats that are forfeited are played by default moves.

        Raises RulesFailed where the rules fail; and so does everything else that asks them.
        """
        state = self.state
        while asked := state.asked:
            if self._clock.slot and self._hold():
                return
            chairs = self.chairs
            missing = 0
            for seat in asked:
                chair = chairs[seat]
                try:
                    chair.legal = legal = state.legal(seat)
                    default = legal.index(state.default(seat)) if chair.forfeit else -1
                except Exception as error:
                    raise self._failed(error) from error
                chair.index = default
                if default < 0:
                    missing += 1
                else:
                    chair.time = 0
            if missing:
                self._missing = missing
                for seat in asked:
                    chair = chairs[seat]
                    if chair.index < 0:
                        chair.player.ask(chair)
                return
            self._apply()
        self._finished(self)

    def _hold(self) -> bool:
        """Put off a veiled question until its time. Return False where that has come."""
        self._veiled = self.state.veiled()
        due = self._turned + self._clock.slot
        if not self._veiled or trio.current_time() >= due:
            return False
        assert self._held is not None
        self._held(self, due)
        return True

    def answer(self, chair: Chair, index: int, charge: float, wrong: str = "") -> None:
        """Take an answer that came in time or late.

        index: the place of the move in `chair.legal`, or -1 where the answer was none of them; then `wrong` is what is
        wrong with it, in a sentence.
        charge: the seconds it took. What exceeds the move time comes from the bank; an empty bank
        makes it a timeout.
        """
        chair.charged = charge
        chair.total += charge
        move_time = chair.player.move_time
        if move_time and charge > move_time:
            chair.bank -= charge - move_time
            if chair.bank < 0:
                chair.bank = 0.0
                self.fail(chair, Kind.TIMEOUT, f"it answered after {charge:.3f} s, with no time left in the bank")
                return
        if index < 0:
            self.fail(chair, Kind.ILLEGAL, wrong)
            return
        chair.decisions += 1
        chair.index = index
        chair.time = pack_time(charge * 1e6)
        self._missing -= 1
        if not self._missing:
            self._apply()
            self.go_on()

    def fail(self, chair: Chair, kind: Kind, sentence: str) -> None:
        """Play the default move for a chair that was asked and gave no good answer; count the strike."""
        chair.strikes += 1
        if chair.strikes >= self._clock.strikes:
            chair.forfeit = True
        self._faults.append(Fault(chair.seat, self._ply(chair), kind, sentence, chair.forfeit))
        self._default(chair)

    def forfeit(self, chair: Chair, kind: Kind, sentence: str) -> None:
        """Take a seat out of its bot's hands for the rest of the match."""
        if chair.forfeit:
            return
        chair.forfeit = True
        self._faults.append(Fault(chair.seat, self._ply(chair), kind, sentence, True))
        if chair.index < 0:
            self._default(chair)

    def note(self, chair: Chair, text: str) -> None:
        """Keep a bot's thought beside the answer it is about to give."""
        self._notes.append((chair.seat, self._ply(chair), text))

    def hear(self, chair: Chair, words: str) -> None:
        """Keep what a bot says to the table until its answer, which it is about to give, is played."""
        self._spoken[chair.seat] = words

    def outcome(self) -> Outcome:
        """Return the result: the game's own, with forfeited seats ranked last."""
        try:
            outcome = self.state.outcome()
        except Exception as error:
            raise self._failed(error) from error
        forfeits = [chair.forfeit for chair in self.chairs]
        return Outcome(outcome.scores, ranks_with_forfeits(outcome.ranks, forfeits))

    def record(self, outcome: Outcome) -> work_pb2.Record:
        """Return the record of the match, which ends now with `outcome`."""
        record = work_pb2.Record(
            match=self.number,
            answers=pack_answers(self._answers),
            times=bytes(self._times),
            scores=outcome.scores,
            ranks=outcome.ranks,
            digest=digest(self.state.events),
            behaviour=self.game.behaviour,
            duration_ms=round((trio.current_time() - self._began) * 1000),
            charged_us=[round(chair.total * 1e6) for chair in self.chairs],
            decisions=[chair.decisions for chair in self.chairs],
        )
        for fault in self._faults:
            kind = fault.kind.value
            record.faults.add(seat=fault.seat, ply=fault.ply, kind=kind, sentence=fault.sentence, forfeit=fault.forfeit)
        for seat, ply, text in self._notes:
            record.notes.add(seat=seat, ply=ply, text=text)
        for seat, ply, text in self._says:
            record.says.add(seat=seat, ply=ply, text=text)
        return record

    def view(self, chair: Chair) -> bytes:
        """Return what the chair's bot sees."""
        try:
            return self.encode(self.state.view(chair.seat))
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> RulesFailed:
        """Return what is to be raised for an error of the rules."""
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return RulesFailed(
            f"the rules of {self.game.name} failed in match {self.number} after {len(self._answers)} answers: {told}"
        )

    def _ply(self, chair: Chair) -> int:
        """Return the number that the chair's open (or next) answer has in the record."""
        asked = self.state.asked
        return len(self._answers) + (asked.index(chair.seat) if chair.seat in asked else 0)

    def _default(self, chair: Chair) -> None:
        self._spoken.pop(chair.seat, None)  # what came without a good answer is not heard
        try:
            chair.index = chair.legal.index(self.state.default(chair.seat))
        except Exception as error:
            raise self._failed(error) from error
        chair.time = 0
        self._missing -= 1
        if not self._missing:
            self._apply()
            self.go_on()

    def _apply(self) -> None:
        """Record the answers of all asked seats, in seat order, and play them."""
        if self._veiled:
            self._turned = trio.current_time()
        if self._spoken:
            self._speak()
        moves = []
        for seat in self.state.asked:
            chair = self.chairs[seat]
            self._answers.append(chair.index)
            self._times.append(chair.time)
            moves.append(chair.legal[chair.index])
        events = self.state.events
        known = len(events)
        try:
            self.state.apply(moves)
        except Exception as error:
            raise self._failed(error) from error
        new = events[known:]
        events[known:] = map(kept(), new, new)

    def _speak(self) -> None:
        """Let the table hear what was said with the answers that are about to be played."""
        for place, seat in enumerate(self.state.asked):
            if seat in self._spoken:
                words = self._spoken.pop(seat)
                self._says.append((seat, len(self._answers) + place, words))
                self.state.say(seat, words)
