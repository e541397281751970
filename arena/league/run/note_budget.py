"""How much of the notes of bots a batch keeps: it is in memory as a whole before it is stored."""

from collections import Counter
from dataclasses import replace

from arena.values.rows import MatchRow, NoteRow

BYTES = 8 * 1024**2
"""The most bytes of the notes of an entry in a batch, as UTF-8."""

LEFT_OUT = f"notes left out: this bot has written {BYTES // 1024**2} MiB of notes in this batch"


class NoteBudget:
    """The notes of one batch."""

    def __init__(self) -> None:
        self._written = Counter[int]()

    def limited(self, row: MatchRow) -> MatchRow:
        """Return a match with the notes of those alone who have not used up their budget, and count them."""
        if not row.notes:
            return row
        spent = {seat for seat, player in enumerate(row.seats) if self._written[player.entrant] >= BYTES}
        notes: list[NoteRow] = []
        for note in row.notes:
            if note.seat not in spent:
                notes.append(note)
                self._written[row.seats[note.seat].entrant] += len(note.text.encode())
        for seat in spent:
            first = next((note for note in row.notes if note.seat == seat), None)
            if first is not None:
                notes.append(NoteRow(seat, first.ply, LEFT_OUT))
        return replace(row, notes=tuple(notes)) if spent else row
