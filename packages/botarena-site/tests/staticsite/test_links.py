"""Links: relative where the site has a page, plain text where it has none."""

import pytest
from arena_site.links import with_relative_links

from arena.replay.html import tag

FILES = {"/bots/a&b": "bots/1-a-b.html", "/static/x.css": "static/x.css", "/matches?bot=a&against=b": "bots/a.html#o"}


def relinked(element: object, page: str = "matches/3.html") -> str:
    return with_relative_links(str(element), page, FILES.get)


def test_links_are_relative_to_their_page() -> None:
    link = tag("a", {"class": "x", "href": "/bots/a&b", "title": '"t"'}, "a")
    assert relinked(link) == '<a class="x" href="../bots/1-a-b.html" title="&quot;t&quot;">a</a>'
    assert relinked(link, "bots/2.html") == '<a class="x" href="1-a-b.html" title="&quot;t&quot;">a</a>'
    assert relinked(link, "index.html") == '<a class="x" href="bots/1-a-b.html" title="&quot;t&quot;">a</a>'


def test_fragments_stay() -> None:
    assert 'href="../bots/a.html#o"' in relinked(tag("a", {"href": "/matches?bot=a&against=b"}, "x"))
    assert relinked(tag("a", {"href": "#content"}, "x")) == '<a href="#content">x</a>'


def test_links_to_nowhere_are_text() -> None:
    link = tag("a", {"class": "x", "href": "/failures", "aria-label": "many"}, tag("b", {}, "1"))
    assert relinked(link) == '<span class="x"><b>1</b></span>'


def test_text_that_looks_like_markup_stays_text() -> None:
    text = tag("p", {"title": '<a href="/failures">'}, '<a href="/failures">x</a>')
    assert relinked(text) == str(text)


def test_styles_and_scripts_must_be_there() -> None:
    assert relinked(tag("link", {"href": "/static/x.css"})) == '<link href="../static/x.css">'
    with pytest.raises(KeyError):
        relinked(tag("script", {"src": "/static/y.js"}))
