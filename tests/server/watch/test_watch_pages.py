"""The live page of a league, and who is told of it."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from arena.language.languages import LANGUAGES
from arena.server.access import VISITOR, Access
from arena.store import Store, open_store
from tests.server.conftest import Client

PAGE = "/leagues/spring/live"


@pytest.fixture(scope="module")
def store(league_database: Path) -> Iterator[Store]:
    with open_store(league_database) as opened:
        yield opened


@pytest.fixture(scope="module")
def public(store: Store) -> Client:
    return Client(store, VISITOR)


def test_a_page_has_as_many_tables_as_are_asked_for(public: Client) -> None:
    for query, count in (
        ("", 4),
        ("?tables=1", 1),
        ("?tables=8", 8),
        ("?tables=99", 8),
        ("?tables=x", 4),
        ("?tables=0", 4),
    ):
        page = public.get(f"{PAGE}{query}")
        assert page.status_code == 200
        assert page.text.count('id="watch-') == count + 1, query  # and that of what is not shown
        assert page.text.count('data-packed="deflate"') == count


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_translated_and_its_parts_are_the_same(public: Client, language: str) -> None:
    page = public.get(f"{PAGE}?lang={language}").text
    assert f'<html lang="{language}">' in page
    assert ("Matches of quick bots" in page) == (language == "en")
    digest = page.partition('data-digest="')[2].partition('"')[0]
    assert digest in public.get(PAGE).text


def test_without_scripts_there_are_links_to_what_is_shown(public: Client) -> None:
    page = public.get(PAGE).text
    links = page.partition("<noscript><p>")[2].partition("</noscript>")[0]
    assert links.count('href="/matches/') == 4


def test_a_league_that_is_not_there_is_said(public: Client) -> None:
    for path in ("/leagues/winter/live", "/leagues/winter/live/events"):
        answer = public.get(path)
        assert answer.status_code == 404
        assert "there is no league winter" in unescape(answer.text)


def test_the_pages_of_a_league_link_to_it_unless_it_is_switched_off(store: Store, public: Client) -> None:
    off = Client(store, Access(organiser=False), watching=None)
    assert f'href="{PAGE}"' in public.get("/leagues/spring").text
    assert f'href="{PAGE}"' not in off.get("/leagues/spring").text
    assert off.get(PAGE).status_code == 404
