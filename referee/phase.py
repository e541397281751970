"""A phase: the matches that one set of fresh bot processes plays."""

import os
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import islice

import trio

from referee.connection.endpoints import Endpoints
from referee.engine.registry import game
from referee.match.match import Clock, Match, MatchLimits
from referee.process.awake_clock import Standstill, standstill
from referee.process.cpu_fairness import BotCpu, RefereeCpu
from referee.redaction import Redaction
from referee.sandbox import Confinement
from referee.sandbox.grants import NETWORK, read_grants
from referee.session.attached_session import AttachedSession
from referee.session.local_session import LocalSession, Program
from referee.session.player import BotPlayer
from referee.session.remote_session import RemoteSession
from referee.session.session import BotSession
from referee.slow_start import SlowStart
from referee.v1 import work_pb2
from referee.wire import read_chance

WATCHED_MATCHES = 8
"""Of the matches under way, so many are reported to those who watch."""

WATCHED_SECONDS = 4.0
"""After which a match is reported: quicker ones are over before anybody could look."""

LOOKAHEAD = 64
"""How many waiting matches, in their order, are considered for the next to begin."""


class Phase:
    """Plays one phase that arena has ordered.

    all_begun: set once no match is left to begin; the next phase may start beside the last matches.
    """

    def __init__(
        self,
        order: work_pb2.Phase,
        endpoints: Endpoints,
        confinement: Confinement,
        record: Callable[[work_pb2.Record], None],
        invite: Callable[[work_pb2.Invitation], None],
        report: Callable[[work_pb2.ProcessFailure], None],
        slow_start: SlowStart | None = None,
    ) -> None:
        """Make a phase.

        record, invite, report: take what arena is to know at once.

        slow_start: limits the concurrent matches of a referee that has ended few; None: begin anew.

        Raises EngineError where the game does not have these options.
        """
        self.all_begun = trio.Event()
        self._order = order
        self._endpoints = endpoints
        self._confinement = confinement
        self._record = record
        self._invite = invite
        self._report = report
        self._slow_start = slow_start or SlowStart()
        self._redaction = Redaction(value for player in order.players for value in player.secrets.values())
        self._reported_us: dict[int, int] = {}
        self._game = game(order.game)
        self._options = self._game.options.parse(order.options)
        self._own_options = {
            match.match: self._game.options.parse(match.options) for match in order.matches if match.options
        }
        self._referee_cpu = RefereeCpu()
        self._void = 0
        time = order.time
        slot = time.slot_ms / 1000 if order.clock else 0.0
        self._limits = MatchLimits(time.move_time_ms / 1000, time.bank_ms / 1000, time.strikes, slot, time.fischer)
        self._clocks = [self._clock(player) for player in order.players]
        self._has_odds = any(player.HasField("clock") for player in order.players)
        self._nursery: trio.Nursery | None = None
        self._queue = deque(order.matches)
        self._matches: dict[Match, list[BotPlayer]] = {}
        self._standstills: dict[Match, Standstill] = {}
        self._reported: dict[Match, int] = {}
        self._beginning = False
        self._all_over = trio.Event()
        self._sessions: dict[BotPlayer, BotSession] = {}
        self._players = [self._new_player(index) for index in range(len(order.players))]
        self._outside = {
            player
            for player, its_order in zip(self._players, order.players, strict=True)
            if its_order.remote_ms or NETWORK in its_order.grants
        }
        """Players that other machines may compute for while this one stands still."""

    def _clock(self, player: work_pb2.Player) -> Clock:
        """Return the clock of a player: its own, or that of all."""
        own = player.clock if player.HasField("clock") else self._order.time
        return Clock(own.move_time_ms / 1000, own.bank_ms / 1000, own.fischer)

    def _new_player(self, index: int) -> BotPlayer:
        """Return the player of that index; process failures in more than 3 + 1 % of its matches withdraw it."""
        matches = sum(index in order.players for order in self._order.matches)
        return BotPlayer(
            move_time=0.0 if self._order.players[index].attached else self._clocks[index].move_time,
            max_failed_matches=3 + matches // 100,
            matches_at_once=_lower_limit(self._order.matches_at_once, self._order.players[index].matches_at_once),
            on_pending=self._endpoints.grpc.unflushed_senders.append,
            flood_timer=self._endpoints.flood_detector,
            max_lag=self._order.time.most_lag_ms / 1000 if self._order.clock else 0.0,
            report=partial(self._report_failure, index),
            ready_time=0.0 if self._order.players[index].attached else self._order.time.ready_time_ms / 1000,
            thinking=self._order.players[index].thinking_ms / 1000,
        )

    def _report_failure(self, index: int, failure: work_pb2.ProcessFailure) -> None:
        """Report that a process of a player failed."""
        failure.phase, failure.player = self._order.id, index
        failure.time_us = self._reported_us[index] = max(failure.time_us, self._reported_us.get(index, 0) + 1)
        self._redaction.failure(failure)
        self._report(failure)

    async def run(self) -> work_pb2.PhaseEnd:
        """Start the processes, play all matches, end the processes; return the summary of each player."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            all_ready = []
            for player, order in zip(self._players, self._order.players, strict=True):
                if order.withdrawn:
                    player.withdraw("it was withdrawn before this phase")
                else:
                    all_ready.append(trio.Event())
                    nursery.start_soon(self._play_seats, player, order, all_ready[-1])
            for ready in all_ready:
                await ready.wait()
            self._begin_more()
            self._endpoints.grpc.flush()
            await self._all_over.wait()
            for session in self._sessions.values():
                session.end()
            self._endpoints.grpc.flush()
        return self._summarise()

    async def _play_seats(self, player: BotPlayer, order: work_pb2.Player, ready: trio.Event) -> None:
        """Run sessions for a player until the phase is over or the bot is withdrawn.

        ready: set once the bot is welcomed for the first time, or will never be.
        """
        if not order.remote_ms and not order.attached:
            await self._run_sessions(player, self._local_session(player, order), ready)
            return
        endpoint = await self._endpoints.open(untrusted=False)
        invitation = work_pb2.Invitation(
            phase=self._order.id,
            player=self._players.index(player),
            address=endpoint.address,
            token=endpoint.token,
        )
        arguments = (player, self._game.name, self._endpoints, endpoint, invitation, self._invite)
        attached = partial(AttachedSession, *arguments)
        remote = partial(RemoteSession, *arguments, order.remote_ms / 1000)
        try:
            await self._run_sessions(player, remote if order.remote_ms else attached, ready)
        finally:
            endpoint.close()

    async def _run_sessions(self, player: BotPlayer, new_session: Callable[[], BotSession], ready: trio.Event) -> None:
        """Run one session after the other."""
        while not self._all_over.is_set() and not player.withdrawn:
            session = self._sessions[player] = new_session()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(session.run)
                await session.settled.wait()
                self._endpoints.grpc.flush()
                if session.is_welcomed:
                    ready.set()
        ready.set()

    def _local_session(self, player: BotPlayer, order: work_pb2.Player) -> Callable[[], BotSession]:
        """Return a function that makes sessions of a player whose processes are started here."""
        time = self._order.time
        start_time = (order.start_time_ms or time.start_time_ms) / 1000
        memory = _lower_limit(time.memory_bytes, order.memory_bytes)
        others = [path for bot in self._order.players if not bot.published for path in _list_files(bot)]
        cores = core_for(self._players.index(player)) if self._order.affinity else ()
        program = Program(
            order.command,
            order.folder,
            start_time,
            memory,
            self._confinement,
            others,
            cores,
            read_grants(order.grants),
            dict(order.secrets),
        )
        ponder = self._order.ponder or not self._order.clock
        is_fair = self._order.clock or self._order.shares_core
        referee = self._referee_cpu if self._order.clock else None
        control_cpu = partial(BotCpu, referee=referee, ponder=ponder) if is_fair else None
        return partial(LocalSession, player, self._game.name, self._endpoints, program, control_cpu)

    # Matches

    def _begin_more(self) -> None:
        """Begin matches until as many are under way as the order allows."""
        if self._beginning:
            return
        self._beginning = True
        while self._has_room and (order := self._take_next()) is not None:
            players = [self._players[index] for index in order.players]
            match = Match(
                order.match,
                self._game,
                self._own_options.get(order.match, self._options),
                read_chance(order),
                players,
                order.bot_seeds,
                self._limits,
                self.finish,
                order.opening,
                order.opening_says,
                self.hold,
                [self._order.players[index].bot for index in order.players] if self._order.names else (),
                [self._clocks[index] for index in order.players] if self._has_odds else (),
            )
            self._matches[match] = list(dict.fromkeys(players))
            self._standstills[match] = standstill()
            for player in self._matches[match]:
                player.begin(match)
            match.advance()
        self._beginning = False
        if not self._queue:
            self.all_begun.set()
            if not self._matches:
                self._all_over.set()

    def begin_no_more(self) -> None:
        """Begin no more matches: the phase is over once those under way are."""
        self._queue.clear()
        self._begin_more()

    @property
    def _has_room(self) -> bool:
        """Whether one more match may be under way."""
        return len(self._matches) < min(self._order.matches_at_once, self._slow_start.limit)

    def _take_next(self) -> work_pb2.MatchOrder | None:
        """Take the first waiting match whose players all have room for one more; None where there is none."""
        for place in range(min(LOOKAHEAD, len(self._queue))):
            order = self._queue[place]
            if all(self._players[index].has_room for index in order.players):
                del self._queue[place]
                return order
        return None

    def finish(self, match: Match) -> None:
        """Record a match that is over, unless it is void, and begin the next."""
        outcome = match.outcome()
        players = self._matches.pop(match)
        self._reported.pop(match, None)
        for player in players:
            player.finish(match, outcome)
        before, now = self._standstills.pop(match), standstill()
        stood_still = now.stood - before.stood
        is_doubtful = now.doubts > before.doubts or (stood_still > 0 and not self._outside.isdisjoint(players))
        if match.lag or is_doubtful:
            self._void += 1
        else:
            record = match.record(outcome)
            record.standstill_ms = round(stood_still * 1000)
            self._redaction.record(record)
            self._record(record)
        self._slow_start.add_end()
        self._begin_more()

    def under_way(self, now: float) -> list[work_pb2.UnderWay]:
        """Return how far the oldest matches are, of those that have gone on since they were reported."""
        reports = []
        for match in islice(self._matches, WATCHED_MATCHES):  # in the order in which they began
            if match.began_at > now - WATCHED_SECONDS:
                break
            if self._reported.get(match) != match.answered:
                self._reported[match] = match.answered
                reports.append(match.under_way())
        return reports

    def forget_reports(self) -> None:
        """Report all matches under way again."""
        self._reported.clear()

    def hold(self, match: Match, until: float) -> None:
        """Let a match advance at a time on trio's clock."""
        assert self._nursery is not None
        self._nursery.start_soon(self._resume, match, until)

    async def _resume(self, match: Match, until: float) -> None:
        await trio.sleep_until(until)
        match.advance()
        self._endpoints.grpc.flush()

    def _summarise(self) -> work_pb2.PhaseEnd:
        end = work_pb2.PhaseEnd(phase=self._order.id, void=self._void, lag_us=round(self._referee_cpu.max_lag * 1e6))
        for player in self._players:
            end.players.add(
                waited_us=round(player.waited * 1e6),
                ready_us=round(player.getting_ready * 1e6),
                output=self._redaction.text(player.output.text()),
                truncated=player.output.truncated,
                process_faults=player.crashes.failures,
                withdrawn=player.withdrawn,
                too_slow=player.is_too_slow,
                name=self._redaction.text(player.bot_name),
                version=self._redaction.text(player.bot_version),
            )
        return end


def _lower_limit(limit: int, wish: int) -> int:
    """Return the lower of a limit and what a bot wishes for; a wish of 0 is none."""
    return min(limit, wish or limit)


def core_for(place: int) -> tuple[int, ...]:
    """Return the core of the bot with that place in the phase.

    Bots take the cores that arena may use in turn, and the referee's own only where there is no other. Each referee
    begins with the core after its own, so that several of them do not crowd the same ones.
    """
    mine = os.sched_getaffinity(0)
    shared = sorted(os.sched_getaffinity(os.getppid()) | mine)
    first = shared.index(max(mine)) + 1 if len(mine) == 1 else 0
    free = [core for core in shared[first:] + shared[:first] if len(mine) > 1 or core not in mine] or shared
    return (free[place % len(free)],)


def _list_files(bot: work_pb2.Player) -> list[str]:
    """Return the paths of a bot's files: its folder, and those that its command line names."""
    return [bot.folder, *(os.path.join(bot.folder, word) for word in bot.command)]
