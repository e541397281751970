"""The game and options of a stored match."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.values.rows import MatchRow, StoredMatch
from referee.engine import registry
from referee.engine.errors import RecordError
from referee.engine.game import Game, State
from referee.engine.record import Step, replay, unpack_answers
from referee.engine.redeal import Redeal, dealer


class MatchRules(NamedTuple):
    """A game with its options."""

    game: Game
    options: Any


def rules(match: StoredMatch) -> MatchRules:
    """Return the game and options of a match. Raises UnknownGame or OptionError if they are not installed."""
    game = registry.game(match.event.game)
    return MatchRules(game, game.options.parse(match.event.options))


def steps(match: StoredMatch) -> Iterator[tuple[State, list[Step]]]:
    """Replay the record as `referee.engine.record.replay` does. Raises RecordError if it does not fit the rules."""
    game, options = rules(match)
    row = match.row
    chance = dealer(row.seed, stored_redeal(match))
    return replay(game, options, len(row.seats), chance, unpack_answers(row.answers), row.says)


def stored_redeal(match: StoredMatch) -> Redeal | None:
    """Return the redeal of a continued match; None if its seed alone fixes the deal.

    Raises RecordError if the stored redeal is malformed, or the match does not continue another one.
    """
    value = match.event.definition.redeal
    if value is None:
        return None
    if match.tournament_id is not None or not match.event.definition.opening:
        raise RecordError(f"match {match.id} has a redeal, but does not continue another match")
    try:
        return Redeal.from_json(value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"the redeal of match {match.id} is malformed: {error}") from None


def version_remark(match: StoredMatch) -> str | None:
    """Return a warning if the match was played by another version of its rules than is installed, else None."""
    recorded, installed = match.row.behaviour, registry.game(match.event.game).behaviour
    if recorded == installed:
        return None
    return (
        f"match {match.id} was played by version {recorded} of {match.event.game}'s rules, "
        f"and version {installed} is installed: the replay may differ from what happened"
    )


def played_by_referee(row: MatchRow, seat: int, ply: int) -> bool:
    """Return whether answer `ply`, by `seat`, is the referee's default move.

    A seat may lose its last strike after it gave a sealed answer; that answer has a time and is its own.
    """
    untimed = not row.times[ply : ply + 1].strip(b"\0")
    return any(
        fault.seat == seat and ((fault.ply == ply and untimed) or (fault.forfeit and fault.ply < ply))
        for fault in row.faults
    )
