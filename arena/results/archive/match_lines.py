"""What the line of a match says beside its record, so that `arena ratings` can read archives.

That is its bots, ranks, scores and deal, and of games with openings its opening and log. All of it follows from the
record and from the tournament that stands before the match.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.ratings import Result
from arena.results.archive.errors import MAX_SENTENCE, ArchiveError
from arena.values.definition import Definition
from arena.values.texts import json_text
from referee.engine.clean_text import clean
from referee.v1.archive_pb2 import ArchivedMatch, ArchivedTournament

if TYPE_CHECKING:
    from arena.results.openings import OpeningOf


class MatchRules(NamedTuple):
    """What the lines of a tournament's matches follow."""

    names: Sequence[str] = ()
    """The names of the bots of the field."""
    team_of: Sequence[int] = ()
    """The number of the team of each seat; empty if every seat plays for itself."""
    opening_of: "OpeningOf | None" = None

    @classmethod
    def of(cls, tournament: ArchivedTournament) -> Self:
        """Return those of a tournament."""
        from arena.results.openings import find_openings

        team_of = Definition.read(json.loads(tournament.definition)).team_of
        return cls(_names(tournament), team_of, find_openings(tournament.game, tournament.options))

    @classmethod
    def found(cls, tournament: ArchivedTournament) -> Self:
        """Return those of a tournament that anybody wrote: whatever imports it, says what is wrong with it."""
        with suppress(ValueError, TypeError, AttributeError, RecursionError):
            return cls.of(tournament)
        return cls(_names(tournament))

    def values(self, match: ArchivedMatch) -> dict[str, Any]:
        """Return what the line of a match says beside its record."""
        result = self._result(match)
        values: dict[str, Any] = {
            "bots": result.teams,
            "ranks": result.ranks,
            "scores": result.scores,
            "deal": result.deal,
        }
        if self.opening_of is not None:
            values |= {"opening": self.opening_of(match.seed, len(match.seats)), "log": match.digest.hex()}
        return values

    def compare(self, values: dict[str, Any], match: ArchivedMatch, where: str) -> None:
        """Raise ArchiveError where the line of a match says something else than the record in it.

        values: of the line.
        where: its place, for errors.
        """
        try:
            recorded = json.loads(json_text(self.values(match)))
        except LookupError:
            raise ArchiveError(
                f"{where}: match {match.number} has a bot that is not in the field, or other teams"
            ) from None
        for name, value in recorded.items():
            if name in values and values[name] != value:
                stated, true = (clean(json_text(content), MAX_SENTENCE) for content in (values[name], value))
                raise ArchiveError(
                    f"{where}: match {match.number} has the {name} {stated} beside its record, which says {true}: the "
                    "file was changed after it was exported"
                )

    def _result(self, match: ArchivedMatch) -> Result:
        """Return the result of a match, as the ratings take it."""
        from arena.results.team_results import team_result
        from arena.values.rows import ResultRow as Stored

        seats = match.seats
        sat = tuple(seat.entrant for seat in seats)
        stored = Stored(match.deal, sat, tuple(seat.score for seat in seats), tuple(seat.rank for seat in seats))
        return team_result(stored, self.names, self.team_of)


def _names(tournament: ArchivedTournament) -> list[str]:
    return [bot.name for bot in tournament.entrants]
