"""A phase: the matches that one set of fresh bot processes plays."""

import os
from collections import deque
from collections.abc import Callable
from functools import partial

import trio

from referee.connection.endpoints import Door
from referee.engine.registry import game
from referee.match.match import Match
from referee.match.seat import TimeControl
from referee.process.cpu_fairness import Bench, Keeper
from referee.sandbox import Confinement
from referee.session.attached_session import AttachedLife
from referee.session.local_session import Program, StartedLife
from referee.session.player import Player
from referee.session.remote_session import RemoteLife
from referee.session.session import Life
from referee.v1 import work_pb2
from referee.wire import chance

LOOKAHEAD = 64
"""How many matches, in their order, are looked at for one that can begin."""


class Phase:
    """Plays one order of arena's.

    all_begun: set once no match is left to begin; the next phase may start beside the last matches.
    """

    def __init__(
        self,
        order: work_pb2.Phase,
        door: Door,
        confinement: Confinement,
        record: Callable[[work_pb2.Record], None],
        invite: Callable[[work_pb2.Invitation], None],
        report: Callable[[work_pb2.ProcessFailure], None],
    ) -> None:
        """Raise EngineError where the game is not played so.

        record, invite, report: take what arena is to know at once.
        """
        self.all_begun = trio.Event()
        self._order = order
        self._door = door
        self._confinement = confinement
        self._record = record
        self._invite = invite
        self._report = report
        self._reported: dict[int, int] = {}
        self._game = game(order.game)
        self._options = self._game.options.parse(order.options)
        self._bench = Bench()
        self._void = 0
        time = order.time
        slot = time.slot_ms / 1000 if order.clock else 0.0
        self._clock = TimeControl(time.move_time_ms / 1000, time.bank_ms / 1000, time.strikes, slot)
        self._nursery: trio.Nursery | None = None
        self._queue = deque(order.matches)
        self._matches: dict[Match, list[Player]] = {}
        self._beginning = False
        self._all_over = trio.Event()
        self._lives: dict[Player, Life] = {}
        self._players = [self._player(index) for index in range(len(order.players))]

    def _player(self, index: int) -> Player:
        """Return the player of that index; process faults in more than 3 + 1 % of its matches are too many."""
        matches = sum(index in order.players for order in self._order.matches)
        return Player(
            move_time=0.0 if self._order.players[index].attached else self._clock.move_time,
            most_faults=3 + matches // 100,
            matches_at_once=_lower(self._order.matches_at_once, self._order.players[index].matches_at_once),
            dirty=self._door.dirty,
            stall=self._door.watch,
            most_lag=self._order.time.most_lag_ms / 1000,
            report=partial(self._failed, index),
        )

    def _failed(self, index: int, failure: work_pb2.ProcessFailure) -> None:
        """Report that a process of a player failed."""
        failure.phase, failure.player = self._order.id, index
        failure.time_us = self._reported[index] = max(failure.time_us, self._reported.get(index, 0) + 1)
        self._report(failure)

    async def run(self) -> work_pb2.PhaseEnd:
        """Start the processes, play all matches, end the processes, and tell what they left behind."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            ready = []
            for player, order in zip(self._players, self._order.players, strict=True):
                if order.withdrawn:
                    player.withdraw("it was withdrawn before this phase")
                else:
                    ready.append(trio.Event())
                    nursery.start_soon(self._live, player, order, ready[-1])
            for event in ready:
                await event.wait()
            self._begin_more()
            self._door.flush()
            await self._all_over.wait()
            for life in self._lives.values():
                life.end()
            self._door.flush()
        return self._end()

    async def _live(self, player: Player, order: work_pb2.Player, ready: trio.Event) -> None:
        """Keep a bot at the seats of a player until the phase is over or the bot is withdrawn.

        `ready` is set once it was welcomed for the first time, or will never be.
        """
        if not order.remote_ms and not order.attached:
            await self._live_on(player, self._started(player, order), ready)
            return
        endpoint = await self._door.open(untrusted=False)
        invitation = work_pb2.Invitation(
            phase=self._order.id,
            player=self._players.index(player),
            address=endpoint.address,
            token=endpoint.token,
        )
        invited = (player, self._game.name, self._door, endpoint, invitation, self._invite)
        attached, remote = partial(AttachedLife, *invited), partial(RemoteLife, *invited, order.remote_ms / 1000)
        try:
            await self._live_on(player, remote if order.remote_ms else attached, ready)
        finally:
            endpoint.close()

    async def _live_on(self, player: Player, new_life: Callable[[], Life], ready: trio.Event) -> None:
        """Have one life after the other."""
        while not self._all_over.is_set() and not player.withdrawn:
            life = self._lives[player] = new_life()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(life.run)
                await life.settled.wait()
                self._door.flush()
                if life.welcomed:
                    ready.set()
        ready.set()

    def _started(self, player: Player, order: work_pb2.Player) -> Callable[[], Life]:
        """Return what makes the lives of a player whose processes are started here."""
        time = self._order.time
        start_time = time.start_time_ms / 1000
        memory = _lower(time.memory_bytes, order.memory_bytes)
        others = [path for each in self._order.players for path in _files(each)]
        cores = core_for(self._players.index(player)) if self._order.affinity else ()
        program = Program(order.command, order.folder, start_time, memory, self._confinement, others, cores)
        keep = partial(Keeper, bench=self._bench, ponder=self._order.ponder) if self._order.clock else None
        return partial(StartedLife, player, self._game.name, self._door, program, keep)

    # Matches

    def _begin_more(self) -> None:
        """Begin matches, as many as may be under way at the same time."""
        if self._beginning:
            return
        self._beginning = True
        while len(self._matches) < self._order.matches_at_once and (order := self._next()) is not None:
            players = [self._players[index] for index in order.players]
            match = Match(
                order.match,
                self._game,
                self._options,
                chance(order),
                players,
                order.bot_seeds,
                self._clock,
                self.finished,
                order.opening,
                order.opening_says,
                self.held,
                [self._order.players[index].bot for index in order.players] if self._order.names else (),
            )
            self._matches[match] = list(dict.fromkeys(players))
            for player in self._matches[match]:
                player.begin(match)
            match.go_on()
        self._beginning = False
        if not self._queue:
            self.all_begun.set()
            if not self._matches:
                self._all_over.set()

    def _next(self) -> work_pb2.MatchOrder | None:
        """Take the first match whose players all have room for one more."""
        for place in range(min(LOOKAHEAD, len(self._queue))):
            order = self._queue[place]
            if all(self._players[index].has_room for index in order.players):
                del self._queue[place]
                return order
        return None

    def finished(self, match: Match) -> None:
        """Record a match that is over, unless it is void, and begin the next."""
        outcome = match.outcome()
        for player in self._matches.pop(match):
            player.finish(match, outcome)
        if match.lag:
            self._void += 1
        else:
            self._record(match.record(outcome))
        self._begin_more()

    def held(self, match: Match, until: float) -> None:
        """Let a match go on at a time of trio's clock."""
        assert self._nursery is not None
        self._nursery.start_soon(self._resume, match, until)

    async def _resume(self, match: Match, until: float) -> None:
        await trio.sleep_until(until)
        match.go_on()
        self._door.flush()

    def _end(self) -> work_pb2.PhaseEnd:
        end = work_pb2.PhaseEnd(phase=self._order.id, void=self._void, lag_us=round(self._bench.lag * 1e6))
        for player in self._players:
            end.players.add(
                waited_us=round(player.waited * 1e6),
                output=player.output.text(),
                truncated=player.output.truncated,
                process_faults=player.guilt.failures,
                withdrawn=player.withdrawn,
                name=player.bot_name,
                version=player.bot_version,
            )
        return end


def _lower(limit: int, wish: int) -> int:
    """Return the limit that holds for a bot that wishes for a lower one; 0 is no wish."""
    return min(limit, wish or limit)


def core_for(place: int) -> tuple[int, ...]:
    """Return the core of the bot with that place in the phase: those that arena may use in turn, ours only if need be.

    Each referee begins with the core after its own, so that several of them do not crowd the same ones.
    """
    mine = os.sched_getaffinity(0)
    shared = sorted(os.sched_getaffinity(os.getppid()) | mine)
    first = shared.index(max(mine)) + 1 if len(mine) == 1 else 0
    free = [core for core in shared[first:] + shared[:first] if len(mine) > 1 or core not in mine] or shared
    return (free[place % len(free)],)


def _files(bot: work_pb2.Player) -> list[str]:
    """Return where a bot's files may be: its folder, and what its command line names."""
    return [bot.folder, *(os.path.join(bot.folder, word) for word in bot.command)]
