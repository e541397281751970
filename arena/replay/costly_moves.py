"""Moves that cost part of the chance to win, and their place in the story of a match.

They are in the chances to win that a package has estimated (`chances` in docs/viewer.md), for the same perspective.
Without them the story stays as it is.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arena.language.message import Message
from arena.record.played_rules import rules
from arena.replay.phrases import phrased
from arena.replay.replay import Replay
from arena.replay.rounds import rounds
from arena.replay.story import MOST, Moment, Story, named, story_of

MOST_TOLD = 3
"""How many moments of a story are such moves, those that cost most."""


class CostlyMove(NamedTuple):
    """A move that cost part of the chance to win, beyond the error of the estimate."""

    frame: int
    """The frame of the perspective in which it was chosen."""
    seat: int
    move: str
    """The move, as a message."""
    better: str
    """The better move, as a message."""
    chance: float
    """The chance to win after the move."""
    better_chance: float
    """The chance to win after the better move."""
    cost: float
    """How much larger that is."""
    error: float
    """The standard error of the cost."""

    @property
    def sentence(self) -> str:
        """What another move would have changed, as a message."""
        return Message(
            "{0} was better: {1} to win instead of {2}, a difference of {3} ± {4}",
            self.better,
            *map(percent, (self.better_chance, self.chance, self.cost, self.error)),
        )


def costly_moves(replay: Replay, chances: Mapping[str, Any] | None) -> list[CostlyMove]:
    """Return the moves that cost part of the chance to win, the most costly first.

    chances: the chances to win of the perspective; None where they are not known.
    """
    phrases = rules(replay.match).game.phrases
    return [
        CostlyMove(
            found["frame"],
            found["seat"],
            phrased(phrases, found["move"]),
            phrased(phrases, found["better"]),
            found["chance"],
            found["better_chance"],
            found["cost"],
            found["error"],
        )
        for found in _costly(chances).get("moves", ())
    ]


def story_with_chances(replay: Replay, seat: int | None, chances: Mapping[str, Any] | None) -> Story:
    """Return the story of a match as a seat knew it, or the whole story, with the moves that cost much of the chance.

    chances: the chances to win of the same perspective; None where they are not known.
    """
    story = story_of(replay, seat)
    costly = costly_moves(replay, chances)
    compared = _costly(chances).get("compared", 0)
    if not costly:
        return replace(story, undecided=_undecided(compared)) if compared else story
    told = [_moment(replay, seat, move) for move in costly[:MOST_TOLD]]
    others = sorted(story.moments, key=lambda moment: -moment.weight)[: MOST - len(told)]
    order = sorted([*others, *told], key=lambda moment: (moment.frame, moment.event is None, moment.event or 0))
    return replace(story, moments=tuple(order))


def _costly(chances: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return what is known of costly moves; nothing in chances that were estimated before these were looked for."""
    return (chances or {}).get("costly") or {}


def percent(share: float) -> str:
    """Return a share as text, which stays on one line."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def _moment(replay: Replay, seat: int | None, move: CostlyMove) -> Moment:
    where = next((played.name for played in reversed(rounds(replay, seat)) if played.frame <= move.frame), "")
    name = named(replay.match.players)[move.seat]
    return Moment(move.frame, None, where, Message("{0}: {1}", name, move.move), note=move.sentence)


def _undecided(compared: int) -> str:
    return Message(
        "No single move decided this match: many small ones did, and luck. "
        "Of {0} choices that were played out again, no other move was better beyond its error.",
        compared,
    )
