"""The game and options that a stored match was played by."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.store.rows import MatchRow, StoredMatch
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
    """Return what `match` was played by. Raises UnknownGame or OptionError where it is not installed so."""
    game = registry.game(match.event.game)
    return MatchRules(game, game.options.parse(match.event.options))


def steps(match: StoredMatch) -> Iterator[tuple[State, list[Step]]]:
    """Play the record again, as `referee.engine.record.replay`. Raises RecordError where it does not fit the rules."""
    game, options = rules(match)
    row = match.row
    chance = dealer(row.seed, redeal(match))
    return replay(game, options, len(row.seats), chance, unpack_answers(row.answers), row.says)


def redeal(match: StoredMatch) -> Redeal | None:
    """Return what was dealt otherwise than the match seed says, None where nothing was. Raises RecordError."""
    stored = match.event.definition.redeal
    if stored is None:
        return None
    if match.tournament_id is not None or not match.event.definition.opening:
        raise RecordError(f"match {match.id} does not go on from another one, and is said to be dealt anew")
    try:
        return Redeal.from_json(stored)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(
            f"what was dealt anew in match {match.id} is stored in no form that is known: {error}"
        ) from None


def older_or_newer(match: StoredMatch) -> str | None:
    """Return a sentence where the installed rules are not those of the record, otherwise None."""
    recorded, installed = match.row.behaviour, rules(match).game.behaviour
    if recorded == installed:
        return None
    return (
        f"match {match.id} was played by version {recorded} of {match.event.game}'s rules, "
        f"and version {installed} is installed: what it shows may differ from what happened"
    )


def played_by_referee(row: MatchRow, seat: int, ply: int) -> bool:
    """Tell whether answer `ply`, a move of `seat`, was the default move for want of a good answer.

    A seat may lose its last strike after it gave a sealed answer: that one, which took time, is its own.
    """
    untimed = not row.times[ply : ply + 1].strip(b"\0")
    return any(
        fault.seat == seat and ((fault.ply == ply and untimed) or (fault.forfeit and fault.ply < ply))
        for fault in row.faults
    )
