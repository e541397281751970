"""What the organiser grants single bots of a field: see `referee.sandbox.grants`."""

from collections.abc import Iterable

from msgspec.structs import replace

from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError
from referee.engine.near import did_you_mean
from referee.sandbox.grants import GrantError, read_grants


def parse_grants(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words of grants, each once and in their order. Raises FieldError for one that means nothing."""
    try:
        return read_grants(texts).texts
    except GrantError as error:
        raise FieldError(str(error)) from None


def grant(field: tuple[Entrant, ...], granted: Iterable[tuple[str, str]]) -> tuple[Entrant, ...]:
    """Return a field with grants.

    granted: names of bots, as they are shown or were submitted, and words of a grant.

    Raises FieldError for a bot that is not in the field or not started by arena, and for a grant that is none.
    """
    grants: dict[str, list[str]] = {}
    for name, text in granted:
        grants.setdefault(find_name(name, field), []).append(text)
    return tuple(replace(bot, grants=parse_grants([*bot.grants, *grants.get(bot.name, ())])) for bot in field)


def find_name(name: str, field: Iterable[Entrant]) -> str:
    """Return the name under which a bot is in a field: by that name, or that of a submitted bot without its version.

    Raises FieldError for one that is not, that could be several, or that arena does not start.
    """
    bot = find_bot(name, field)
    if bot.in_process:
        raise FieldError(f"{bot.name} is a function or class of the program that plays: it has whatever that has")
    if not bot.command:
        raise FieldError(f"{bot.name} is not started by arena: it has the network and devices of its own machine")
    return bot.name


def find_bot(name: str, field: Iterable[Entrant]) -> Entrant:
    """Return a bot of a field, as `find_name` finds it. Raises FieldError for one that is not, or could be several."""
    bots = {bot.name: bot for bot in field}
    meant = [bots[name]] if name in bots else []
    meant = meant or [bot for bot in bots.values() if name in (bot.submission, bot.submission.rpartition("@")[0])]
    if not name or not meant:
        raise FieldError(f'there is no bot "{name}" in the field{did_you_mean(name, bots)}: it has {", ".join(bots)}')
    if len(meant) > 1:
        raise FieldError(f"{name} could be {' or '.join(bot.name for bot in meant)}: name one of them")
    return meant[0]
