"""What the package adds to arena."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from arena.hooks.specifications import ApiPart, CommandPart, SitePart, hookimpl

if TYPE_CHECKING:
    from arena.league.results.league_ratings import EntryRating
    from arena.league.store.league_rows import EntryRow
    from arena.server.api.authentication import TokenAuthentication
    from arena.store import Store


@hookimpl
def arena_command(command: str) -> CommandPart | None:
    """Let servers say which addresses webhooks may reach."""
    from arena_webhooks.options import server_options

    return CommandPart(server_options()) if command in ("serve", "web") else None


@hookimpl
def arena_site(store: "Store", options: Mapping[str, Any], say: Callable[[str], None]) -> SitePart:
    """Return the pages and operations of webhooks, and the worker that delivers events."""
    from arena.server.api.operations import operations_of
    from arena_webhooks.addresses import AddressRules
    from arena_webhooks.kinds import EVENTS
    from arena_webhooks.operations import WebhookOperations, sections
    from arena_webhooks.routes import WebhookRoutes
    from arena_webhooks.store import Webhooks
    from arena_webhooks.worker import WebhookWorker

    webhooks = Webhooks(store)
    rules = AddressRules(tuple(options.get("webhook_networks", ())), options.get("local_webhooks", False))
    worker = WebhookWorker(webhooks, rules, say)

    def api(tokens: "TokenAuthentication") -> ApiPart:
        return ApiPart(
            operations_of(WebhookOperations(webhooks, tokens, rules)),
            tuple(EVENTS.values()),
            sections,
        )

    return SitePart(
        "webhooks",
        lambda _: WebhookRoutes(webhooks, rules).routes(),
        worker.run,
        worker.is_alive,
        needs_accounts=True,
        links=[("/webhooks", "webhooks")],
        api=api,
    )


@hookimpl
def arena_league_rated(
    store: "Store",
    league: int,
    number: int,
    ratings: "Mapping[int, EntryRating]",
    entries: "Mapping[int, EntryRow]",
) -> None:
    """Tell owners who has passed their entries, unless the results of the league are hidden."""
    from arena.league.store.leagues import Leagues
    from arena_webhooks.overtaking import rivals_now
    from arena_webhooks.store import Webhooks

    webhooks = Webhooks(store)
    if Leagues(store).hiding(league) is None and (changed := rivals_now(webhooks.rivals(league), ratings, entries)):
        webhooks.save_rivals(league, number, changed)
