"""The answer times of a bot, in a sample of its newest matches."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.record.answer_clock import AnswerClock
from arena.record.played_rules import steps
from arena.server.access import Access
from arena.store import Store
from arena.values.rows import StoredMatch, TournamentRow
from arena.values.versioned_names import is_version_of
from referee.engine.errors import EngineError

MATCHES = 20
"""The largest number of matches in a sample."""

ANSWERS = 5000
"""The largest number of answers, of all seats, in a sample; matches beyond it are skipped."""


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """The times of a bot's answers in `matches` matches of a game: sorted, in µs."""

    game: str
    matches: int
    micros: tuple[float, ...]


def sample(store: Store, access: Access, tournaments: Sequence[TournamentRow], name: str) -> AnswerTimes | None:
    """Return the answer times in the newest matches of the game that a bot played last; None if there are none.

    Matches that the visitor may not see, and those whose record does not fit the installed rules, are left out.

    tournaments: those of the bot, newest first.
    """
    visible = [tournament for tournament in tournaments if access.organiser or tournament.finished is not None]
    micros: list[float] = []
    remaining, answers, read = MATCHES, 0, 0
    for tournament in visible:
        if tournament.game != visible[0].game or not remaining:
            continue
        for listed in store.matches(tournament=tournament.id, bot=name, limit=remaining):
            remaining -= 1
            match = access.match(store, listed.id)
            if answers and answers + len(match.row.times) > ANSWERS:
                continue
            answers += len(match.row.times)
            try:
                micros += _times(match, name)
            except EngineError:
                continue
            read += 1
    return AnswerTimes(visible[0].game, read, tuple(sorted(micros))) if micros else None


def _times(match: StoredMatch, name: str) -> list[float]:
    clock, players = AnswerClock(match), match.players
    times = [
        clock.time_of(step.seat, step.ply)
        for _, answers in steps(match)
        for step in answers
        if is_version_of(players[step.seat], name)
    ]
    return [time.micros for time in times if time is not None]
