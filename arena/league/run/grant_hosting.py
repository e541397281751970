"""Finds which entries can have on this machine what they are granted, and reads their secrets."""

import os
from collections.abc import Callable, Iterable

from arena.league.run.entry_bots import EntryBots
from arena.league.store.league_rows import EntryRow
from arena.run.hosting import Hosting
from arena.values.errors import ArenaError
from referee.sandbox import Confinement


class GrantHosting:
    """Checks the grants of the entries of a league in one run, and says once what is missing."""

    def __init__(self, league: str, bots: EntryBots, hosting: Hosting | None, say: Callable[[str], None]) -> None:
        """Begin with nothing said.

        league: its name.
        hosting: how bots are run; None: nothing is checked.
        """
        self._league = league
        self._bots = bots
        self._hosting = hosting
        self._say = say
        self._said = set[str]()
        self._confinement: Confinement | None = None  # looked for once, as entries are checked at each update

    def resting(self, entries: Iterable[EntryRow]) -> set[int]:
        """Return the entries that cannot have here what they are granted: their batches are for other programs."""
        resting = set[int]()
        for entry in entries:
            if entry.grants and (reason := self._obstacle(entry)):
                resting.add(entry.number)
                if entry.is_active:
                    self._say_once(f"{entry.name} does not play here in the league {self._league}: {reason}")
        return resting

    def secrets(self, entries: Iterable[EntryRow]) -> tuple[tuple[str, str, str], ...]:
        """Return the names of entries, and of variables that each gets, with their values in this program."""
        secrets = []
        for entry in entries:
            for variable in entry.grants.secrets:
                if variable in os.environ:
                    secrets.append((entry.name, variable, os.environ[variable]))
                else:
                    self._say_once(
                        f"{entry.name} plays without {variable} in the league {self._league}: the variable is not set; "
                        "stop this program, export it, and start again"
                    )
        return tuple(secrets)

    def _obstacle(self, entry: EntryRow) -> str:
        if self._hosting is None:
            return ""
        if not self._hosting.grants:
            return (
                "bots with grants could use the ports of a cluster, which asks for no password: run the league with "
                "--executor local beside this program"
            )
        try:
            bot = self._bots.find(entry)
        except ArenaError:  # whoever plays it says so
            return ""
        try:
            self._confinement = self._confinement or self._hosting.confinement()
            self._hosting.check_confined([bot], self._confinement)
        except ArenaError as error:
            return str(error)
        return ""

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)
