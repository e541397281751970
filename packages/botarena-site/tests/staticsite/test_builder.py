"""What a site holds: its files, links, and nothing that a visitor may not see."""

import json
import re
from base64 import b64decode
from dataclasses import replace
from gzip import decompress
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from arena_site.builder import SiteOptions, WrittenSite, write_site
from arena_site.errors import SiteError
from arena_site.folder import OURS
from staticsite.conftest import EVIL

from arena.league.account_closing import close_account
from arena.store import Store, open_store
from arena.store.people.accounts import AUTHOR
from arena.store.people.submissions import PackRow
from referee.games.cucu import CUCU
from tests import played

ATOM = "{http://www.w3.org/2005/Atom}"


def written(store: Store, folder: Path, number: int = 1, **options: Any) -> WrittenSite:
    return write_site(store, number, folder, SiteOptions(**options), lambda done, wanted: None)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, database: Path) -> Path:
    folder = tmp_path_factory.mktemp("site") / "cup"
    with open_store(database) as store:
        written(store, folder, matches=4)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def links(page: Path) -> list[str]:
    """Return the addresses in a page, without those of previews, which may be absolute."""
    return [unescape(found) for found in re.findall(r' (?:href|src)="([^"]*)"', page.read_text("utf-8"))]


def test_all_links_lead_to_files_and_all_files_are_reached(site: Path) -> None:
    reached, waiting = set[Path](), [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        if page.suffix != ".html":
            continue
        text = page.read_text("utf-8")
        for address in links(page):
            parts = urlsplit(address)
            assert not parts.scheme, address
            assert not parts.netloc, address
            assert not address.startswith("/"), f"{address} in {page.name} is not relative"
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{address} in {page} leads nowhere"
            if parts.fragment and target.suffix == ".html":
                assert f'id="{parts.fragment}"' in target.read_text("utf-8")
            waiting.append(target)
        assert "/work/" not in text
    expected = {path for path in site.rglob("*") if path.is_file()} - {site / OURS, site / "card.png"}
    assert reached == expected


def test_the_pages_hold_nothing_but_what_visitors_see(site: Path, store: Store) -> None:
    secret, seeds = store.tournament(1).secret.hex(), {row.seed.hex() for row in store.records(1)}
    for path, content in contents(site).items():
        text = content.decode("utf-8", "replace")
        for packed in re.findall(r'data-packed="gzip">([^<]*)<', text):
            text += decompress(b64decode(packed)).decode()
        assert secret not in text, path
        assert not any(seed in text for seed in seeds), path
        assert "printed by seat" not in text, path
        assert "why it loses" not in text, f"{path} names reports that the site does not have"
        assert "thought" not in text, path
        assert "/bots/" not in re.sub(r'href="[^"]*"', "", text), f"a folder of a bot is named in {path}"


def test_hostile_names_stay_text(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert "<img src=x" not in text
        assert not re.search(r"<script(?![^>]*(?:src=|id=\"replay-data\"))[^>]*>", text)
    assert "4-script-img-src-x-onerror-alert-1-amp.html" in {path.name for path in (site / "bots").iterdir()}


def test_a_page_of_a_match_holds_every_perspective(site: Path) -> None:
    text = (site / "matches" / "12.html").read_text("utf-8")
    (packed,) = re.findall(r'data-packed="gzip">([^<]*)<', text)
    data = json.loads(decompress(b64decode(packed)))
    assert set(data["perspectives"]) == {"all", *"0123"}
    assert EVIL in data["perspectives"]["all"]["replay"]["players"]
    assert not (site / "matches" / "6.html").exists()


def test_the_same_database_gives_the_same_bytes(site: Path, store: Store, tmp_path: Path) -> None:
    written(store, tmp_path / "again", matches=4)
    assert contents(tmp_path / "again") == contents(site)


def test_interesting_matches_are_told_with_their_reason(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena_site.selection.INTERESTING", 7)
    told = written(store, tmp_path / "cup")
    assert len(told.replays) == 7
    text = (tmp_path / "cup" / "index.html").read_text("utf-8")
    assert "fault of b: timeout" in text or "fault of a: timeout" in text or "fault of c: timeout" in text
    assert 'href="matches/4.html"' in text, "that match is the fourth"


def test_the_list_of_matches_has_pages(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("plan", "builder"):
        monkeypatch.setattr(f"arena_site.{module}.AT_ONCE", 2)
    written(store, tmp_path / "cup", matches=3)
    first, second = ((tmp_path / "cup" / "matches" / name).read_text("utf-8") for name in ("index.html", "page-2.html"))
    assert 'href="page-2.html"' in first
    assert 'href="index.html" rel="prev"' in second
    assert "page 2 of 2" in second


def test_an_unfinished_tournament_is_refused_or_shown_without_replays(store: Store, tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="not finished.*--unfinished"):
        written(store, tmp_path / "cup", number=2)
    assert not list(tmp_path.iterdir())
    told = written(store, tmp_path / "cup", number=2, unfinished=True)
    assert told.replays == ()
    assert "8 of 12 matches" in (tmp_path / "cup" / "index.html").read_text("utf-8")
    assert [path.name for path in (tmp_path / "cup" / "matches").iterdir()] == ["index.html"]


def test_with_an_address_feed_sitemap_and_previews_are_absolute(store: Store, tmp_path: Path) -> None:
    written(store, tmp_path / "cup", matches=2, url="https://example.org/cup")
    feed = ElementTree.parse(tmp_path / "cup" / "feed.atom")
    addresses = [link.get("href") or "" for link in feed.iter(f"{ATOM}link")]
    assert all(address.startswith("https://example.org/cup/") for address in addresses)
    sitemap = ElementTree.parse(tmp_path / "cup" / "sitemap.xml")
    listed = {node.text for node in sitemap.iter() if node.tag.endswith("loc")}
    assert {"https://example.org/cup/", "https://example.org/cup/matches/12.html"} <= listed
    text = (tmp_path / "cup" / "matches" / "12.html").read_text("utf-8")
    assert 'property="og:image" content="https://example.org/cup/card.png"' in text


def test_without_an_address_the_feed_is_relative(site: Path) -> None:
    feed = ElementTree.parse(site / "feed.atom")
    assert {link.get("href") for link in feed.iter(f"{ATOM}link")} >= {"index.html", "feed.atom"}
    ids = [node.text for node in feed.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))
    assert not (site / "sitemap.xml").exists()


def test_the_name_of_a_closed_account_is_nowhere(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True) as store:
        assert store.accounts.add("wanda", AUTHOR, "0" * 64)
        pack = PackRow("a" * 64, b"wanda", 1, 5)
        store.submissions.add("wanda/owl", pack, pack, {"games": []}, {"steps": []})
        first = played.tournament(CUCU, matches=4)
        field = (replace(first.entrants[0], name="wanda/owl@1"), *first.entrants[1:])
        number = store.add_tournament(replace(first, entrants=field))
        store.add_matches(number, [played.match(CUCU, n, notes=True) for n in range(4)])
        store.finish_tournament(number)
        assert close_account(store, "wanda") is not None
        written(store, tmp_path / "cup", number, matches=4)
    for name, content in contents(tmp_path / "cup").items():
        text = content.decode("utf-8", "replace")
        unpacked = [decompress(b64decode(each)).decode() for each in re.findall(r'data-packed="gzip">([^<]*)<', text)]
        assert not any("wanda" in each for each in (name, text, *unpacked)), name
    assert "closed-1/1@1" in (tmp_path / "cup/index.html").read_text("utf-8")
