"""The search, and the order in which it is asked and told."""

import itertools

import pytest
from arena_tune.course import Course
from arena_tune.errors import TuneError
from arena_tune.parameters import Parameter, Values
from arena_tune.plan import GRID, SPSA, TPE, TunePlan
from arena_tune.searches import Grid, grid_size, new_search
from arena_tune.spsa import ALPHA, GAMMA, Proposal, Spsa, late, usual_rate

SECRET = bytes(range(32))

TWO = (
    Parameter.make("a", 0.2, 0, 1, is_integer=False),
    Parameter.make("b", 10, 0, 100, is_integer=True),
)


def elo(values: Values) -> float:
    """A quadratic with its best values at 0.7 and 60."""
    return -200 * (((values[0] - 0.7) / 0.5) ** 2 + ((values[1] - 60) / 50) ** 2)


def expected_result(proposal: Proposal, matches: int) -> float:
    """What two bots of known Elo do against each other on average."""
    return matches * (2 / (1 + 10 ** ((elo(proposal.other) - elo(proposal.one)) / 400)) - 1)


def test_it_converges_where_there_is_no_noise() -> None:
    course = Course(Spsa(TWO, 400, usual_rate(400 * 32), SECRET), 400, 2)
    while not course.is_over:
        number, proposal = next(course.open())
        course.finish(number, expected_result(proposal, 32))
    assert course.tuned == pytest.approx((0.7, 60), rel=0.01)
    assert elo(course.tuned) > -0.1 > elo((0.2, 10))


def test_what_a_seed_gives_is_exact() -> None:
    search = Spsa(TWO, 100, 0.01, SECRET)
    assert [search.signs(number) for number in range(6)] == [(-1, -1), (1, 1), (1, -1), (1, -1), (1, 1), (1, 1)]
    first = search.ask(0)
    c = 100**GAMMA
    assert first == Proposal((0.2 - 0.05 * c, 10 - 5 * c), (0.2 + 0.05 * c, 10 + 5 * c), (-1, -1))
    search.tell(0, first, 4.0)
    moved = 0.01 * ((10 + 100) / (10 + 1)) ** ALPHA / c * 4
    assert search.values == pytest.approx((0.2 - 0.05 * moved, 10 - 5 * moved))
    last = search.ask(99)
    assert abs(last.one[0] - search.values[0]) == pytest.approx(0.05)
    before = search.values
    search.tell(99, last, 1.0)
    assert abs(search.values[0] - before[0]) == pytest.approx(0.01 * 0.05)


def test_no_iteration_carries_a_parameter_further_than_it_was_moved_nor_beyond_its_bounds() -> None:
    search = Spsa(TWO, 100, 10.0, SECRET)
    search.tell(0, Proposal((), (), (1, -1)), 1000.0)
    assert search.values[0] == pytest.approx(0.2 + 0.05 * 100**GAMMA)
    assert search.values[1] == pytest.approx(10 - 5 * 100**GAMMA)
    search.tell(1, Proposal((), (), (-1, -1)), 1000.0)
    search.tell(2, Proposal((), (), (-1, -1)), 1000.0)
    for number in range(3, 8):
        search.tell(number, Proposal((), (), (-1, -1)), 1000.0)
    assert search.values == (0, 0)
    assert search.ask(8).other[0] >= 0


def test_which_iteration_ends_first_does_not_matter() -> None:
    paths = []
    for order in itertools.permutations(range(3)):
        course = Course(Spsa(TWO, 9, 0.02, SECRET), 9, 3)
        while not course.is_over:
            known = list(course.open())
            for place in order:
                if place < len(known):
                    number, proposal = known[place]
                    course.finish(number, expected_result(proposal, 16))
        paths.append(course.path)
    assert len(paths[0]) == 9
    assert all(path == paths[0] for path in paths)


def test_iterations_side_by_side_know_the_results_before_them() -> None:
    course = Course(Spsa(TWO, 5, 0.02, SECRET), 5, 2)
    assert [number for number, _ in course.open()] == [0, 1]
    course.finish(1, 3.0)
    assert [number for number, _ in course.open()] == [0]
    course.finish(0, 3.0)
    assert [number for number, _ in course.open()] == [2, 3]
    assert len(course.path) == 2


def test_the_answer_is_the_mean_of_the_last_quarter() -> None:
    search = Spsa(TWO, 8, 0.02, SECRET)
    assert search.tuned([]) == (0.2, 10)
    path = [(float(n), float(-n)) for n in range(8)]
    assert late(path) == path[6:]
    assert search.tuned(path) == (6.5, -6.5)
    assert search.tuned(path[:1]) == (0, 0)


def test_a_grid_has_as_many_points_for_each_parameter() -> None:
    grid = Grid(TWO, 10)
    assert [grid.ask(number).one for number in range(9)] == list(itertools.product((0, 0.5, 1), (0, 50, 100)))
    assert grid.ask(0).other == (0.2, 10)
    assert grid.tuned([]) == (0.2, 10)
    for number, result in enumerate((1.0, 5.0, 5.0, -1.0)):
        grid.tell(number, grid.ask(number), result)
    assert grid.tuned([]) == (0, 50)
    assert grid_size(TWO, 10) == 9
    small = Parameter.make("c", 1, 0, 2, is_integer=True)
    assert grid_size([small], 100) == 3
    with pytest.raises(TuneError, match="a grid of 2 parameters has at least 4 points"):
        grid_size(TWO, 3)


def test_tpe_asks_the_same_again() -> None:
    pytest.importorskip("optuna")
    plan = TunePlan("./bot", "bot", TWO, 40, TPE, 3, 0.0)
    paths = []
    for _ in range(2):
        course = Course(new_search(plan, SECRET), 40, 3)
        while not course.is_over:
            number, proposal = list(course.open())[-1]
            course.finish(number, elo(proposal.one))
        paths.append(course.path)
    assert paths[0] == paths[1]
    assert elo(paths[0][-1]) > -10
    assert paths[0][-1][1] == int(paths[0][-1][1])


def test_each_search_has_a_name() -> None:
    for name, kind in ((SPSA, Spsa), (GRID, Grid)):
        assert isinstance(new_search(TunePlan("./bot", "bot", TWO, 40, name, 3, 0.1), SECRET), kind)
