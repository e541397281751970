"""The Atom feed of a site, and its sitemap."""

from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree

from arena.ratings import Ranking
from arena.results.control import describe, is_automatic
from arena.server.pages.atom import News, atom_feed
from arena.store import Store
from arena.values.rows import TournamentRow
from arena_site.frame import FEED, SiteFrame
from arena_site.plan import SitePlan
from arena_site.selection import Highlight

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def site_feed(
    frame: SiteFrame,
    store: Store,
    tournament: TournamentRow,
    ranked: Ranking,
    plan: SitePlan,
    highlights: Sequence[Highlight],
) -> bytes:
    """Return the feed: the result, the organiser's decisions, and the matches that are worth a look."""
    written = set(plan.matches)
    shown = [highlight for highlight in highlights if highlight.match in written]
    news = sorted(
        _news(frame, store, tournament, ranked, plan, shown), key=lambda highlight: highlight.when, reverse=True
    )
    id = f"urn:arena:tournament:{tournament.definition_hash[:24]}:{tournament.secret_hash[:24]}"
    return atom_feed(id, frame.name, frame.absolute("index.html"), frame.absolute(FEED), news, tournament.created)


def _news(
    frame: SiteFrame,
    store: Store,
    tournament: TournamentRow,
    ranked: Ranking,
    plan: SitePlan,
    highlights: Iterable[Highlight],
) -> Iterator[News]:
    page = frame.absolute("index.html")
    if tournament.finished is not None:
        title = f"{ranked.rows[0].bot} wins" if ranked.rows else "finished"
        yield News("result", tournament.finished, f"{title}: {frame.description}", page)
        for highlight in highlights:
            address = frame.absolute(plan.match_page(highlight.match))
            yield News(
                f"match:{highlight.match - tournament.first_match}", tournament.finished,
                f"Match {highlight.match}: {highlight.reason}", address,
            )  # fmt: skip
    for entry in store.decisions(tournament.id):
        if not is_automatic(entry):
            words = describe(entry, tournament.names, tournament.first_match)
            yield News(f"log:{entry.number}", entry.created, words, page)
    yield News("start", tournament.created, f"{frame.name} begins", page)


def sitemap(addresses: Iterable[str]) -> bytes:
    """Return a sitemap (sitemaps.org) of absolute addresses."""
    ElementTree.register_namespace("", SITEMAP)
    root = ElementTree.Element(f"{{{SITEMAP}}}urlset")
    for address in addresses:
        ElementTree.SubElement(ElementTree.SubElement(root, f"{{{SITEMAP}}}url"), f"{{{SITEMAP}}}loc").text = address
    return bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True))
