"""What all pages of a site share: head, navigation, styles and scripts, as those of the pages that are served."""

from dataclasses import dataclass
from typing import Any

from arena.hooks.specifications import Preview
from arena_site.links import relative
from arena_site.templates import TEMPLATES

POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of all pages: they load nothing from elsewhere, and hold no scripts of their own."""

FEED = "feed.atom"
CARD = "card."
"""The file of the preview picture, without its suffix."""
KINDS = {"png": "image/png", "svg": "image/svg+xml"}
"""The media types of that picture, by suffix."""


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
    picture: str | None
    """The suffix of the file of the preview picture; None: there is none."""

    def page(self, template: str, path: str, *, title: str, drawings: str | None = None, **values: Any) -> str:
        """Return a page, with links as `arena web` writes them.

        path: of its file in the site.
        title: what it is called.
        drawings: the script that adds drawings; None: none does.
        values: what its template shows, and `frame.html`.
        """
        return TEMPLATES.page(
            template,
            frame=self,
            policy=POLICY,
            feed=relative(FEED, path),
            title=title,
            preview=self._preview(path, title),
            drawings=relative(drawings, path) if drawings else None,
            **values,
        )

    def _preview(self, path: str, title: str) -> Preview:
        address = self.absolute(path) if self.url else ""
        if self.picture is None:
            return Preview(title, self.description, address)
        file = CARD + self.picture
        image = self.absolute(file) if self.url else relative(file, path)
        return Preview(title, self.description, address, image, KINDS[self.picture])

    def absolute(self, path: str) -> str:
        """Return the address of a file; relative to the site if nobody knows where that will be."""
        return f"{self.url}/{path.removesuffix('index.html')}" if self.url else path
