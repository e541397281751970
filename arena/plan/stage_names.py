"""What the stages of a schedule are called.

Stages have words of their own, as the rounds of a tournament are something else: the deals of its tables.
"""

from collections.abc import Iterator, Mapping

from arena.language.message import Message

LAST = ("final", "semi-final", "quarter-final")
"""The last stages of a knockout, the very last first."""

SWISS, KNOCKOUT, LADDER = "Swiss round {0} of {1}", "knockout round {0}", "ladder round {0}"


def swiss_stage(stage: int, stages: int) -> Message:
    """Return the name of a stage of a Swiss.

    stage: its number, from 0.
    stages: how many there are.
    """
    return Message(SWISS, stage + 1, stages)


def knockout_stage(stage: int, left: int) -> Message:
    """Return the name of a stage of a knockout.

    stage: its number, from 0.
    left: how many stages come after it.
    """
    return Message(LAST[left]) if left < len(LAST) else Message(KNOCKOUT, stage + 1)


def ladder_stage(stage: int) -> Message:
    """Return the name of a stage of a ladder.

    stage: its number, from 0.
    """
    return Message(LADDER, stage + 1)


def out_in(stage: Message) -> str:
    """Return how far a bot came that lost in a stage of a knockout."""
    return f"out in {'the ' if stage.id in LAST else ''}{stage}"


def by_exit(exits: Mapping[str, Message]) -> Iterator[tuple[Message, list[str]]]:
    """Yield the stages in which bots lost that play no more, with their names, the last stage first.

    exits: the stage in which each of them lost, by its name, the first stage first.
    """
    by_stage: dict[Message, list[str]] = {}
    for bot, stage in exits.items():
        by_stage.setdefault(stage, []).append(bot)
    yield from reversed(by_stage.items())
