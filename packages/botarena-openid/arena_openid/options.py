"""The options of servers: which provider signs people in, and whom."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import click

from arena_openid.settings import NameClaim, OpenIdError, OpenIdSettings, parse_issuer, secret_of


def server_options() -> Sequence[click.Option]:
    """Return the options."""
    return [
        click.Option(
            ["--openid-issuer"],
            metavar="URL",
            envvar="ARENA_OPENID_ISSUER",
            help="Let people sign in by this provider of OpenID Connect.",
        ),
        click.Option(
            ["--openid-client"],
            metavar="ID",
            envvar="ARENA_OPENID_CLIENT",
            help="What this server is called at the provider.",
        ),
        click.Option(
            ["--openid-name"],
            type=click.Choice(get_args(NameClaim)),
            default="preferred_username",
            show_default=True,
            help="By which claim people are called.",
        ),
        click.Option(
            ["--openid-domain", "openid_domains"],
            metavar="DOMAIN",
            multiple=True,
            help="Let in whose verified address is of this domain; repeatable  [default: all]",
        ),
        click.Option(
            ["--openid-group", "openid_groups"],
            metavar="NAME",
            multiple=True,
            help="Let in who is in this group; repeatable  [default: all]",
        ),
        click.Option(
            ["--openid-groups-claim"],
            metavar="CLAIM",
            default="groups",
            show_default=True,
            help="The claim with somebody's groups.",
        ),
        click.Option(
            ["--openid-scope", "openid_scopes"],
            metavar="SCOPE",
            multiple=True,
            help="What to ask for beside openid, profile and email; repeatable.",
        ),
        click.Option(
            ["--openid-create-accounts"],
            is_flag=True,
            help="Give whoever is let in and has no account an author's.",
        ),
    ]


def settings_of(options: Mapping[str, Any]) -> OpenIdSettings | None:
    """Return how people are signed in; None if no provider does it. Raises OpenIdError.

    options: by name.
    """
    issuer, client = options.get("openid_issuer"), options.get("openid_client")
    if not issuer:
        if client:
            raise OpenIdError("--openid-client needs --openid-issuer: the provider that signs people in")
        return None
    if not client:
        raise OpenIdError("--openid-issuer needs --openid-client: what this server is called at the provider")
    return OpenIdSettings(
        parse_issuer(issuer),
        client,
        secret_of(),
        options.get("openid_name") or "preferred_username",
        tuple(domain.lower().lstrip("@") for domain in options.get("openid_domains", ())),
        tuple(options.get("openid_groups", ())),
        options.get("openid_groups_claim") or "groups",
        tuple(options.get("openid_scopes", ())),
        bool(options.get("openid_create_accounts")),
    )
