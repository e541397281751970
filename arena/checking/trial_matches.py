"""Matches of a bot at a real referee, against a bot that plays at random."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from arena.checking.trial_tables import Sitting, Tables
from arena.tournament.errors import RefereeError
from arena.tournament.plan.definition import Entrant, TimeControl
from arena.tournament.run.hosting import Hosting
from arena.tournament.run.record_rows import kind_name
from arena.tournament.run.referees import Referee, running
from referee.v1.work_pb2 import Fault, Phase, PlayerEnd, Record

LOT = 1_000_000
"""Matches are numbered phase by phase, so that a record tells which phase it is of; no phase has as many."""

BOT, RANDOM = 0, 1
"""Places of the players in a phase. One process at random holds all other seats: there is nothing to hide from it."""


@dataclass(slots=True)
class Outcome:
    """What came of the matches of one phase.

    records: by place in the sittings. end: what the bot's process left behind.
    """

    records: dict[int, Record] = field(default_factory=dict)
    end: PlayerEnd = field(default_factory=PlayerEnd)

    def faults(self, sittings: Sequence[Sitting]) -> list[Fault]:
        """Return what the bot did wrong, in the order of the matches."""
        return [
            fault
            for number, record in sorted(self.records.items())
            for fault in record.faults
            if fault.seat == sittings[number].seat
        ]

    def decisions(self, sittings: Sequence[Sitting]) -> tuple[int, int]:
        """Return how many answers the bot gave, and what the clock charged for them, in µs."""
        ours = [(record, sittings[number].seat) for number, record in self.records.items()]
        return sum(each.decisions[seat] for each, seat in ours), sum(each.charged_us[seat] for each, seat in ours)


def sentence(faults: Sequence[Fault], matches: int) -> str:
    """Return in words what the bot did wrong in some matches."""
    kinds: dict[str, int] = {}
    for fault in faults:
        kinds[kind_name(fault.kind)] = kinds.get(kind_name(fault.kind), 0) + 1
    counted = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    return f"{counted} in {matches} matches; the first: {faults[0].sentence}"


class Hall:
    """A referee that plays phases of a check, one after the other."""

    def __init__(self, referee: Referee, bot: Entrant, random: Entrant, time: TimeControl, hosting: Hosting) -> None:
        self._referee = referee
        self._bot = bot
        self._random = random
        self._time = time
        self._hosting = hosting
        self._phase = 0

    async def play(self, tables: Tables, *, at_once: int = 64, backwards: bool = False) -> Outcome:
        """Play all sittings with fresh processes, at most `at_once` at the same time.

        Raises RefereeError where the referee cannot.
        """
        self._order(tables, at_once, backwards)
        [outcome] = await self._outcomes([tables])
        return outcome

    async def play_all(self, several: Sequence[Tables]) -> list[Outcome]:
        """Play several lots of sittings, side by side as far as the referee likes. Raises RefereeError."""
        for tables in several:
            self._order(tables, 64, backwards=False)
        return await self._outcomes(several)

    async def _outcomes(self, several: Sequence[Tables]) -> list[Outcome]:
        """Wait for what was ordered last."""
        outcomes = [Outcome() for _ in several]
        first, left = self._phase - len(several) + 1, len(several)
        async for response in self._referee.messages:
            for record in response.records:
                lot, number = divmod(record.match, LOT)
                outcomes[lot - first].records[number] = record
            for end in response.ends:
                outcomes[end.phase - first].end = end.players[BOT]
                left -= 1
            if response.error:
                raise RefereeError(response.error)
            if not left:
                return outcomes
        raise RefereeError("the referee ended before the matches were over" + await self._referee.why())

    def _order(self, tables: Tables, at_once: int, backwards: bool) -> None:
        self._phase += 1
        given = tables.options.given()
        order = Phase(id=self._phase, game=tables.game.name, options=given)
        order.sandbox, order.affinity = self._hosting.sandbox, self._hosting.affinity
        order.matches_at_once = at_once
        order.time.move_time_ms = self._time.move_time_ms
        order.time.bank_ms = self._time.bank_ms
        order.time.start_time_ms = self._time.start_time_ms
        order.time.memory_bytes = self._time.memory_bytes
        order.time.strikes = self._time.strikes
        for bot in (self._bot, self._random):
            order.players.add(
                bot=bot.name,
                command=bot.command,
                folder=bot.folder,
                memory_bytes=bot.memory_bytes,
                matches_at_once=bot.matches_at_once,
            )
        numbered = list(enumerate(tables.sittings))
        for number, sitting in reversed(numbered) if backwards else numbered:
            match = order.matches.add(match=self._phase * LOT + number, seed=sitting.seed)
            match.players.extend(BOT if seat == sitting.seat else RANDOM for seat in range(sitting.seats))
            match.bot_seeds.extend(
                sitting.bot_seed if seat == sitting.seat else bytes([seat]) * 32 for seat in range(sitting.seats)
            )
        self._referee.play(order)


@asynccontextmanager
async def hall(
    bot: Entrant, random: Entrant, time: TimeControl, say: Callable[[str], None], hosting: Hosting
) -> AsyncIterator[Hall]:
    """Open a hall with a referee of its own. say: is told what the referee prints."""
    async with trio.open_nursery() as nursery, running(nursery, None, say) as referee:
        yield Hall(referee, bot, random, time, hosting)
