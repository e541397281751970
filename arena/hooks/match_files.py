"""Files of matches that packages write while a tournament is played, described as data.

An entry point of the group `arena.match_files` has the suffix of such files as its name, without the dot, and leads to
a `PluginMatchFile`.
"""

from typing import Any, NamedTuple

from arena.hooks.installed_entries import load, targets

GROUP = "arena.match_files"


class PluginMatchFile(NamedTuple):
    """A format of files of matches, in a module that is quick to import."""

    games: tuple[str, ...]
    """The games whose matches it can hold; `chess:*` stands for all games of a family."""
    file: str
    """What adds matches to a file as they end, as `module:object`: a context manager that is an
    `arena.run.runner.Watcher`, and takes the path, the `StoredTournament` and what prints a line for people.
    """
    live: str
    """What keeps a file with the matches under way, likewise; it has `under_way` beside, which takes their rows."""

    def holds(self, game: str) -> bool:
        """Tell whether it can hold matches of a game."""
        family, colon, _ = game.partition(":")
        return game in self.games or (bool(colon) and f"{family}:*" in self.games)

    def load(self, *, is_live: bool) -> Any:
        """Import what writes such a file."""
        return load(self.live if is_live else self.file)


def match_files() -> dict[str, PluginMatchFile]:
    """Return the formats of the packages that are installed, by suffix."""
    return {suffix: load(target) for suffix, target in sorted(targets(GROUP).items())}
