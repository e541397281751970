"""Work units: a phase or a part of one, given to one referee process at a time.

A phase may be cut into parts, each with new bot processes, so that all referees have work to the end, and where a test
may end the tournament, so that whole deals are complete early; no result depends on it.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice, pairwise

from arena.plan.schedule import MatchPlan, PhasePlan, Plan
from arena.plan.seating import Player
from arena.plan.secret import bot_seed, match_seed
from arena.run.hosting import USUAL, Hosting
from arena.values.definition import Definition
from referee.v1.play_pb2 import SeatClock
from referee.v1.work_pb2 import Phase
from sample_bots import SAMPLES

START_COST = 10
"""How many matches take as long as the start of one process: 50 to 150 ms of CPU against about 10 ms."""

SAMPLE_FILES = frozenset(str(sample.path) for sample in SAMPLES.values())
"""Whoever has arena has these; and bots that look ahead may play as they do in playouts."""


@dataclass(slots=True)
class WorkUnit:
    """Matches that one set of new bot processes plays."""

    number: int
    """The number of the unit in the tournament; the first part of a phase has the phase's, and no two units share one.
    """
    left: dict[int, MatchPlan]
    """The matches without a record, by number."""
    fruitless: int = 0
    """How many referees in a row died over the unit without a record."""
    players: dict[Player, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for match in self.left.values():
            for player in match.players:
                self.players.setdefault(player, len(self.players))

    def message(
        self, definition: Definition, secret: bytes, withdrawn: Collection[int], hosting: Hosting = USUAL
    ) -> Phase:
        """Return the message that makes a referee play what is left. `withdrawn`: places in the field."""
        message = Phase(id=self.number, game=definition.game, options=dict(definition.options))
        message.sandbox, message.affinity = hosting.sandbox, hosting.affinity
        message.matches_at_once = definition.matches_at_once
        for limit in message.time.DESCRIPTOR.fields:
            setattr(message.time, limit.name, getattr(definition.time, limit.name))
        message.clock, message.ponder = definition.time.mode == "clock", definition.time.ponder
        message.names = definition.names
        for player in self.players:
            bot = definition.field[player.entrant]
            own = bot.clock(definition.time)
            message.players.add(
                clock=SeatClock(move_time_ms=own.move_time_ms, bank_ms=own.bank_ms, fischer=own.fischer)
                if bot.has_own_clock
                else None,
                bot=bot.name,
                command=bot.command,
                folder=bot.folder,
                withdrawn=player.entrant in withdrawn,
                attached=bot.attached,
                memory_bytes=bot.memory_bytes,
                matches_at_once=bot.matches_at_once,
                remote_ms=definition.time.remote_ms if bot.remote or bot.in_process else 0,
                grants=bot.grants,
                start_time_ms=bot.start_time_ms,
                secrets=hosting.secrets_of(bot, definition.field),
                published=bool(bot.files) and SAMPLE_FILES.issuperset(bot.files),
            )
        for match in self.left.values():
            order = message.matches.add()
            order.match = match.number
            order.seed = match_seed(secret, match.deal.number, definition.game)
            order.players.extend([self.players[player] for player in match.players])
            order.bot_seeds.extend([bot_seed(secret, match.number, seat) for seat in range(len(match.players))])
        return message


def parts(matches: int, phases: int, processes: int, referees: int) -> int:
    """Return into how many parts each of the last `phases` phases is cut, so that `referees` end soonest.

    matches: how many a phase has.
    processes: how many each part starts.
    """

    def duration(count: int) -> float:
        rounds = -(-phases * count // referees)
        return rounds * (matches / count + processes * START_COST)

    return min(range(1, max(1, min(referees, matches)) + 1), key=duration)


def rounds_together(definition: Definition) -> int:
    """Return of how many rounds all rotations are played before further ones begin, as results are looked at meanwhile.

    0: of a whole block. Bots that play many matches at once are through with a block before their first pairs are
    complete; of others, more rounds than the looks need would often be played for nothing.
    """
    look = definition.stop.look if definition.stop is not None else 0
    limits = (bot.matches_at_once for bot in definition.field if bot.matches_at_once)
    return look * min(definition.matches_at_once, *limits, definition.block)


def units(
    plan: Plan, played: Collection[int], referees: int, first: int = 0, most_bots: int | None = None, together: int = 0
) -> Iterator[WorkUnit]:
    """Yield the units of all matches that are not in `played`, in the order of the schedule.

    first: added to their numbers, so that a tournament that goes on gives none of them twice.
    most_bots: the most bots of a unit; None: no limit.
    together: as `rounds_together`.
    """
    if 0 < together < plan.block:
        yield from _interleaved(plan, played, first, most_bots, together)
        return
    phases = range(plan.offset.phase, plan.offset.phase + plan.phases)
    unplayed = {phase: sum(number not in played for number in plan.match_numbers(phase)) for phase in phases}
    open_phases = [phase for phase, count in unplayed.items() if count]
    rest = len(open_phases) % referees
    last = set(open_phases[len(open_phases) - rest :])
    for phase in plan.iter_phases():
        if not unplayed[phase.id]:
            continue
        matches = [match for match in phase.matches if match.number not in played]
        processes = min(plan.processes, len(matches) * plan.seats)
        shares: Iterable[list[MatchPlan]]
        if most_bots is not None and processes > most_bots:
            shares = _shares(matches, most_bots)
        else:
            count = parts(len(matches), rest, processes, referees) if phase.id in last else 1
            cuts = [len(matches) * part // count for part in range(count + 1)]
            shares = (matches[low:high] for low, high in pairwise(cuts))
        yield from _numbered(plan, phase, shares, first)


def _interleaved(
    plan: Plan, played: Collection[int], first: int, most_bots: int | None, together: int
) -> Iterator[WorkUnit]:
    """Yield the units so that all rotations of some rounds come before further rounds."""

    def rounds_of(match: MatchPlan) -> int:
        return (match.deal.round - plan.offset.round) // together

    def units_of(phase: PhasePlan) -> Iterator[tuple[int, WorkUnit]]:
        left = [match for match in phase.matches if match.number not in played]
        slices = [(rounds, list(matches)) for rounds, matches in groupby(left, rounds_of)]
        shares = [
            (rounds, share)
            for rounds, matches in slices
            for share in (_shares(matches, most_bots) if most_bots is not None else (matches,))
        ]
        numbered = _numbered(plan, phase, (share for _, share in shares), first)
        return zip((rounds for rounds, _ in shares), numbered, strict=True)

    phases = plan.iter_phases()
    while block := tuple(islice(phases, plan.rotations)):
        for _, unit in sorted((found for phase in block for found in units_of(phase)), key=lambda found: found[0]):
            yield unit


def _numbered(plan: Plan, phase: PhasePlan, shares: Iterable[list[MatchPlan]], first: int) -> Iterator[WorkUnit]:
    """Yield the parts of a phase as units."""
    for part, share in enumerate(shares):
        number = first + phase.id - plan.offset.phase + part * plan.phases
        yield WorkUnit(number, {match.number: match for match in share})


def _shares(matches: Collection[MatchPlan], most_bots: int) -> Iterator[list[MatchPlan]]:
    """Yield the matches in shares that have at most `most_bots` players together, as few shares as is easily found.

    A share takes the bots of the first matches that are left, until there are enough, and then all matches among these.
    """
    left = list(matches)
    while left:
        players = set[Player]()
        share: list[MatchPlan] = []
        rest: list[MatchPlan] = []
        for match in left:
            if not share or len(players.union(match.players)) <= most_bots:
                players.update(match.players)
                share.append(match)
            else:
                rest.append(match)
        yield share
        left = rest
