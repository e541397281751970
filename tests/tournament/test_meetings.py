"""Who sat with whom, added up."""

from arena.results.meetings import COLUMNS, Meetings

TABLES = [(0, 1, 2), (2, 0, 1), (3, 1, 0), (1, 3)]


def test_who_met_and_who_sat_after_whom_is_counted() -> None:
    meetings = Meetings()
    meetings.add(TABLES)
    met, after = meetings.sittings(4)
    assert met == [[0, 3, 2, 1], [3, 0, 2, 2], [2, 2, 0, 0], [1, 2, 0, 0]]
    assert after == [[0, 2, 0, 1], [1, 0, 2, 1], [2, 0, 0, 0], [0, 2, 0, 0]]


def test_a_bot_neither_meets_nor_follows_its_copy() -> None:
    meetings = Meetings()
    meetings.add([(0, 0, 1, 0), (1, 1, 1)])
    met, after = meetings.sittings(2)
    assert met == [[0, 1], [1, 0]], "once for a match, whatever seats they held"
    assert after == [[0, 1], [1, 0]]


def test_parts_make_the_whole() -> None:
    whole, parts = Meetings(), Meetings()
    whole.add(TABLES)
    for at in range(0, len(TABLES), 2):
        part = Meetings()
        part.add(TABLES[at : at + 2])
        columns = part.columns()
        assert len(columns) == COLUMNS
        parts.absorb(columns)
    assert parts.sittings(5) == whole.sittings(5)


def test_nobody_has_met_without_matches() -> None:
    meetings = Meetings()
    meetings.add([])
    again = Meetings()
    again.absorb(meetings.columns())
    assert again.sittings(2) == ([[0, 0], [0, 0]], [[0, 0], [0, 0]])
