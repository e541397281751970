"""How long a bot took for its answers, in a sample of its newest matches."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.replay.played_rules import steps
from arena.store import Store
from arena.store.rows import StoredMatch, TournamentRow
from arena.viewer.answer_clock import AnswerClock
from arena.web.access import Access
from referee.engine.errors import EngineError

MATCHES = 20
"""So many matches are read at most."""

ANSWERS = 5000
"""A match is not read where the sample would have more answers of all seats with it."""


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """The times of a bot's answers in `matches` matches of a game, in µs, the shortest first."""

    game: str
    matches: int
    micros: tuple[float, ...]


def sample(store: Store, access: Access, tournaments: Sequence[TournamentRow], name: str) -> AnswerTimes | None:
    """Return the times in the newest matches of the game that a bot played last; None where there are none.

    tournaments: those that it played in, the newest first. Matches that the access may not look at yet, and
    those whose record does not fit the installed rules, are left out.
    """
    open_ones = [each for each in tournaments if access.organiser or each.finished is not None]
    micros: list[float] = []
    wanted, answers, read = MATCHES, 0, 0
    for tournament in open_ones:
        if tournament.game != open_ones[0].game or not wanted:
            continue
        for listed in store.matches(tournament=tournament.id, bot=name, limit=wanted):
            wanted -= 1
            match = access.match(store, listed.id)
            if answers and answers + len(match.row.times) > ANSWERS:
                continue
            answers += len(match.row.times)
            try:
                micros += _times(match, name)
            except EngineError:
                continue
            read += 1
    return AnswerTimes(open_ones[0].game, read, tuple(sorted(micros))) if micros else None


def _times(match: StoredMatch, name: str) -> list[float]:
    clock, players = AnswerClock(match), match.players
    spent = [
        clock.time_of(step.seat, step.ply)
        for _, answered in steps(match)
        for step in answered
        if players[step.seat] == name
    ]
    return [each.micros for each in spent if each is not None]
