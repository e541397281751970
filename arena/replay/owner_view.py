"""A stored match as the owner of some of its bots may read it.

What happened at the table, the result and the faults are for everybody once a match is stored. What a bot thought
(notes) and printed is its owner's: whoever hands a match on to an owner hands on this.
"""

from dataclasses import replace

from arena.store.failure_rows import ProcessFailureRow
from arena.store.rows import StoredMatch
from arena.submissions.names import owner


def seats_of(match: StoredMatch, name: str) -> list[int]:
    """Return the seats of the bots of an owner: `club` owns club/owl, and a bot without a slash owns itself."""
    return [seat for seat, bot in enumerate(match.players) if owns(name, bot)]


def as_owner(match: StoredMatch, name: str) -> StoredMatch:
    """Return the match without the notes and the output of bots that are not the owner's."""
    own = seats_of(match, name)
    entrants = {match.row.seats[seat].entrant for seat in own}
    return replace(
        match,
        row=replace(match.row, notes=tuple(note for note in match.row.notes if note.seat in own)),
        truncated_notes=match.truncated_notes & set(own),
        outputs={seat: output for seat, output in match.outputs.items() if seat in own},
        failures=tuple(each if each.entrant in entrants else without_output(each) for each in match.failures),
    )


def owns(name: str, bot: str) -> bool:
    """Tell whether a bot belongs to an owner, as in `seats_of`."""
    return name in (owner(bot), bot)


def without_output(failure: ProcessFailureRow) -> ProcessFailureRow:
    """Return a failure of a process without what the process printed."""
    return replace(failure, output="", truncated=False)
