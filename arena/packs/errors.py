"""Errors of submissions.

SubmissionError
├── BadName         the name is not allowed
├── ManifestError   bot.toml is wrong; the message names the line and the key
│   └── NotBuilt        its program is not built, or its dependencies are not installed
├── PackError       the files cannot be packed, or have changed
└── BuildError      the build step failed; the message ends with its output
    ├── BuildStopped    its command ended with an exit code
    └── BuildTooSlow    it exceeded its time limit
"""

from arena.values.errors import ArenaError


class SubmissionError(ArenaError):
    """Base of all errors of submissions."""


class BadName(SubmissionError):
    """The name is not allowed for a submission."""


class ManifestError(SubmissionError):
    """A bot.toml is missing or wrong."""


class NotBuilt(ManifestError):
    """The program of a bot is not built, or its dependencies are not installed, in its own folder."""


class PackError(SubmissionError):
    """The files of a submission cannot be packed, or have changed."""


class BuildError(SubmissionError):
    """The build step of a submission failed."""


class BuildStopped(BuildError):
    """The command of the build step ended with an exit code other than 0."""


class BuildTooSlow(BuildError):
    """The build step of a submission exceeded its time limit."""
