"""Clocks of single bots, where these are not that of all: time odds."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from arena.plan.grants import find_bot
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError, PlanError


def with_clocks(field: tuple[Entrant, ...], clocks: Iterable[tuple[str, Mapping[str, int]]]) -> tuple[Entrant, ...]:
    """Return a field in which some bots have clocks of their own.

    clocks: names of bots, as they are shown or were submitted, and milliseconds by field of the entrant.

    Raises FieldError for a bot that is not in the field or has no clock, PlanError for a clock that contradicts itself.
    """
    by_name: dict[str, Mapping[str, int]] = {}
    for name, own in clocks:
        bot = find_bot(name, field)
        if bot.attached:
            raise FieldError(f"{bot.name} is started by somebody else and has no clock")
        if bot.name in by_name:
            raise PlanError(f"{bot.name} has two clocks: give one")
        by_name[bot.name] = own
    return tuple(check_clock(replace(bot, **by_name.get(bot.name, {}))) for bot in field)


def check_clock(bot: Entrant) -> Entrant:
    """Return a bot. Raises PlanError for a clock that contradicts itself."""
    if bot.increment_ms >= 0 and bot.move_time_ms >= 0:
        raise PlanError(f"an increment is a move time of which {bot.name} keeps the rest: give one of the two")
    if bot.increment_ms == 0:
        raise PlanError(f"{bot.name} needs an increment of at least 1ms, as a clock without one has no move time")
    return bot
