"""What can be wrong with a submission, as sentences.

SubmissionError
├── BadName         it cannot be named so
├── ManifestError   bot.toml is wrong; the message names the line and the key
├── PackError       its files cannot be packed, or are not what they were
└── BuildError      its build step failed; the message ends with what it printed
"""

from arena.errors import ArenaError


class SubmissionError(ArenaError):
    """Base of all errors of submissions."""


class BadName(SubmissionError):
    """A submission cannot be named so."""


class ManifestError(SubmissionError):
    """A bot.toml is missing or wrong."""


class PackError(SubmissionError):
    """The files of a submission cannot be packed, or are not what they were."""


class BuildError(SubmissionError):
    """The build step of a submission failed."""
