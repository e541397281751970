"""How an Elo is written."""

import pytest

from arena.ratings.elo_text import elo_text


@pytest.mark.parametrize(
    ("elo", "bound", "decimals", "text"),
    [
        (12.4, "", 0, "+12"),
        (-0.6, "", 0, "-1"),
        (-0.3, "", 0, "+0"),
        (0.3, "", 0, "+0"),
        (-0.04, "", 1, "+0.0"),
        (-30.0, "<", 0, "< -30"),
        (None, "", 0, "-"),
    ],
)
def test_an_elo_has_a_sign_and_no_negative_zero(elo: float | None, bound: str, decimals: int, text: str) -> None:
    assert elo_text(elo, bound, decimals) == text
