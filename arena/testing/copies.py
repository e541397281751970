"""Copies: equal, and independent."""

from random import Random

from arena.snapshot import difference, take_snapshot
from arena.testing.case import Case
from arena.testing.check import check
from arena.testing.players import player
from arena.testing.violation import Found
from referee.engine.events import text
from referee.engine.game import State

PLACES = 4
"""At how many questions of a match copies are made."""
ONWARD = 25
"""How many steps they are played on."""


@check
def check_copies(case: Case) -> None:
    """A copy made in mid-game goes on exactly like the original, and what is played on it leaves the original alone."""
    played = case.played
    rng = Random(case.play)
    steps = sorted(rng.sample(range(len(played.moves)), min(PLACES, len(played.moves))))
    for step in steps:
        state = played.states[step]
        before = take_snapshot(state)
        _wander(state.copy(), case.play + step)
        _untouched(before, state, "playing on a copy", step)
        twin = state.copy()
        end = min(step + ONWARD, len(played.moves))
        for number in range(step, end):
            if twin.asked != played.asked[number]:
                raise Found(f"the copy made at step {step} asks {twin.asked}, not {played.asked[number]}", number)
            if tuple(twin.legal(seat) for seat in twin.asked) != played.legal[number]:
                raise Found(f"the copy made at step {step} offers other moves", number)
            twin.apply(played.moves[number])
        _same(case, twin, step, end)
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
        raise Found(f"{by} changes the original: {changed}", step)


def _same(case: Case, twin: State, step: int, end: int) -> None:
    """Compare a copy that was made at `step` with the match at `end`."""
    played = case.played
    seen = played.seen[end]
    if twin.events != played.state.events[:seen]:
        number = next(
            (n for n, pair in enumerate(zip(twin.events, played.state.events, strict=False)) if pair[0] != pair[1]),
            min(len(twin.events), seen),
        )
        line = text(case.game.lines, twin.events[number]) if number < len(twin.events) else "nothing"
        raise Found(f'the copy made at step {step} logs "{line}" as line {number}, and the original does not', end - 1)
    original = played.states[end]
    for seat in range(case.seats):
        if changed := difference(take_snapshot(original.view(seat)), take_snapshot(twin.view(seat)), f"view({seat})"):
            raise Found(f"on the copy made at step {step} {changed}", end - 1)
    if twin.outcome() != original.outcome():
        raise Found(f"on the copy made at step {step} the standings are {twin.outcome()}", end - 1)
