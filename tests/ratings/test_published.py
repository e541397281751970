"""The fit against what others published, and against the equations of another program."""

from itertools import combinations
from math import exp, log, log10

import pytest

from arena.ratings import Result, Tally, fit_ranking

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""American League baseball of 1987, east: A. Agresti, Categorical Data Analysis, 2nd edition (2002), table 10.10."""

ABILITIES = (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.00)
"""The Bradley-Terry fit that is published with it, in nats above Baltimore (section 10.6.1)."""


def season() -> list[Result]:
    games = [(winner, loser) for winner, row in enumerate(WINS) for loser, wins in enumerate(row) for _ in range(wins)]
    return [Result(deal, (TEAMS[winner], TEAMS[loser]), (1, 2), (1, 0)) for deal, (winner, loser) in enumerate(games)]


def elo(results: list[Result]) -> dict[str, float]:
    return {row.bot: row.elo for row in fit_ranking(Tally(results)).rows}


def test_the_fit_is_the_published_one() -> None:
    assert all(WINS[one][other] + WINS[other][one] == 13 for one, other in combinations(range(7), 2))
    ratings = elo(season())
    nats = [round((ratings[team] - ratings["Baltimore"]) * log(10) / 400, 2) for team in TEAMS]
    assert nats == list(ABILITIES)


def ordo(results: list[Result], scale: float = 202.0) -> dict[str, float]:
    """Solve what Ordo solves: ratings under which each player is expected to score what it scored.

    scale: the difference that scores 76 % (its option -z and the default of that).
    """
    beta = log(0.76 / 0.24) / scale
    scored = dict.fromkeys(TEAMS, 0.0)
    for result in results:
        for seat, team in enumerate(result.teams):
            scored[str(team)] += (
                1 + (result.ranks[seat] < result.ranks[1 - seat]) - (result.ranks[seat] > result.ranks[1 - seat])
            ) / 2
    rating = dict.fromkeys(TEAMS, 0.0)
    for _ in range(4000):
        expected = dict.fromkeys(TEAMS, 0.0)
        for result in results:
            one, other = map(str, result.teams)
            chance = 1 / (1 + exp(beta * (rating[other] - rating[one])))
            expected[one] += chance
            expected[other] += 1 - chance
        change = {team: 4 / beta * (scored[team] - expected[team]) / 78 / 2 for team in TEAMS}
        rating = {team: rating[team] + change[team] for team in TEAMS}
        if max(map(abs, change.values())) < 1e-6:
            break
    mean = sum(rating.values()) / len(rating)
    return {team: rating[team] - mean for team in TEAMS}


@pytest.mark.parametrize("draws", [0, 40])
def test_ordo_s_equations_have_the_same_answer_on_its_own_scale(draws: int) -> None:
    games = season()
    games[:draws] = [result._replace(ranks=(1, 1)) for result in games[:draws]]
    ours, theirs = elo(games), ordo(games)
    usual = 400 * log10(0.76 / 0.24)
    assert usual == pytest.approx(200.24, abs=0.01)
    for team in TEAMS:
        assert ours[team] * 202 / usual == pytest.approx(theirs[team], abs=0.01)
