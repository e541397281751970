"""Look for broken links, and for what a browser would request from other hosts, in the pages of a built site."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
    "link": "href",
}
"""By the name of an element: the attribute with an address that a browser loads by itself."""

_NOT_LOADED = {"canonical", "next", "prev", "alternate"}
"""Relations of <link> that load nothing."""

_STYLE_ADDRESS = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")\s;]+)")


class _Page(HTMLParser):
    """What one page names: the ids of its elements, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)
        self.loaded += _STYLE_ADDRESS.findall(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in _LOADED and _LOADED[tag] in given and given.get("rel") not in _NOT_LOADED:
            self.loaded.append(given[_LOADED[tag]])


def problems(site: Path) -> list[str]:
    """Return a sentence for each link that leads nowhere, and for each address of another host that is loaded."""
    pages = {path: _Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found: list[str] = []
    for path, page in pages.items():
        where = path.relative_to(site)
        found += [f"{where} loads {address} from another host" for address in page.loaded if _is_foreign(address)]
        if path.name != "404.html":  # its links count from the root of a server
            found += [f"{where} links to {link}, {wrong}" for link, wrong in _broken(site, path, pages)]
    for style in sorted(site.rglob("*.css")):
        foreign = _STYLE_ADDRESS.findall(style.read_text())
        found += [f"{style.relative_to(site)} loads {address} from another host" for address in foreign]
    return found


def _is_foreign(address: str) -> bool:
    return bool(urlsplit(address).netloc)


def _broken(site: Path, path: Path, pages: dict[Path, _Page]) -> Iterator[tuple[str, str]]:
    """Yield the links of a page that lead nowhere, each with what is wrong."""
    local = dict.fromkeys(pages[path].links + [address for address in pages[path].loaded if not _is_foreign(address)])
    for link in local:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
        if target.is_dir():
            target /= "index.html"
        if not target.is_relative_to(site.resolve()) or not target.exists():
            yield link, "which does not exist"
        elif parts.fragment and target.suffix == ".html":
            page = pages[site / target.relative_to(site.resolve())]
            if unquote(parts.fragment) not in page.ids | {"__top"}:
                yield link, "where no element has this id"
