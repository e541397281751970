"""What the package adds to arena."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from arena.hooks.specifications import CommandPart, Routes, SitePart, SiteShared, hookimpl

if TYPE_CHECKING:
    from arena.store import Store


@hookimpl
def arena_command(command: str) -> CommandPart | None:
    """Let servers say which provider signs people in."""
    from arena_openid.options import server_options

    return CommandPart(server_options()) if command in ("serve", "web") else None


@hookimpl
def arena_site(
    store: "Store", options: Mapping[str, Any], say: Callable[[str], None], public_url: str | None
) -> SitePart | None:
    """Return the way to the provider and back; None where none is named."""
    from arena_openid.options import settings_of
    from arena_openid.provider import Provider
    from arena_openid.routes import BEGIN, OpenIdRoutes
    from arena_openid.settings import OpenIdError

    settings = settings_of(options)
    if settings is None:
        return None
    if public_url is None:
        raise OpenIdError("--openid-issuer needs --public-url: the provider sends people back there")
    provider, site = Provider(settings), public_url

    def routes(shared: SiteShared) -> Routes:
        return OpenIdRoutes(store, settings, provider, site, shared.sessions, say).routes()

    return SitePart("openid", routes, needs_accounts=True, sign_in_links=[(BEGIN, f"sign in by {settings.host}")])
