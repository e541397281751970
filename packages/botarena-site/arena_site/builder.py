"""Puts a site together: what is read from the database, in the order in which its files are written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from arena.hooks.plugins import plugins
from arena.ratings import Ranking
from arena.ratings.elo_text import elo_text
from arena.ratings.ranking_output import ranking_csv
from arena.results.stage_names import StageNames
from arena.server import files
from arena.server.access import VISITOR
from arena.server.tournaments.ranking_cache import CachedRanking, RankingCache
from arena.store import Store
from arena.values.rows import ListedMatch, TournamentRow
from arena_site.errors import SiteError
from arena_site.feed import site_feed, sitemap
from arena_site.folder import SiteFolder, site_folder
from arena_site.frame import CARD, FEED, SiteFrame
from arena_site.links import with_relative_links
from arena_site.overview import bot_page, matches_page, overview
from arena_site.plan import AT_ONCE, SitePlan, list_page, plan_site, static_file
from arena_site.replays import art_script, match_page
from arena_site.selection import Highlight, chosen_matches, highlights
from referee.engine.errors import EngineError


class SiteOptions(NamedTuple):
    """What the organiser may choose."""

    matches: int | None = None
    """How many of the newest matches have their replay in the site; None: those worth a look."""
    url: str | None = None
    """Where the site will be; None if nobody knows."""
    unfinished: bool = False
    """Whether the tournament may still be under way."""


@dataclass(frozen=True, slots=True)
class WrittenSite:
    """What was written of a site."""

    files: int
    """The number of files."""
    bytes: int
    """The size of all files together, in bytes."""
    replays: tuple[int, ...]
    """The size of the page of each match, in bytes."""
    unreadable: int
    """The number of matches without a page, as their records do not fit the installed rules."""
    pictures: frozenset[str]
    """The kinds of the preview picture, by suffix: "svg", "png"; empty where it has none."""


def write_site(
    store: Store, number: int, folder: Path, options: SiteOptions, progress: Callable[[int, int], None]
) -> WrittenSite:
    """Write a tournament as static pages.

    number: of the tournament.
    progress: is called with how many of how many replays are written.

    Raises NoSuchRow or SiteError.
    """
    tournament = store.tournament(number)
    if tournament.finished is None and not options.unfinished:
        raise SiteError(
            f"tournament {number} is not finished: `arena tourney resume {number}` goes on with it; "
            "with --unfinished the site shows its ranking so far, without replays"
        )
    ranked = RankingCache(store).of(tournament)
    table = ranked.standings.table
    pictures = plugins().hook.arena_ranking_picture(tournament=tournament, ranking=ranked) or {}
    with site_folder(folder) as written:
        for kind, drawn in pictures.items():
            written.write(CARD + kind, drawn)
        frame = SiteFrame(
            _name(tournament),
            f"{_subtitle(tournament, ranked)}. {_podium(table)}",
            f"/tournaments/{number}",
            options.url,
            next((kind for kind in ("png", "svg") if kind in pictures), None),
        )
        builder = _Builder(store, tournament, ranked, frame, written)
        builder.build(options, progress)
        written.publish()
    replays, kinds = tuple(builder.replays), frozenset(pictures)
    return WrittenSite(written.count, written.bytes, replays, len(builder.missing), kinds)


def _name(tournament: TournamentRow) -> str:
    return f"Tournament {tournament.id}: {tournament.game}"


def _subtitle(tournament: TournamentRow, ranked: CachedRanking) -> str:
    over = "" if tournament.finished is None else f", finished {tournament.finished[:10]}"
    return f"{len(tournament.entrants):,} bots, {ranked.count:,} matches{over}"


def _podium(table: Ranking) -> str:
    first = ", ".join(f"{row.rank}. {row.bot} ({elo_text(row.elo, row.bound)})" for row in table.rows[:3])
    return f"{first}." if first else "Nobody is rated yet."


@dataclass
class _Builder:
    """Writes the files of one site."""

    store: Store
    tournament: TournamentRow
    ranked: CachedRanking
    frame: SiteFrame
    written: SiteFolder
    bundles: set[str] = field(default_factory=set)
    """The styles and scripts that its pages load, by the name of the bundle."""
    pages: list[str] = field(default_factory=list)
    """The paths of its pages."""
    replays: list[int] = field(default_factory=list)
    """The size of the page of each match, in bytes."""
    missing: list[int] = field(default_factory=list)
    """The ids of the matches that have no page, as their records do not fit the installed rules."""

    def build(self, options: SiteOptions, progress: Callable[[int, int], None]) -> None:
        """Write all files; parameters as in `write_site`."""
        tournament, ranked = self.tournament, self.ranked.standings.table
        chosen, worth_a_look = [], []
        if tournament.finished is not None:
            worth_a_look = highlights(self.store, tournament, ranked)
            chosen = chosen_matches(self.store, tournament.id, options.matches, worth_a_look)
        plan = plan_site(tournament, chosen, self._drawings(tournament.game) if chosen else None)
        self._add_replays(plan, progress)
        plan = plan_site(tournament, [id for id in chosen if id not in set(self.missing)], plan.art)
        self._add_lists(plan, worth_a_look)
        self._add_bundles()
        self.written.write("ranking.csv", ranking_csv(ranked, self.ranked.standings.conduct))
        self.written.write(FEED, site_feed(self.frame, self.store, tournament, ranked, plan, worth_a_look))
        if self.frame.url is not None:
            self.written.write("sitemap.xml", sitemap(self.frame.absolute(path) for path in sorted(self.pages)))

    def _add_replays(self, plan: SitePlan, progress: Callable[[int, int], None]) -> None:
        for number, id in enumerate(plan.matches, 1):
            try:
                html = match_page(self.frame, plan, VISITOR.match(self.store, id))
                self.replays.append(self._add(plan, plan.match_page(id), html))
            except EngineError:  # another version of the rules
                self.missing.append(id)
            progress(number, len(plan.matches))

    def _add_lists(self, plan: SitePlan, worth_a_look: Sequence[Highlight]) -> None:
        frame, store, tournament, ranked = self.frame, self.store, self.tournament, self.ranked
        listed, stages = [self._listed(id) for id in plan.matches], StageNames(store)
        for number in range(1, plan.list_pages + 1):
            here = listed[(number - 1) * AT_ONCE : number * AT_ONCE]
            self._add(plan, list_page(number), matches_page(frame, plan, number, here, len(self.missing), stages))
        for name, path in plan.bots.items():
            self._add(plan, path, bot_page(frame, store, tournament, ranked, plan, name, listed, stages))
        self._add(plan, "index.html", overview(frame, store, tournament, ranked, plan, worth_a_look))

    def _listed(self, id: int) -> ListedMatch:
        [match] = self.store.matches(tournament=self.tournament.id, before=id + 1, limit=1)
        return match

    def _drawings(self, game: str) -> str | None:
        """Write the script with the drawings of a game, and return its file."""
        script = art_script(game)
        if script is None:
            return None
        path = f"static/art-{game}.{sha256(script.encode()).hexdigest()[:12]}.js"
        self.written.write(path, script)
        return path

    def _add(self, plan: SitePlan, path: str, html: str) -> int:
        """Write a page and return its size in bytes."""

        def target(address: str) -> str | None:
            if address.startswith("/static/"):
                self.bundles.add(address.removeprefix("/static/").partition("?")[0])
            return plan.target(address)

        self.pages.append(path)
        return self.written.write(path, with_relative_links(html, path, target))

    def _add_bundles(self) -> None:
        for name in sorted(self.bundles):
            bundle, path = files.bundle(name), static_file(name)
            assert bundle is not None, name
            assert path is not None, name
            self.written.write(path, bundle.text)
