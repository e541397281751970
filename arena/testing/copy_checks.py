"""Copies: equal, and independent."""

from random import Random

from arena.snapshot import difference, take_snapshot
from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.policies import player
from arena.testing.violation import Violation
from referee.engine.events import text
from referee.engine.game import State

PLACES = 4
"""At how many questions of a match copies are made."""
ONWARD = 25
"""How many steps they are played on."""


@check
def check_copies(case: MatchCase) -> None:
    """A copy made in mid-game goes on exactly like the original, and what is played on it leaves the original alone."""
    played = case.played
    rng = Random(case.play)
    steps = sorted(rng.sample(range(len(played.moves)), min(PLACES, len(played.moves))))
    for step in steps:
        state = played.states[step]
        before = take_snapshot(state)
        _wander(state.copy(), case.play + step)
        _untouched(before, state, "playing on a copy", step)
        copy = state.copy()
        end = min(step + ONWARD, len(played.moves))
        for number in range(step, end):
            if copy.asked != played.asked[number]:
                raise Violation(f"the copy made at step {step} asks {copy.asked}, not {played.asked[number]}", number)
            if tuple(copy.legal(seat) for seat in copy.asked) != played.legal[number]:
                raise Violation(f"the copy made at step {step} offers other moves", number)
            copy.apply(played.moves[number])
        _same(case, copy, step, end)
        _untouched(before, state, "playing on a copy", step)
        # The other way round: what is played on the original leaves its copies alone.
        kept = state.copy()
        pictured = take_snapshot(kept)
        _wander(state.copy(), case.play + step + 1)
        _untouched(pictured, kept, "playing on another copy", step)


def _wander(state: State, number: int) -> None:
    choose = player(number)
    for _ in range(ONWARD):
        if state.asked:
            state.apply([choose(state, seat) for seat in state.asked])


def _untouched(before: object, state: State, by: str, step: int) -> None:
    if changed := difference(before, take_snapshot(state)):
        raise Violation(f"{by} changes the original: {changed}", step)


def _same(case: MatchCase, copy: State, step: int, end: int) -> None:
    """Compare a copy that was made at `step` with the match at `end`."""
    played = case.played
    seen = played.seen[end]
    if copy.events != played.state.events[:seen]:
        number = next(
            (n for n, pair in enumerate(zip(copy.events, played.state.events, strict=False)) if pair[0] != pair[1]),
            min(len(copy.events), seen),
        )
        line = text(case.game.lines, copy.events[number]) if number < len(copy.events) else "nothing"
        raise Violation(
            f'the copy made at step {step} logs "{line}" as line {number}, and the original does not', end - 1
        )
    original = played.states[end]
    for seat in range(case.seats):
        if changed := difference(take_snapshot(original.view(seat)), take_snapshot(copy.view(seat)), f"view({seat})"):
            raise Violation(f"on the copy made at step {step} {changed}", end - 1)
    if copy.outcome() != original.outcome():
        raise Violation(f"on the copy made at step {step} the standings are {copy.outcome()}", end - 1)
