"""Errors of a class."""

from arena.packs.errors import SubmissionError
from arena.values.errors import ArenaError


class OwnersError(SubmissionError):
    """The file that names the owners of a class is missing or wrong."""


class GradesError(ArenaError):
    """Grades that cannot be made as asked."""


class RosterError(ArenaError):
    """A list of names from which no accounts can be made."""
