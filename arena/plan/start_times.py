"""How long single bots may take to start, where that is not as long as all others."""

from collections.abc import Iterable

from msgspec.structs import replace

from arena.plan.grants import find_bot
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError, PlanError


def with_start_times(field: tuple[Entrant, ...], times: Iterable[tuple[str, int]]) -> tuple[Entrant, ...]:
    """Return a field with start times.

    times: names of bots, as they are shown or were submitted, and milliseconds.

    Raises FieldError for a bot that is not in the field, or not started by arena; PlanError for no time at all.
    """
    by_name: dict[str, int] = {}
    for name, milliseconds in times:
        bot = find_bot(name, field)
        if not bot.command:
            raise FieldError(f"{bot.name} is not started by arena, so it has no start time")
        by_name[bot.name] = check_start_time(milliseconds)
    return tuple(replace(bot, start_time_ms=by_name.get(bot.name, bot.start_time_ms)) for bot in field)


def check_start_time(milliseconds: int) -> int:
    """Return a start time. Raises PlanError for none, within which no bot starts."""
    if milliseconds < 1:
        raise PlanError("no bot starts in no time: give --start at least 1ms, such as 10s")
    return milliseconds
