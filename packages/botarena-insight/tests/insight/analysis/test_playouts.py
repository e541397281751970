"""Estimates by playouts, in every game."""

from dataclasses import replace
from typing import Any, NamedTuple, Self

import pytest
from arena_insight.analysis.deals import WholeMatchDeals
from arena_insight.analysis.errors import AnalysisError
from arena_insight.analysis.playouts import PlayoutPosition, compare_moves, estimate
from arena_insight.analysis.standard_errors import standard_error

from arena.record.played_rules import steps
from arena.record.redealt_prefix import RedealtPrefix, redeal_prefix
from arena.redeal.random_draws import RandomDraws
from arena.run.sample_policies import UnknownPolicy, best_policy
from arena.values.rows import StoredMatch
from referee.engine import registry
from referee.engine.chance import Chance
from referee.engine.game import Game, Outcome, State, ranks
from referee.engine.options import Options
from referee.engine.record import unpack_answers
from referee.engine.redeal import Redeal
from referee.games.coch import COCH
from referee.games.kille import KILLE
from tests.played import with_seat
from tests.redeal.redealt_matches import played_on
from tests.replay.replays import GAMES, stored

OTHER = bytes([1] * 32)


def counts(match: StoredMatch) -> list[int]:
    """Return the number of answers before each question, and in all."""
    return [0, *(answered[-1].ply + 1 for _, answered in steps(match) if answered)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_real_future_makes_no_difference_to_the_whole_match(game: Game) -> None:
    match = stored(game)
    question = (len(counts(match)) - 1) // 2
    values = WholeMatchDeals(match, question, RandomDraws(OTHER)).draw().values
    answers = tuple(unpack_answers(match.row.answers)[: counts(match)[question]])
    twin = played_on(match, RedealtPrefix(Redeal(values, OTHER, len(values), None), answers, (), 0))
    assert twin.row.digest != match.row.digest
    one = estimate(match, question, playouts=4)
    assert one == estimate(twin, question, playouts=4)
    teams = len(set(game.teams(game.options(), len(match.row.seats))))
    assert sum(one.chances) == pytest.approx(len(match.row.seats) / teams)


@pytest.mark.parametrize("game", [COCH, KILLE], ids=lambda game: game.name)
def test_a_seat_has_the_same_chances_in_matches_that_it_cannot_tell_apart(game: Game) -> None:
    match = stored(game)
    numbers = counts(match)
    question = next(number for number, (state, _) in enumerate(steps(match)) if number > 8 and 1 in state.asked)
    prefix = redeal_prefix(match, numbers[question], 1, OTHER)
    twin = played_on(match, prefix)
    same = counts(twin).index(len(prefix.answers))
    one, other = (
        estimate(played, number, 1, playouts=64, policy="random")
        for played, number in ((match, question), (twin, same))
    )
    for chance, error, chance2, error2 in zip(one.chances, one.errors, other.chances, other.errors, strict=True):
        assert abs(chance - chance2) < 4 * (error**2 + error2**2) ** 0.5


def test_the_end_of_a_match_is_certain_and_needs_no_playouts() -> None:
    match = stored(KILLE)
    end = estimate(match, len(counts(match)) - 1)
    assert end.errors == (0.0,) * 5
    assert end.playouts == 0
    assert [chance > 0 for chance in end.chances] == [seat.rank == 1 for seat in match.row.seats]
    lost = replace(match, row=with_seat(match.row, 0, rank=5))
    assert estimate(lost, len(counts(match)) - 1).chances[0] == 0


def test_a_decided_match_is_won_in_every_playout() -> None:
    match = stored(COCH)
    (state, _), _ = [*steps(match)][-2:]
    last = len(counts(match)) - 2
    for perspective in (None, *state.asked):
        decided = estimate(match, last, perspective, playouts=16)
        assert decided.chances == estimate(match, last + 1).chances
        assert 0 < max(decided.errors) < 0.15


def test_a_seed_fixes_the_estimate() -> None:
    match = stored(COCH)
    one = estimate(match, 9, 0, playouts=12, seed=1)
    assert estimate(match, 9, 0, playouts=12, seed=1) == one
    assert estimate(match, 9, 0, playouts=12, seed=2) != one


def test_moves_are_compared_on_the_same_deals() -> None:
    match = stored(KILLE)
    question, seat = next(
        (number, state.asked[0])
        for number, (state, _) in enumerate(steps(match))
        if len(state.legal(state.asked[0])) > 2
    )
    moves = compare_moves(match, question, seat, playouts=24)
    position = PlayoutPosition(match, question, seat)
    assert sorted(move.move for move in moves) == sorted(position.legal[seat])
    assert [move.chance for move in moves] == sorted([move.chance for move in moves], reverse=True)
    played = next(move for move in moves if move.move == position.played[seat])
    assert (played.difference, played.difference_error) == (0, 0)
    best = moves[0]
    forced = position.estimate(24, (seat, best.move))
    assert (forced.chances[seat], forced.errors[seat]) == (best.chance, best.error)
    assert best.difference == pytest.approx(best.chance - played.chance)
    assert all(move.difference_error > 0 for move in moves if move != played)
    assert position.results(4, first=20) == position.results(24)[20:]


def test_what_cannot_be_analysed_is_said() -> None:
    match = stored(KILLE)
    last = len(counts(match)) - 1
    seat = PlayoutPosition(match, 3).legal.keys().__iter__().__next__()
    other = (seat + 1) % 5
    for call, sentence in (
        (lambda: estimate(match, last + 1), f"has the questions 0 to {last}, not {last + 1}"),
        (lambda: estimate(match, 0, 5), "has the seats 0 to 4, not 5"),
        (lambda: estimate(match, 0, playouts=0), "at least one playout"),
        (lambda: estimate(match, 3, forced=(seat, "fly")), f'"fly" is not a legal move of seat {seat}'),
        (lambda: estimate(match, 3, other, forced=(seat, "fly")), f"does not know the moves of seat {seat}"),
        (lambda: compare_moves(match, 3, other), f"seat {other} of match 1 is not asked question 3"),
    ):
        with pytest.raises(AnalysisError, match=sentence.replace("(", r"\(")):
            call()
    with pytest.raises(UnknownPolicy, match='no sample bot "actuary" plays kille: choose one of random, hoarder'):
        estimate(match, 0, policy="actuary")


def test_a_forfeited_seat_plays_defaults_and_ranks_last() -> None:
    match = stored(KILLE, faults=dict.fromkeys(range(12), "late"))
    lost = [fault for fault in match.row.faults if fault.forfeit]
    assert lost
    chances = estimate(match, 40, playouts=16).chances
    assert all(chances[fault.seat] == 0 for fault in lost)


class DrawView(NamedTuple):
    """The view of `Draw`."""

    seat: int


class Draw(State):
    """All seats are asked once, then chance picks the winner."""

    __slots__ = ("chance", "seats", "winner")

    def __init__(self, seats: int, chance: Chance) -> None:
        self.asked, self.events = tuple(range(seats)), []
        self.chance, self.seats, self.winner = chance, seats, -1

    def legal(self, seat: int) -> tuple[str, ...]:
        return ("wait",) if seat in self.asked else ()

    def apply(self, moves: Any) -> None:
        self.winner, self.asked = self.chance.pick(self.seats, "winner"), ()

    def default(self, seat: int) -> str:
        return "wait"

    def view(self, seat: int) -> DrawView:
        return DrawView(seat)

    def copy(self) -> Self:
        twin = type(self)(self.seats, self.chance.copy())
        twin.asked, twin.events, twin.winner = self.asked, [*self.events], self.winner
        return twin

    def outcome(self) -> Outcome:
        scores = tuple([int(seat == self.winner) for seat in range(self.seats)])
        return Outcome(scores, ranks(scores))


class DrawGame(Game):
    """The game of `Draw`."""

    name, title, unit, behaviour, options = "draw", "draw", "points", 1, Options
    seats, recommended, lines = (2, 9), 3, ()

    def start(self, options: Any, seats: int, chance: Chance) -> Draw:
        return Draw(seats, chance)


def test_equal_seats_have_equal_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game", lambda name: DrawGame())
    match = stored(DrawGame())
    for perspective in (None, 0):
        fair = estimate(match, 0, perspective, playouts=300)
        assert sum(fair.chances) == pytest.approx(1)
        for chance, error in zip(fair.chances, fair.errors, strict=True):
            assert abs(chance - 1 / 3) < 3 * error
            assert error == pytest.approx((1 / 3 * 2 / 3 / 300) ** 0.5, rel=0.1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_best_policy_is_a_bot_of_the_game(game: Game) -> None:
    assert best_policy(game.name) != "random"


def test_standard_errors() -> None:
    assert standard_error([1.0] * 98, 0, 1) == pytest.approx((0.01 * 0.99 * 100 / 99 / 98) ** 0.5)
    halves = [0.0, 1.0] * 50
    assert standard_error(halves, 0, 1) == pytest.approx(0.05, rel=0.02)
    clumped = [0.0] * 50 + [1.0] * 50
    assert standard_error(halves, 0, 1, independent=False) == standard_error(halves, 0, 1)
    assert standard_error(clumped, 0, 1, independent=False) > 3 * standard_error(clumped, 0, 1)
    assert standard_error(clumped[:31], 0, 1, independent=False) == standard_error(clumped[:31], 0, 1)
