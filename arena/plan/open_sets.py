"""Open sets: what a bot that is withdrawn leaves unfinished, which nobody plays any more.

A set is a deal at a table in all its rotations. If only some of them were played, its bots would not have held the
same seats, so it counts as a whole or not at all: the sets that are complete when a bot is withdrawn stay, and the
others are void. In a gauntlet all challengers meet the same opponents on the same deal, so where an opponent leaves,
the sets of a round are complete or void together. What is void is settled in the transaction of the withdrawal.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import count

from arena.plan.decisions import Decisions
from arena.plan.formats import Format
from arena.plan.multi_stage import ResultReader
from arena.plan.packed_numbers import pack_numbers


def sets_of_bot(bot: int, format: Format, decisions: Decisions, read: ResultReader) -> list[list[range]]:
    """Return the sets of a bot in legs that have begun, each as the numbers of its matches.

    Those in one list are void together, unless all of them are complete. Sets of bots that were withdrawn before are
    left out, as it is settled which of them are void.

    bot: its place in the field.
    format, decisions: as the log says before the bot is withdrawn.
    read: the results of earlier stages.
    """
    groups: dict[tuple[int, int], list[range]] = {}
    dropped = decisions.dropped
    for stage in count():
        if format.is_multi_stage and stage >= decisions.next_leg:
            break
        plan = format.plan(stage, read)
        if plan is None:
            break
        is_opponent = bot not in (plan.members or range(plan.bots))[: plan.challengers]
        are_together = plan.challengers > 0 and is_opponent
        for index, deal in enumerate(plan.iter_deals()):
            if format.leg_of(stage, deal.round) >= decisions.next_leg:
                break
            seated = {player.entrant for player in deal.players}
            if bot in seated and dropped.isdisjoint(seated):
                first = plan.offset.match + index * plan.rotations
                group = groups.setdefault((stage, deal.round if are_together else index), [])
                group.append(range(first, first + plan.rotations))
    return list(groups.values())


def void_matches(groups: Iterable[Sequence[range]], settled: Collection[int]) -> list[list[int]]:
    """Return the numbers of all matches of the sets that are void, as `pack_numbers` does.

    groups: as `sets_of_bot` returns them.
    settled: the numbers of the matches that are stored, or need not be played.
    """
    void = set[int]()
    for group in groups:
        numbers = [number for matches in group for number in matches]
        if not all(number in settled for number in numbers):
            void.update(numbers)
    return pack_numbers(void)
