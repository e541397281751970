"""What a package may add to arena: the hooks, and the values that they return.

A package names a module in the group of entry points `arena.plugins`; each function in it that is marked with
`hookimpl` answers the hook of its name, and takes those of its parameters that it needs.

What a package is notified of is stored before, whether it reads the outbox or is called by `notify`: where it fails,
that is logged, and nothing else is harmed.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pluggy import HookimplMarker, HookspecMarker

hookspec = HookspecMarker("arena")
hookimpl = HookimplMarker("arena")


@dataclass(frozen=True, slots=True)
class CommandPart:
    """What a package adds to a command of arena."""

    options: Sequence[Any]
    """The options, as `click.Option`."""
    help: str = ""
    """The paragraphs that follow the help of the command."""


@dataclass(frozen=True, slots=True)
class ApiPart:
    """Operations that a package adds to the API."""

    operations: Sequence[Any]
    """The operations, as in `arena.server.api.operations`."""
    types: Sequence[Any] = ()
    """Further classes whose schemas the OpenAPI document has."""
    sections: Callable[[Mapping[Any, Any]], Mapping[str, Any]] = lambda _: {}
    """Returns further sections of that document, from the references to the schemas by class."""


@dataclass(frozen=True, slots=True)
class SiteShared:
    """What a server shares with the pages of packages."""

    store: Any
    """The open database as those see it for whom the pages are: visitors or organisers."""
    rankings: Any
    """The rankings of tournaments as they were read last, a `RankingCache`."""
    leagues: Any
    """The leagues as they were read last, a `LeagueCache`."""
    replays: Any
    """The replays of matches as they were read last, a `ReplayCache`."""
    hosting: Any
    """How bots are run for visitors, a `Hosting`; None where they are not."""
    sessions: Any
    """The sessions of who is signed in, a `Sessions`; None where nobody can be."""


Routes = Sequence[tuple[str, Callable[[Any], Any], str]]
"""Routes of pages, each with path, handler and method."""


@dataclass(frozen=True, slots=True)
class SitePart:
    """What a package adds to a server."""

    name: str
    """The name of the work that `run` does, as `/healthz` shows it."""
    routes: Callable[[SiteShared], Routes]
    """Returns the routes of its pages; it is called for those of organisers, and for those of all others."""
    run: Callable[[], Awaitable[None]] | None = None
    """Works as long as the server is up; must not end by an error. None: there is no work."""
    is_alive: Callable[[], bool] | None = None
    """Tells whether `run` still works; None: `/healthz` does not show it."""
    needs_accounts: bool = False
    """Whether pages and work are for servers alone on which people sign in."""
    links: Sequence[tuple[str, str]] = ()
    """The links in the page of an account, each with address and text."""
    api: Callable[[Any], ApiPart] | None = None
    """Returns what it adds to the API, from what checks tokens there; None: nothing."""
    sign_in_links: Sequence[tuple[str, str]] = ()
    """The links by which people sign in, each with address and text."""
    cross_site: Sequence[str] = ()
    """The beginnings of the paths of pages to which programs of others post, as mail servers do: they read no cookies,
    and know by a secret in the path whom they serve.
    """
    framed: Sequence[str] = ()
    """The beginnings of the paths of pages that pages of others may show in frames: they change nothing."""


@dataclass(frozen=True, slots=True)
class MatchPart:
    """What a package adds to the page of a match, which has the player of its replay."""

    tools: Sequence[Any]
    """Elements in the menu of the player."""
    attributes: Mapping[str, str]
    """Attributes of the player, which its scripts read."""
    scripts: Sequence[str]
    """The names of scripts that are loaded after those of the player."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What other sites show beside a link to a page (https://ogp.me)."""

    title: str
    description: str
    url: str
    """The address of the page; empty where nobody knows it."""
    image: str = ""
    """The address of its picture; empty where it has none."""
    image_kind: str = ""
    """The media type of the picture."""
    width: int = 1200
    height: int = 630


@hookspec
def arena_command(command: str) -> CommandPart | None:
    """Return what a package adds to a command, when that is loaded; None for nothing.

    Its options are handed on, by name, to the hook that does the work of the command: `arena_site` for "serve" and
    "web", `arena_submit` for "submit", `arena_replay` for "replay", `arena_doctor` for "doctor", `arena_invitation` for
    "accounts invite".

    command: as it is typed below `arena`.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def arena_submit(options: Mapping[str, Any], submission: Any) -> bool | None:
    """Submit the bots that a package's options name; return whether all were accepted, or None if they name none.

    options: the values of the options of packages, by name.
    submission: the rest, an `arena.cli.submission.Submission`.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def arena_replay(options: Mapping[str, Any], store: Any, match: Any) -> tuple[Any, str] | None:
    """Return the match that is replayed in the place of a stored one, and what is to be said of it.

    None if a package's options ask for no other.

    options: the values of the options of packages, by name.
    store: the open database.
    match: the `StoredMatch`, as its reader may see it.
    """
    raise NotImplementedError


@hookspec
def arena_site(
    store: Any, options: Mapping[str, Any], say: Callable[[str], None], public_url: str | None
) -> SitePart | None:
    """Return what a package adds to a server; None for nothing.

    store: the open database.
    options: of the command, by name; none where no command serves.
    say: is told what the organiser should know.
    public_url: where people reach the pages, without a slash at its end; None where nobody has said so.
    """
    raise NotImplementedError


@hookspec
def arena_doctor(options: Mapping[str, Any]) -> Sequence[Any]:
    """Return what a package has checked, each an `arena.cli.doctor_checks.CheckResult`.

    options: of the command, by name.
    """
    raise NotImplementedError


@hookspec
def arena_invitation(options: Mapping[str, Any], store: Any, invitation: Mapping[str, str]) -> None:
    """Do what a package's options ask for as an invitation to an account is made, before its link is printed.

    options: of the command, by name.
    store: the open database.
    invitation: its `name` (empty: whoever accepts it chooses one), `role`, `secret`, which the link ends with, and
        `expires` (UTC, ISO 8601).
    """
    raise NotImplementedError


@hookspec
def arena_scripts() -> Mapping[str, str]:
    """Return the scripts and styles of a package's pages.

    The content by the name of the file, which no other package has.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def arena_preview(request: Any, about: tuple[Any, ...]) -> Preview | None:
    """Return what other sites show beside a link to a page; None for nothing.

    request: for the page, a `Request` of Starlette.
    about: what the page shows: a `StoredMatch`; a `TournamentRow` and its `CachedRanking`; a `LeagueView`; or one and
        the `BoardRow` of an entry.
    """
    raise NotImplementedError


@hookspec(firstresult=True)
def arena_ranking_picture(tournament: Any, ranking: Any) -> Mapping[str, bytes] | None:
    """Return the picture of the ranking of a tournament, as files by suffix: "svg" and, where it can be drawn, "png".

    tournament: the `TournamentRow`.
    ranking: its `CachedRanking`.
    """
    raise NotImplementedError


@hookspec
def arena_match_page(match: Any, access: Any, hosted: bool) -> MatchPart:
    """Return what a package adds to the page of a match.

    match: the `StoredMatch`.
    access: what the visitor may see, an `Access`.
    hosted: whether bots are run for visitors.
    """
    raise NotImplementedError


@hookspec
def arena_bot_link(event: str, number: int, is_first: bool) -> tuple[str, str]:
    """Return the address of a page about a bot of an event, and the text of the link to it.

    event: the path of the page of a tournament that is over, or of a league.
    number: the bot's place in the field, or the number of its entry.
    is_first: whether the bot leads the event, or has won it.
    """
    raise NotImplementedError


@hookspec
def arena_replay_values(store: Any, match: Any, seat: int | None) -> Mapping[str, Any]:
    """Return what a package knows of a match, as JSON values by name, for the player of its replay.

    store: the open database.
    match: the `StoredMatch`.
    seat: whose knowledge is shown; None: the whole match.
    """
    raise NotImplementedError


@hookspec
def arena_league_rated(
    store: Any, league: int, number: int, ratings: Mapping[int, Any], entries: Mapping[int, Any]
) -> None:
    """Do what follows from new ratings of a league, once they are stored.

    store: the open database.
    league: its id.
    number: of the ratings.
    ratings: an `EntryRating` for each entry that has one, by number.
    entries: an `EntryRow` for each entry, by number.
    """
