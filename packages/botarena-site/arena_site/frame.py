"""What all pages of a site share: head, navigation, styles and scripts, as those of `arena.server.pages.layout`."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.replay.html import Child, document, tag
from arena.replay.replay_page import theme_button
from arena.server.files import address
from arena_site.links import relative

POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of all pages: they load nothing from elsewhere, and hold no scripts of their own."""

FEED = "feed.atom"
CARD_SVG, CARD_PNG = "card.svg", "card.png"


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What all pages share."""

    name: str
    """The name of the site."""
    description: str
    """The site in one sentence, for previews."""
    overview: str
    """The address of the first page as `arena web` serves it."""
    url: str | None
    """Where the site will be, without a slash at its end; None if nobody knows."""
    picture: str
    """The file of the preview picture."""

    def page(
        self,
        path: str,
        title: str,
        *body: Child,
        here: str = "",
        styles: Sequence[str],
        scripts: Sequence[str] = (),
        drawings: str | None = None,
        kind: str | None = None,
    ) -> str:
        """Return a page, with links as `arena web` writes them.

        path: of its file in the site.
        here: the address of its navigation link.
        styles, scripts: files besides those of all pages.
        drawings: the script that adds drawings; None: none does.
        kind: of a page with a layout of its own.
        """
        links = [
            tag("a", {"href": to, "aria-current": "page" if to == here else None}, name)
            for to, name in ((self.overview, "Overview"), ("/matches", "Matches"))
        ]
        return document(
            (
                tag("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}),
                tag("title", {}, title if title == self.name else f"{title} · {self.name}"),
                tag("meta", {"name": "description", "content": self.description}),
                self._preview(path, title),
                tag("link", {"rel": "icon", "href": address("icon.svg"), "type": "image/svg+xml"}),
                tag("link", {"rel": "alternate", "type": "application/atom+xml", "href": relative(FEED, path),
                             "title": self.name}),
                tag("link", {"rel": "stylesheet", "href": address("tokens.css", "base.css", *styles)}),
                tag("script", {"src": address("theme.js")}),  # before the page is drawn
                tag("script", {"src": address(*scripts), "defer": True}) if scripts else None,
                tag("script", {"src": relative(drawings, path), "defer": True}) if drawings else None,
            ),
            (
                tag("a", {"class": "skip", "href": "#content"}, "to the content"),
                tag(
                    "header",
                    {"class": "bar"},
                    tag("a", {"class": "brand", "href": self.overview}, self.name),
                    tag("nav", {"aria-label": "pages"}, links),
                    theme_button(),
                ),
                body,
            ),
            kind=kind,
        )  # fmt: skip

    def _preview(self, path: str, title: str) -> list[Child]:
        """Return what messengers and search engines show of a page."""

        def meta(name: str, content: str) -> Child:
            return tag("meta", {"property": f"og:{name}", "content": content})

        return [
            meta("type", "website"),
            meta("site_name", self.name),
            meta("title", title),
            meta("description", self.description),
            meta("image", self.absolute(self.picture) if self.url else relative(self.picture, path)),
            meta("url", self.absolute(path)) if self.url else None,
            tag("link", {"rel": "canonical", "href": self.absolute(path)}) if self.url else None,
            tag("meta", {"name": "twitter:card", "content": "summary_large_image"}),
        ]

    def absolute(self, path: str) -> str:
        """Return the address of a file; relative to the site if nobody knows where that will be."""
        return f"{self.url}/{path.removesuffix('index.html')}" if self.url else path
