"""Whom of those that the provider knows arena lets in, and by which account.

An account belongs to a subject of the issuer for good: whoever has the name of somebody else later, gets another one.
"""

from collections.abc import Mapping
from typing import Any

from arena.server.accounts.logins import LoginRefused, account_of_login
from arena.store import Store
from arena.store.people.accounts import AccountRow
from arena_openid.settings import OpenIdError, OpenIdSettings


def needed_claims(settings: OpenIdSettings) -> tuple[str, ...]:
    """Return the claims without which it is not known who somebody is, and whether they are let in."""
    needed: list[str] = [settings.name]
    if settings.name == "email" or settings.domains:
        needed += ["email", "email_verified"]
    return (*dict.fromkeys(needed), *([settings.groups_claim] if settings.groups else []))


def account_for(store: Store, settings: OpenIdSettings, claims: Mapping[str, Any]) -> AccountRow:
    """Return the account of somebody whom the provider has signed in. Raises OpenIdError if they have none here.

    claims: what the provider says of them.
    """
    _check_let_in(settings, claims)
    text = _name(settings, claims)
    login = f"{settings.issuer} {claims['sub']}"
    is_new = store.accounts.find_login(login) is None
    try:
        claims_account = _of_address(store, text) if settings.name == "email" else text
        account = account_of_login(store, login, text, creates=settings.creates, claims=claims_account)
    except LoginRefused as error:
        raise OpenIdError(str(error)) from None
    email = _verified_email(claims)
    if is_new and email is not None and account.email is None:
        store.accounts.describe(account.name, email=email)
    return account


def _of_address(store: Store, email: str) -> str:
    """Return the name of the account that the organiser has made for an address; the address if that is not one."""
    known = store.accounts.with_email(email)
    return known[0].name if len(known) == 1 else email


def _check_let_in(settings: OpenIdSettings, claims: Mapping[str, Any]) -> None:
    """Raise OpenIdError unless somebody has an address and a group that are let in."""
    email = _verified_email(claims)
    if settings.domains and (email is None or email.rpartition("@")[2].lower() not in settings.domains):
        raise OpenIdError("your address is not of a domain that is let in here: ask the organiser")
    groups = claims.get(settings.groups_claim)
    known = {group for group in groups if isinstance(group, str)} if isinstance(groups, list) else set()
    if settings.groups and not known.intersection(settings.groups):
        raise OpenIdError("you are in no group that is let in here: ask the organiser")


def _name(settings: OpenIdSettings, claims: Mapping[str, Any]) -> str:
    """Return how somebody is called. Raises OpenIdError."""
    name = _verified_email(claims) if settings.name == "email" else claims.get(settings.name)
    if not isinstance(name, str) or not name:
        why = "no address that it has verified" if settings.name == "email" else f"no {settings.name}"
        raise OpenIdError(f"{settings.host} tells {why} of you: ask the organiser")
    return name


def _verified_email(claims: Mapping[str, Any]) -> str | None:
    """Return somebody's address if the provider has verified it; None otherwise."""
    email = claims.get("email")
    is_verified = claims.get("email_verified") is True
    return email if is_verified and isinstance(email, str) and "@" in email and len(email) <= 254 else None
