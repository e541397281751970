"""What other sites show beside links to pages: packages say it."""

from typing import Any

from starlette.requests import Request

from arena.hooks.plugins import plugins
from arena.hooks.specifications import Preview


def preview_of(request: Request, *about: Any) -> Preview | None:
    """Return what other sites show beside a link to a page; None for nothing.

    about: what the page shows, as the hook `arena_preview` takes it.
    """
    preview: Preview | None = plugins().hook.arena_preview(request=request, about=about)
    return preview
