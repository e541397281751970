"""What a batch keeps of the notes of its bots."""

import pytest

from arena.league.run import note_budget
from arena.league.run.note_budget import LEFT_OUT, NoteBudget
from arena.values.rows import MatchRow, NoteRow, SeatRow


def row(*notes: NoteRow) -> MatchRow:
    """A match of the entries 5 and 3, which sit on the seats 0 and 1."""
    seats = tuple(SeatRow(entrant, seat, 0, 1, 9, 9) for seat, entrant in enumerate((5, 3)))
    return MatchRow(0, 0, 0, 0, 0, 0, b"", 1, b"", b"", b"", 0, seats, notes=notes)


def test_who_has_written_too_much_loses_later_notes_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note_budget, "BYTES", 6)
    budget = NoteBudget()
    first = row(NoteRow(0, 1, "aé"), NoteRow(1, 2, "b"), NoteRow(0, 3, "bcd"))
    assert budget.limited(first) == first
    second = row(NoteRow(0, 4, "x"), NoteRow(1, 5, "y"), NoteRow(0, 6, "z"))
    assert budget.limited(second).notes == (NoteRow(1, 5, "y"), NoteRow(0, 4, LEFT_OUT))
    assert budget.limited(row(NoteRow(1, 5, "y"))).notes == (NoteRow(1, 5, "y"),)
    assert budget.limited(row()).notes == ()
