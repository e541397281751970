"""What a provider publishes, and its tokens.

An ID token counts if the provider has signed it with one of the asymmetric keys that it publishes, for this client and
this sign-in, and if it has not expired (OpenID Connect Core 1.0, section 3.1.3.7). Shared secrets sign nothing here, so
a public key cannot pass for one.
"""

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from arena_openid.flows import Flow
from arena_openid.requests import fetch
from arena_openid.settings import OpenIdError, OpenIdSettings, check_url

ALGORITHMS = {
    **dict.fromkeys(("RS256", "PS256", "ES256"), hashlib.sha256),
    **dict.fromkeys(("RS384", "PS384", "ES384"), hashlib.sha384),
    **dict.fromkeys(("RS512", "PS512", "ES512", "Ed25519", "EdDSA"), hashlib.sha512),
}
"""The algorithms of signatures, each with the hash by which it refers to other tokens."""

LEEWAY = 60
"""Seconds by which clocks may differ."""

LONGEST_TOKEN = 64 * 1024
"""Characters of an ID token."""

METADATA_SECONDS = 3600.0
"""How long what a provider publishes is good."""

KEYS_SECONDS = 60.0
"""Between two looks at its keys, where a token names another one."""


class Fetch(Protocol):
    """Asks the provider, as `arena_openid.requests.fetch` does."""

    def __call__(
        self,
        url: str,
        form: Mapping[str, str] | None = None,
        *,
        client: tuple[str, str] | None = None,
        token: str | None = None,
    ) -> dict[str, Any]:
        """Return the JSON object at a URL."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a provider says of itself."""

    authorization: str
    """Where people sign in."""
    token: str
    """Where a code becomes tokens."""
    keys: str
    """Where its public keys are."""
    userinfo: str | None
    """Where more is known of somebody; None: nowhere."""
    end_session: str | None
    """Where people sign out; None: nowhere."""
    takes_basic: bool
    """Whether the client says who it is in a header; False: in the form."""
    names_itself: bool
    """Whether it always says who it is as it sends people back (RFC 9207)."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody whom the provider has signed in."""

    claims: Mapping[str, Any]
    """What the provider says of them; `sub` is a text."""
    id_token: str
    """The token that says so."""


class Provider:
    """A provider. Its methods block, and raise OpenIdError."""

    def __init__(
        self, settings: OpenIdSettings, *, fetch: Fetch = fetch, clock: Callable[[], float] = time.time
    ) -> None:
        """Prepare it; nothing is asked yet.

        clock: returns seconds since 1970.
        """
        self._settings = settings
        self._fetch = fetch
        self._clock = clock
        self._lock = Lock()
        self._metadata: Metadata | None = None
        self._read_at = 0.0
        self._keys: KeySet | None = None
        self._keys_at = 0.0

    def metadata(self) -> Metadata:
        """Return what the provider publishes, as it was read last."""
        with self._lock:
            if self._metadata is None or not 0 <= self._clock() - self._read_at < METADATA_SECONDS:
                self._metadata = self._read_metadata()
                self._read_at, self._keys = self._clock(), None
            return self._metadata

    def _read_metadata(self) -> Metadata:
        issuer = self._settings.issuer
        values = self._fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if values.get("issuer") != issuer:
            said = str(values.get("issuer"))[:200]
            raise OpenIdError(f"the provider calls itself {said!r}, and not {issuer!r}: correct --openid-issuer")
        is_local = issuer.startswith("http://")

        def url(name: str, *, needed: bool = True) -> str | None:
            if not needed and name not in values:
                return None
            return check_url(values.get(name), f"{name} of {self._settings.host}", local=is_local)

        methods = values.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        return Metadata(
            str(url("authorization_endpoint")),
            str(url("token_endpoint")),
            str(url("jwks_uri")),
            url("userinfo_endpoint", needed=False),
            url("end_session_endpoint", needed=False),
            not isinstance(methods, list) or "client_secret_basic" in methods,
            values.get("authorization_response_iss_parameter_supported") is True,
        )

    def authorization_url(self, flow: Flow, redirect: str) -> str:
        """Return where somebody is sent to sign in.

        redirect: where they are sent back.
        """
        asked = {
            "response_type": "code",
            "client_id": self._settings.client,
            "redirect_uri": redirect,
            "scope": " ".join(dict.fromkeys(("openid", "profile", "email", *self._settings.scopes))),
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        return _with_query(self.metadata().authorization, asked)

    def sign_out_url(self, id_token: str, redirect: str) -> str:
        """Return where somebody signs out of the provider, too; empty if it has no such page.

        redirect: where they are sent back.
        """
        page = self.metadata().end_session
        asked = {"client_id": self._settings.client, "id_token_hint": id_token, "post_logout_redirect_uri": redirect}
        return "" if page is None else _with_query(page, asked)

    def check_sender(self, issuer: str | None) -> None:
        """Check who has sent somebody back.

        issuer: who that is, as the answer says; None where it does not.
        """
        if issuer != self._settings.issuer and (issuer is not None or self.metadata().names_itself):
            raise OpenIdError("another provider sent you back")

    def redeem(self, code: str, flow: Flow, redirect: str, *needed: str) -> SignedIn:
        """Return whom the provider has signed in.

        code: what it has sent them back with.
        redirect: where it has.
        needed: the claims that are looked up elsewhere if the ID token has them not.
        """
        settings, metadata = self._settings, self.metadata()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": flow.verifier,
        }
        client = (settings.client, settings.secret) if settings.secret and metadata.takes_basic else None
        if client is None:
            form |= {"client_id": settings.client} | ({"client_secret": settings.secret} if settings.secret else {})
        tokens = self._fetch(metadata.token, form, client=client)
        id_token, access = tokens.get("id_token"), tokens.get("access_token")
        if not isinstance(id_token, str) or len(id_token) > LONGEST_TOKEN:
            raise OpenIdError(f"{settings.host} has sent no ID token")
        access = access if isinstance(access, str) else None
        claims = self.verify(id_token, access, flow.nonce)
        if any(name not in claims for name in needed) and metadata.userinfo is not None and access is not None:
            more = self._fetch(metadata.userinfo, token=access)
            if more.get("sub") != claims["sub"]:
                raise OpenIdError(f"{settings.host} tells of somebody else")
            claims = {**more, **claims}
        return SignedIn(claims, id_token)

    def verify(self, id_token: str, access_token: str | None, nonce: str) -> Mapping[str, Any]:
        """Return the claims of an ID token.

        access_token: that which came with it; None for none.
        nonce: that of the sign-in.
        """
        try:
            token = self._decoded(id_token)
            algorithm = str(token.header["alg"])
            _check_claims(token.claims, self._settings, nonce, self._clock())
            _check_hash(token.claims.get("at_hash"), access_token, algorithm)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise OpenIdError(f"the ID token of {self._settings.host} does not count ({error})") from None
        return token.claims

    def _decoded(self, id_token: str) -> jwt.Token:
        """Return a token that the provider has signed, perhaps with a key that it has not had before."""
        registry = JWSRegistry(algorithms=list(ALGORITHMS))
        try:
            return jwt.decode(id_token, self._known_keys(), list(ALGORITHMS), registry)
        except InvalidKeyIdError:
            return jwt.decode(id_token, self._known_keys(again=True), list(ALGORITHMS), registry)

    def _known_keys(self, *, again: bool = False) -> KeySet:
        """Return the public keys of the provider.

        again: whether to look whether it has others now, unless that was just done.
        """
        keys = self.metadata().keys
        with self._lock:
            is_old = not 0 <= self._clock() - self._keys_at < KEYS_SECONDS
            if self._keys is None or (again and is_old):
                self._keys = _public_keys(self._fetch(keys))
                self._keys_at = self._clock()
            return self._keys


def _public_keys(values: Mapping[str, Any]) -> KeySet:
    """Return those keys of a set that are public and may sign; what is not understood is left out."""
    usable = []
    for key in values.get("keys") or []:
        if isinstance(key, dict) and key.get("kty") in ("RSA", "EC", "OKP") and key.get("use", "sig") == "sig":
            try:
                usable += KeySet.import_key_set({"keys": [key]}).keys
            except (JoseError, ValueError, TypeError, KeyError):
                continue
    if not usable:
        raise OpenIdError("the provider publishes no key")
    return KeySet(usable)


def _check_claims(claims: Mapping[str, Any], settings: OpenIdSettings, nonce: str, now: float) -> None:
    """Raise ValueError if claims are not those of this provider for this client and sign-in, now."""
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    party, subject = claims.get("azp"), claims.get("sub")
    if claims.get("iss") != settings.issuer:
        raise ValueError("another issuer")
    if settings.client not in audiences or (party is None and len(audiences) > 1):
        raise ValueError("another audience")
    if party is not None and party != settings.client:
        raise ValueError("another party")
    if not isinstance(subject, str) or not 0 < len(subject) <= 255 or not subject.isprintable():
        raise ValueError("no subject")
    times = {name: claims.get(name) for name in ("exp", "iat", "nbf")}
    for name, moment in times.items():
        if (moment is None and name != "nbf") or isinstance(moment, bool) or not isinstance(moment, int | float | None):
            raise ValueError(f"no {name}")
    if not now - LEEWAY < times["exp"]:  # type: ignore[operator]  # it is a number by now; no NaN passes
        raise ValueError("it has expired")
    if not times["iat"] < now + LEEWAY or not (times["nbf"] or 0) < now + LEEWAY:  # type: ignore[operator]
        raise ValueError("it is of the future")
    said = claims.get("nonce")
    if not isinstance(said, str) or not hmac.compare_digest(said.encode(), nonce.encode()):
        raise ValueError("another nonce")


def _check_hash(said: object, access_token: str | None, algorithm: str) -> None:
    """Raise ValueError if a token refers to another access token than that which came with it."""
    if said is None or access_token is None:
        return
    digest = ALGORITHMS[algorithm](access_token.encode()).digest()
    half = base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=")
    if not isinstance(said, str) or not hmac.compare_digest(said.encode(), half):
        raise ValueError("another access token")


def _with_query(url: str, values: Mapping[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(values)}"
