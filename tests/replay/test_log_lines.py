"""Lines of logs as messages, and what rules declare of them."""

from arena.language.message import parts
from arena.replay.log_lines import log_line
from arena.replay.marks import LOSS, OUT, ROUND, marks
from arena.replay.recent_events import seat_events
from referee.engine.events import Event, Line, Mark

LINES = (
    Line("round {} begins: seat {} deals", "a round", begins="round"),
    Line("seat {} bids {}", "a bid", words=True),
    Line("seat {} says: {}", "talk"),
    Line("seat {} is dealt {}", "its hand", drawn=True),
    Line("seat {} loses", "a defeat", mark=Mark.DEFEAT),
    Line("the match is over: seat {} is out", "an elimination", mark=Mark.ELIMINATION),
)


def test_words_of_the_game_are_messages_and_those_of_players_are_not() -> None:
    bid, talk = log_line(LINES, (1, 2, "3xskull")), log_line(LINES, (2, 2, "3xskull"))
    assert (bid, talk) == ("seat 2 bids 3xskull", "seat 2 says: 3xskull")
    assert parts(bid) == ["seat {0} bids {1}", 2, ["{0}x{1}", 3, ["skull"]]]
    assert parts(talk) == ["seat {0} says: {1}", 2, "3xskull"]
    assert parts(log_line(LINES, (1, 0, "5 skull"))) == ["seat {0} bids {1}", 0, ["{0} {1}", 5, ["skull"]]]
    assert parts(log_line(LINES, (1, 0, "none"))) == ["seat {0} bids {1}", 0, ["none"]]


def test_marks_are_those_that_the_rules_declare() -> None:
    events: list[Event] = [(5, 1), (4, 2), (0, 3, 1)]
    lines = [log_line(LINES, event) for event in events]
    assert marks(lines) == (ROUND, OUT, LOSS)
    assert marks(lines[1:2]) == (LOSS,)
    assert marks([log_line(LINES, (2, 2, "round 3 begins"))]) == ()


def test_a_place_has_the_newest_lines_of_its_seat_but_those_that_the_table_shows() -> None:
    said: list[Event] = [(3, 1, "7 8"), (2, 1, "a"), (2, 2, "b"), (1, 1, 5), (4, 1), (2, 1, "c"), (5, 1)]
    recent = seat_events([log_line(LINES, event) for event in said], 1)
    assert recent == "bids 5 · loses · says: c"
    assert parts(recent)[0] == "{0} · {1} · {2}"
    assert parts(recent)[2] == ["seat {0} loses", 1]
    assert seat_events([], 1) == ""
