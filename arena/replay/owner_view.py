"""A stored match as the owner of some of its bots may read it.

Events, results and faults of a stored match are public. Notes and output of a bot are for its owner alone.
"""

from dataclasses import replace

from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import StoredMatch
from arena.values.versioned_names import owner


def seats_of(match: StoredMatch, name: str) -> list[int]:
    """Return the seats of an owner's bots. `club` owns club/owl; a bot without a slash is its own owner."""
    return [seat for seat, bot in enumerate(match.players) if owns(name, bot)]


def as_owner(match: StoredMatch, name: str) -> StoredMatch:
    """Return the match without the notes and the output of other owners' bots."""
    seats = seats_of(match, name)
    entrants = {match.row.seats[seat].entrant for seat in seats}
    return replace(
        match,
        row=replace(match.row, notes=tuple(note for note in match.row.notes if note.seat in seats)),
        truncated_notes=match.truncated_notes & set(seats),
        outputs={seat: output for seat, output in match.outputs.items() if seat in seats},
        failures=tuple(
            failure if failure.entrant in entrants else without_output(failure) for failure in match.failures
        ),
    )


def owns(name: str, bot: str) -> bool:
    """Return whether a bot belongs to an owner, as in `seats_of`."""
    return name in (owner(bot), bot)


def without_output(failure: ProcessFailureRow) -> ProcessFailureRow:
    """Return a process failure without its output."""
    return replace(failure, output="", truncated=False)
