"""Compare what is stored of an event beside its definition and its log with these."""

from collections.abc import Iterator, Sequence

from arena.values.rows import DecisionRow, EventRow, NewEvent, late_entrants
from arena.values.texts import printable
from referee.engine.chance import seed_from_number


def event_errors(event: EventRow | NewEvent, log: Sequence[DecisionRow]) -> Iterator[str]:
    """Yield a sentence for each value of an event, and of its field, that is not the one of its definition.

    event: as it is stored, or as an archive has it.
    log: its decisions; empty for a match or batch, and where only bare results are known.
    """
    for what, stored, defined in (
        ("its game is", event.game, event.definition.game),
        ("its options are", event.options, event.definition.options),
        ("the version of its rules is", event.behaviour, event.definition.behaviour),
    ):
        if stored != defined:
            yield f"{what} {_text(stored)}, and by its definition {_text(defined)}"
    if event.seed is not None and not _follows(event.secret, event.seed):
        yield f"its secret does not follow from the seed {event.seed}"
    yield from _field_errors(event, log)


def withdrawal_errors(event: EventRow, log: Sequence[DecisionRow], failed: set[int]) -> Iterator[str]:
    """Yield a sentence for each bot that is stored as withdrawn and was not, or the other way round.

    failed: the bots of which processes failed, or that forfeited matches as they were withdrawn, by place in the field.
    """
    withdrawn = {entry.details["place"]: entry.reason or "withdrawn" for entry in log if entry.kind == "withdraw"}
    for place, bot in enumerate(event.entrants):
        decided = withdrawn.get(place)
        if decided is not None and bot.withdrawn != decided:
            yield f"{bot.name} is not stored as withdrawn, as its log says"
        elif decided is None and bot.withdrawn is not None and log and place not in failed:
            yield f"{bot.name} is stored as withdrawn, which its log does not say, and none of its processes failed"


def _field_errors(event: EventRow | NewEvent, log: Sequence[DecisionRow]) -> Iterator[str]:
    bots = [*event.definition.field, *late_entrants(log)]
    if len(bots) > len(event.entrants) or (log and len(bots) < len(event.entrants)):
        yield f"{len(event.entrants)} bots are stored, and by its definition and its log it has {len(bots)}"
        return
    for place, (bot, stored) in enumerate(zip(bots, event.entrants, strict=False)):
        if stored.name != (shown := printable(bot.name, "")):
            yield f"bot {place} is stored as {stored.name}, and by its definition is {shown}"
            continue
        for what, one, other in (
            ("command", stored.command, bot.command),
            ("folder", stored.folder, bot.folder),
            ("SHA-256", stored.sha256, bot.sha256),
        ):
            if one != other:
                yield f"the {what} of {stored.name} is not that of its definition"


def _follows(secret: bytes, seed: str) -> bool:
    try:
        return secret == seed_from_number(int(seed))
    except ValueError:
        return False


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={option}" for name, option in sorted(value.items())) or "the default"
    return str(value)
