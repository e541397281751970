"""Copies: equal, and independent."""

from random import Random

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.policies import policy
from arena.testing.violation import Violation
from arena.values.snapshot import difference, take_snapshot
from referee.engine.events import text
from referee.engine.game import State

COPIES = 4
"""Number of questions of a match at which copies are made."""
STEPS = 25
"""Most steps that a copy is played on."""


@check
def check_copies(case: MatchCase) -> None:
    """A copy made in mid-game goes on exactly like the original, and what is played on it leaves the original alone."""
    played = case.played
    rng = Random(case.play)
    steps = sorted(rng.sample(range(len(played.moves)), min(COPIES, len(played.moves))))
    for step in steps:
        state = played.states[step]
        before = take_snapshot(state)
        _play_on(state.copy(), case.play + step)
        _check_unchanged(before, state, "playing on a copy", step)
        copy = state.copy()
        end = min(step + STEPS, len(played.moves))
        for number in range(step, end):
            if copy.asked != played.asked[number]:
                raise Violation(f"the copy made at step {step} asks {copy.asked}, not {played.asked[number]}", number)
            if tuple(copy.legal(seat) for seat in copy.asked) != played.legal[number]:
                raise Violation(f"the copy made at step {step} offers other moves", number)
            copy.apply(played.moves[number])
        _compare(case, copy, step, end)
        _check_unchanged(before, state, "playing on a copy", step)
        # The other way round: playing on one copy leaves the others alone.
        other = state.copy()
        snapshot = take_snapshot(other)
        _play_on(state.copy(), case.play + step + 1)
        _check_unchanged(snapshot, other, "playing on another copy", step)


def _play_on(state: State, number: int) -> None:
    choose = policy(number)
    for _ in range(STEPS):
        if state.asked:
            state.apply([choose(state, seat) for seat in state.asked])


def _check_unchanged(before: object, state: State, by: str, step: int) -> None:
    if changed := difference(before, take_snapshot(state)):
        raise Violation(f"{by} changes the original: {changed}", step)


def _compare(case: MatchCase, copy: State, step: int, end: int) -> None:
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
