"""Events: their lines, and who may know them."""

import json
import struct
from hashlib import sha256

import pytest

from referee.engine.events import Audience, Line, LineTable, digest, history, text, visible

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


def test_the_digest_of_whole_numbers_is_of_their_32_bits_in_a_row() -> None:
    events = [(0, 3, -1), (1,), (2, 2**31 - 1)]
    values = struct.pack(">6i", 0, 3, -1, 1, 2, 2**31 - 1)
    assert digest(events) == sha256(values).digest()[:16]
    assert digest([]) == sha256(b"").digest()[:16]


@pytest.mark.parametrize("value", ["keep", None, 2**31, -(2**31) - 1])
def test_the_digest_of_anything_else_is_of_the_compact_json(value: int | str | None) -> None:
    events = [(0, 3), (1, value)]
    text = f"[[0,3],[1,{json.dumps(value)}]]"
    assert digest(events) == sha256(text.encode()).digest()[:16]


def test_a_table_numbers_its_lines_and_another_game_goes_on_from_there() -> None:
    shared = LineTable()
    deals = shared.line("seat {} deals", "a round begins")
    gets = shared.line("seat {} gets {}", "own", Audience.SEAT)
    table = shared.extended({deals: Line("seat {} starts", "a round begins")})
    shows = table.line("seat {} shows {}", "its card", reveals=True)
    assert (deals, gets, shows) == (0, 1, 2)
    assert history(table.lines, [(deals, 1), (gets, 1, 8), (shows, 1, 8)]) == [
        "seat 1 starts",
        "seat 1 gets 8",
        "seat 1 shows 8",
    ]
    assert table.lines[gets] == Line("seat {} gets {}", "own", Audience.SEAT)
    assert table.lines[shows].reveals
    assert [line.text for line in shared.lines] == ["seat {} deals", "seat {} gets {}"]
