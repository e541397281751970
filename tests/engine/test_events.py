"""Events: their lines, and who may know them."""

import pytest

from referee.engine.events import Audience, Line, digest, history, text, visible

LINES = (
    Line("seat {} exchanges with seat {}", "public"),
    Line("seat {} gets {}", "own", Audience.SEAT),
    Line("seat {} holds up {}", "not own", Audience.OTHERS),
    Line("the pile hides {}", "nobody's", Audience.NOBODY),
)
EVENTS = [(0, 1, 2), (1, 1, 8), (2, 1, 8), (3, 14)]


def test_text() -> None:
    assert text(LINES, (0, 1, 2)) == "seat 1 exchanges with seat 2"


@pytest.mark.parametrize(
    ("seat", "seen"),
    [(1, [True, True, False, False]), (2, [True, False, True, False])],
)
def test_audiences(seat: int, seen: list[bool]) -> None:
    assert [visible(LINES, event, seat) for event in EVENTS] == seen


def test_history_of_a_seat_and_of_everything() -> None:
    assert history(LINES, EVENTS, 1) == ["seat 1 exchanges with seat 2", "seat 1 gets 8"]
    assert history(LINES, EVENTS) == [
        "seat 1 exchanges with seat 2",
        "seat 1 gets 8",
        "seat 1 holds up 8",
        "the pile hides 14",
    ]


def test_digest_is_of_the_compact_json() -> None:
    # SHA-256 of "[]" begins so.
    assert digest([]).hex() == "4f53cda18c2baa0c0354bb5f9a3ecbe5"
    assert digest(EVENTS) != digest(EVENTS[:3])
    assert digest(EVENTS) == digest([tuple(event) for event in EVENTS])
    assert len(digest(EVENTS)) == 16
