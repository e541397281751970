"""Play matches of a bot against random bots at a real referee."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from arena.bots.trial_pace import TrialPace
from arena.bots.trial_tables import TrialMatch, TrialTables
from arena.run.dispatcher import REPEATS
from arena.run.hosting import Hosting
from arena.run.record_rows import kind_name
from arena.run.referees import Referee, running
from arena.values.definition import Entrant, TimeControl
from arena.values.tournament_errors import RefereeError
from referee.engine.record import unpack_answers
from referee.v1.work_pb2 import Fault, Phase, PlayerEnd, ProcessFailure, Record

PHASE_MATCHES = 1_000_000
"""More matches than a phase has. Match numbers are phase * PHASE_MATCHES + number within the phase."""

SLOW = frozenset({"timeout", "hung", "start"})
"""Faults of which a busy machine may be the reason."""

DISTURBED_SECONDS = 0.25
"""How long the bots of a phase may wait for a core before their machine may be the reason for a timeout."""

WATCHED_SECONDS = 7 * 24 * 3600.0
"""How long matches under way are reported: longer than those of any check take."""

BOT, RANDOM = 0, 1
"""Indices of the players in a phase. One random bot plays all other seats."""


@dataclass(slots=True)
class TrialOutcome:
    """The result of one phase of a check."""

    records: dict[int, Record] = field(default_factory=dict)
    """The records, by index of the match."""
    end: PlayerEnd = field(default_factory=PlayerEnd)
    """The output and statistics of the bot's process."""
    failures: list[ProcessFailure] = field(default_factory=list)
    """The failures of the bot's processes."""
    waited_seconds: float = 0.0
    """How long the bot and the random bot waited for a core while they were asked; it was not charged."""
    seconds: float = 0.0
    """How long it took by the clock."""
    is_kept: bool = False
    """Whether it was played in an earlier attempt of the same check."""

    def faults(self, matches: Sequence[TrialMatch]) -> list[Fault]:
        """Return the bot's faults, in the order of the matches."""
        return [
            fault
            for number, record in sorted(self.records.items())
            for fault in record.faults
            if fault.seat == matches[number].seat
        ]

    def is_slow(self, matches: Sequence[TrialMatch]) -> bool:
        """Return whether the bot lost by time."""
        return any(kind_name(fault.kind) in SLOW for fault in self.faults(matches))

    def is_disturbed(self, matches: Sequence[TrialMatch]) -> bool:
        """Return whether something else than the bot may have cost it time.

        The random bot beside it, which is the control, lost by time too, or they waited for a core. What the bot did
        may be the reason.
        """
        others = (
            fault
            for number, record in self.records.items()
            for fault in record.faults
            if fault.seat != matches[number].seat
        )
        return self.waited_seconds > DISTURBED_SECONDS or any(kind_name(fault.kind) in SLOW for fault in others)

    def decisions(self, matches: Sequence[TrialMatch]) -> tuple[int, int]:
        """Return the number of the bot's answers and the time charged for them, in µs."""
        seats = [(record, matches[number].seat) for number, record in self.records.items()]
        return sum(record.decisions[seat] for record, seat in seats), sum(
            record.charged_us[seat] for record, seat in seats
        )


def sentence(faults: Sequence[Fault], matches: int) -> str:
    """Summarise the faults of a bot in a number of matches."""
    kinds: dict[str, int] = {}
    for fault in faults:
        kinds[kind_name(fault.kind)] = kinds.get(kind_name(fault.kind), 0) + 1
    counted = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    return f"{counted} in {matches} matches; the first: {faults[0].sentence}"


def joined(outcomes: Sequence[TrialOutcome]) -> TrialOutcome:
    """Return the outcome of phases of one match each as if they were one."""
    whole = TrialOutcome(is_kept=all(outcome.is_kept for outcome in outcomes))
    for place, outcome in enumerate(outcomes):
        whole.records.update((place, record) for record in outcome.records.values())
        for failure in outcome.failures:
            moved = ProcessFailure()
            moved.CopyFrom(failure)
            moved.matches[:] = [place] * len(failure.matches)
            if failure.HasField("guilty"):
                moved.guilty = place
            whole.failures.append(moved)
        output, truncated = whole.end.output + outcome.end.output, whole.end.truncated or outcome.end.truncated
        whole.end.CopyFrom(outcome.end)
        whole.end.output, whole.end.truncated = output, truncated
        whole.waited_seconds += outcome.waited_seconds
        whole.seconds += outcome.seconds
    return whole


def match_number(number: int) -> int:
    """Return the number of a match within its phase.

    number: the number that the match has at the referee.
    """
    return number % PHASE_MATCHES


class TrialReferee:
    """A referee that plays the phases of a check."""

    def __init__(
        self,
        referee: Referee,
        bot: Entrant,
        random: Entrant,
        time: TimeControl,
        hosting: Hosting,
        on_pace: Callable[[TrialPace], None] | None = None,
    ) -> None:
        self._referee = referee
        self._bot = bot
        self._random = random
        self._time = time
        self._hosting = hosting
        self._on_pace = on_pace
        self._phase = 0
        self._orders: dict[int, Phase] = {}

    async def play(
        self, several: Sequence[TrialTables], *, at_once: int = 64, backwards: bool = False
    ) -> list[TrialOutcome]:
        """Play phases with fresh processes, concurrently if the referee has room.

        at_once: the most matches of a phase at the same time.

        Raises RefereeError if the referee fails.
        """
        for tables in several:
            self._order(tables, at_once, backwards)
        return await self._outcomes(several)

    async def _outcomes(self, several: Sequence[TrialTables]) -> list[TrialOutcome]:
        """Wait for the results of the last phases that were ordered."""
        outcomes, repeats = [TrialOutcome() for _ in several], 0
        first, left = self._phase - len(several) + 1, len(several)
        pace = TrialPace(several)
        self._tell(pace)
        async for response in self._referee.messages:
            for match in response.under_way:
                phase, number = divmod(match.match, PHASE_MATCHES)
                pace.goes_on(phase - first, number, len(unpack_answers(match.answers)))
            for record in response.records:
                phase, number = divmod(record.match, PHASE_MATCHES)
                outcomes[phase - first].records[number] = record
                pace.end(phase - first, number)
            for failure in response.process_failures:
                if failure.player == BOT:
                    outcomes[failure.phase - first].failures.append(failure)
            for end in response.ends:
                if end.void and repeats < REPEATS:
                    repeats += 1
                    outcomes[end.phase - first] = TrialOutcome()
                    pace.forget(end.phase - first)
                    self._referee.play(self._orders[end.phase])
                    continue
                outcomes[end.phase - first].end = end.players[BOT]
                outcomes[end.phase - first].waited_seconds = sum(player.waited_us for player in end.players) / 1e6
                left -= 1
            if response.error:
                raise RefereeError(response.error)
            if not left:
                return outcomes
            self._tell(pace)
        raise RefereeError("the referee ended before the matches were over" + await self._referee.why())

    def _tell(self, pace: TrialPace) -> None:
        if self._on_pace is not None:
            self._on_pace(pace)

    def _order(self, tables: TrialTables, at_once: int, backwards: bool) -> None:
        self._phase += 1
        order = Phase(id=self._phase, game=tables.game.name)
        order.sandbox, order.affinity = self._hosting.sandbox, self._hosting.affinity
        order.matches_at_once = at_once
        order.clock = order.ponder = True  # to wait for a core is not charged
        order.time.move_time_ms = self._time.move_time_ms
        order.time.bank_ms = self._time.bank_ms
        order.time.start_time_ms = self._time.start_time_ms
        order.time.ready_time_ms = self._time.ready_time_ms
        order.time.memory_bytes = self._time.memory_bytes
        order.time.strikes = self._time.of_game(tables.game).strikes
        for bot in (self._bot, self._random):
            order.players.add(
                bot=bot.name,
                command=bot.command,
                folder=bot.folder,
                memory_bytes=bot.memory_bytes,
                matches_at_once=bot.matches_at_once,
                start_time_ms=bot.start_time_ms,
            )
        numbered = list(enumerate(tables.matches))
        for number, trial in reversed(numbered) if backwards else numbered:
            match = order.matches.add(match=self._phase * PHASE_MATCHES + number, seed=trial.seed)
            match.players.extend(BOT if seat == trial.seat else RANDOM for seat in range(trial.seats))
            match.bot_seeds.extend(trial.bot_seeds)
            match.options.update(trial.options.given())
        self._orders[order.id] = order
        self._referee.play(order)


@asynccontextmanager
async def trial_referee(
    bot: Entrant,
    random: Entrant,
    time: TimeControl,
    say: Callable[[str], None],
    hosting: Hosting,
    on_pace: Callable[[TrialPace], None] | None = None,
) -> AsyncIterator[TrialReferee]:
    """Start a referee for the duration of the context.

    say: called with what the referee prints.
    on_pace: called as matches begin, go on and end; None if nobody waits for them.
    """
    async with trio.open_nursery() as nursery, running(nursery, None, say) as referee:
        if on_pace is not None:
            referee.watch(WATCHED_SECONDS)
        yield TrialReferee(referee, bot, random, time, hosting, on_pace)
