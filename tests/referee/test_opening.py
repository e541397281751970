"""A match that goes on from the beginning of another: the same log, the same record, and only then is anybody asked."""

from itertools import islice
from typing import Any

import pytest
import trio.testing

from referee.engine.chance import Chance, deal_seed
from referee.engine.errors import RecordError
from referee.engine.game import Game
from referee.engine.record import Say, pack_answers, replay, unpack_answers
from referee.games.lustu import LUSTU
from referee.match.match import Match, MatchLimits
from referee.v1.work_pb2 import Say as SayMessage
from tests import played
from tests.referee.asked import Asked
from tests.replay.replays import GAMES


def opened(
    game: Game, seats: int, answers: list[int], says: tuple[Say, ...] = (), talk: bool = False
) -> tuple[Match, Asked, list[Match]]:
    asked = Asked()
    over: list[Match] = []
    said = [SayMessage(seat=each.seat, ply=each.ply, text=each.text) for each in says]
    chance = Chance(deal_seed(played.SECRET, 0))
    clock = MatchLimits(0, 0, 3)
    options: Any = game.options.parse({"table_talk": "on"} if talk else {})
    match = Match(
        7, game, options, chance, [asked] * seats, [b""] * seats, clock, over.append, pack_answers(answers), said
    )
    return match, asked, over


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
async def test_a_match_of_every_game_goes_on_from_its_middle(game: Game, mock_clock: trio.testing.MockClock) -> None:
    seats = game.recommended
    row = played.match(game, seats=seats, bots=seats)
    answers = unpack_answers(row.answers)
    frames = [(len(state.events), steps[-1].ply + 1 if steps else 0) for state, steps in
              replay(game, game.options(), seats, Chance(row.seed), answers)]  # fmt: skip
    events, count = frames[len(frames) // 2]
    match, asked, over = opened(game, seats, answers[:count])
    assert len(match.events(0)) == events
    match.advance()
    assert asked.seats[0].number in match.state.asked
    given = count
    while not over:
        seat = asked.seats.pop(0)
        match.answer(seat, answers[given], 0.001)
        given += 1
    record = match.record(match.outcome())
    assert (record.answers, record.digest) == (row.answers, row.digest)
    assert tuple(record.scores) == tuple(seat.score for seat in row.seats)
    assert record.times[:count] == bytes(count)
    assert sum(record.decisions) == len(answers) - count


async def test_what_was_said_is_heard_again(mock_clock: trio.testing.MockClock) -> None:
    row = played.match(LUSTU, seats=4, options={"table_talk": "on"})
    options = LUSTU.options(table_talk=True)
    answers = unpack_answers(row.answers)[:2]
    asked = [steps[0].seat for _, steps in islice(replay(LUSTU, options, 4, Chance(row.seed), answers), 1, None)]
    said = (Say(asked[1], 1, "mine is a good one"),)
    match, _, _ = opened(LUSTU, 4, answers, said, talk=True)
    *_, (state, _) = replay(LUSTU, options, 4, Chance(row.seed), answers, said)
    assert match.events(0) == state.events
    assert any("mine is a good one" in str(event) for event in match.events(0))


@pytest.mark.parametrize(
    ("answers", "sentence"), [([99], "answer 0 of the opening is no move"), ([0] * 9999, "ends in the middle")]
)
async def test_an_opening_that_does_not_fit_is_refused(
    answers: list[int], sentence: str, mock_clock: trio.testing.MockClock
) -> None:
    with pytest.raises(RecordError, match=sentence):
        opened(GAMES[0], 4, answers)


async def test_an_opening_may_hold_each_legal_move_and_no_other(mock_clock: trio.testing.MockClock) -> None:
    start, _, _ = opened(LUSTU, 4, [])
    count = len(start.state.legal(start.state.asked[0]))
    assert len(opened(LUSTU, 4, [count - 1])[0].events(0)) > len(start.events(0))
    with pytest.raises(RecordError, match="answer 0 of the opening is no move of seat"):
        opened(LUSTU, 4, [count])
