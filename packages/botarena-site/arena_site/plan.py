"""The pages of a site, and the file of each. Names of files are plain, whatever bots are called."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from urllib.parse import parse_qs, unquote, urlsplit

from arena.server import files
from arena.values.rows import TournamentRow

AT_ONCE = 50
"""Matches on one page of the list."""

LONGEST = 40
"""Characters of a bot's name in the name of its file."""


@dataclass(frozen=True)
class SitePlan:
    """The pages of a site."""

    tournament: int
    """The number of the tournament."""
    bots: dict[str, str]
    """The file of the page of each bot, by name."""
    matches: tuple[int, ...]
    """The ids of the matches that have a page, the newest first."""
    art: str | None = None
    """The script with the drawings of the game; None if it has none."""

    def match_page(self, id: int) -> str:
        """Return the file of a match."""
        return f"matches/{id}.html"

    @property
    def list_pages(self) -> int:
        """The number of pages of the list of matches."""
        return max(1, ceil(len(self.matches) / AT_ONCE))

    def target(self, address: str) -> str | None:
        """Return the file for an address of the served pages, perhaps with a fragment; None if the site has none."""
        parts = urlsplit(address)
        match parts.path.strip("/").split("/", 1):
            case ["static", name]:
                return static_file(name)
            case ["tournaments", number] if number == str(self.tournament):
                return "index.html"
            case ["bots", name]:
                return self.bots.get(unquote(name))
            case ["matches", id] if id.isdecimal() and int(id) in self._with_page:
                return self.match_page(int(id))
            case ["matches"]:
                return self._listed(parse_qs(parts.query))
        return None

    def _listed(self, query: dict[str, list[str]]) -> str | None:
        """Return the file that lists what filters of the list of matches ask for, as far as there is one."""
        if "against" in query and query.get("bot", [""])[0] in self.bots:
            return f"{self.bots[query['bot'][0]]}#opponents"
        return list_page(1) if not query.keys() - {"tournament"} else None

    @cached_property
    def _with_page(self) -> frozenset[int]:
        return frozenset(self.matches)


def list_page(number: int) -> str:
    """Return the file of a page of the list of matches, from 1."""
    return "matches/index.html" if number == 1 else f"matches/page-{number}.html"


def plan_site(tournament: TournamentRow, matches: Iterable[int], art: str | None) -> SitePlan:
    """Return the plan of a site.

    matches: the ids of those whose replay is written.
    art: as in `SitePlan`.
    """
    return SitePlan(tournament.id, _bot_pages(tournament.names), tuple(matches), art)


def _bot_pages(names: Sequence[str]) -> dict[str, str]:
    """Return the file of each bot: its place in the field, so that no two share one, and what is plain of its name."""
    pages = {}
    for place, name in enumerate(names, 1):
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST]
        pages[name] = f"bots/{place}-{plain}.html" if plain else f"bots/{place}.html"
    return pages


def static_file(name: str) -> str | None:
    """Return the file of a bundle of styles or scripts; None if there is no such bundle."""
    bundle = files.bundle(name)
    if bundle is None:
        return None
    stems = [file.partition(".")[0] for file in name.split("+")]
    title = stems[0] if len(stems) == 1 else f"{stems[0]}-to-{stems[-1]}"
    return f"static/{title}.{bundle.digest}.{name.rpartition('.')[2]}"
