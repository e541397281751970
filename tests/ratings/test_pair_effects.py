import numpy as np
from scipy.sparse import csr_array

from arena.ratings.pair_effects import build_effects


def test_flow_and_together_are_what_they_add_to_a_difference() -> None:
    rows = csr_array(
        np.array([[1.0, -1, 0], [1, 0, -1], [0, 1, -1], [0, -1, 1]])
    )  # three bots in deal 5, two of them in deal 7
    effects = build_effects(np.array([5, 5, 5, 7]), rows)
    named = list(zip(effects.kinds, effects.first.tolist(), effects.second.tolist(), strict=True))
    columns = dict(zip(named, effects.columns.toarray().T.tolist(), strict=True))
    assert columns == {
        ("flow", 0, 1): [-1, 0, 0, 0],
        ("flow", 0, 2): [0, -1, 0, 0],
        ("flow", 1, 2): [0, 0, -1, 1],
        ("together", 0, 1): [0, 1, 1, 0],
        ("together", 0, 2): [1, 0, -1, 0],
        ("together", 1, 2): [-1, -1, 0, 0],
    }


def test_of_teams_points_flow_by_shares() -> None:
    rows = csr_array(np.array([[0.5, 0.5, -0.5, -0.5], [0.5, -0.5, 0, 0]]))  # the second: bot 2 was in both teams
    effects = build_effects(np.array([0, 1]), rows)
    assert set(effects.kinds) == {"flow"}
    named = zip(
        zip(effects.first.tolist(), effects.second.tolist(), strict=True), effects.columns.toarray().T, strict=True
    )
    assert {pair: column.tolist() for pair, column in named} == {
        (0, 1): [0, -0.25],
        (0, 2): [-0.25, 0],
        (0, 3): [-0.25, 0],
        (1, 2): [-0.25, 0],
        (1, 3): [-0.25, 0],
    }
