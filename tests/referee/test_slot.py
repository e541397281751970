"""A turn comes at its time, whether or not the holder of a cuckoo was asked before it."""

from typing import Any

import pytest
import trio
import trio.testing

from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.games.cambio import CAMBIO, HOLDER, CambioState
from referee.games.cucco import CUCCO
from referee.match.match import Match, MatchLimits
from tests.referee.asked import Asked
from tests.replay.replays import GAMES

SLOT = 0.02


async def played(seed: int, clock: trio.testing.MockClock, slot: float, thinks: float) -> list[tuple[int, float]]:
    """Play a match in which nobody ever does anything; return of each question its stage, and its delay.

    The delay is counted from the turn before.

    thinks: how long holders of cuckoos do, in seconds; all others need a millisecond.
    """
    asked = Asked()
    over: list[Match] = []
    held: list[float] = []
    options = CAMBIO.options.parse({"chips": "3", "rebirth": "on"})
    control = MatchLimits(0, 0, 3, slot)
    match = Match(
        0, CAMBIO, options, Chance(bytes([seed]) * 32), [asked] * 6, [b""] * 6, control, over.append,
        on_hold=lambda match, until: held.append(until),
    )  # fmt: skip
    turned = trio.current_time()
    found = []
    match.advance()
    while not over:
        if held:
            assert not asked.seats
            clock.jump(held.pop() - trio.current_time())
            match.advance()
            continue
        state = match.state
        assert isinstance(state, CambioState)
        found.append((state.stage, trio.current_time() - turned))
        seats, asked.seats = asked.seats, []
        clock.jump(thinks if state.stage == HOLDER else 0.001)
        if state.stage != HOLDER:
            turned = trio.current_time()
        for seat in seats:
            match.answer(seat, 0, 0.001)
    return found


async def test_turns_come_at_the_same_time_whoever_was_asked_before(mock_clock: trio.testing.MockClock) -> None:
    holders = turns = 0
    for seed in range(12):
        for stage, delay in await played(seed, mock_clock, SLOT, 0.004):
            if stage == HOLDER:
                holders += 1
                assert delay < SLOT
            else:
                turns += 1
                assert delay == pytest.approx(SLOT)
    assert holders > 20
    assert turns > 200


async def test_who_thinks_longer_than_the_slot_is_waited_for(mock_clock: trio.testing.MockClock) -> None:
    delays = [delay for stage, delay in await played(3, mock_clock, SLOT, 0.05) if stage != HOLDER]
    assert max(delays) >= 0.05
    assert min(delays) == pytest.approx(SLOT)


async def test_without_a_slot_nothing_waits(mock_clock: trio.testing.MockClock) -> None:
    delays = [delay for stage, delay in await played(3, mock_clock, 0.0, 0.004) if stage != HOLDER]
    assert min(delays) == 0.0
    assert max(delays) >= 0.004, "and so everybody can tell when a holder was asked"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_only_turns_that_holders_may_come_before_hide_their_timing(game: Game) -> None:
    options: Any = game.options.parse({})
    state = game.start(options, game.recommended, Chance(bytes(32)))
    while state.asked:
        assert state.hides_turn_timing() == (
            game is CAMBIO and isinstance(state, CambioState) and state.stage != HOLDER
        )
        state.apply([state.default(seat) for seat in state.asked])


def test_a_cuckoo_that_opens_by_itself_asks_nobody() -> None:
    for kind, is_called in (("auto", False), ("manual", True)):
        state = CUCCO.start(CUCCO.options.parse({"open": kind}), 6, Chance(bytes(32)))
        assert isinstance(state, CambioState)
        assert state.hides_turn_timing() == (is_called and state.stage != HOLDER)
